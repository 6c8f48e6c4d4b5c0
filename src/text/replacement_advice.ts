// Owns: what may help when the old text is nowhere, and whether the edit was already made.
// Must not know: words, line ids, how a match would be applied.

import { findClosest } from "./closest.ts";
import type { TextDocument } from "./document.ts";
import { type ComparedLines, firstDifference, repeatedCharacter } from "./first_difference.ts";
import { foldLine } from "./folded_text.ts";
import { decodeEntities, encodeEntities } from "./html_entities.ts";
import { LcsPattern } from "./lcs.ts";
import { findSpans, foldNewlines } from "./match_exact.ts";
import { findWindows, parseBlock } from "./match_lines.ts";
import {
  type Advice,
  type ClosestWindow,
  type MatchResult,
  MOST_PLACES,
  type ReplaceRequest,
  type WindowDifference,
} from "./match_result.ts";
import type { Span } from "./span_edit.ts";
import { findSqueezed, squeeze } from "./squeezed_text.ts";

const MOST_WINDOWS = 3;

/** A new text inside a line is only taken for the edit's result when it is as long as this. */
const SHORTEST_PART = 10;
/** Whole lines that have little in common with the old text are only when they are as long as this. */
const SHORTEST_REWRITE = 20;
/** Characters of both texts that are compared to tell whether one is a version of the other. */
const COMPARED_LENGTH = 2_000;

/** Explains a miss: the edit is already made, or what is closest and how it differs. */
export function adviseOnMiss(document: TextDocument, request: ReplaceRequest): MatchResult {
  const block = parseBlock(request.oldText);
  const { windows, cut } = closestWindows(document, request.oldText, block.lines);
  const present = findNewText(document, request.newText);
  const isThere = windows.some((window) => window.difference !== "content");
  const only = present.length === 1 ? present[0] : undefined;
  if (only && !isThere && isResult(document, only, request)) {
    return { kind: "already_applied", ...linesOf(document, only) };
  }
  const closest = windows[0];
  const compared = closest && { document, start: closest.start, oldLines: block.lines };
  const entityCandidate = findEntityCandidate(document, request.oldText);
  const advice: Advice = {
    windows,
    searchCut: cut,
    ...(compared && describeDifference(compared)),
    ...(present.length > 0 && {
      newTextPresent: {
        lines: present.slice(0, MOST_PLACES).map((span) => document.lineAt(span.start)),
        total: present.length,
      },
    }),
    ...(entityCandidate && { entityCandidate }),
  };
  return { kind: "missing", advice };
}

function closestWindows(
  document: TextDocument,
  oldText: string,
  oldLines: readonly string[],
): { readonly windows: readonly ClosestWindow[]; readonly cut: boolean } {
  const { windows, cut } = findClosest(document, oldLines);
  const found: ClosestWindow[] = windows.map(({ start, end, ratio }) => ({
    start,
    end,
    percent: toPercent(ratio),
    difference: describeWindow(document, { start, end }, oldText),
  }));
  const squeezed = findSqueezed(document.text, oldText);
  if (squeezed === undefined) return { windows: found, cut };
  const { start, end } = linesOf(document, squeezed);
  const first: ClosestWindow = {
    start,
    end,
    percent: toPercent(blankRatio(document.text.slice(squeezed.start, squeezed.end), oldText)),
    difference: "whitespace",
  };
  const others = found.filter((window) => window.end <= start || window.start >= end);
  return { windows: [first, ...others].slice(0, MOST_WINDOWS), cut };
}

/** What two texts that differ in whitespace alone have in common. */
function blankRatio(left: string, right: string): number {
  const content = squeeze(left).length;
  const trimmed = right.trim();
  const blanks = Math.min(left.length, trimmed.length) - content;
  return 2 * (content + blanks) / (left.length + trimmed.length);
}

/** Rounded down, so that no window that differs is called 100 % similar. */
function toPercent(ratio: number): number {
  return Math.min(99, Math.floor(ratio * 100));
}

function describeWindow(document: TextDocument, window: Span, oldText: string): WindowDifference {
  const text = document.text.slice(
    document.lineStart(window.start),
    document.lineStart(window.end),
  );
  const file = squeeze(text);
  const sent = squeeze(oldText);
  if (file === sent) return "whitespace";
  if (squeeze(foldLine(text, "typography")) === squeeze(foldLine(oldText, "typography"))) {
    return "typography";
  }
  return file.toLowerCase() === sent.toLowerCase() ? "letter_case" : "content";
}

function describeDifference(
  compared: ComparedLines,
): Pick<Advice, "firstDifference" | "repeated"> {
  const difference = firstDifference(compared);
  if (difference === undefined) return {};
  const repeated = repeatedCharacter(compared, difference);
  return { firstDifference: difference, ...(repeated && { repeated }) };
}

/** Places of the new text, as it is or, as it may have been written, with other indentation. */
function findNewText(document: TextDocument, newText: string): Span[] {
  if (newText.trim() === "") return [];
  const exact = findSpans(document, foldNewlines(newText));
  if (exact.length > 0) return exact;
  const { lines } = parseBlock(newText);
  return findWindows(document, lines, "whitespace").map((start) => ({
    start: document.lineStart(start),
    end: document.lineEnd(start + lines.length - 1),
  }));
}

/** True when the new text, found once, is likely what this edit made. */
function isResult(
  document: TextDocument,
  span: Span,
  { oldText, newText }: ReplaceRequest,
): boolean {
  if (!/[\p{L}\p{N}]/u.test(newText)) return false;
  const { start, end } = linesOf(document, span);
  const before = document.text.slice(document.lineStart(start), span.start);
  const after = document.text.slice(span.end, document.lineStart(end));
  const isWhole = (before + after).trim() === "";
  if (areVersions(oldText, newText)) return isWhole || newText.length >= SHORTEST_PART;
  return isWhole && newText.length >= SHORTEST_REWRITE;
}

function areVersions(oldText: string, newText: string): boolean {
  const left = oldText.slice(0, COMPARED_LENGTH);
  const right = newText.slice(0, COMPARED_LENGTH);
  const common = new LcsPattern(left).lengthIn(right, 0, right.length);
  return 2 * common >= 0.5 * (left.length + right.length);
}

function findEntityCandidate(
  document: TextDocument,
  oldText: string,
): Advice["entityCandidate"] | undefined {
  const decoded = { change: "decoded" as const, oldText: decodeEntities(oldText) };
  const encoded = encodeEntities(oldText).map((text) => ({
    change: "encoded" as const,
    oldText: text,
  }));
  for (const candidate of [decoded, ...encoded]) {
    if (candidate.oldText === oldText) continue;
    const [span, second] = findSpans(document, foldNewlines(candidate.oldText));
    if (span && !second) return { ...candidate, line: document.lineAt(span.start) };
  }
  return undefined;
}

/** The lines that a span takes part in. */
function linesOf(document: TextDocument, { start, end }: Span): Span {
  return { start: document.lineAt(start), end: document.lineAt(Math.max(start, end - 1)) + 1 };
}
