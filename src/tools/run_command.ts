// Owns: one call of shell: what is refused, the command's run, what the answer consists of.
// Must not know: how a command line is read, how a process is run, how output is rendered.

import { isRemote } from "../fs/location.ts";
import { judgeCommand } from "../shell/misuse.ts";
import { type OutputText, showOutputs } from "../shell/output_text.ts";
import { SHELL_SYSTEM, StartError } from "../shell/process_group.ts";
import type { RunResult, ShellRunner } from "../shell/run.ts";
import { misuseMessage, refusedPart } from "./misuse_messages.ts";
import * as messages from "./shell_messages.ts";
import { DEFAULT_TIMEOUT, LONGEST_TIMEOUT } from "./shell_timeout.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** Bytes of one argument on Linux, the smallest of the systems with a POSIX shell. */
const LONGEST_COMMAND = 131_071;
/** Bytes of output in one answer; with the lines around it an answer stays within 60,000. */
const OUTPUT_LIMIT = 57_000;

export interface ShellCall {
  readonly command: string;
  readonly background?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

/** Runs the command and answers with what it printed. Throws ToolError. */
export async function runCommand(input: ShellCall, context: ToolContext): Promise<ToolOutput> {
  const { command, background = false } = input;
  const runner = checkCommand(command, context);
  const timeout = input.timeout ?? (background ? undefined : DEFAULT_TIMEOUT);
  const directory = context.workspace.workingDirectory;
  const result = await runner.run(command, {
    directory,
    background,
    timeout: timeout === undefined ? undefined : timeout * 1000,
    signal: context.signal,
    heartbeat: (state) => context.progress(messages.progressMessage(state)),
  }).catch((error: unknown) => {
    throw explainStart(error, { command, directory });
  });
  return answer(result, { command, background, timeout: timeout ?? 0 });
}

/** Throws ToolError for everything that must not run, and gives back what runs the rest. */
function checkCommand(command: string, context: ToolContext): ShellRunner {
  const { workspace, shell } = context;
  if (shell === undefined) throw new ToolError(messages.NO_PROGRAMS);
  if (command.trim() === "") throw new ToolError(messages.EMPTY_COMMAND);
  if (command.includes("\0") || !command.isWellFormed()) {
    throw new ToolError(messages.MALFORMED_COMMAND);
  }
  const bytes = new TextEncoder().encode(command).length;
  if (bytes > LONGEST_COMMAND) {
    throw new ToolError(messages.longCommandMessage(bytes, LONGEST_COMMAND));
  }
  if (workspace.workingDirectoryIsRemote) {
    const { workingDirectory } = workspace;
    throw new ToolError(messages.remoteDirectoryMessage(workingDirectory, wayBack(workspace)));
  }
  const verdict = judgeCommand(command, {
    localDirectories: workspace.localDirectories,
    platform: SHELL_SYSTEM,
  });
  switch (verdict.kind) {
    case "runs":
      return shell;
    case "too_deep":
      throw new ToolError(messages.tooDeepMessage(verdict.limit));
    case "misuse": {
      const hints = verdict.isPart && standsApart(command) ? [refusedPart(verdict.findings)] : [];
      throw new ToolError(misuseMessage(verdict.findings), hints);
    }
  }
}

/** False where a refused command may be inside another one, which would be broken without it. */
function standsApart(command: string): boolean {
  return !/\$\(|`|\b(?:if|then|for|while|until|case|do)\b|[({]\s/.test(command);
}

/** What to send to workdir for a directory of this machine: the root need not be one. */
function wayBack({ root, localDirectories }: ToolContext["workspace"]): string | undefined {
  if (!isRemote(root)) return "reset=true";
  const [first] = localDirectories;
  return first === undefined ? undefined : `path=${JSON.stringify(first)}`;
}

function explainStart(
  error: unknown,
  { command, directory }: { readonly command: string; readonly directory: string },
): unknown {
  if (!(error instanceof StartError)) return error;
  switch (error.reason) {
    case "no_directory":
      return new ToolError(messages.missingDirectoryMessage(directory));
    case "too_long":
      return new ToolError(messages.longCommandMessage(command.length, LONGEST_COMMAND));
    case "no_program":
    case "cancelled":
    case "session_ended":
    case "failed":
      return new ToolError(messages.notStartedMessage(error.message));
  }
}

interface AskedFor {
  readonly command: string;
  readonly background: boolean;
  /** Seconds. */
  readonly timeout: number;
}

function answer(result: RunResult, asked: AskedFor): ToolOutput {
  const outputs = showOutputs([result.stdout, result.stderr], OUTPUT_LIMIT);
  const printed = outputParts(outputs);
  const isQuiet = printed.length === 0 && result.end.kind !== "background";
  const text = [
    ...(isQuiet ? [messages.NO_OUTPUT] : printed),
    ...closingLines(result, asked),
  ].join("\n");
  const hints = [
    ...(outputs.some((output) => output.hadInvalidBytes) ? [messages.INVALID_BYTES_HINT] : []),
    ...(result.end.kind === "background" && !asked.command.includes(">")
      ? [messages.BACKGROUND_OUTPUT_HINT]
      : []),
  ];
  const succeeded = result.end.kind === "background" ||
    (result.end.kind === "exited" && result.end.code === 0);
  return { content: [{ type: "text", text }], hints, isError: !succeeded };
}

function outputParts([stdout, stderr]: readonly OutputText[]): readonly string[] {
  const withoutEnd = (output: OutputText | undefined) => output?.text.replace(/\n$/, "") ?? "";
  const parts = stdout?.text ? [withoutEnd(stdout)] : [];
  return stderr?.text ? [...parts, messages.STDERR_LABEL, withoutEnd(stderr)] : parts;
}

/** The end of the command comes last, where no client cuts it off. */
function closingLines(result: RunResult, asked: AskedFor): readonly string[] {
  const { end, pid, survivors, isHeldOpen } = result;
  if (end.kind === "background") return messages.backgroundLines(pid, SHELL_SYSTEM);
  const lines: string[] = [];
  if (survivors !== undefined) {
    lines.push(messages.survivorLine(pid, { members: survivors, system: SHELL_SYSTEM }));
  } else if (isHeldOpen) lines.push(messages.HELD_OPEN);
  if (asked.background) lines.push(messages.ENDED_AT_ONCE);
  if (end.kind === "timed_out") {
    const limits = { timeout: asked.timeout, maximum: LONGEST_TIMEOUT };
    lines.push(...messages.moreTimeLines(asked.command, limits));
  }
  lines.push(messages.endLine(end, asked.timeout));
  return lines;
}
