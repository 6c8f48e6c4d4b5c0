// Owns: the undo_edit command and its words.
// Must not know: how edits are remembered and reversed.

import type { UndoOutcome } from "../fs/file_editor.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { TextDocument } from "../text/document.ts";
import { formatExcerpt } from "../text/excerpt.ts";
import { answerEdit, writeNoteMessage } from "./edit_answer.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export async function undoEdit(path: string, context: ToolContext): Promise<ToolOutput> {
  const target = await context.workspace.resolve(path, { purpose: "write", expect: "any" });
  const outcome = await context.editor.undo(target);
  switch (outcome.kind) {
    case "nothing":
      throw new ToolError(
        `There is nothing to undo for ${target.display}: this session has not changed it ` +
          "(or its undo copies were dropped for newer ones). Nothing was written.",
        target.hints,
      );
    case "conflict":
      throw new ToolError(conflictMessage(target, { outcome, context }), target.hints);
    case "undone":
      return answerUndo(target, { outcome, context });
  }
}

function answerUndo(
  target: ResolvedPath,
  { outcome, context }: {
    readonly outcome: Extract<UndoOutcome, { kind: "undone" }>;
    readonly context: ToolContext;
  },
): ToolOutput {
  const hints: string[] = [];
  if (outcome.merged) {
    hints.push(
      "The file was changed by someone else since; that change was kept, only octofs's own lines were reversed.",
    );
  }
  if (outcome.reverses === "undo") {
    hints.push("No older edit was left, so this took back the last undo.");
  }
  if (outcome.levelsLeft > 0) hints.push(`undo_edit can take back ${outcome.levelsLeft} more.`);
  if (!outcome.exists) {
    const text = `Undone: ${target.display} did not exist before the edit and was removed again.`;
    return textOutput(text, [...target.hints, ...hints]);
  }
  if (outcome.after === undefined) {
    return textOutput(`Undone: ${target.display} has its former content again (binary).`, [
      ...target.hints,
      ...outcome.notes.map(writeNoteMessage),
      ...hints,
    ]);
  }
  const answered = { target, after: outcome.after, hunks: outcome.hunks, notes: outcome.notes };
  const restored = outcome.before === undefined ? { headline: `Restored ${target.display}.` } : {};
  return answerEdit({ ...answered, ...restored }, context, hints);
}

function conflictMessage(
  target: ResolvedPath,
  { outcome, context }: {
    readonly outcome: Extract<UndoOutcome, { kind: "conflict" }>;
    readonly context: ToolContext;
  },
): string {
  const { hunk, current, currentStart } = outcome;
  const start =
    `${target.display} was changed by someone else since octofs edited it, and the undo would overwrite ` +
    "that change. Nothing was written.";
  if (hunk === undefined || current === undefined) {
    return `${start} Run \`view\` to see the file as it is; write what you want with str_replace or batch_edit.`;
  }
  const from = Math.max(0, currentStart - 2);
  const to = Math.min(current.lineCount, currentStart + Math.max(hunk.newLines.length, 1) + 3);
  const excerpt = formatExcerpt({
    start: from,
    end: to,
    lineText: (index) => current.lineText(index),
  });
  context.shown.remember(target.key, excerpt.shown);
  const before = new TextDocument(hunk.oldLines.map((line) => line.text + line.ending).join(""));
  return [
    start,
    `octofs had replaced these lines${hunk.oldLines.length === 0 ? " (none)" : ""}:`,
    ...before.lines().map((line) => `  ${line.text}`),
    "with:",
    ...hunk.newLines.map((line) => `  ${line.text}`),
    "The file now reads there:",
    excerpt.text,
    "To restore the old lines by hand, use `batch_edit` with the ids above.",
  ].join("\n");
}
