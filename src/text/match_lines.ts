// Owns: finding a block of whole lines in a document, line for line, under a folding.
// Must not know: what is done with the windows it finds.

import { TextDocument } from "./document.ts";
import { foldedHashes, type Folding, foldLine, isBlank } from "./folded_text.ts";
import { foldNewlines } from "./match_exact.ts";
import { MOST_PLACES, type Places } from "./match_result.ts";

/** Places of a word that are looked at one by one. */
const MOST_ANCHORS = 200;

/** Lines of a text that was sent, and the blank lines around them, which do not count. */
export interface Block {
  readonly lines: readonly string[];
  readonly blankBefore: number;
  readonly blankAfter: number;
}

/** The text's lines without leading and trailing blank ones; a final newline is no further line. */
export function parseBlock(text: string): Block {
  const lines = textLines(text);
  const first = lines.findIndex((line) => !isBlank(line));
  if (first === -1) return { lines: [], blankBefore: lines.length, blankAfter: 0 };
  const last = lines.findLastIndex((line) => !isBlank(line));
  return {
    lines: lines.slice(first, last + 1),
    blankBefore: first,
    blankAfter: lines.length - last - 1,
  };
}

/** The lines of a text that was sent, with CRLF folded. */
export function textLines(text: string): string[] {
  if (text === "") return [];
  const lines = foldNewlines(text).split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** First lines of every window that equals `lines` under `folding`, overlapping ones too. */
export function findWindows(
  document: TextDocument,
  lines: readonly string[],
  folding: Folding,
): number[] {
  if (lines.length === 0 || lines.length > document.lineCount) return [];
  const folded = lines.map((line) => foldLine(line, folding));
  const anchor = folding === "whitespace" ? linesWithLongestWord(document, folded) : undefined;
  return anchor === undefined
    ? searchAll(document, folded, folding)
    : windowsAround(document, folded, anchor);
}

/** Lines that hold the longest word of the block, by which most blocks are nowhere or in one place. */
function linesWithLongestWord(
  { text }: TextDocument,
  folded: readonly string[],
): Anchor | undefined {
  let word = "";
  let offset = 0;
  folded.forEach((line, index) => {
    for (const candidate of line.split(" ")) {
      if (candidate.length <= word.length) continue;
      word = candidate;
      offset = index;
    }
  });
  const places: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    // All of a block of blanks, or of a common word, is better found in one pass.
    if (places.length === MOST_ANCHORS) return undefined;
    places.push(at);
  }
  return { places, offset };
}

interface Anchor {
  /** Offsets in the text, ascending. */
  readonly places: readonly number[];
  /** The line of the block that they belong to. */
  readonly offset: number;
}

function windowsAround(
  document: TextDocument,
  folded: readonly string[],
  { places, offset }: Anchor,
): number[] {
  const starts = new Set(places.map((place) => document.lineAt(place) - offset));
  return [...starts].filter((start) =>
    start >= 0 && start + folded.length <= document.lineCount &&
    folded.every((line, index) => foldLine(document.lineText(start + index), "whitespace") === line)
  );
}

/** One pass over all lines; only one whose hash is known is looked at closely, and only once. */
function searchAll(
  document: TextDocument,
  folded: readonly string[],
  folding: Folding,
): number[] {
  const numbers = new Map<string, number>();
  for (const line of folded) if (!numbers.has(line)) numbers.set(line, numbers.size);
  const needle = Int32Array.from(folded, (line) => numbers.get(line) ?? -1);
  const known = new Set(foldedHashes(new TextDocument(folded.join("\n") + "\n"), folding));
  const haystack = foldedHashes(document, folding).map((hash, index) =>
    known.has(hash) ? numbers.get(foldLine(document.lineText(index), folding)) ?? -1 : -1
  );
  return search(haystack, needle);
}

/** Windows taken from the top, each beginning after the one before has ended. */
export function withoutOverlap(starts: readonly number[], length: number): number[] {
  const kept: number[] = [];
  for (const start of starts) {
    if (start >= (kept.at(-1) ?? -length) + length) kept.push(start);
  }
  return kept;
}

/** Places to tell: those that `replace_all` would replace, or the overlapping ones if there is one of these. */
export function windowPlaces(starts: readonly number[], length: number): Places {
  const apart = withoutOverlap(starts, length);
  const told = apart.length > 1 ? apart : starts;
  return { lines: told.slice(0, MOST_PLACES), total: told.length };
}

/** Knuth, Morris and Pratt: linear also where lines repeat without end. */
function search(haystack: Int32Array, needle: Int32Array): number[] {
  const fallback = new Int32Array(needle.length);
  for (let index = 1, length = 0; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = fallback[length - 1] ?? 0;
    if (needle[index] === needle[length]) length++;
    fallback[index] = length;
  }
  const starts: number[] = [];
  for (let index = 0, length = 0; index < haystack.length; index++) {
    while (length > 0 && haystack[index] !== needle[length]) length = fallback[length - 1] ?? 0;
    if (haystack[index] === needle[length]) length++;
    if (length < needle.length) continue;
    starts.push(index - length + 1);
    length = fallback[length - 1] ?? 0;
  }
  return starts;
}
