// Owns: the windows of a file that are most like a block of lines, within a budget of work.
// Must not know: why one wants to know, what is told about the windows.
//
// One pass over the text puts all windows in order: lines that stand in the right place count most,
// then triples of characters that both have. The first ones are measured line by line, until the
// work is spent. No clock is read, so the same texts always give the same answer.

import { findClosestFragments } from "./closest_fragment.ts";
import { TextDocument } from "./document.ts";
import { LcsPattern } from "./lcs.ts";
import { type LineSurvey, surveyLines, tripleSet } from "./line_survey.ts";

export interface SimilarWindow {
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** Twice the common subsequence of the lines, pair by pair, over the characters of both. */
  readonly ratio: number;
  /** Set where a part of one line is meant: the UTF-16 offset in it, if that is clear. */
  readonly fragment?: { readonly column: number | undefined };
}

export interface ClosestWindows {
  /** Closest first, none overlapping another. */
  readonly windows: readonly SimilarWindow[];
  /** True when work ended before every promising window was measured. */
  readonly cut: boolean;
}

const LEAST_RATIO = 0.4;
const MOST_WINDOWS = 3;

/** Longer lines are compared by what they share at both ends and a bounded middle. */
const LONG_LINE = 1_024;
/** Characters of a file that are looked at. */
const MOST_TEXT = 32_000_000;
/** Places that one sent line may vote for: a line that is everywhere says nothing. */
const MOST_VOTES = 2_000;
/** Votes of all lines together. */
const ALL_VOTES = 20_000_000;
const MOST_OVERDRAFT = 1_000_000;
/** Steps of the order; after the first two thirds a window is no likelier than any other. */
const LEVELS = 256;
const HOPELESS = 170;

/** At most three windows with as many lines as `lines` that are at least 40 % like them. */
export function findClosest(document: TextDocument, lines: readonly string[]): ClosestWindows {
  if (lines.length === 0 || document.lineCount === 0) return { windows: [], cut: false };
  // Nothing that is so much longer than the file can be as like it as is asked for.
  const mostLength = (2 / LEAST_RATIO - 1) * document.text.length;
  if (lines.reduce((sum, line) => sum + line.trim().length, 0) > mostLength) {
    return { windows: [], cut: false };
  }
  const isWhole = document.text.length <= MOST_TEXT;
  const lineCount = isWhole ? document.lineCount : document.lineAt(MOST_TEXT) + 1;
  const triples = tripleSet(lines);
  const survey = surveyLines(document, { triples, lineCount });
  const meter = new WindowMeter(document, { survey, lines: lines.map((line) => line.trim()) });
  const found = fragmentWindows(document, lines, { survey, triples });
  const sent = surveyLines(new TextDocument(lines.join("\n") + "\n"), {
    triples,
    lineCount: lines.length,
  });
  const { order, promising } = orderWindows(survey, sent);
  let measured = 0;
  while (measured < order.length && !meter.isSpent) {
    const window = meter.measure(order[measured++] ?? 0);
    if (window) found.push(window);
  }
  return { windows: bestApart(found), cut: !isWhole || measured < promising };
}

/** A single line may be a part of a longer one. */
function fragmentWindows(
  document: TextDocument,
  lines: readonly string[],
  surveyed: { readonly survey: LineSurvey; readonly triples: Uint8Array },
): SimilarWindow[] {
  const [sent, second] = lines;
  if (sent === undefined || second !== undefined) return [];
  return findClosestFragments(document, sent.trim(), surveyed)
    .filter(({ ratio }) => ratio >= LEAST_RATIO)
    .map(({ line, column, ratio }) => ({
      start: line,
      end: line + 1,
      ratio,
      fragment: { column },
    }));
}

function bestApart(found: SimilarWindow[]): SimilarWindow[] {
  const best: SimilarWindow[] = [];
  found.sort((left, right) => right.ratio - left.ratio || left.start - right.start);
  for (const window of found) {
    if (best.every((other) => window.end <= other.start || window.start >= other.end)) {
      best.push(window);
    }
    if (best.length === MOST_WINDOWS) break;
  }
  return best;
}

/** Measures windows until its work is spent. */
class WindowMeter {
  readonly #text: string;
  readonly #survey: LineSurvey;
  readonly #lines: readonly string[];
  /** Made when first needed: of thousands of lines few are ever compared. */
  readonly #patterns: (LcsPattern | undefined)[] = [];
  readonly #length: number;
  #work: number;

  constructor(
    document: TextDocument,
    { survey, lines }: { readonly survey: LineSurvey; readonly lines: readonly string[] },
  ) {
    this.#text = document.text;
    this.#survey = survey;
    this.#lines = lines;
    this.#length = lines.reduce((sum, line) => sum + line.length, 0);
    this.#work = 30_000 + Math.min(900_000, document.text.length / 2);
  }

  get isSpent(): boolean {
    return this.#work <= 0;
  }

