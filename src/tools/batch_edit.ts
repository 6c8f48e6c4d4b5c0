// Owns: the batch_edit tool: several edits by line id in one call, all or nothing.
// Must not know: how the operations are applied (apply_batch.ts).

import { MOST_OPERATIONS } from "../text/batch_operation.ts";
import { defineTool } from "./tool.ts";

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
    openWorldHint: true,
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
  async run(input, context) {
    const { applyBatch } = await import("./apply_batch.ts");
    return await applyBatch(input, context);
  },
});
