// Owns: where a text that was sent first differs from lines of the file, character by character.
// Must not know: how the lines were chosen, words.

import type { TextDocument } from "./document.ts";
import { foldCharacter } from "./folded_text.ts";
import type { CodePointDifference, RepeatedCharacter } from "./match_result.ts";

/** Lines of the file from `start` on, against the lines that were sent for them. */
export interface ComparedLines {
  readonly document: TextDocument;
  readonly start: number;
  readonly oldLines: readonly string[];
  /** Where in the first line the comparison begins; what follows it in the last is then left out. */
  readonly column?: number | undefined;
}

const MOST_DIFFERENCES = 5;

/** A run of fewer equal characters is not what someone miscounts. */
const SHORTEST_RUN = 4;

/** The first character that differs, in content or else in whitespace. */
export function firstDifference(compared: ComparedLines): CodePointDifference | undefined {
  for (const isStrict of [false, true]) {
    for (let offset = 0; offset < compared.oldLines.length; offset++) {
      const difference = differencesInLine(compared, offset, isStrict).next().value;
      if (difference) return difference;
    }
  }
  return undefined;
}

/** The first typographic differences in one line; `offset` counts from the first line. */
export function firstDifferences(compared: ComparedLines, offset: number): CodePointDifference[] {
  const found: CodePointDifference[] = [];
  for (const difference of differencesInLine(compared, offset, false)) {
    found.push(difference);
    if (found.length === MOST_DIFFERENCES) break;
  }
  return found;
}

/** The character that is repeated up to a difference, with both counts, if only the counts differ. */
export function repeatedCharacter(
  { document, oldLines }: ComparedLines,
  difference: CodePointDifference,
): RepeatedCharacter | undefined {
  const file = document.lineText(difference.line);
  const sent = oldLines[difference.sentLine] ?? "";
  const codePoint = lastCodePoint(file.slice(0, difference.column));
  if (codePoint === undefined) return undefined;
  const character = String.fromCodePoint(codePoint);
  if (/\s/.test(character)) return undefined;
  const inFile = longestRun(file, character);
  const sentRun = longestRun(sent, character);
  if (inFile === sentRun || Math.min(inFile, sentRun) < SHORTEST_RUN) return undefined;
  return { codePoint, inFile, sent: sentRun, line: difference.line };
}

/**
 * Walks both lines at once; unless `isStrict`, runs of blanks count as equal. It goes on after
 * characters that fold to the same, and ends at the first that do not.
 */
function* differencesInLine(
  { document, start, oldLines, column: first }: ComparedLines,
  offset: number,
  isStrict: boolean,
): Generator<CodePointDifference, undefined> {
  const line = start + offset;
  if (line >= document.lineCount) return undefined;
  const file = document.lineText(line);
  const sent = oldLines[offset] ?? "";
  const begin = offset === 0 ? first ?? 0 : 0;
  const goesOn = first !== undefined && offset === oldLines.length - 1;
  let column = isStrict ? begin : skipBlanks(file, begin);
  let at = isStrict ? 0 : skipBlanks(sent, 0);
  while (at < sent.length || (!goesOn && column < file.length)) {
    if (!isStrict) {
      const afterFile = skipBlanks(file, column);
      const afterSent = skipBlanks(sent, at);
      const bothEnd = afterFile === file.length && afterSent === sent.length;
      if (bothEnd || (afterFile > column && afterSent > at)) {
        column = afterFile;
        at = afterSent;
        continue;
      }
    }
    const inFile = file.codePointAt(column) ?? -1;
    const inSent = sent.codePointAt(at) ?? -1;
    if (inFile !== inSent) {
      yield { line, column, sentLine: offset, inFile, sent: inSent };
      const step = foldedStep(file.slice(column, column + 3), sent.slice(at, at + 3));
      if (step === undefined) return undefined;
      column += step.file;
      at += step.sent;
      continue;
    }
    const width = inFile > 0xffff ? 2 : 1;
    column += width;
    at += width;
  }
  return undefined;
}

/** How far to go on in both texts so that what was passed folds to the same. */
function foldedStep(
  file: string,
  sent: string,
): { readonly file: number; readonly sent: number } | undefined {
  const foldedFile = foldCharacter(file.charAt(0));
  const foldedSent = foldCharacter(sent.charAt(0));
  if (file !== "" && foldedFile === "") return { file: 1, sent: 0 };
  if (sent !== "" && foldedSent === "") return { file: 0, sent: 1 };
  if (foldedFile === foldedSent && foldedFile !== "") return { file: 1, sent: 1 };
  if (foldedFile.length > 1 && sent.startsWith(foldedFile)) {
    return { file: 1, sent: foldedFile.length };
  }
  if (foldedSent.length > 1 && file.startsWith(foldedSent)) {
    return { file: foldedSent.length, sent: 1 };
  }
  return undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit === 32 || (unit >= 9 && unit <= 13);) {
    unit = text.charCodeAt(++at);
  }
  return at;
}

function lastCodePoint(text: string): number | undefined {
  const last = text.charCodeAt(text.length - 1);
  const isLow = last >= 0xdc00 && last <= 0xdfff;
  return text.codePointAt(text.length - (isLow && text.length > 1 ? 2 : 1));
}

/** Characters in the longest run of `character`. */
function longestRun(text: string, character: string): number {
  let longest = 0;
  for (let at = text.indexOf(character); at !== -1;) {
    let length = 0;
    while (text.startsWith(character, at)) {
      at += character.length;
      length++;
    }
    longest = Math.max(longest, length);
    at = text.indexOf(character, at);
  }
  return longest;
}
