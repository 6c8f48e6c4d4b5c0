// Owns: what a tool is: its published facts, its typed input, what it may use, what it answers.
// Must not know: any single tool, the protocol library, how the session is started.

import type { FileEditor } from "../fs/file_editor.ts";
import type { ScanService } from "../fs/scan_service.ts";
import type { ShellRunner } from "../shell/run.ts";
import type { ShownLines } from "../text/shown_lines.ts";
import type { Workspace } from "../fs/workspace.ts";
import type { FieldSchema, InputOf } from "./arguments.ts";

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface ToolOutput {
  readonly content: readonly ToolContent[];
  /** Shown after the content as `Hint: …` lines; never turns a success into a failure. */
  readonly hints?: readonly string[];
  readonly isError?: boolean;
}

/** The MCP annotations, all four said so that a client assumes nothing. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a call may use; the session implements it. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly editor: FileEditor;
  readonly shown: ShownLines;
  readonly scans: ScanService;
  /** Absent where programs may not be run. */
  readonly shell?: ShellRunner;
  readonly signal: AbortSignal;
  /** Says that the call is alive; the caller decides how often a client hears it. */
  readonly progress: (message: string) => void;
}

export interface Tool<Fields extends FieldSchema = FieldSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly fields: Fields;
  run(input: InputOf<Fields>, context: ToolContext): Promise<ToolOutput>;
}

/** Ties the type of `run`'s input to `fields`. */
export function defineTool<const Fields extends FieldSchema>(tool: Tool<Fields>): Tool<Fields> {
  return tool;
}

/** A failure that the agent can act on: its message says what failed, what is there now, and the next call. */
export class ToolError extends Error {
  override readonly name = "ToolError";

  constructor(message: string, readonly hints: readonly string[] = []) {
    super(message);
  }
}

export function textOutput(text: string, hints: readonly string[] = []): ToolOutput {
  return { content: [{ type: "text", text }], hints };
}
