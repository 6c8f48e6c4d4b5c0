// Owns: what may help when the old text is nowhere, and whether the edit was already made.
// Must not know: words, line ids, how a match would be applied.

import { findClosest } from "./closest.ts";
import type { TextDocument } from "./document.ts";
import { type ComparedLines, firstDifference, repeatedCharacter } from "./first_difference.ts";
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
/** Whole lines that have little in common with the old text are only when they are as long as this … */
const SURE_REWRITE = 20;
/** … or, from this length on, when nothing in the file is as similar to the old text as this percentage. */
const SHORTEST_REWRITE = 3;
const LIKELY_MEANT = 60;
/** A short new text in more places says nothing. */
const MOST_SHORT_PLACES = 5;
const SHORT = 8;
/** Characters of both texts that are compared to tell whether one is a version of the other. */
const COMPARED_LENGTH = 2_000;

/** Explains a miss: the edit is already made, or what is closest and how it differs. */
export function adviseOnMiss(document: TextDocument, request: ReplaceRequest): MatchResult {
  const { oldText, newText, replaceAll } = request;
  const block = parseBlock(oldText);
  const { places, cut } = closestPlaces(document, oldText, block.lines);
  const present = findNewText(document, newText);
  const isThere = places.some(({ window }) => window.difference !== "content");
  const [first, second] = present;
  const isResultPossible = !isThere && (second === undefined || replaceAll);
  const isOldElsewhere = places.some(({ window }) => window.percent >= LIKELY_MEANT);
  const tellsNothing = newText.trim().length < SHORTEST_REWRITE ||
    (newText.length < SHORT && present.length > MOST_SHORT_PLACES);
  const closest = places[0]?.compared;
  const entityCandidate = findEntityCandidate(document, oldText);
  const advice: Advice = {
    windows: places.map(({ window }) => window),
    searchCut: cut,
    ...(closest && describeDifference({ document, oldLines: block.lines, ...closest })),
    ...(first && !tellsNothing && {
      newTextPresent: {
        lines: present.slice(0, MOST_PLACES).map((span) => document.lineAt(span.start)),
        total: present.length,
      },
    }),
    ...(entityCandidate && { entityCandidate }),
  };
  if (first && isResultPossible && isResult(document, first, { ...request, isOldElsewhere })) {
    const likely = areVersions(oldText, newText);
    return { kind: "already_applied", ...linesOf(document, first), likely, advice };
  }
  return { kind: "missing", advice };
}

/** A window, and where in it a comparison with the old text may begin, if that is clear. */
interface ClosestPlace {
  readonly window: ClosestWindow;
  readonly compared: Pick<ComparedLines, "start" | "column"> | undefined;
}

function closestPlaces(
  document: TextDocument,
  oldText: string,
  oldLines: readonly string[],
): { readonly places: readonly ClosestPlace[]; readonly cut: boolean } {
  const { windows, cut } = findClosest(document, oldLines);
  const similar = windows.map((found): ClosestPlace => {
    const { start, end, ratio, fragment } = found;
    const difference = fragment ? "content" : describeWindow(document, { start, end }, oldText);
    const isUnclear = fragment !== undefined && fragment.column === undefined;
    return {
      window: { start, end, percent: toPercent(ratio), difference },
      compared: isUnclear ? undefined : { start, column: fragment?.column },
    };
  });
  const squeezed = findSqueezed(document.text, oldText);
  if (squeezed === undefined) return { places: similar, cut };
  const first = squeezedPlace(document, squeezed, oldText);
  const { start, end } = first.window;
  const others = similar.filter(({ window }) => window.end <= start || window.start >= end);
  return { places: [first, ...others].slice(0, MOST_WINDOWS), cut };
}

/** The place where the old text is but for what cannot be told apart by eye. */
function squeezedPlace(document: TextDocument, span: Span, oldText: string): ClosestPlace {
  const { start, end } = linesOf(document, span);
  const text = document.text.slice(span.start, span.end);
  const isBlanksOnly = withoutBlanks(text) === withoutBlanks(oldText);
  const column = span.start - document.lineStart(start);
  return {
    window: {
      start,
      end,
      percent: toPercent(blankRatio(text, oldText)),
      difference: isBlanksOnly ? "whitespace" : "typography",
    },
    compared: { start, column },
  };
}

/** What two texts that differ in whitespace alone have in common. */
function blankRatio(left: string, right: string): number {
  const trimmed = right.trim();
  return 2 * Math.min(left.length, trimmed.length) / (left.length + trimmed.length);
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
  const file = withoutBlanks(text);
  const sent = withoutBlanks(oldText);
  if (file === sent) return "whitespace";
  if (squeeze(text) === squeeze(oldText)) return "typography";
  return file.toLowerCase() === sent.toLowerCase() ? "letter_case" : "content";
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
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
  { oldText, newText, isOldElsewhere }: ReplaceRequest & { readonly isOldElsewhere: boolean },
): boolean {
  if (!/[\p{L}\p{N}]/u.test(newText)) return false;
  const { start, end } = linesOf(document, span);
  const before = document.text.slice(document.lineStart(start), span.start);
  const after = document.text.slice(span.end, document.lineStart(end));
  const isWhole = (before + after).trim() === "";
  if (areVersions(oldText, newText)) return isWhole || newText.length >= SHORTEST_PART;
  return isWhole && newText.length >= (isOldElsewhere ? SURE_REWRITE : SHORTEST_REWRITE);
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
