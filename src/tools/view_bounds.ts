// Owns: which lines of a file a view asks for: numbers, negative numbers and ids, clamped to the file.
// Must not know: files, how lines are printed.

import { cutPrefix } from "../text/excerpt.ts";
import { type LineRef, parseLineRef } from "../text/line_id.ts";
import { ToolError } from "./tool.ts";

type LineId = Extract<LineRef, { kind: "id" }>;

export interface ViewBounds {
  /** 0-based, half-open, inside the file. */
  readonly start: number;
  readonly end: number;
  readonly hints: readonly string[];
  readonly startId: LineId | undefined;
  readonly endId: LineId | undefined;
}

/** `start` and `end` as they were sent; undefined where nothing was. */
export interface ViewRange {
  readonly start: LineRef | undefined;
  readonly end: LineRef | undefined;
}

/** Parses the bounds before any file is looked at. Throws ToolError for what is neither number nor id. */
export function parseRange(
  { start, end }: { readonly start: string | undefined; readonly end: string | undefined },
): ViewRange {
  return { start: parseBound("start", start), end: parseBound("end", end) };
}

function parseBound(name: string, raw: string | undefined): LineRef | undefined {
  if (raw === undefined || raw.trim() === "") return undefined;
  const ref = parseLineRef(raw);
  if (ref.kind !== "malformed") return ref;
  const shown = JSON.stringify(raw.length > 80 ? `${cutPrefix(raw, 80)}…` : raw);
  throw new ToolError(
    `\`${name}\` is ${shown}, which is neither a line number nor a line id. ` +
      'Send a number such as 12 (negative counts from the end) or an id such as "12:a3".',
  );
}

/** How many lines from the start a range needs; Infinity where it depends on where the file ends. */
export function linesNeeded({ start, end }: ViewRange): number {
  if (end === undefined) return Infinity;
  // Line 0 is clamped, and the hint that says so names the total.
  const lines = [start, end].flatMap((ref) => ref === undefined ? [] : [lineOf(ref, -Infinity)]);
  return lines.every((line) => line >= 1) ? Math.max(...lines) : Infinity;
}

/** The lines that a range names in a file of `count` lines; what lies outside is clamped, with a hint. */
export function clampRange({ start, end }: ViewRange, count: number): ViewBounds {
  const hints: string[] = [];
  let first = start === undefined ? 1 : lineOf(start, count);
  let last = end === undefined ? count : lineOf(end, count);
  if (first > last && start !== undefined && end !== undefined) {
    [first, last] = [last, first];
    hints.push(`start is after end; showing lines ${first} to ${last}.`);
  }
  const clampedFirst = Math.min(Math.max(first, 1), count);
  const clampedLast = Math.min(Math.max(last, clampedFirst), count);
  if (clampedFirst !== first || clampedLast !== last) {
    const total = count === 1 ? "1 line" : `${count} lines`;
    hints.push(`The file has ${total}; showing ${clampedFirst} to ${clampedLast}.`);
  }
  return {
    start: clampedFirst - 1,
    end: clampedLast,
    hints,
    startId: start?.kind === "id" ? start : undefined,
    endId: end?.kind === "id" ? end : undefined,
  };
}

function lineOf(ref: LineRef, count: number): number {
  if (ref.kind === "id") return ref.line;
  return ref.value < 0 ? count + 1 + ref.value : ref.value;
}
