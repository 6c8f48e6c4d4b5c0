// Owns: giving new lines the file's indentation, level by level, from how old lines stand in the file.
// Must not know: how the old lines were found, what the lines say.

import type { TextDocument } from "./document.ts";
import { isBlank } from "./folded_text.ts";
import {
  columnsOf,
  commonest,
  commonestStep,
  detectUnit,
  indentOf,
  levelsOf,
} from "./indent_style.ts";

/** A window of the file, the lines that were sent for it, and those that take its place. */
export interface Rewrite {
  readonly document: TextDocument;
  /** First line of the window, 0-based; it has as many lines as `oldLines`. */
  readonly start: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** For each new line the old line with the same content, or -1; never crossing. */
  readonly pairs: Int32Array;
}

/** An old line's indentation as it was sent, in columns, and as it stands in the file. */
interface Level {
  readonly oldIndex: number;
  readonly columns: number;
  readonly indent: string;
}

/** Lines around a window, and at the file's head, that show what unit the file is indented by. */
const LINES_AROUND = 100;
const LINES_AT_HEAD = 2_000;

/** Columns of a tab where nothing else tells. */
const TAB_COLUMNS = 4;

/** The indentation of each new line in the file's own style; blank lines get none. */
export function indentNewLines(asked: Rewrite): string[] {
  const fileLines = windowLines(asked);
  const fileUnit = findFileUnit(asked, fileLines) ??
    detectUnit([...asked.oldLines, ...asked.newLines]) ?? "    ";
  const rewrite = withLostIndent(asked, { fileLines, fileUnit });
  const oldUnit = findOldUnit(rewrite, { fileLines, fileUnit });
  const levels = rewrite.oldLines.flatMap((line, oldIndex): Level[] =>
    isBlank(line) ? [] : [{
      oldIndex,
      columns: columnsOf(indentOf(line), oldUnit),
      indent: indentOf(fileLines[oldIndex] ?? ""),
    }]
  );
  const lookUp = levelLookup(rewrite, levels);
  const extrapolate = extrapolation(levels, { oldUnit, fileUnit, lookUp });
  const done: PlacedLine[] = [];
  return rewrite.newLines.map((line, index) => {
    if (isBlank(line)) return "";
    const columns = columnsOf(indentOf(line), oldUnit);
    const indent = lookUp(columns, index) ?? extrapolate({ columns, index, done });
    done.push({ columns, indent });
    return indent;
  });
}

interface PlacedLine {
  readonly columns: number;
  readonly indent: string;
}

type LevelLookup = (columns: number, newIndex: number) => string | undefined;

/** The file's indentation for a level that `oldLines` has. */
function levelLookup({ pairs, oldLines }: Rewrite, levels: readonly Level[]): LevelLookup {
  const byColumns = new Map<number, Level[]>();
  for (const level of levels) {
    byColumns.set(level.columns, [...byColumns.get(level.columns) ?? [], level]);
  }
  return (columns, newIndex) => {
    const found = byColumns.get(columns);
    if (found === undefined) return undefined;
    const isClear = found.every((level) => level.indent === found[0]?.indent);
    if (isClear) return found[0]?.indent;
    return nearestLevel(found, gapAround({ pairs, oldCount: oldLines.length }, newIndex));
  };
}

