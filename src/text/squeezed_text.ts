// Owns: finding a text when neither blanks nor line breaks count.
// Must not know: lines, what is told about a place that is found.

import type { Span } from "./span_edit.ts";

/** A shorter text without its blanks may be anywhere. */
const SHORTEST = 8;
/** A longer one is not misquoted in its blanks alone. */
const LONGEST = 100_000;
/** Characters that are compared in all, so that repetitions without end cost little. */
const MOST_STEPS = 1_000_000;

/** The only place where `needle` is in `text` when all whitespace is taken out of both. */
export function findSqueezed(text: string, needle: string): Span | undefined {
  if (needle.length > LONGEST) return undefined;
  const wanted = squeeze(needle);
  const word = longestWord(needle);
  if (wanted.length < SHORTEST || word === "") return undefined;
  // Blanks go between words, not into them: where the longest one is, the rest can be.
  const at = wanted.indexOf(word);
  const before = wanted.slice(0, at);
  const from = wanted.slice(at);
  const steps = { left: MOST_STEPS };
  let found: Span | undefined;
  for (let place = text.indexOf(word); place !== -1; place = text.indexOf(word, place + 1)) {
    if (steps.left <= 0) return undefined;
    const start = walkBack(text, place, { wanted: before, steps });
    const end = start === undefined ? undefined : walkOn(text, place, { wanted: from, steps });
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

interface Walk {
  readonly wanted: string;
  readonly steps: { left: number };
}

/** Where `wanted` begins if it ends just before `place`, blanks not counted. */
function walkBack(text: string, place: number, { wanted, steps }: Walk): number | undefined {
  let start = place;
  for (let index = wanted.length - 1; index >= 0; index--) {
    do {
      start--;
      steps.left--;
    } while (start >= 0 && isWhitespace(text.charCodeAt(start)));
    if (text.charCodeAt(start) !== wanted.charCodeAt(index)) return undefined;
  }
  return start;
}

/** Where `wanted` ends if it begins at `place`, blanks not counted. */
function walkOn(text: string, place: number, { wanted, steps }: Walk): number | undefined {
  let end = place;
  for (let index = 0; index < wanted.length; index++) {
    while (end < text.length && isWhitespace(text.charCodeAt(end))) {
      end++;
      steps.left--;
    }
    if (text.charCodeAt(end) !== wanted.charCodeAt(index)) return undefined;
    end++;
    steps.left--;
  }
  return end;
}

function isWhitespace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) ||
    (unit >= 0x80 && /\s/.test(String.fromCharCode(unit)));
}
