// Owns: everything a session remembers: workspace, undo, shown lines, running programs and connections.
// Must not know: the protocol, how the process is sandboxed.

import {
  type CallOptions,
  type CallResult,
  type Engine,
  runTool,
  type ToolCall,
} from "./engine/engine.ts";
import { FileEditor } from "./fs/file_editor.ts";
import type { OutsideRules } from "./fs/ignore_sources.ts";
import { ScanService } from "./fs/scan_service.ts";
import { Workspace, type WorkspaceOptions } from "./fs/workspace.ts";
import type { Logger } from "./logger.ts";
import { ShellRunner } from "./shell/run.ts";
import { ShownLines } from "./text/shown_lines.ts";
import type { Tool, ToolContext } from "./tools/tool.ts";

export interface SessionOptions extends WorkspaceOptions {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  /** Ignore rules from outside the allowed directories, read before the right to read them was given up. */
  readonly outsideRules?: OutsideRules;
  /** Ends connections that the session opened. */
  readonly closeConnections?: () => Promise<void>;
}

/** One client's engine in this process; tool calls may run side by side. */
export class Session implements Engine {
  readonly #workspace: Workspace;
  readonly #editor = new FileEditor();
  readonly #shown = new ShownLines();
  readonly #shell = new ShellRunner();
  readonly #scans: ScanService;
  readonly #options: SessionOptions;
  /** Ends the calls that still run when the session closes. */
  readonly #ending = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#workspace = new Workspace(options);
    this.#scans = new ScanService(
      options.outsideRules === undefined ? {} : { outside: options.outsideRules },
    );
  }

  async call(call: ToolCall, { signal, progress }: CallOptions): Promise<CallResult> {
    const { tools, logger } = this.#options;
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(", ");
      const text = `There is no tool "${call.name}". Tools: ${names}.`;
      return { content: [{ type: "text", text }], isError: true };
    }
    const context: ToolContext = {
      workspace: this.#workspace,
      editor: this.#editor,
      shown: this.#shown,
      scans: this.#scans,
      shell: this.#shell,
      signal: AbortSignal.any([signal, this.#ending.signal]),
      progress,
    };
    return await runTool({ tool, call, context, logger });
  }

  /** Cancels running calls and waits for writes under way, so that no temporary file stays behind. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#scans.close();
    await this.#shell.killAll();
    await this.#editor.idle();
    await this.#options.closeConnections?.();
  }
}