  /** The window that begins at `start`, unless it is below the least ratio. */
  measure(start: number): SimilarWindow | undefined {
    const { from, to, lineCount } = this.#survey;
    const count = Math.min(this.#lines.length, lineCount - start);
    let possible = 0;
    let total = this.#length;
    for (let offset = 0; offset < count; offset++) {
      const length = (to[start + offset] ?? 0) - (from[start + offset] ?? 0);
      total += length;
      possible += Math.min(length, this.#lines[offset]?.length ?? 0);
    }
    this.#work -= count;
    let common = 0;
    for (let offset = 0; offset < count; offset++) {
      // A window that was begun is ended, unless it alone would cost far more than all of them may.
      if (this.#work < -MOST_OVERDRAFT) return undefined;
      if (2 * (common + possible) < LEAST_RATIO * total) return undefined;
      const length = (to[start + offset] ?? 0) - (from[start + offset] ?? 0);
      possible -= Math.min(length, this.#lines[offset]?.length ?? 0);
      common += this.#commonLength(start + offset, offset);
    }
    const ratio = total === 0 ? 0 : 2 * common / total;
    return ratio < LEAST_RATIO ? undefined : { start, end: start + count, ratio };
  }

  #commonLength(index: number, offset: number): number {
    const from = this.#survey.from[index] ?? 0;
    const to = this.#survey.to[index] ?? 0;
    const line = this.#lines[offset] ?? "";
    if (line === "" || from === to) return 0;
    if (line.length === to - from && this.#text.startsWith(line, from)) {
      this.#work -= 8;
      return line.length;
    }
    if (line.length > LONG_LINE || to - from > LONG_LINE) {
      return this.#commonLengthOfLong(line, this.#text.slice(from, to));
    }
    const pattern = this.#patterns[offset] ??= new LcsPattern(line);
    this.#work -= (to - from) * pattern.words + 32;
    return pattern.lengthIn(this.#text, from, to);
  }

  /** What both ends share, and of the middle as much as a bounded comparison finds. */
  #commonLengthOfLong(line: string, text: string): number {
    const most = Math.min(line.length, text.length);
    let prefix = 0;
    while (prefix < most && line.charCodeAt(prefix) === text.charCodeAt(prefix)) prefix++;
    let suffix = 0;
    while (
      suffix < most - prefix &&
      line.charCodeAt(line.length - 1 - suffix) === text.charCodeAt(text.length - 1 - suffix)
    ) suffix++;
    const middle = new LcsPattern(line.slice(prefix, line.length - suffix).slice(0, LONG_LINE));
    const end = Math.min(text.length - suffix, prefix + LONG_LINE);
    this.#work -= (prefix + suffix) / 4 + (end - prefix) * middle.words + 512;
    return prefix + suffix + middle.lengthIn(text, prefix, end);
  }
}

interface WindowOrder {
  readonly order: Int32Array;
  /** How many of the first ones have something to do with the lines. */
  readonly promising: number;
}

/** Window starts, best first by a guess in `LEVELS` steps, then in file order. */
function orderWindows(survey: LineSurvey, sent: LineSurvey): WindowOrder {
  const size = sent.lineCount;
  const count = Math.max(1, survey.lineCount - size + 1);
  const sentLength = sent.characters.reduce((sum, length) => sum + length, 0);
  const votes = countVotes(survey, sent, count);
  const levels = new Uint8Array(count);
  const places = new Int32Array(LEVELS + 1);
  let characters = 0;
  let hits = 0;
  const slide = (line: number, sign: 1 | -1) => {
    characters += sign * (survey.characters[line] ?? 0);
    hits += sign * (survey.hits[line] ?? 0);
  };
  for (let line = 0; line < size - 1; line++) slide(line, 1);
  for (let start = 0; start < count; start++) {
    slide(start + size - 1, 1);
    const share = (hits + (votes[start] ?? 0)) / Math.max(1, characters + sentLength);
    const level = LEVELS - 1 - Math.min(LEVELS - 1, Math.floor(LEVELS * share));
    levels[start] = level;
    places[level + 1] = (places[level + 1] ?? 0) + 1;
    slide(start, -1);
  }
  return sortByLevel(levels, places);
}

/** For each window start, the characters of lines that are the same in the right place. */
function countVotes(survey: LineSurvey, sent: LineSurvey, count: number): Int32Array {
  const votes = new Int32Array(count);
  const offsets = new Map<number, number[]>();
  for (let offset = 0; offset < sent.lineCount; offset++) {
    const hash = sent.hashes[offset] ?? 0;
    if (sent.characters[offset] === 0) continue;
    const same = offsets.get(hash);
    if (same === undefined) offsets.set(hash, [offset]);
    else if (same.length < MOST_VOTES) same.push(offset);
  }
  let left = Math.min(ALL_VOTES, MOST_VOTES * sent.lineCount);
  for (let line = 0; line < survey.lineCount && left > 0; line++) {
    for (const offset of offsets.get(survey.hashes[line] ?? 0) ?? []) {
      const start = line - offset;
      left--;
      if (start < 0 || start >= count) continue;
      votes[start] = (votes[start] ?? 0) + (sent.characters[offset] ?? 0);
    }
  }
  return votes;
}

/** A counting sort; `places[level + 1]` is how many windows are on a level. */
function sortByLevel(levels: Uint8Array, places: Int32Array): WindowOrder {
  for (let level = 1; level <= LEVELS; level++) {
    places[level] = (places[level] ?? 0) + (places[level - 1] ?? 0);
  }
  const promising = places[HOPELESS] ?? 0;
  const order = new Int32Array(levels.length);
  for (let start = 0; start < levels.length; start++) {
    const level = levels[start] ?? 0;
    const place = places[level] ?? 0;
    order[place] = start;
    places[level] = place + 1;
  }
  return { order, promising };
}
