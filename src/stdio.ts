// Owns: one MCP session over stdin and stdout: roots of the client, its end, and signals.
// Must not know: what a tool does, how a session is made of its options.

import process from "node:process";

// The package names no types for paths that end in .js.
// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { ServeOptions } from "./cli.ts";
import type { Engine } from "./engine.ts";
import { pathOfFileUrl } from "./fs/path_cleaning.ts";
import type { Logger } from "./logger.ts";
import { createServer } from "./server.ts";
import { openSession, RootError } from "./start.ts";
import type { Tool } from "./tools/tool.ts";

export interface StdioRequest {
  readonly options: ServeOptions;
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  readonly version: string;
}

/** Serves until stdin ends or a signal comes, then ends the process. Throws RootError for a root that was named wrongly. */
export async function serveStdio({ options, tools, logger, version }: StdioRequest): Promise<void> {
  const opened = Promise.withResolvers<Engine>();
  // Calls that wait for it get the rejection; without one it is reported below.
  opened.promise.catch(() => {});
  const server = createServer({
    version,
    tools,
    instructions: INSTRUCTIONS,
    engine: () => opened.promise,
  });
  const open = (clientRoots: readonly string[]) =>
    openSession({ options, tools, logger, clientRoots });
  if (options.path !== undefined) opened.resolve(await open([]));
  else server.oninitialized = () => void openWithRoots();

  async function openWithRoots(): Promise<void> {
    try {
      const roots = server.getClientCapabilities()?.roots ? (await server.listRoots()).roots : [];
      const paths = roots.filter(({ uri }) => /^file:\/\//i.test(uri)).map(({ uri }) =>
        pathOfFileUrl(uri)
      );
      opened.resolve(await open(paths));
    } catch (error) {
      logger.error(error instanceof RootError ? error.message : `roots: ${error}`);
      opened.reject(error);
    }
  }

  server.onerror = (error) => logger.warn(error.message);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  process.stdin.once("end", end);
  process.stdin.once("close", end);
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => end());
  server.onclose = () => end();
  await server.connect(new StdioServerTransport());
  await ended;
  await Promise.race([
    opened.promise.then((engine) => engine.close(), () => {}),
    Promise.resolve(),
  ]);
  await server.close();
  Deno.exit(0);
}

const INSTRUCTIONS =
  "octofs reads and edits files for you. Lines carry ids (`12:a3`): pass them to batch_edit, the cheapest edit. " +
  "Every successful edit answers with a diff whose ids are valid at once, so no re-reading is needed; " +
  "every error says what to send next. Use view for listing and search too, instead of shell commands.";
