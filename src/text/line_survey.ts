// Owns: one pass over a text that notes for each line what tells it from others: ends, hash, triples.
// Must not know: windows, similarity.

import type { TextDocument } from "./document.ts";

/** For each line of a document, blanks at its ends left out. */
export interface LineSurvey {
  readonly lineCount: number;
  /** Offsets of the first character that is no blank, and after the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Equal for lines that are the same but for blanks. */
  readonly hashes: Int32Array;
  /** Characters that are no blanks, and how many triples of them are among those asked for. */
  readonly characters: Int32Array;
  readonly hits: Int32Array;
}

/** How many keys a triple can have. */
export const TRIPLE_KEYS = 1 << 15;

/** Characters that fill a set: with more, nearly every key would be in it. */
const MOST_CHARACTERS = 100_000;

/** A set of triples: three characters in a row, blanks left out. Different triples may share a key. */
export function tripleSet(lines: readonly string[]): Uint8Array {
  const set = new Uint8Array(TRIPLE_KEYS);
  let left = MOST_CHARACTERS;
  for (const line of lines) {
    const characters = line.slice(0, left).replace(/\s+/g, "");
    left -= characters.length;
    for (let index = 2; index < characters.length; index++) {
      const key = (characters.charCodeAt(index - 2) << 10) ^
        (characters.charCodeAt(index - 1) << 5) ^ characters.charCodeAt(index);
      set[key & (TRIPLE_KEYS - 1)] = 1;
    }
  }
  return set;
}

/** Surveys the first `lineCount` lines. */
export function surveyLines(
  document: TextDocument,
  { triples, lineCount }: { readonly triples: Uint8Array; readonly lineCount: number },
): LineSurvey {
  const { text } = document;
  const [from, to, hashes, characters, hits] = Array.from(
    { length: 5 },
    () => new Int32Array(lineCount),
  ) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
  let start = 0;
  for (let line = 0; line < lineCount; line++) {
    const end = document.lineEnd(line);
    let first = end;
    let last = start - 1;
    let hash = 0;
    let count = 0;
    let shared = 0;
    let key = 0;
    for (let index = start; index < end; index++) {
      const unit = text.charCodeAt(index);
      if (unit <= 32 && (unit === 32 || (unit >= 9 && unit <= 13))) continue;
      if (count === 0) first = index;
      last = index;
      count++;
      hash = Math.imul(hash ^ unit, 0x01000193);
      // Shifted by 5 bits each, the last three characters make up the 15 bits of a key.
      key = ((key << 5) ^ unit) & (TRIPLE_KEYS - 1);
      if (count >= 3) shared += triples[key] ?? 0;
    }
    from[line] = count === 0 ? start : first;
    to[line] = count === 0 ? start : last + 1;
    hashes[line] = hash;
    characters[line] = count;
    hits[line] = shared;
    start = end;
  }
  return { lineCount, from, to, hashes, characters, hits };
}
