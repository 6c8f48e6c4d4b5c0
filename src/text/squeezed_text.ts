// Owns: finding a text when neither blanks nor line breaks nor typography count.
// Must not know: lines, what is told about a place that is found.

import { foldCharacter } from "./folded_text.ts";
import type { Span } from "./span_edit.ts";

/** A shorter text without its blanks may be anywhere. */
const SHORTEST = 8;
/** A longer one is not misquoted in its blanks alone. */
const LONGEST = 100_000;
/** Characters that are compared in all, so that repetitions without end cost little. */
const MOST_STEPS = 1_000_000;

/** The only place where `needle` is in `text` when whitespace is taken out of both and the rest folded. */
export function findSqueezed(text: string, needle: string): Span | undefined {
  if (needle.length > LONGEST) return undefined;
  const wanted = squeeze(needle);
  const word = longestWord(wanted, needle);
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
    if (!isApart(text, { start, end }, needle)) continue;
    if (found) return undefined;
    found = { start, end };
  }
  return found;
}

/** Where the needle has blanks at an end, the text has some, or ends there too: else more than blanks differs. */
function isApart(text: string, { start, end }: Span, needle: string): boolean {
  const isBlank = (unit: string) => unit === "" || /\s/.test(unit);
  return (!/^\s/.test(needle) || isBlank(text.charAt(start - 1))) &&
    (!/\s$/.test(needle) || isBlank(text.charAt(end)));
}

/** The text without any whitespace, its typographic characters folded. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "").replace(/[^\0-\x7f]/g, foldCharacter);
}

function longestWord(squeezed: string, text: string): string {
  // Letters of all scripts but no punctuation; classes of Unicode take milliseconds to compile.
  const words = text.match(/[\w\u00c0-\u1fff\u3040-\ud7ff]+/g) ?? [];
  const longest = words.reduce((best, word) => word.length > best.length ? word : best, "");
  return squeezed.includes(longest) ? longest : "";
}

interface Walk {
  readonly wanted: string;
  readonly steps: { left: number };
}

/** Where `wanted` begins if it ends just before `place`, blanks not counted. */
function walkBack(text: string, place: number, { wanted, steps }: Walk): number | undefined {
  let start = place;
  for (let left = wanted.length; left > 0;) {
    if (start === 0) return undefined;
    const plain = squeezedUnit(text.charCodeAt(--start));
    steps.left--;
    if (!wanted.endsWith(plain, left)) return undefined;
    left -= plain.length;
  }
  return start;
}

/** Where `wanted` ends if it begins at `place`, blanks not counted. */
function walkOn(text: string, place: number, { wanted, steps }: Walk): number | undefined {
  let end = place;
  for (let at = 0; at < wanted.length; end++) {
    if (end === text.length) return undefined;
    const plain = squeezedUnit(text.charCodeAt(end));
    steps.left--;
    if (!wanted.startsWith(plain, at)) return undefined;
    at += plain.length;
  }
  return end;
}

function squeezedUnit(unit: number): string {
  if (unit === 32 || (unit >= 9 && unit <= 13)) return "";
  const character = String.fromCharCode(unit);
  if (unit < 0x80) return character;
  return /\s/.test(character) ? "" : foldCharacter(character);
}
