// Owns: finding a text when neither blanks nor line breaks count.
// Must not know: lines, what is told about a place that is found.

import type { Span } from "./span_edit.ts";

/** A shorter text without its blanks may be anywhere. */
const SHORTEST = 8;
/** Places of its longest word at which the text is looked for. */
const MOST_TRIES = 10_000;

/** The only place where `needle` is in `text` when all whitespace is taken out of both. */
export function findSqueezed(text: string, needle: string): Span | undefined {
  const wanted = squeeze(needle);
  if (wanted.length < SHORTEST) return undefined;
  const word = longestWord(needle);
  if (word === "") return undefined;
  // Blanks go between words, not into them: where the longest one is, the rest can be.
  const before = wanted.indexOf(word);
  let found: Span | undefined;
  let tries = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (++tries > MOST_TRIES) return undefined;
    const start = walkBack(text, at, wanted.slice(0, before));
    const end = start === undefined ? undefined : walkOn(text, at, wanted.slice(before));
    if (start === undefined || end === undefined) continue;
    if (found) return undefined;
    found = { start, end };
  }
  return found;
}

/** The text without any whitespace. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

function longestWord(text: string): string {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.reduce((longest, word) => word.length > longest.length ? word : longest, "");
}

/** Where `wanted` begins if it ends just before `at`, blanks not counted. */
function walkBack(text: string, at: number, wanted: string): number | undefined {
  let start = at;
  for (let index = wanted.length - 1; index >= 0; index--) {
    do start--; while (start >= 0 && isWhitespace(text.charCodeAt(start)));
    if (text.charCodeAt(start) !== wanted.charCodeAt(index)) return undefined;
  }
  return start;
}

/** Where `wanted` ends if it begins at `at`, blanks not counted. */
function walkOn(text: string, at: number, wanted: string): number | undefined {
  let end = at;
  for (let index = 0; index < wanted.length; index++) {
    while (end < text.length && isWhitespace(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) !== wanted.charCodeAt(index)) return undefined;
    end++;
  }
  return end;
}

function isWhitespace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) ||
    (unit >= 0x80 && /\s/.test(String.fromCharCode(unit)));
}
