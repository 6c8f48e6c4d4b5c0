// Owns: the windows of a file that are most like a block of lines, within a budget of work.
// Must not know: why one wants to know, what is told about the windows.
//
// Two stages: shared triples of characters order all windows in one pass over the text, then the
// promising ones are measured line by line. No clock is read, so the same texts give the same answer.

import type { TextDocument } from "./document.ts";
import { LcsPattern } from "./lcs.ts";

export interface SimilarWindow {
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** Twice the common subsequence of the lines, pair by pair, over the characters of both. */
  readonly ratio: number;
}

export interface ClosestWindows {
  /** Closest first, none overlapping another. */
  readonly windows: readonly SimilarWindow[];
  /** True when work ended before every promising window was measured. */
  readonly cut: boolean;
}

export const LEAST_RATIO = 0.4;
const MOST_WINDOWS = 3;

/** Longer lines are compared by what they share at both ends and a bounded middle. */
const LONG_LINE = 2_048;
/** Characters of a file that are looked at. */
const MOST_TEXT = 32_000_000;
const TRIPLES = 1 << 15;
const LEVELS = 256;

/** At most three windows with as many lines as `lines` that are at least 40 % like them. */
export function findClosest(document: TextDocument, lines: readonly string[]): ClosestWindows {
  if (lines.length === 0 || document.lineCount === 0) return { windows: [], cut: false };
  const sums = sumTriples(document, lines);
  const meter = new WindowMeter(document, lines);
  const found: SimilarWindow[] = [];
  const order = promisingFirst(sums, { size: lines.length, sentLength: meter.length });
  let cut = sums.lineCount < document.lineCount;
  for (const start of order) {
    if (meter.isSpent) {
      cut = true;
      break;
    }
    const window = meter.measure(start);
    if (window) found.push(window);
  }
  return { windows: bestApart(found), cut };
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
  /** Characters of the lines that were sent, without outer blanks. */
  readonly length: number;
  readonly #patterns: readonly (LcsPattern | undefined)[];
  readonly #lines: readonly string[];
  #work: number;

  constructor(readonly document: TextDocument, lines: readonly string[]) {
    this.#lines = lines.map((line) => line.trim());
    this.#patterns = this.#lines.map((line) =>
      line.length > LONG_LINE ? undefined : new LcsPattern(line)
    );
    this.length = this.#lines.reduce((sum, line) => sum + line.length, 0);
    this.#work = 1_000_000 + Math.min(6_000_000, 4 * document.text.length);
  }

  get isSpent(): boolean {
    return this.#work <= 0;
  }

  /** The window that begins at `start`, unless it is below the least ratio. */
  measure(start: number): SimilarWindow | undefined {
    const count = Math.min(this.#lines.length, this.document.lineCount - start);
    const lengths: number[] = [];
    let possible = 0;
    let total = this.length;
    for (let offset = 0; offset < count; offset++) {
      const { from, to } = trimmedLine(this.document, start + offset);
      lengths.push(to - from);
      total += to - from;
      possible += Math.min(to - from, this.#lines[offset]?.length ?? 0);
    }
    this.#work -= count;
    let common = 0;
    for (let offset = 0; offset < count; offset++) {
      if (2 * (common + possible) < LEAST_RATIO * total) return undefined;
      possible -= Math.min(lengths[offset] ?? 0, this.#lines[offset]?.length ?? 0);
      common += this.#commonLength(start + offset, offset);
    }
    const ratio = total === 0 ? 0 : 2 * common / total;
    return ratio < LEAST_RATIO ? undefined : { start, end: start + count, ratio };
  }

  #commonLength(index: number, offset: number): number {
    const { text } = this.document;
    const { from, to } = trimmedLine(this.document, index);
    const line = this.#lines[offset] ?? "";
    if (line === "" || from === to) return 0;
    const pattern = this.#patterns[offset];
    if (pattern && to - from <= LONG_LINE) {
      this.#work -= (to - from) * pattern.words + 16;
      return pattern.lengthIn(text, from, to);
    }
    return this.#commonLengthOfLong(line, text.slice(from, to));
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
    const end = Math.min(text.length - suffix, prefix + 2 * LONG_LINE);
    this.#work -= prefix / 8 + suffix / 8 + (end - prefix) * middle.words + 16;
    return prefix + suffix + middle.lengthIn(text, prefix, end);
  }
}

/** Prefix sums over lines: characters that are no blanks, and triples that the sent lines have too. */
interface TripleSums {
  readonly lineCount: number;
  readonly characters: Float64Array;
  readonly shared: Float64Array;
}

function sumTriples(document: TextDocument, lines: readonly string[]): TripleSums {
  const known = new Uint8Array(TRIPLES);
  for (const line of lines) {
    countTriples(line, { from: 0, to: line.length }, (key) => known[key] = 1);
  }
  const isWhole = document.text.length <= MOST_TEXT;
  const lineCount = isWhole ? document.lineCount : document.lineAt(MOST_TEXT) + 1;
  const characters = new Float64Array(lineCount + 1);
  const shared = new Float64Array(lineCount + 1);
  for (let index = 0; index < lineCount; index++) {
    let hits = 0;
    const range = { from: document.lineStart(index), to: document.lineEnd(index) };
    const count = countTriples(document.text, range, (key) => hits += known[key] ?? 0);
    characters[index + 1] = (characters[index] ?? 0) + count;
    shared[index + 1] = (shared[index] ?? 0) + hits;
  }
  return { lineCount, characters, shared };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Calls `visit` with a key for each three characters in a row, blanks left out; returns the characters. */
function countTriples(text: string, { from, to }: Range, visit: (key: number) => void): number {
  let key = 0;
  let count = 0;
  for (let index = from; index < to; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 32 || (unit >= 9 && unit <= 13)) continue;
    // Shifted by 5 bits each, the last three characters make up the 15 bits of a key.
    key = ((key << 5) ^ unit) & (TRIPLES - 1);
    if (++count >= 3) visit(key);
  }
  return count;
}

/** Window starts by the share of triples they have in common with the sent lines, in steps. */
function promisingFirst(
  { lineCount, characters, shared }: TripleSums,
  { size, sentLength }: { readonly size: number; readonly sentLength: number },
): Int32Array {
  const count = Math.max(1, lineCount - size + 1);
  const levels = new Uint8Array(count);
  const places = new Int32Array(LEVELS + 1);
  for (let start = 0; start < count; start++) {
    const end = Math.min(lineCount, start + size);
    const length = (characters[end] ?? 0) - (characters[start] ?? 0) + sentLength;
    const hits = (shared[end] ?? 0) - (shared[start] ?? 0);
    const level = Math.min(LEVELS - 1, Math.floor(LEVELS * 2 * hits / Math.max(1, length)));
    levels[start] = LEVELS - 1 - level;
    places[LEVELS - level] = (places[LEVELS - level] ?? 0) + 1;
  }
  for (let level = 1; level <= LEVELS; level++) {
    places[level] = (places[level] ?? 0) + (places[level - 1] ?? 0);
  }
  const order = new Int32Array(count);
  for (let start = 0; start < count; start++) {
    const level = levels[start] ?? 0;
    const place = places[level] ?? 0;
    order[place] = start;
    places[level] = place + 1;
  }
  return order;
}

/** The line's range without outer blanks and its ending. */
function trimmedLine(document: TextDocument, index: number): Range {
  const { text } = document;
  let from = document.lineStart(index);
  let to = document.lineEnd(index);
  while (from < to && isBlankUnit(text.charCodeAt(from))) from++;
  while (to > from && isBlankUnit(text.charCodeAt(to - 1))) to--;
  return { from, to };
}

function isBlankUnit(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
