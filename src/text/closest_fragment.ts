// Owns: the parts of long lines that are most like one short line that was sent.
// Must not know: why one wants to know; whole lines are for closest.ts.

import type { TextDocument } from "./document.ts";
import { LcsPattern } from "./lcs.ts";
import { type LineSurvey, TRIPLE_KEYS } from "./line_survey.ts";

export interface SimilarFragment {
  /** 0-based line. */
  readonly line: number;
  /** UTF-16 offset in the line at which the fragment begins, if that is clear. */
  readonly column: number | undefined;
  readonly ratio: number;
}

/** A line that is not this many times as long as the one sent is compared as a whole. */
const LONGER = 2;
/** Share of the sent line's triples below which a fragment is not looked for. */
const LEAST_SHARE = 0.4;
const MOST_LINES = 20;
/** Longer lines that were sent are compared as a whole only. */
const LONGEST = 2_000;
/** Characters of long lines that are looked at; a line that is begun is looked at to its end. */
const MOST_TEXT = 300_000;
/** Characters by which a fragment's beginning may be off, and that show where it is. */
const SLACK = 12;
const SURE_BEGINNING = 4;

/** Fragments of lines much longer than `sent`, closest first; at most one a line. */
export function findClosestFragments(
  document: TextDocument,
  sent: string,
  { survey, triples }: { readonly survey: LineSurvey; readonly triples: Uint8Array },
): SimilarFragment[] {
  const size = sent.replace(/\s+/g, "").length;
  if (size < SURE_BEGINNING || sent.length > LONGEST) return [];
  const { characters, hits, from, to } = survey;
  const long: number[] = [];
  for (let line = 0; line < survey.lineCount; line++) {
    const isLong = (characters[line] ?? 0) > LONGER * size;
    if (isLong && (hits[line] ?? 0) >= LEAST_SHARE * size) long.push(line);
  }
  long.sort((one, other) => (hits[other] ?? 0) - (hits[one] ?? 0) || one - other);
  const ring = { offsets: new Int32Array(size), shared: new Uint8Array(size), triples };
  const dense: (Dense & { readonly line: number })[] = [];
  let left = MOST_TEXT;
  for (const line of long) {
    if (left <= 0) break;
    const range = { from: from[line] ?? 0, to: to[line] ?? 0 };
    left -= range.to - range.from;
    const place = densestPlace(document.text, { ...range, ...ring });
    if (place.hits >= LEAST_SHARE * size) dense.push({ line, ...place });
  }
  dense.sort((one, other) => other.hits - one.hits || one.line - other.line);
  const pattern = new LcsPattern(sent);
  return dense.slice(0, MOST_LINES)
    .map((place) => measure(document, { ...place, sent, pattern }))
    .sort((one, other) => other.ratio - one.ratio || one.line - other.line);
}

interface Dense {
  /** Offset in the text of the first character, and how many triples are shared from there on. */
  readonly start: number;
  readonly hits: number;
}

interface DenseSearch {
  readonly from: number;
  readonly to: number;
  /** The last characters that are no blanks, as many as a place takes up; used again and again. */
  readonly offsets: Int32Array;
  readonly shared: Uint8Array;
  readonly triples: Uint8Array;
}

/** Where most of so many characters in a row end shared triples. */
function densestPlace(
  text: string,
  { from, to, offsets, shared, triples }: DenseSearch,
): Dense {
  const size = offsets.length;
  shared.fill(0);
  let best: Dense = { start: from, hits: 0 };
  let key = 0;
  let count = 0;
  let hits = 0;
  for (let index = from; index < to; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 32 || (unit >= 9 && unit <= 13)) continue;
    key = ((key << 5) ^ unit) & (TRIPLE_KEYS - 1);
    const slot = count % size;
    hits -= shared[slot] ?? 0;
    shared[slot] = count >= 2 ? triples[key] ?? 0 : 0;
    hits += shared[slot] ?? 0;
    offsets[slot] = index;
    count++;
    if (hits > best.hits) {
      best = { start: count < size ? from : offsets[count % size] ?? from, hits };
    }
  }
  return best;
}

interface Measured extends Dense {
  readonly line: number;
  readonly sent: string;
  readonly pattern: LcsPattern;
}

function measure(
  document: TextDocument,
  { line, start, sent, pattern }: Measured,
): SimilarFragment {
  const { text } = document;
  const from = document.lineStart(line);
  const to = document.lineEnd(line);
  const beginning = sent.slice(0, SURE_BEGINNING);
  const around = text.slice(Math.max(from, start - SLACK), Math.min(to, start + SLACK));
  const at = around.indexOf(beginning);
  const first = at === -1 ? start : Math.max(from, start - SLACK) + at;
  const common = pattern.lengthIn(text, first, Math.min(to, first + sent.length));
  const ratio = 2 * common / (sent.length + Math.min(to - first, sent.length));
  return { line, column: at === -1 ? undefined : first - from, ratio };
}
