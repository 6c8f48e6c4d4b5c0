// Owns: the text_editor tool: create, str_replace, delete, undo_edit.
// Must not know: how text is matched, how files are written and restored.

import { defineTool, ToolError } from "./tool.ts";

const OLD_TEXT_NAMES = ["old_string", "old_str", "oldText", "oldString", "old", "search"] as const;
const NEW_TEXT_NAMES = ["new_string", "new_str", "newText", "newString", "new", "replace"] as const;

export const textEditorTool = defineTool({
  name: "text_editor",
  title: "Edit by text",
  description:
    "Edits one file. `str_replace` replaces the one place where old_text stands (whitespace, escapes and line " +
    "endings are absorbed; no earlier view is needed) and answers with the diff, whose line ids are valid for " +
    "batch_edit at once. `create` writes a new file with exactly `content`. `delete` removes a file. " +
    "`undo_edit` takes the last edit of the file back.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  fields: {
    command: {
      type: "string",
      enum: ["create", "str_replace", "delete", "undo_edit"],
      description: "`create`, `str_replace`, `delete` or `undo_edit`.",
    },
    path: {
      type: "string",
      description: "File to edit.",
      aliases: ["file_path", "filePath", "filename", "file", "absolute_path"],
    },
    content: {
      type: "string",
      description: "create: the whole content, written exactly.",
      optional: true,
      aliases: ["file_text", "text"],
      accepts: "json",
    },
    old_text: {
      type: "string",
      description: "str_replace: raw text to replace (real newlines and tabs, no line ids).",
      optional: true,
      aliases: OLD_TEXT_NAMES,
    },
    new_text: {
      type: "string",
      description: "str_replace: raw text to put in its place; empty text deletes.",
      optional: true,
      aliases: NEW_TEXT_NAMES,
    },
    replace_all: {
      type: "boolean",
      description: "str_replace: replace every match instead of stopping at more than one.",
      optional: true,
      aliases: ["replaceAll"],
    },
    overwrite: {
      type: "boolean",
      description: "create: replace a file that exists and is not empty.",
      optional: true,
    },
  },
  async run({ command, path, content, old_text: oldText, new_text: newText, ...flags }, context) {
    switch (command) {
      case "create": {
        if (content === undefined) {
          throw new ToolError(
            "`content` is missing; the call was probably cut, so nothing was written. Send it again with the content; " +
              "a long file in parts: create the first part, then batch_edit with an insert at start: -1. " +
              'For an empty file send content: "".',
          );
        }
        const { createFile } = await import("./create_file.ts");
        return await createFile({ path, content, overwrite: flags.overwrite ?? false }, context);
      }
      case "str_replace": {
        if (oldText === undefined || newText === undefined) throw missingText({ oldText, newText });
        const { replaceText } = await import("./replace_text.ts");
        return await replaceText(
          { path, oldText, newText, replaceAll: flags.replace_all ?? false },
          context,
        );
      }
      case "delete": {
        const { deleteFile } = await import("./delete_file.ts");
        return await deleteFile(path, context);
      }
      case "undo_edit": {
        const { undoEdit } = await import("./undo_edit.ts");
        return await undoEdit(path, context);
      }
    }
  },
});

function missingText(
  { oldText, newText }: {
    readonly oldText: string | undefined;
    readonly newText: string | undefined;
  },
): ToolError {
  const names = [
    oldText === undefined ? "`old_text`" : "",
    newText === undefined ? "`new_text`" : "",
  ]
    .filter((name) => name !== "").join(" and ");
  const deletion = newText === undefined ? ' To delete the old text send new_text: "".' : "";
  return new ToolError(
    `${names} missing for str_replace; the call was probably cut, so nothing was written. ` +
      `Send old_text and new_text.${deletion}`,
  );
}
