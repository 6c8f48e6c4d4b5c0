// Owns: the delete command: one file or link, never a directory, and how to get it back.
// Must not know: how files are removed.

import { countLines } from "./edit_answer.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export async function deleteFile(path: string, context: ToolContext): Promise<ToolOutput> {
  const target = await context.workspace.resolve(path, {
    purpose: "write",
    expect: "existing",
    link: "keep",
  });
  const { display, info, hints } = target;
  if (info?.kind === "directory") {
    throw new ToolError(
      `${display} is a directory; \`delete\` removes one file. Name a file in it (\`view\` lists them).`,
      hints,
    );
  }
  if (info?.kind === "other") {
    throw new ToolError(`${display} is a device, socket or pipe, so it is not removed.`, hints);
  }
  const outcome = await context.editor.remove(target);
  if (outcome.kind === "too_large") {
    throw new ToolError(
      `${display} is too large to keep an undo copy in memory, so it was not deleted. ` +
        "If it must go, the user can remove it, or use the shell tool.",
      hints,
    );
  }
  if (info?.kind === "symlink") {
    return textOutput(
      `Deleted the symbolic link ${display}; its target was not touched. A link is not restored by undo_edit.`,
      hints,
    );
  }
  const { content } = outcome;
  const size = content.kind === "text"
    ? countLines(content.document.lineCount)
    : `${info?.size ?? 0} bytes`;
  return textOutput(`Deleted ${display} (${size}). undo_edit on this path restores it.`, hints);
}
