// Owns: finding a text when neither blanks nor line breaks count.
// Must not know: lines, what is told about a place that is found.

import type { Span } from "./span_edit.ts";

/** A shorter text without its blanks may be anywhere. */
const SHORTEST = 8;

/** The only place where `needle` is in `text` when all whitespace is taken out of both. */
export function findSqueezed(text: string, needle: string): Span | undefined {
  const wanted = squeeze(needle);
  if (wanted.length < SHORTEST) return undefined;
  const squeezed = squeeze(text);
  const first = squeezed.indexOf(wanted);
  if (first === -1 || squeezed.indexOf(wanted, first + 1) !== -1) return undefined;
  return { start: unsqueeze(text, first), end: unsqueeze(text, first + wanted.length - 1) + 1 };
}

/** The text without any whitespace. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Where in `text` the character stands that has `index` others before it, blanks not counted. */
function unsqueeze(text: string, index: number): number {
  const words = /\S+/g;
  let before = 0;
  for (let word = words.exec(text); word; word = words.exec(text)) {
    if (before + word[0].length > index) return word.index + index - before;
    before += word[0].length;
  }
  return text.length;
}
