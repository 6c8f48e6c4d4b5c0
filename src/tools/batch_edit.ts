// Owns: the batch_edit tool: several edits by line id in one call, all or nothing.
// Must not know: how ids are checked or operations planned, how files are written.

import type { CurrentFile } from "../fs/disk_file.ts";
import type { PlannedChange } from "../fs/file_editor.ts";
import { type BatchNote, planBatch } from "../text/batch.ts";
import { MOST_OPERATIONS, type ParsedOperation, parseOperations } from "../text/batch_operation.ts";
import type { TextDocument } from "../text/document.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { answerEdit } from "./edit_answer.ts";
import { batchFailureMessage, batchNoteMessage, linesShownBy } from "./edit_messages.ts";
import { binaryMessage, newTextHints, refuseUnsafeText } from "./text_safety.ts";
import { defineTool, ToolError } from "./tool.ts";

const PATH = {
  type: "string",
  description: "File to edit.",
  aliases: ["file_path", "filePath", "filename", "file", "absolute_path"],
} as const;

export const batchEditTool = defineTool({
  name: "batch_edit",
  title: "Edit by line id",
  description:
    "Edits one file by line ids in one atomic step; the cheapest way to edit lines you have seen. " +
    "Ids (`12:a3`) come from view, search results and the diffs of earlier edits; all refer to the file as " +
    "last seen, in any order, and one stale id stops the whole call with the fresh ones. " +
    "Answers with the diff; its ids are valid for the next call at once.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  fields: {
    path: PATH,
    operations: {
      type: "array",
      description: "What to do, each {operation, start, end?, content}.",
      aliases: ["edits"],
      maxItems: MOST_OPERATIONS,
      items: {
        operation: {
          type: "string",
          enum: ["insert", "replace", "delete"],
          description: "`insert` (after start), `replace` or `delete` (start to end, inclusive).",
          aliases: ["op", "type", "action"],
        },
        start: {
          type: "string",
          description:
            "Line id such as `12:a3`. For insert: the line after which to insert, `0` for the " +
            "start of the file, `-1` for its end.",
          aliases: ["start_id", "start_line", "line_start", "line", "anchor", "after"],
        },
        end: {
          type: "string",
          description: "Line id of the last line of the range; start alone is one line.",
          optional: true,
          aliases: ["end_id", "end_line", "line_end"],
        },
        content: {
          type: "string",
          description:
            "Raw text of the new lines, without ids and without the unchanged lines around. " +
            "Empty text deletes.",
          optional: true,
          aliases: ["file_text", "text", "new_text", "new_string", "new_str", "newText", "lines"],
        },
      },
    },
  },
  async run({ path, operations }, context) {
    const parsed = parseOperations(operations);
    if (parsed.kind === "failed") {
      throw new ToolError(batchFailureMessage(parsed.failures, operations.length));
    }
    const target = await context.workspace.resolve(path, { purpose: "write", expect: "existing" });
    const shown = context.shown.of(target.key);
    let notes: readonly BatchNote[] = [];
    const outcome = await context.editor.edit<() => ToolError>(target, (current) => {
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
          new ToolError(
            `No change: ${target.display} already reads like that; nothing was written.`,
          )
        );
      }
      notes = planned.notes;
      return { kind: "write", ...applied };
    });
    if (outcome.kind === "stopped") throw outcome.stop();
    const hints = [...notes.map(batchNoteMessage), ...newTextHints(outcome)];
    return answerEdit({ target, ...outcome }, context, hints);
  },
});

function stop(make: () => ToolError): PlannedChange<() => ToolError> {
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
