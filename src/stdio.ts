// Owns: one MCP session over stdin and stdout: roots of the client, its end, and signals.
// Must not know: what a tool does, how an engine is made or confined.

import type { Server } from "@modelcontextprotocol/sdk/server";
// The package names no types for paths that end in .js.
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ResultSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "./engine/engine.ts";
import { RootError } from "./engine/plan.ts";
import { EngineSlot } from "./engine/slot.ts";
import { pathOfFileUrl } from "./fs/path_cleaning.ts";
import type { Logger } from "./logger.ts";
import { createServer } from "./server.ts";
import { StdioTransport } from "./stdio_transport.ts";
import type { Tool } from "./tools/tool.ts";

export interface StdioRequest {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  readonly version: string;
  readonly instructions: string;
  /** True where the client's roots decide on the project. */
  readonly asksForRoots: boolean;
  /** True where opening takes long, and a mistake should be said before a client asks. */
  readonly opensAtOnce: boolean;
  /** Makes the engine for the client's roots; none where it has none or they do not matter. */
  readonly open: (clientRoots: readonly string[]) => Promise<Engine>;
}

/** Milliseconds that a client may take to name its roots; calls wait for them. */
const ROOTS_TIMEOUT = 15_000;

/** Serves until stdin ends or a signal comes; resolves when nothing is left running. Throws RootError. */
export async function serveStdio(request: StdioRequest): Promise<void> {
  const { logger, asksForRoots } = request;
  const slot = new EngineSlot(request.open);
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let starting: Promise<Engine> | undefined;
  let isEnding = false;
  const server = createServer({
    ...request,
    engine: () => starting ?? slot.current ?? start(),
  });

  /** Asks for the roots and makes their engine; calls that come meanwhile wait for it. */
  function start(): Promise<Engine> {
    const started = (starting?.catch(() => {}) ?? Promise.resolve())
      .then(() => asksForRoots ? rootsOfClient(server, logger) : [])
      .then((roots) => slot.use(roots));
    starting = started;
    started.catch((error) => {
      // What a client named may become usable; what the command line named ends the process.
      if (error instanceof RootError && error.isUsage && !isEnding) fail(error);
      else logger.error(error instanceof Error ? error.message : String(error));
    }).finally(() => {
      if (starting === started) starting = undefined;
    });
    return started;
  }

  server.oninitialized = () => void (slot.current ?? start());
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    if (asksForRoots) void start();
  });
  server.onerror = (error) => logger.warn(error.message);
  server.onclose = () => end();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (signal === "SIGINT" || Deno.build.os !== "windows") {
      Deno.addSignalListener(signal, () => end());
    }
  }
  await server.connect(
    new StdioTransport({ readable: Deno.stdin.readable, writable: Deno.stdout.writable }),
  );
  try {
    if (request.opensAtOnce) void start();
    await ended;
  } finally {
    isEnding = true;
    await slot.close();
    await server.close();
  }
}

/** The local directories that the client declares; none where it declares no roots. */
async function rootsOfClient(server: Server, logger: Logger): Promise<readonly string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    // Read leniently: the schema of the package takes no list with an entry that is not a file.
    const answer = await server.request({ method: "roots/list" }, ResultSchema, {
      timeout: ROOTS_TIMEOUT,
    });
    return fileRoots(answer["roots"]);
  } catch (error) {
    logger.warn(`the client named no roots: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

/** The local paths among the roots that a client sent. */
function fileRoots(roots: unknown): readonly string[] {
  if (!Array.isArray(roots)) return [];
  return roots.map((root) => String(root?.uri ?? ""))
    .filter((uri) => /^file:\/\//i.test(uri))
    .map((uri) => pathOfFileUrl(uri));
}
