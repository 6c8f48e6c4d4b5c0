// Owns: edits as data, the one function that applies them, and the hunks that say what became what.
// Must not know: where edits come from (text match, ids, undo) or how a diff is printed.

import { type Line, type LineEnding, neighbourEnding, TextDocument } from "./document.ts";

/** Lines `start` to `end` (0-based, half-open, of the original) become `lines`, endings included. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly Line[];
}

/** One place that changed: `oldStart` in the document before, `newStart` in the one after, both 0-based. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: readonly Line[];
  readonly newStart: number;
  readonly newLines: readonly Line[];
}

export interface AppliedEdits {
  readonly document: TextDocument;
  /** In file order; empty when the edits change nothing. */
  readonly hunks: readonly Hunk[];
}

/**
 * Applies edits that do not overlap, all at once, so that none shifts another; edits at one place
 * keep their order. Throws RangeError when they overlap or leave the document.
 */
export function applyLineEdits(document: TextDocument, edits: readonly LineEdit[]): AppliedEdits {
  // Sorted before trimming: a trimmed edit may shrink to the place of its neighbour.
  const sorted = [...edits]
    .sort((left, right) => left.start - right.start || left.end - right.end);
  const ordered = closeOpenLines(document, includeOpenLastLine(document, sorted))
    .map((edit) => trimUnchanged(document, edit)).filter(changesSomething);
  if (ordered.length === 0) return { document, hunks: [] };
  const result = new EditedText(document);
  const hunks: Hunk[] = [];
  let done = 0;
  let shift = 0;
  for (const edit of ordered) {
    if (edit.start < done || edit.end < edit.start || edit.end > document.lineCount) {
      throw new RangeError(
        `edit of lines ${edit.start} to ${edit.end} overlaps or leaves the file`,
      );
    }
    result.keep(done, edit.start);
    for (const line of edit.lines) result.add(line);
    hunks.push({
      oldStart: edit.start,
      oldLines: document.lines(edit.start, edit.end),
      newStart: edit.start + shift,
      newLines: edit.lines,
    });
    shift += edit.lines.length - (edit.end - edit.start);
    done = edit.end;
  }
  result.keep(done, document.lineCount);
  return { document: result.finish(), hunks };
}

/** The text after the edits, with its line starts: a large file is not searched for them again. */
class EditedText {
  readonly #parts: string[] = [];
  readonly #starts: (Uint32Array | readonly number[])[] = [];
  /** Starts of the lines added since the last that were kept: one array for all of them. */
  #added: number[] = [];
  #length = 0;

  constructor(readonly document: TextDocument) {}

  keep(start: number, end: number): void {
    if (start >= end) return;
    this.#endAdded();
    const from = this.document.lineStart(start);
    const shift = this.#length - from;
    this.#starts.push(this.document.lineStarts(start, end).map((offset) => offset + shift));
    this.#append(this.document.text.slice(from, this.document.lineStart(end)));
  }

  add({ text, ending }: Line): void {
    if (text === "" && ending === "") return;
    this.#added.push(this.#length);
    this.#append(text + ending);
  }