/** Old lines `start` to `end` (half-open) that a run of new lines replaces; `at` is where in it one stands. */
interface Gap {
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

function gapAround(
  { pairs, oldCount }: { readonly pairs: Int32Array; readonly oldCount: number },
  newIndex: number,
): Gap {
  let first = newIndex;
  while (first > 0 && pairs[first - 1] === -1) first--;
  let last = newIndex;
  while (last < pairs.length && pairs[last] === -1) last++;
  const start = first === 0 ? 0 : (pairs[first - 1] ?? 0) + 1;
  const end = last >= pairs.length ? oldCount : pairs[last] ?? oldCount;
  const share = (newIndex - first) / Math.max(1, last - first);
  return { start, end, at: start + share * (end - start) };
}

/** One level in the text that was sent is several in the file: the place decides. */
function nearestLevel(found: readonly Level[], gap: Gap): string | undefined {
  const replaced = found.filter(({ oldIndex }) => oldIndex >= gap.start && oldIndex < gap.end);
  const distance = ({ oldIndex }: Level) => Math.abs(oldIndex - gap.at);
  if (replaced.length > 0) {
    return replaced.reduce((best, level) => distance(level) < distance(best) ? level : best).indent;
  }
  const above = found.findLast(({ oldIndex }) => oldIndex < gap.start);
  const below = found.find(({ oldIndex }) => oldIndex >= gap.end);
  // Between an opening line and its body, or a body and its closing line, a new line is of the body.
  const touches = above?.oldIndex === gap.start - 1 && below?.oldIndex === gap.end;
  if (touches && above && below) {
    return below.indent.length > above.indent.length ? below.indent : above.indent;
  }
  return (above ?? below)?.indent;
}

interface Extrapolation {
  readonly oldUnit: number;
  readonly fileUnit: string;
  readonly lookUp: LevelLookup;
}

interface UnknownLevel {
  readonly columns: number;
  readonly index: number;
  readonly done: readonly PlacedLine[];
}

/** The file's indentation for a level that `oldLines` does not have, from the nearest one it has. */
function extrapolation(
  levels: readonly Level[],
  { oldUnit, fileUnit, lookUp }: Extrapolation,
): (unknown: UnknownLevel) => string {
  const known = [...new Set(levels.map((level) => level.columns))].sort((a, b) => a - b);
  return ({ columns, index, done }) => {
    const below = known.findLast((level) => level < columns);
    if (below === undefined) {
      const above = known[0] ?? 0;
      return shallower(lookUp(above, index) ?? "", { by: above - columns, oldUnit, fileUnit });
    }
    const base = lookUp(below, index) ?? "";
    const deeper = columns - below;
    const spaces = deeper % oldUnit;
    if (spaces !== 0) {
      // No whole level: the line is aligned with something in a line above, at whatever depth that is.
      const above = done.findLast((line) => line.columns < columns);
      if (above) return above.indent + " ".repeat(columns - above.columns);
    }
    return base + fileUnit.repeat(Math.floor(deeper / oldUnit)) + " ".repeat(spaces);
  };
}

function shallower(
  indent: string,
  { by, oldUnit, fileUnit }: {
    readonly by: number;
    readonly oldUnit: number;
    readonly fileUnit: string;
  },
): string {
  const removed = Math.ceil(by / oldUnit);
  const kept = indent.slice(0, Math.max(0, indent.length - removed * fileUnit.length));
  return kept + " ".repeat(removed * oldUnit - by);
}

interface FileStyle {
  readonly fileLines: readonly string[];
  readonly fileUnit: string;
}

/**
 * Gives the first lines back the indentation that they lose when text is copied from the middle of a
 * line: the other lines then stand at whole levels of the file, and the first one alone does not.
 */
function withLostIndent(rewrite: Rewrite, { fileLines, fileUnit }: FileStyle): Rewrite {
  const { oldLines, newLines } = rewrite;
  const lines = oldLines.flatMap((line, index) => {
    const columns = columnsOf(indentOf(line), TAB_COLUMNS);
    const levels = levelsOf(indentOf(fileLines[index] ?? ""), fileUnit) ?? 0;
    return isBlank(line) ? [] : [{ columns, levels }];
  });
  const [first, ...rest] = lines;
  if (!first || first.columns > 0 || first.levels === 0 || rest.length === 0) return rewrite;
  const widths = new Set(rest.map(({ columns, levels }) => columns / levels));
  const [width = 0] = widths;
  const deeper = rest.find(({ levels }) => levels > first.levels);
  const step = deeper ? deeper.columns / (deeper.levels - first.levels) : 0;
  const isMoved = rest.every(({ levels }) => levels > first.levels) && [2, 3, 4].includes(step);
  if (widths.size !== 1 || ![2, 3, 4, 8].includes(width) || isMoved) return rewrite;
  const isTabs = oldLines.some((line) => line.startsWith("\t"));
  const lost = isTabs ? "\t".repeat(first.levels) : " ".repeat(first.levels * width);
  const regain = (line: string, index: number) =>
    index === 0 && indentOf(line) === "" && line !== "" ? lost + line : line;
  return { ...rewrite, oldLines: oldLines.map(regain), newLines: newLines.map(regain) };
}

function findFileUnit({ document, start }: Rewrite, fileLines: readonly string[]) {
  const end = start + fileLines.length;
  const around = () => lineTexts(document, start - LINES_AROUND, end + LINES_AROUND);
  const head = () => lineTexts(document, 0, LINES_AT_HEAD);
  return detectUnit(fileLines) ?? detectUnit(around()) ?? detectUnit(head());
}

function findOldUnit(
  { oldLines, newLines }: Rewrite,
  { fileLines, fileUnit }: FileStyle,
): number {
  const isSpaces = fileUnit !== "\t";
  const pairs = oldLines.flatMap((line, index) => {
    const indent = indentOf(line);
    const levels = levelsOf(indentOf(fileLines[index] ?? ""), fileUnit);
    if (isBlank(line) || indent.includes("\t") || levels === undefined) return [];
    return [{ columns: indent.length, levels }];
  });
  const knowsUnit = isSpaces &&
    oldLines.some((line, index) =>
      line.startsWith(" ") && indentOf(line) === indentOf(fileLines[index] ?? "")
    );
  if (knowsUnit) return fileUnit.length;
  return columnsPerLevel(pairs) ?? commonestStep(oldLines) ?? commonestStep(newLines) ??
    columnsPerLevel([{ columns: 0, levels: 0 }, ...pairs]) ??
    (isSpaces ? fileUnit.length : TAB_COLUMNS);
}

/** Columns that make one level of the file, measured between levels that differ. */
function columnsPerLevel(
  pairs: readonly { readonly columns: number; readonly levels: number }[],
): number | undefined {
  const sorted = [...pairs].sort((left, right) => left.columns - right.columns);
  const measured = sorted.flatMap((pair, index) => {
    const above = sorted[index - 1];
    if (above === undefined || pair.levels <= above.levels) return [];
    const columns = (pair.columns - above.columns) / (pair.levels - above.levels);
    return Number.isInteger(columns) && columns > 0 ? [columns] : [];
  });
  return commonest(measured);
}

function windowLines({ document, start, oldLines }: Rewrite): string[] {
  return lineTexts(document, start, start + oldLines.length);
}

function lineTexts(document: TextDocument, start: number, end: number): string[] {
  return document.lines(Math.max(0, start), Math.min(end, document.lineCount))
    .map((line) => line.text);
}
