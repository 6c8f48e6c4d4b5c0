// Owns: MCP: publishing the tools, passing calls, progress and cancellation to the engine.
// Must not know: what a tool does, files, how the engine runs.

import { Server } from "@modelcontextprotocol/sdk/server";
// The package names no types for paths that end in .js.
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "./engine/engine.ts";
import { publishSchema } from "./tools/arguments.ts";
import type { Tool } from "./tools/tool.ts";

export interface ServerOptions {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly instructions: string;
  /** Resolves once the root is known and the sandbox is in force for it. */
  readonly engine: () => Promise<Engine>;
}

/** Milliseconds between two progress notifications; clients give up after 60 s without one. */
const PROGRESS_INTERVAL = 5_000;

/** An MCP server, ready to be connected to a transport. */
export function createServer(options: ServerOptions): Server {
  const server = new Server(
    { name: "octofs", title: "octofs", version: options.version },
    { capabilities: { tools: {} }, instructions: options.instructions },
  );
  const published = options.tools.map(({ name, title, description, annotations, fields }) => ({
    name,
    title,
    description,
    inputSchema: publishSchema(fields),
    annotations: { title, ...annotations },
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: published }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const token = extra._meta?.progressToken;
    const reporter = new ProgressReporter((progress, message) => {
      if (token === undefined) return;
      const notification = { progressToken: token, progress, message };
      void extra.sendNotification({ method: "notifications/progress", params: notification })
        .catch(() => {});
    });
    const call = { name: params.name, arguments: params.arguments };
    try {
      const engine = await options.engine();
      const result = await engine.call(call, { signal: extra.signal, progress: reporter.report });
      return { content: [...result.content], isError: result.isError };
    } catch (error) {
      // A root that cannot be used, or an engine that cannot be confined: an answer for the agent.
      const text = `Nothing was done: ${error instanceof Error ? error.message : String(error)}.`;
      return { content: [{ type: "text", text }], isError: true };
    }
  });
  return server;
}

/** Passes on at most one message in an interval; a client only needs to know that the call lives. */
class ProgressReporter {
  #sent = 0;
  #lastTime = performance.now();

  constructor(readonly send: (progress: number, message: string) => void) {}

  readonly report = (message: string): void => {
    const now = performance.now();
    if (now - this.#lastTime < PROGRESS_INTERVAL) return;
    this.#lastTime = now;
    this.send(++this.#sent, message);
  };
}
