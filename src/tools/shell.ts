// Owns: the shell tool: its published facts and its time limits.
// Must not know: what is refused, how a command is run (run_command.ts).

import { DEFAULT_TIMEOUT, LONGEST_TIMEOUT } from "./shell_timeout.ts";
import { defineTool } from "./tool.ts";

export const shellTool = defineTool({
  name: "shell",
  title: "Run a command",
  description:
    "Runs a shell command (builds, tests, git, package managers) in the working directory on this machine and " +
    "answers with what it printed and its exit code. Nothing can be typed into it: stdin is closed and prompts " +
    "are off. Reading, searching, listing and editing files belong to view, text_editor and batch_edit: cat, " +
    "grep, find, ls, sed and their like are refused as the first program of a command, with the call to use " +
    "instead; in a pipe (`make 2>&1 | grep error`) they are fine.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  fields: {
    command: {
      type: "string",
      description: "Command line for the shell.",
      aliases: ["cmd", "script"],
    },
    background: {
      type: "boolean",
      description:
        "Answer at once with the PID and leave the command running until the session ends, as for a server. " +
        "Redirect its output to a file to see it later.",
      optional: true,
      aliases: ["run_in_background"],
    },
    timeout: {
      type: "integer",
      description:
        `Seconds after which the command and everything it started are ended; ${DEFAULT_TIMEOUT} if absent ` +
        "(none with background).",
      optional: true,
      minimum: 1,
      maximum: LONGEST_TIMEOUT,
      aliases: ["timeout_seconds"],
    },
  },
  async run(input, context) {
    const { runCommand } = await import("./run_command.ts");
    return await runCommand(input, context);
  },
});
