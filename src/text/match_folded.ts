// Owns: the rungs for whole lines that agree but for whitespace, or for typographic characters too.
// Must not know: the other rungs, words.

import type { TextDocument } from "./document.ts";
import { type Folding, isBlank } from "./folded_text.ts";
import { firstDifferences } from "./first_difference.ts";
import { indentOf } from "./indent_style.ts";
import { keepTypography } from "./keep_typography.ts";
import type { LineEdit } from "./line_edit.ts";
import {
  type Block,
  findWindows,
  parseBlock,
  textLines,
  windowPlaces,
  withoutOverlap,
} from "./match_lines.ts";
import type { Candidates, Plan, ReplaceRequest, UnsafeReason } from "./match_result.ts";
import { indentNewLines } from "./reindent.ts";
import { alignLines } from "./reverse_edit.ts";
import { keepMissingFinalNewline, lineRangeEdit } from "./span_edit.ts";

/** Finds the old text's lines under `folding`; with `replaceAll`, each window is rewritten by itself. */
export function findFolded(
  document: TextDocument,
  request: ReplaceRequest,
  folding: Folding,
): Candidates | undefined {
  const block = parseBlock(request.oldText);
  const starts = findWindows(document, block.lines, folding);
  if (starts.length === 0) return undefined;
  const newLines = withoutOuterBlanks(textLines(request.newText), block);
  return {
    ...windowPlaces(starts, block.lines.length),
    plan: () => planWindows(document, starts, { oldLines: block.lines, newLines }),
  };
}

/** Old lines that were sent for a window of as many lines, and the lines to write. */
export interface LineReplacement {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** Rewrites every window that begins after the one before it has ended. */
export function planWindows(
  document: TextDocument,
  starts: readonly number[],
  replacement: LineReplacement,
): Plan {
  const count = replacement.oldLines.length;
  const edits: LineEdit[] = [];
  let isReindented = false;
  const apart = withoutOverlap(starts, count);
  for (const start of apart) {
    const written = rewriteWindow(document, start, replacement);
    if (written.kind === "unsafe") return written;
    edits.push(lineRangeEdit(document, { start, end: start + count }, written.lines));
    isReindented ||= written.lines.some((line, index) =>
      indentOf(line) !== indentOf(replacement.newLines[index] ?? "")
    );
  }
  return {
    kind: "edits",
    edits: keepMissingFinalNewline(document, edits),
    places: apart.length,
    notes: isReindented ? ["reindented"] : [],
  };
}

/** Blank lines around the old text do not count, so neither do as many around the new one. */
function withoutOuterBlanks(newLines: readonly string[], block: Block): readonly string[] {
  const filled = newLines.findIndex((line) => !isBlank(line));
  const blankBefore = filled === -1 ? newLines.length : filled;
  const rest = newLines.slice(Math.min(block.blankBefore, blankBefore));
  const blankAfter = rest.length - 1 - rest.findLastIndex((line) => !isBlank(line));
  return rest.slice(0, rest.length - Math.min(block.blankAfter, blankAfter));
}

type WrittenWindow =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "unsafe"; readonly reason: UnsafeReason };

function rewriteWindow(
  document: TextDocument,
  start: number,
  { oldLines, newLines }: LineReplacement,
): WrittenWindow {
  const fileLines = oldLines.map((_, offset) => document.lineText(start + offset));
  // Nothing was misquoted: the new text is as right as the old one was.
  if (fileLines.every((line, index) => line === oldLines[index])) {
    return { kind: "lines", lines: newLines };
  }
  const contents = {
    old: oldLines.map(contentOf),
    file: fileLines.map(contentOf),
    new: newLines.map(contentOf),
  };
  const pairs = alignLines(contents.new.map(asLine), contents.old.map(asLine));
  const kept = keepTypography({ ...contents, pairs });
  if (kept.kind === "unaligned") {
    const differences = firstDifferences({ document, start, oldLines }, kept.oldLine);
    const line = start + kept.oldLine;
    return { kind: "unsafe", reason: { why: "unaligned_typography", line, differences } };
  }
  const indents = indentNewLines({ document, start, oldLines, newLines, pairs });
  const lines = newLines.map((line, index) => {
    const oldIndex = pairs[index] ?? -1;
    const isUnchanged = line === oldLines[oldIndex];
    if (isUnchanged) return fileLines[oldIndex] ?? line;
    return (indents[index] ?? "") + (kept.contents[index] ?? "");
  });
  return { kind: "lines", lines };
}

function contentOf(line: string): string {
  return line.slice(indentOf(line).length);
}

function asLine(text: string) {
  return { text, ending: "" as const };
}
