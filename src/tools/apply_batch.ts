// Owns: one call of batch_edit: the operations of the call, planned and written under one lock.
// Must not know: how ids are checked or operations planned, how files are written.

import type { CurrentFile } from "../fs/disk_file.ts";
import type { PlannedChange } from "../fs/file_editor.ts";
import { type BatchNote, planBatch } from "../text/batch.ts";
import { type ParsedOperation, parseOperations } from "../text/batch_operation.ts";
import type { TextDocument } from "../text/document.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { answerEdit } from "./edit_answer.ts";
import { batchFailureMessage, batchNoteMessage, linesShownBy } from "./edit_messages.ts";
import { binaryMessage, newTextHints, refuseUnsafeText } from "./text_safety.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export interface BatchCall {
  readonly path: string;
  readonly operations: Parameters<typeof parseOperations>[0];
}

/** Applies every operation, or none. Throws ToolError. */
export async function applyBatch(
  { path, operations }: BatchCall,
  context: ToolContext,
): Promise<ToolOutput> {
  const parsed = parseOperations(operations);
  if (parsed.kind === "failed") {
    throw new ToolError(batchFailureMessage(parsed.failures, operations.length));
  }
  const target = await context.workspace.resolve(path, { purpose: "write", expect: "existing" });
  const shown = context.shown.of(target.key);
  let notes: readonly BatchNote[] = [];
  const outcome = await context.editor.edit<Stop>(target, (current) => {
    const document = editableText(current, target.display);
    if (document instanceof ToolError) return stop(() => document);
    const planned = planBatch(document, parsed.operations, shown);
    if (planned.kind === "failed") {
      return stop(() => {
        context.shown.remember(target.key, linesShownBy(planned.failures));
        return new ToolError(
          batchFailureMessage(planned.failures, operations.length),
          target.hints,
        );
      });
    }
    const refused = refuseUnsafe(document, parsed.operations, target.display);
    if (refused) return stop(() => refused);
    const applied = applyLineEdits(document, planned.edits);
    if (applied.hunks.length === 0) {
      return stop(() =>
        textOutput(
          `No change: ${target.display} already reads like that; nothing was written.`,
          target.hints,
        )
      );
    }
    notes = planned.notes;
    return { kind: "write", ...applied };
  });
  if (outcome.kind === "stopped") {
    const stopped = outcome.stop();
    if (stopped instanceof ToolError) throw stopped;
    return stopped;
  }
  const hints = [...notes.map(batchNoteMessage), ...newTextHints(outcome)];
  return answerEdit({ target, ...outcome }, context, hints);
}

/** What is answered instead; to ask for what is already so is no failure. */
type Stop = () => ToolError | ToolOutput;

function stop(make: Stop): PlannedChange<Stop> {
  return { kind: "stop", stop: make };
}

/** The refusal of the first operation whose content the file cannot hold. */
function refuseUnsafe(
  document: TextDocument,
  operations: readonly ParsedOperation[],
  display: string,
): ToolError | undefined {
  for (const { kind, operation, lines } of operations) {
    if (kind === "delete") continue;
    const field = `operations[${operation}].content`;
    const refused = refuseUnsafeText(document, { field, lines, display });
    if (refused) return refused;
  }
  return undefined;
}

function editableText(current: CurrentFile, display: string): TextDocument | ToolError {
  switch (current.kind) {
    case "text":
      return current.document;
    case "absent":
      return new ToolError(
        `${display} does not exist. Create it with text_editor command="create".`,
      );
    case "binary":
      return new ToolError(binaryMessage(display, current));
  }
}
