// Owns: an engine in a process of its own, with narrowed permissions; messages as JSON lines on its pipes.
// Must not know: what the messages mean, which permissions are right.

import type { EngineLink, FromEngine, ToEngine } from "./messages.ts";
import { lineWriter, readLines } from "../line_stream.ts";

export interface EngineCommand {
  /** Permissions, instead of this process's own. */
  readonly flags: readonly string[];
  readonly command: "engine" | "engine-relay";
}

/** MiB for young objects: with room for more, scans leave 60 MB of garbage behind and are no faster. */
const SMALL_HEAP = "--v8-flags=--max-semi-space-size=4";

/** Starts `entry` again as an engine. */
export function startEngineProcess(entry: string, { flags, command }: EngineCommand): EngineLink {
  // A program that came over the network is imported from the cache, and from nowhere else.
  const host = new URL(entry).host;
  const imports = host === "" ? "--deny-import" : `--allow-import=${host}`;
  const fixed = ["--quiet", "--no-prompt", "--cached-only", imports, SMALL_HEAP];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...fixed, ...flags, entry, command],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const write = lineWriter(child.stdin);
  const link: EngineLink = {
    send: write,
    onMessage: () => {},
    ended: Promise.all([
      readLines(child.stdout, {
        onLine: (line) => link.onMessage(JSON.parse(line) as FromEngine),
      }),
      child.status,
    ]).then(() => {}),
    kill: () => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
    },
  };
  return link;
}

export interface EngineProcessHost {
  receive(message: Exclude<ToEngine, { kind: "close" }>): void;
  close(): Promise<void>;
}

/** Serves as an engine until told to close, or until the front is gone. */
export async function serveEngineProcess(
  makeHost: (send: (message: FromEngine) => void) => EngineProcessHost,
): Promise<void> {
  const host = makeHost(lineWriter(Deno.stdout.writable));
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  // A terminal sends Ctrl-C to the whole group; this process ends when its front says so.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", close);
  const reading = readLines(Deno.stdin.readable, {
    onLine: (line) => {
      const message = JSON.parse(line) as ToEngine;
      if (message.kind === "close") close();
      else host.receive(message);
    },
  });
  await Promise.race([reading, closed]);
  await host.close();
  Deno.exit(0);
}
