// Owns: the undo_edit command and its words.
// Must not know: how edits are remembered and reversed.

import type { UndoOutcome } from "../fs/file_editor.ts";
import type { UndoConflict } from "../fs/undo_plan.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import type { Line } from "../text/document.ts";
import { type Budget, cutLine, formatExcerpt } from "../text/excerpt.ts";
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
      throw new ToolError(conflictMessage(target, { conflict: outcome, context }), target.hints);
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
    const text = `Undone: ${target.display} is gone again, as it was before.`;
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
  { conflict, context }: { readonly conflict: UndoConflict; readonly context: ToolContext },
): string {
  const { hunk, current, currentStart } = conflict;
  const what = current.kind === "absent" ? "deleted" : "changed";
  const start =
    `${target.display} was ${what} by someone else since octofs edited it, and the undo would overwrite ` +
    "that change. Nothing was written.";
  if (current.kind === "absent") {
    return `${start} If the file should exist, write it with command="create".`;
  }
  if (hunk === undefined || current.kind === "binary") {
    return `${start} Run \`view\` to see the file as it is; write what you want with str_replace or batch_edit.`;
  }
  const { document } = current;
  const excerpt = formatExcerpt({
    start: Math.max(0, currentStart - 2),
    end: Math.min(document.lineCount, currentStart + Math.max(hunk.newLines.length, 1) + 3),
    lineText: (index) => document.lineText(index),
  }, QUOTED_BUDGET);
  context.shown.remember(target.key, excerpt.shown);
  return [
    start,
    hunk.oldLines.length === 0
      ? "octofs had inserted these lines:"
      : "octofs had replaced these lines:",
    ...quotedLines(hunk.oldLines),
    ...hunk.oldLines.length === 0 ? [] : [hunk.newLines.length === 0 ? "with nothing." : "with:"],
    ...quotedLines(hunk.newLines),
    document.lineCount === 0 ? "The file is empty now." : "The file now reads there:",
    ...document.lineCount === 0 ? [] : [excerpt.text],
    "To restore the old lines by hand, use `batch_edit` with the ids above.",
  ].join("\n");
}

const QUOTED_BUDGET: Budget = { maxLines: 60, maxBytes: 10_000 };
const QUOTED_LINES = 30;

function quotedLines(lines: readonly Line[]): string[] {
  const quoted = lines.slice(0, QUOTED_LINES).map(({ text }) => `  ${cutLine(text)}`);
  const rest = lines.length - quoted.length;
  return rest > 0 ? [...quoted, `  [...${rest} lines more]`] : quoted;
}