  finish(): TextDocument {
    this.#endAdded();
    const starts = new Uint32Array(this.#starts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of this.#starts) {
      starts.set(part, filled);
      filled += part.length;
    }
    return TextDocument.withLineStarts(this.#parts.join(""), { form: this.document.form, starts });
  }

  #endAdded(): void {
    if (this.#added.length === 0) return;
    this.#starts.push(this.#added);
    this.#added = [];
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }
}

/** The edits that turn the document after `hunks` back into the one before. */
export function invertHunks(hunks: readonly Hunk[]): LineEdit[] {
  return hunks.map((hunk) => ({
    start: hunk.newStart,
    end: hunk.newStart + hunk.newLines.length,
    lines: hunk.oldLines,
  }));
}

/**
 * Gives texts that take the place of lines `start` to `end` the endings of the lines they replace,
 * or of their neighbours; a missing final newline stays missing.
 */
export function withEndings(
  document: TextDocument,
  range: { readonly start: number; readonly end: number },
  texts: readonly string[],
): Line[] {
  const replaced = document.lines(range.start, range.end);
  // A line beyond those replaced has the last of them as its neighbour.
  const fallback = replaced.findLast((line) => line.ending !== "")?.ending ??
    neighbourEnding(document, range.start);
  const isAtOpenEnd = range.end > 0 && range.end === document.lineCount &&
    document.line(range.end - 1).ending === "";
  const lastEnding = isAtOpenEnd ? "" : replaced.at(-1)?.ending ?? fallback;
  return texts.map((text, index) => {
    if (index < texts.length - 1) return { text, ending: replaced[index]?.ending || fallback };
    // An empty line is a line by its ending alone.
    return { text, ending: text === "" && lastEnding === "" ? fallback : lastEnding };
  });
}

/** A last line without an ending takes part in an edit that adds lines after it, so that it can get one. */
function includeOpenLastLine(
  document: TextDocument,
  ordered: readonly LineEdit[],
): readonly LineEdit[] {
  const count = document.lineCount;
  const last = count === 0 ? undefined : document.line(count - 1);
  if (last?.ending !== "") return ordered;
  const isAppend = ({ start, end }: LineEdit) => start === count && end === count;
  const isTouched = ordered.some((edit) => edit.end === count && !isAppend(edit));
  const appended = ordered.filter(isAppend).flatMap((edit) => edit.lines);
  if (isTouched || appended.length === 0) return ordered;
  const rest = ordered.filter((edit) => !isAppend(edit));
  return [...rest, { start: count - 1, end: count, lines: [last, ...appended] }];
}

/** A line without an ending that is followed by another one gets one, so that they do not run together. */
function closeOpenLines(document: TextDocument, ordered: readonly LineEdit[]): LineEdit[] {
  const closed: LineEdit[] = [];
  let isFollowed = false;
  let next = document.lineCount;
  for (const edit of [...ordered].reverse()) {
    isFollowed ||= edit.end < next;
    const lines: readonly Line[] = areClosed(edit.lines, isFollowed)
      ? edit.lines
      : closeLines(document, edit, isFollowed);
    isFollowed ||= lines.length > 0;
    closed.push({ ...edit, lines });
    next = edit.start;
  }
  return closed.reverse();
}

/** Most edits need no change: a new file of a million lines is not copied line by line. */
function areClosed(lines: readonly Line[], isFollowed: boolean): boolean {
  const last = lines.length - 1;
  return lines.every(({ text, ending }, index) =>
    ending === "" ? text !== "" && index === last && !isFollowed : !endsInSplitEnding(text, ending)
  );
}

function closeLines(
  document: TextDocument,
  { start, lines }: LineEdit,
  isLastFollowed: boolean,
): Line[] {
  const closed: Line[] = [];
  let isFollowed = isLastFollowed;
  for (const { text, ending } of [...lines].reverse()) {
    const isOpen = ending === "";
    if (isOpen && !isFollowed && text === "") continue;
    const needed = isOpen && isFollowed ? neighbourEnding(document, start) : ending;
    closed.push(
      endsInSplitEnding(text, needed)
        ? { text: text.slice(0, -1), ending: "\r\n" }
        : { text, ending: needed },
    );
    isFollowed = true;
  }
  return closed.reverse();
}

/** Together a `\r` at the end and `\n` are one ending, as the file will be read. */
function endsInSplitEnding(text: string, ending: LineEnding): boolean {
  return ending === "\n" && text.endsWith("\r");
}

/** Drops the leading and trailing lines that an edit leaves as they are. */
function trimUnchanged(document: TextDocument, edit: LineEdit): LineEdit {
  let { start, end } = edit;
  let first = 0;
  let last = edit.lines.length;
  while (start < end && first < last && sameLine(document.line(start), edit.lines[first])) {
    start++;
    first++;
  }
  while (start < end && first < last && sameLine(document.line(end - 1), edit.lines[last - 1])) {
    end--;
    last--;
  }
  return { start, end, lines: edit.lines.slice(first, last) };
}

function sameLine(left: Line, right: Line | undefined): boolean {
  return right !== undefined && left.text === right.text && left.ending === right.ending;
}

function changesSomething(edit: LineEdit): boolean {
  return edit.start !== edit.end || edit.lines.length > 0;
}
