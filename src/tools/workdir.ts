// Owns: the workdir tool: report, change or reset the working directory.
// Must not know: how paths are checked.

import { defineTool, textOutput } from "./tool.ts";

export const workdirTool = defineTool({
  name: "workdir",
  title: "Working directory",
  description:
    "Reports the working directory that relative paths start from; with `path` changes it " +
    "(inside the allowed directories, or an ssh:// directory), with `reset` returns to the project root.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  fields: {
    path: {
      type: "string",
      description: "Directory to change to.",
      optional: true,
      aliases: ["directory", "dir", "file_path", "filePath"],
    },
    reset: { type: "boolean", description: "Return to the project root.", optional: true },
  },
  async run({ path, reset }, { workspace }) {
    if (reset) workspace.resetDirectory();
    const hints = path === undefined || path.trim() === ""
      ? []
      : await workspace.changeDirectory(path);
    return textOutput(
      `Working directory: ${workspace.workingDirectory}\nProject root: ${workspace.root}\n` +
        `Allowed directories: ${workspace.allowedDirectories.join(", ")}`,
      hints,
    );
  },
});
