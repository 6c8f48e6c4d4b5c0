// Owns: one tool call from raw arguments to the text that an agent reads, whatever happens inside.
// Must not know: the protocol library, how the process was started.

import { FileSystemError } from "../fs/file_system.ts";
import { PathError } from "../fs/path_error.ts";
import type { Logger } from "../logger.ts";
import { readArguments } from "../tools/read_arguments.ts";
import { fileErrorMessage, pathProblemMessage } from "../tools/path_messages.ts";
import {
  type Tool,
  type ToolContent,
  type ToolContext,
  ToolError,
  type ToolOutput,
} from "../tools/tool.ts";

export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

/** What answers tool calls: in this process, or a narrowed one behind the same interface. */
export interface Engine {
  call(call: ToolCall, options: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

export interface ToolRun {
  readonly tool: Tool;
  readonly call: ToolCall;
  readonly context: ToolContext;
  readonly logger: Logger;
}

/** Runs one call; every failure becomes an error result that says what to do next. */
export async function runTool({ tool, call, context, logger }: ToolRun): Promise<CallResult> {
  const read = readArguments(tool.fields, call.arguments);
  if (read.kind === "error") {
    return failure(`Invalid arguments for \`${tool.name}\`; nothing was done.\n${read.message}`);
  }
  try {
    const output = await tool.run(read.input, context);
    return withHints(output, [...output.hints ?? [], ...read.hints]);
  } catch (error) {
    const expected = expectedFailure(error, context);
    if (expected !== undefined) {
      return withHints(expected, [...expected.hints ?? [], ...read.hints]);
    }
    logger.error(`bug in ${tool.name}: ${error instanceof Error ? error.stack : String(error)}`);
    return failure(
      `Internal error in \`${tool.name}\`. This is a fault of octofs, not of the call; nothing more was done.`,
    );
  }
}

function expectedFailure(error: unknown, context: ToolContext): ToolOutput | undefined {
  const text = failureText(error, context);
  if (text === undefined) return undefined;
  const hints = error instanceof ToolError ? error.hints : [];
  return { content: [{ type: "text", text }], hints, isError: true };
}

function failureText(error: unknown, { signal, workspace }: ToolContext): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (error instanceof PathError) return pathProblemMessage(error.problem);
  if (error instanceof FileSystemError) {
    return fileErrorMessage(error, workspace.displayIn(error.place, error.path));
  }
  if (signal.aborted) return "The call was cancelled.";
  return undefined;
}

function failure(text: string): CallResult {
  return { content: [{ type: "text", text: text.toWellFormed() }], isError: true };
}

/** Appends the hints, each once, to the last text; every text leaves as well-formed Unicode. */
function withHints(output: ToolOutput, hints: readonly string[]): CallResult {
  const lines = [...new Set(hints)].map((hint) => `Hint: ${hint}`);
  const content = output.content.map((part) =>
    part.type === "text" ? { type: part.type, text: part.text.toWellFormed() } : part
  );
  if (lines.length > 0) {
    const last = content.at(-1);
    const hintText = lines.join("\n").toWellFormed();
    if (last?.type === "text") {
      content[content.length - 1] = {
        type: "text",
        text: last.text === "" ? hintText : `${last.text}\n\n${hintText}`,
      };
    } else content.push({ type: "text", text: hintText });
  }
  return { content, isError: output.isError ?? false };
}
