// Owns: pieces of text that are replaced inside lines, turned into whole-line edits with exact endings.
// Must not know: how the pieces were found.

import {
  type Line,
  type LineEnding,
  neighbourEnding,
  splitLines,
  type TextDocument,
} from "./document.ts";
import { type LineEdit, withEndings } from "./line_edit.ts";

/** Offsets into a document's text, half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces every span (ascending, not overlapping) with `newText`, whose newlines are all `\n`; each
 * is written as the one it replaces in the file, or as its neighbours.
 */
export function spanEdits(
  document: TextDocument,
  spans: readonly Span[],
  newText: string,
): LineEdit[] {
  const write = newTextWriter(document, newText);
  const edits: LineEdit[] = [];
  let index = 0;
  while (index < spans.length) {
    const first = spans[index];
    if (first === undefined) break;
    const start = document.lineAt(first.start);
    const parts: string[] = [];
    let cursor = document.lineStart(start);
    let end = start;
    // Spans that touch one line become one edit.
    for (let span: Span | undefined = first; span !== undefined; span = spans[++index]) {
      if (span !== first && document.lineAt(span.start) >= end) break;
      parts.push(document.text.slice(cursor, span.start), write(span));
      cursor = span.end;
      end = endLine(document, cursor, parts);
    }
    parts.push(document.text.slice(cursor, document.lineStart(end)));
    edits.push({ start, end, lines: linesOf(parts.join("")) });
  }
  return edits;
}

/** Replaces whole lines with `texts`; lines that stay the same keep their own endings. */
export function lineRangeEdit(
  document: TextDocument,
  range: Span,
  texts: readonly string[],
): LineEdit {
  let { start, end } = range;
  let first = 0;
  let last = texts.length;
  while (start < end && first < last && document.lineText(start) === texts[first]) {
    start++;
    first++;
  }
  while (start < end && first < last && document.lineText(end - 1) === texts[last - 1]) {
    end--;
    last--;
  }
  return { start, end, lines: withEndings(document, { start, end }, texts.slice(first, last)) };
}

/**
 * Where `edits` (ascending, apart) delete the lines at the end of a file without a final newline,
 * the line that is last now has none either.
 */
export function keepMissingFinalNewline(
  document: TextDocument,
  edits: readonly LineEdit[],
): LineEdit[] {
  const count = document.lineCount;
  const kept = [...edits];
  let start = count;
  if (count === 0 || document.line(count - 1).ending !== "") return kept;
  for (let last = kept.at(-1); last?.end === start; last = kept.at(-1)) {
    if (last.lines.length > 0) {
      if (start === count) return kept;
      kept.splice(-1, 1, { start: last.start, end: count, lines: withoutLastEnding(last.lines) });
      return kept;
    }
    start = last.start;
    kept.pop();
  }
  if (start === count) return kept;
  const lines = withoutLastEnding(document.lines(Math.max(0, start - 1), start));
  return [...kept, { start: start - lines.length, end: count, lines }];
}

function withoutLastEnding(lines: readonly Line[]): Line[] {
  return lines.map((line, index) => index === lines.length - 1 ? { ...line, ending: "" } : line);
}

/** As `splitLines`, which is slow for the single lines of a replacement in many places. */
function linesOf(text: string): Line[] {
  const newline = text.indexOf("\n");
  if (newline === -1) return text === "" ? [] : [{ text, ending: "" }];
  if (newline < text.length - 1) return splitLines(text);
  const ending = text.endsWith("\r\n") ? "\r\n" : "\n";
  return [{ text: text.slice(0, -ending.length), ending }];
}

/** The first line after those that the parts so far, up to `cursor` in the file, take part in. */
function endLine(document: TextDocument, cursor: number, parts: readonly string[]): number {
  if (cursor === document.text.length) return document.lineCount;
  const line = document.lineAt(cursor);
  if (document.lineStart(line) !== cursor) return line + 1;
  const lastPart = parts.findLast((part) => part !== "") ?? "\n";
  // Without a newline at its end the new text runs into the line that follows.
  return lastPart.endsWith("\n") ? line : line + 1;
}

function newTextWriter(document: TextDocument, newText: string): (span: Span) => string {
  // With no "\r\n" in the file every newline is a plain one.
  if (!newText.includes("\n") || !document.text.includes("\r\n")) return () => newText;
  return ({ start, end }) => {
    const oldText = document.text.slice(start, end);
    const oldEndings = newlines(oldText);
    const folded = oldText.replaceAll("\r\n", "\n");
    const kept = {
      first: newlines(folded.slice(0, commonPrefix(folded, newText))).length,
      last: 0,
    };
    kept.last = Math.min(
      newlines(folded.slice(folded.length - commonSuffix(folded, newText))).length,
      oldEndings.length - kept.first,
    );
    return withNewlines(newText, {
      old: oldEndings,
      kept,
      fallback: oldEndings.at(-1) ?? ownEnding(document, document.lineAt(start)),
    });
  };
}

interface NewlinePlan {
  readonly old: readonly LineEnding[];
  /** Newlines at both ends that belong to text which stays. */
  readonly kept: { readonly first: number; readonly last: number };
  readonly fallback: LineEnding;
}

function withNewlines(newText: string, { old, kept, fallback }: NewlinePlan): string {
  const lines = newText.split("\n");
  const count = lines.length - 1;
  const parts: string[] = [];
  lines.forEach((line, index) => {
    parts.push(line);
    if (index === count) return;
    const fromEnd = count - index;
    if (fromEnd <= kept.last) parts.push(old[old.length - fromEnd] ?? fallback);
    else if (index < old.length - kept.last) parts.push(old[index] ?? fallback);
    else parts.push(fallback);
  });
  return parts.join("");
}

function ownEnding(document: TextDocument, line: number): LineEnding {
  const own = document.line(line).ending;
  return own === "" ? neighbourEnding(document, line) : own;
}

function newlines(text: string): LineEnding[] {
  const endings: LineEnding[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    endings.push(text.charCodeAt(at - 1) === 13 ? "\r\n" : "\n");
  }
  return endings;
}

function commonPrefix(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

function commonSuffix(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (
    length < most &&
    left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length)
  ) length++;
  return length;
}
