// Owns: the exact rung: the old text as a substring, with CRLF folded on both sides.
// Must not know: the other rungs, words.

import type { TextDocument } from "./document.ts";
import { type Candidates, MOST_PLACES, type Plan, type ReplaceRequest } from "./match_result.ts";
import { type Span, spanEdits } from "./span_edit.ts";
import { unsafeBoundary } from "./unsafe_text.ts";

/** Finds the old text as it is; the new text goes in as it is. */
export function findExact(document: TextDocument, request: ReplaceRequest): Candidates | undefined {
  const needle = foldNewlines(request.oldText);
  const spans = findSpans(document, needle);
  if (spans.length === 0) return undefined;
  const places = placesOf(document, spans);
  return {
    ...places,
    plan: () => planSpans(document, leftToRight(spans), foldNewlines(request.newText)),
  };
}

/** Where `needle` (newlines as `\n`) occurs, ascending; overlapping places only if there are no others. */
export function findSpans(document: TextDocument, needle: string): Span[] {
  if (needle === "") return [];
  const { text } = document;
  // A needle without line breaks is the same in both views of the file.
  if (!/[\r\n]/.test(needle) || !text.includes("\r\n")) {
    return search(text, needle).map((start) => ({ start, end: start + needle.length }));
  }
  const toRaw = foldedOffsets(document);
  return search(text.replaceAll("\r\n", "\n"), needle)
    .map((start) => ({ start: toRaw(start), end: toRaw(start + needle.length) }));
}

/** Text with every CRLF as `\n`; a lone `\r` is data and stays. */
export function foldNewlines(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function search(text: string, needle: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    starts.push(at);
  }
  if (starts.length !== 1) return starts;
  // One match that overlaps another is as ambiguous as two that do not.
  const first = starts[0] ?? 0;
  for (
    let at = text.indexOf(needle, first + 1);
    at !== -1 && starts.length < MOST_PLACES;
    at = text.indexOf(needle, at + 1)
  ) starts.push(at);
  return starts;
}

/** Maps an offset in the text with CRLF folded back to the file's own. */
function foldedOffsets(document: TextDocument): (offset: number) => number {
  const count = document.lineCount;
  const starts = new Uint32Array(count + 1);
  let removed = 0;
  for (let index = 0; index < count; index++) {
    const end = document.lineEnd(index);
    starts[index] = document.lineStart(index) - removed;
    if (document.text.charCodeAt(end - 1) === 10 && document.text.charCodeAt(end - 2) === 13) {
      removed++;
    }
  }
  starts[count] = document.text.length - removed;
  return (offset) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return document.lineStart(low) + offset - (starts[low] ?? 0);
  };
}

function placesOf(document: TextDocument, spans: readonly Span[]) {
  const lines = spans.slice(0, MOST_PLACES).map((span) => document.lineAt(span.start));
  return { lines, total: spans.length };
}

function leftToRight(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

function planSpans(document: TextDocument, spans: readonly Span[], newText: string): Plan {
  for (const { start, end } of spans) {
    const reason = unsafeBoundary(document, start) ?? unsafeBoundary(document, end);
    if (reason) return { kind: "unsafe", reason };
  }
  const notes = isInsideCopy(document, spans, newText) ? ["inside_new_text" as const] : [];
  return { kind: "edits", edits: spanEdits(document, spans, newText), places: spans.length, notes };
}

/** True when a single match is part of a copy of the new text, as after the same call made twice. */
function isInsideCopy(document: TextDocument, spans: readonly Span[], newText: string): boolean {
  const [span, second] = spans;
  if (span === undefined || second !== undefined) return false;
  const oldText = foldNewlines(document.text.slice(span.start, span.end));
  // A copy of a new text that holds the old one twice would have been two matches.
  const at = newText.length > oldText.length ? newText.indexOf(oldText) : -1;
  if (at === -1) return false;
  const reach = 2 * newText.length;
  const before = foldNewlines(document.text.slice(Math.max(0, span.start - reach), span.start));
  const after = foldNewlines(document.text.slice(span.end, span.end + reach));
  return before.endsWith(newText.slice(0, at)) &&
    after.startsWith(newText.slice(at + oldText.length));
}
