// Owns: carrying the file's own quotes, dashes and blanks over to new text that repeats old text.
// Must not know: windows, indentation; it sees contents of lines only.

import { alignTokens } from "./align_tokens.ts";
import { foldCharacter } from "./folded_text.ts";

/** Lines without their indentation: as sent, as in the file (as many), and those to come. */
export interface Contents {
  readonly old: readonly string[];
  readonly file: readonly string[];
  readonly new: readonly string[];
  /** For each new line the old line it repeats, or -1; never crossing. */
  readonly pairs: Int32Array;
}

export type KeptTypography =
  | { readonly kind: "kept"; readonly contents: readonly string[] }
  /** The new text repeats a character of this old line, but not so that it is clear which. */
  | { readonly kind: "unaligned"; readonly oldLine: number };

/** A word, a run of blanks or a sign of the old text, and what the file has in its place. */
interface Unit {
  readonly old: string;
  readonly file: string;
  readonly oldLine: number;
  /** Set for a whole line that could not be split at the same places in both. */
  readonly isUnsplit?: boolean;
}

const BLANKS = "[ \\t\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]+";
const TOKEN = new RegExp(`${BLANKS}|\\.\\.\\.|[\\p{L}\\p{M}\\p{N}_]+|.`, "gsu");
const ONLY_BLANKS = new RegExp(`^${BLANKS}$`);

/** New contents in which every stretch that repeats old text is written as the file writes it. */
export function keepTypography(contents: Contents): KeptTypography {
  const { pairs } = contents;
  const result: string[] = [];
  let oldAt = 0;
  for (let index = 0; index < pairs.length;) {
    const paired = pairs[index] ?? -1;
    if (paired !== -1) {
      result.push(contents.file[paired] ?? "");
      oldAt = paired + 1;
      index++;
      continue;
    }
    let end = index;
    while (end < pairs.length && pairs[end] === -1) end++;
    const oldEnd = pairs[end] ?? contents.old.length;
    const merged = mergeGap(unitsOfLines(contents, oldAt, oldEnd), contents.new.slice(index, end));
    if (merged.kind === "unaligned") return merged;
    result.push(...merged.contents);
    index = end;
  }
  return { kind: "kept", contents: result };
}

function mergeGap(units: readonly Unit[], newLines: readonly string[]): KeptTypography {
  const firstKept = units.find(isTypographic);
  if (firstKept === undefined) return { kind: "kept", contents: newLines };
  const tokens = newLines.join("\n").match(TOKEN) ?? [];
  const places = alignTokens(units.map((unit) => keyOf(unit.old)), tokens.map(keyOf));
  if (places === undefined) return { kind: "unaligned", oldLine: firstKept.oldLine };
  const used = new Set(places);
  const added = new Set(tokens.filter((_, index) => places[index] === -1));
  const lost = units.find((unit, index) =>
    isTypographic(unit) && !used.has(index) && (unit.isUnsplit || added.has(unit.old))
  );
  if (lost) return { kind: "unaligned", oldLine: lost.oldLine };
  const written = tokens.map((token, index) => {
    const unit = units[places[index] ?? -1];
    return unit !== undefined && isTypographic(unit) ? unit.file : token;
  });
  return { kind: "kept", contents: written.join("").split("\n") };
}

/** True when the file has other characters here, not merely other blanks. */
function isTypographic({ old, file }: Unit): boolean {
  return old !== file && !(ONLY_BLANKS.test(old) && /^[ \t\v\f\r]*$/.test(file));
}

function keyOf(token: string): string {
  return ONLY_BLANKS.test(token) ? " " : token;
}

function unitsOfLines({ old, file }: Contents, start: number, end: number): Unit[] {
  const units: Unit[] = [];
  for (let oldLine = start; oldLine < end; oldLine++) {
    if (oldLine > start) units.push({ old: "\n", file: "\n", oldLine });
    units.push(...unitsOfLine(old[oldLine] ?? "", file[oldLine] ?? "", oldLine));
  }
  return units;
}

/** Splits an old line and its twin in the file at the same places. */
function unitsOfLine(old: string, file: string, oldLine: number): Unit[] {
  const whole = [{ old, file, oldLine, isUnsplit: true }];
  const places = foldedPlaces(file);
  const units: Unit[] = [];
  let at = 0;
  let cursor = 0;
  const tokens = old.match(TOKEN) ?? [];
  for (const token of tokens) {
    at += foldedLength(token);
    // A blank reaches up to the next sign; a word takes what follows without width.
    const end = ONLY_BLANKS.test(token)
      ? places[at]?.start ?? file.length
      : Math.max(cursor, places[at - 1]?.end ?? 0);
    // One character of the file that stands for parts of two units cannot be split.
    if (at > 0 && at < places.length && places[at]?.start === places[at - 1]?.start) return whole;
    units.push({ old: token, file: file.slice(cursor, end), oldLine });
    cursor = end;
  }
  return at === places.length ? units : whole;
}

function foldedLength(token: string): number {
  if (ONLY_BLANKS.test(token)) return 0;
  let length = 0;
  for (const character of token) length += foldCharacter(character).length;
  return length;
}

interface FoldedPlace {
  readonly start: number;
  /** Where the character ends, with those without width that follow it. */
  end: number;
}

/** For each folded character that is no blank, where it stands in `line`. */
function foldedPlaces(line: string): FoldedPlace[] {
  const places: FoldedPlace[] = [];
  let start = 0;
  for (const character of line) {
    const end = start + character.length;
    const folded = foldCharacter(character);
    const last = places.at(-1);
    if (folded === "" && last?.end === start) last.end = end;
    if (!ONLY_BLANKS.test(character)) {
      for (let index = 0; index < folded.length; index++) places.push({ start, end });
    }
    start = end;
  }
  return places;
}
