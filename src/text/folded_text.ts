// Owns: when two lines count as the same: modulo whitespace, and modulo typographic characters too.
// Must not know: windows, edits. Folding is for comparison only; nothing folded is ever written.

import type { TextDocument } from "./document.ts";

/** Each level folds what the one before it does. */
export type Folding = "whitespace" | "typography";

const QUOTES_AND_DASHES: readonly (readonly [string, string])[] = [
  ["\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\uff07", "'"],
  ["\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02", '"'],
  ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"],
  [
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    " ",
  ],
  // No width: soft hyphen, Mongolian vowel separator, joiners, direction marks, byte order mark.
  ["\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0e\ufe0f", ""],
  ["\u2026", "..."],
];

const TYPOGRAPHIC: ReadonlyMap<number, string> = new Map(
  QUOTES_AND_DASHES.flatMap(([characters, plain]) =>
    [...characters].map((character) => [character.charCodeAt(0), plain] as const)
  ),
);

const ANY_TYPOGRAPHIC = new RegExp(
  `[${QUOTES_AND_DASHES.map(([characters]) => characters).join("")}]`,
);

/** True when some character of `text` is folded by `typography`. */
export function hasTypography(text: string): boolean {
  return ANY_TYPOGRAPHIC.test(text);
}

/** What `typography` makes of one character: possibly nothing, possibly several. */
export function foldCharacter(character: string): string {
  return TYPOGRAPHIC.get(character.charCodeAt(0)) ?? character;
}

/** The line's words joined by single blanks, without outer blanks. */
export function foldLine(line: string, folding: Folding): string {
  const plain = folding === "typography" && hasTypography(line)
    ? Array.from(line, foldCharacter).join("")
    : line;
  return plain.replace(/[ \t\v\f\r]+/g, " ").replace(/^ | $/g, "");
}

/** True for a line of nothing but blanks. */
export function isBlank(line: string): boolean {
  return /^[ \t\v\f\r]*$/.test(line);
}

/** One number a line, equal for lines that fold to the same. */
export function foldedHashes(document: TextDocument, folding: Folding): Int32Array {
  const { text, lineCount } = document;
  const hashes = new Int32Array(lineCount);
  let typographicAt = folding === "typography" ? nextTypographic(text, 0) : text.length;
  for (let index = 0; index < lineCount; index++) {
    const start = document.lineStart(index);
    const end = document.lineEnd(index);
    if (typographicAt >= end) {
      hashes[index] = hashWords(text, start, end);
      continue;
    }
    const plain = foldLine(text.slice(start, end).replace(/\n$/, ""), folding);
    hashes[index] = hashWords(plain, 0, plain.length);
    typographicAt = nextTypographic(text, end);
  }
  return hashes;
}

function nextTypographic(text: string, from: number): number {
  const pattern = new RegExp(ANY_TYPOGRAPHIC, "g");
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Hashes the characters as if blanks at both ends were absent and others single. */
function hashWords(text: string, start: number, end: number): number {
  let hash = 0x2f1d;
  let blanks = false;
  let begun = false;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 32 || (unit >= 9 && unit <= 13)) {
      blanks = true;
      continue;
    }
    if (blanks && begun) hash = Math.imul(hash ^ 32, 0x01000193);
    blanks = false;
    begun = true;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return hash;
}
