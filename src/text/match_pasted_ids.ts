// Owns: the rung for texts that were pasted along with line ids or line numbers.
// Must not know: the other rungs but how whole lines are rewritten, words.

import type { TextDocument } from "./document.ts";
import { hashLine } from "./line_id.ts";
import { planWindows } from "./match_folded.ts";
import { findWindows, textLines, windowPlaces } from "./match_lines.ts";
import type { Candidates, ReplaceRequest } from "./match_result.ts";

/** What stands in front of each line: an id, which proves itself, or a number, which its place must prove. */
interface PrefixStyle {
  readonly pattern: RegExp;
  readonly hasHash: boolean;
}

const STYLES: readonly PrefixStyle[] = [
  { pattern: /^\s*\+?(?<number>\d{1,9}):(?<hash>[0-9a-f]{2})\|(?<rest>.*)$/is, hasHash: true },
  // As `cat -n`, `grep -n` and the views of other tools print them.
  ...["\\|", "\\t", "\u2192", ": ", ":"].map((separator) => ({
    pattern: new RegExp(`^\\s*(?<number>\\d{1,9})${separator}(?<rest>.*)$`, "s"),
    hasHash: false,
  })),
];

interface PrefixedLine {
  /** Undefined for a blank line, which may come without a prefix. */
  readonly prefix: { readonly number: number; readonly hash: string } | undefined;
  readonly rest: string;
}

/**
 * Finds the old text's lines without their prefixes. Where the numbers name lines that are these,
 * that is the place, even if the same lines stand elsewhere too; with `replaceAll` every place counts.
 */
export function findPastedIds(
  document: TextDocument,
  request: ReplaceRequest,
): Candidates | undefined {
  const sent = textLines(request.oldText);
  for (const style of STYLES) {
    const lines = readPrefixes(sent, style);
    if (lines === undefined) continue;
    const starts = provenWindows(document, lines, { style, replaceAll: request.replaceAll });
    if (starts.length === 0) continue;
    const oldLines = lines.map((line) => line.rest);
    const stripped = stripNewLines(textLines(request.newText), lines, style);
    return {
      ...windowPlaces(starts, oldLines.length),
      plan: () =>
        stripped.kind === "lines"
          ? planWindows(document, starts, { oldLines, newLines: stripped.lines })
          : {
            kind: "unsafe",
            reason: { why: "unproven_line_ids", newTextLine: stripped.newTextLine },
          },
    };
  }
  return undefined;
}

/** The lines without prefixes, if every line that is not blank has one of this style. */
function readPrefixes(
  lines: readonly string[],
  style: PrefixStyle,
): readonly PrefixedLine[] | undefined {
  const read: PrefixedLine[] = [];
  for (const line of lines) {
    const prefixed = readPrefix(line, style);
    if (prefixed === undefined && line.trim() !== "") return undefined;
    read.push(prefixed ?? { prefix: undefined, rest: line });
  }
  const first = read.findIndex((line) => line.prefix !== undefined);
  if (first === -1) return undefined;
  const last = read.findLastIndex((line) => line.prefix !== undefined);
  const kept = read.slice(first, last + 1);
  return style.hasHash || risesByOne(kept) ? kept : undefined;
}

function readPrefix(line: string, { pattern }: PrefixStyle): PrefixedLine | undefined {
  const groups = pattern.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const prefix = { number: Number(groups["number"]), hash: (groups["hash"] ?? "").toLowerCase() };
  return { prefix, rest: groups["rest"] ?? "" };
}

function risesByOne(lines: readonly PrefixedLine[]): boolean {
  const first = lines[0]?.prefix?.number ?? 0;
  return lines.every(({ prefix }, index) =>
    prefix === undefined || prefix.number === first + index
  );
}

/** Starts of the windows that are these lines, whitespace aside, as their prefixes say. */
function provenWindows(
  document: TextDocument,
  lines: readonly PrefixedLine[],
  { style, replaceAll }: { readonly style: PrefixStyle; readonly replaceAll: boolean },
): readonly number[] {
  const windows = findWindows(document, lines.map((line) => line.rest), "whitespace")
    .filter((start) =>
      !style.hasHash ||
      lines.every(({ prefix }, offset) =>
        prefix === undefined || hashLine(document.lineText(start + offset)) === prefix.hash
      )
    );
  const named = (lines[0]?.prefix?.number ?? 0) - 1;
  const isNamed = windows.includes(named);
  if (isNamed && !replaceAll) return [named];
  // One bare number in front of one line proves nothing but at its own place: `12:30 started`.
  const isProven = style.hasHash || lines.length > 1 || isNamed;
  return isProven ? windows : [];
}

type StrippedLines =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "unproven"; readonly newTextLine: number };

/**
 * The new lines without prefixes. A prefix is one if the old lines have it too or its hash proves
 * it; where each line has one, as many that were made up are taken along with a proven one.
 */
function stripNewLines(
  newLines: readonly string[],
  oldLines: readonly PrefixedLine[],
  style: PrefixStyle,
): StrippedLines {
  const read = newLines.map((line) => readPrefix(line, style));
  const first = read.findIndex((line) => line !== undefined);
  if (first === -1) return { kind: "lines", lines: newLines };
  const numbers = new Set(oldLines.flatMap(({ prefix }) => prefix ? [prefix.number] : []));
  const isProven = (line: PrefixedLine) =>
    numbers.has(line.prefix?.number ?? -1) ||
    (style.hasHash && hashLine(line.rest) === line.prefix?.hash);
  const isComplete = newLines.every((line, index) =>
    read[index] !== undefined || line.trim() === ""
  );
  const hasProof = read.some((line) => line !== undefined && isProven(line));
  const doubtful = isComplete && hasProof
    ? -1
    : read.findIndex((line) => line !== undefined && !(style.hasHash && isProven(line)));
  if (doubtful !== -1) return { kind: "unproven", newTextLine: doubtful };
  return { kind: "lines", lines: newLines.map((line, index) => read[index]?.rest ?? line) };
}
