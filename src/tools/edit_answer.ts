// Owns: the answer to a successful edit: the diff, the ids it makes valid, and hints on how it was written.
// Must not know: which tool edited.

import type { WriteNote } from "../fs/file_editor.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { renderDiff } from "../text/diff.ts";
import type { TextDocument } from "../text/document.ts";
import type { Hunk } from "../text/line_edit.ts";
import { textOutput, type ToolContext, type ToolOutput } from "./tool.ts";

export interface AnsweredEdit {
  readonly target: ResolvedPath;
  readonly after: TextDocument;
  readonly hunks: readonly Hunk[];
  readonly notes: readonly WriteNote[];
  /** Words before the diff, where a diff alone would not say what happened. */
  readonly headline?: string;
}

/** The diff as the result; every id in it is remembered as shown. */
export function answerEdit(
  edit: AnsweredEdit,
  context: ToolContext,
  hints: readonly string[] = [],
): ToolOutput {
  const diff = renderDiff(edit.after, edit.hunks);
  context.shown.remember(edit.target.key, diff.shown);
  const text = edit.headline === undefined ? diff.text : `${edit.headline}\n${diff.text}`.trimEnd();
  return textOutput(text, [...edit.target.hints, ...edit.notes.map(writeNoteMessage), ...hints]);
}

export function writeNoteMessage(note: WriteNote): string {
  switch (note) {
    case "hard_links":
      return "The file has more than one hard link, so it was written in place; the other names see the change.";
    case "closed_directory":
      return "The directory takes no new file, so the file was written in place rather than replaced in one step.";
    case "too_large_for_undo":
      return "The file is too large to keep an undo copy: this edit cannot be undone with undo_edit.";
  }
}

/** `1 line`, `1,234 lines`. */
export function countLines(count: number): string {
  return count === 1 ? "1 line" : `${count.toLocaleString("en-US")} lines`;
}
