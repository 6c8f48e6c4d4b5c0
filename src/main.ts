// Owns: the only entry: command line, logging, the way of confinement, exit codes.
// Must not know: what a tool does, the protocol.

import manifest from "../deno.json" with { type: "json" };
import { parseCommandLine, type ServeOptions } from "./cli.ts";
import type { Engine } from "./engine/engine.ts";
import { RootError } from "./engine/plan.ts";
import type { EngineHostOptions } from "./engine/host.ts";
import type { Program } from "./engine/open.ts";
import { isRemote } from "./fs/location.ts";
import { createLogger, LOG_LEVELS, type LogLevel } from "./logger.ts";

// Whatever a dependency prints must not end up between the JSON-RPC lines.
console.log = console.info = console.debug = console.error;

/** Runs the command line; the process ends when the promise resolves, or earlier. */
export async function main(argv: readonly string[], program: Program): Promise<void> {
  const { isEngineWorker, serveEngineWorker } = await import("./engine/worker.ts");
  if (isEngineWorker()) return serveEngineWorker(await engineHost(program));
  const command = parseCommandLine(argv, manifest.version);
  switch (command.kind) {
    case "print":
      return await writeOut(command.text);
    case "usage_error":
      return usageError(command.message);
    case "engine":
    case "engine-relay": {
      const { openRelay } = await import("./engine/open.ts");
      const { serveEngineProcess } = await import("./engine/process.ts");
      const isRelay = command.kind === "engine-relay";
      return await serveEngineProcess(await (isRelay ? openRelay : engineHost)(program));
    }
    case "config": {
      const { clientConfiguration } = await import("./config.ts");
      const { text, where } = clientConfiguration(command.client, program.entry);
      console.error(where);
      return await writeOut(text);
    }
    case "call":
      return await runCall(command, program).catch(rootFailure);
    case "mcp":
      return await runServer(command.options, program).catch(rootFailure);
  }
}

/** What `mcp` and `call` have in common: how engines are made, which tools there are. */
async function prepare(options: ServeOptions, program: Program) {
  const { chooseConfinement, dropFrontPermissions, mayRunShell } = await import("./sandbox.ts");
  const { checkDirectories, planEngine } = await import("./start.ts");
  const { openEngine } = await import("./engine/open.ts");
  const { availableTools } = await import("./tools/registry.ts");
  const logLevel = readLogLevel();
  const logger = createLogger(logLevel.level, (line) => console.error(line));
  if (logLevel.fault !== undefined) logger.warn(logLevel.fault);
  await checkDirectories(options);
  const confinement = program.confinement ?? chooseConfinement();
  if (confinement.kind === "process") dropFrontPermissions();
  if (confinement.kind === "none") {
    const words = `the Deno permission layer is not active: ${confinement.reason}`;
    if (options.requireSandbox) throw new RootError(`--require-sandbox: ${words}`, true);
    logger.warn(words);
  }
  const { requireSandbox } = options;
  return {
    logger,
    confinement,
    tools: availableTools({ shell: options.shell && mayRunShell() }),
    open: async (clientRoots: readonly string[]): Promise<Engine> => {
      const plan = await planEngine({ options, clientRoots, logger, logLevel: logLevel.level });
      return await openEngine(plan, { confinement, program, logger, requireSandbox });
    },
  };
}

async function runServer(options: ServeOptions, program: Program): Promise<void> {
  const { confinement, open, ...common } = await prepare(options, program);
  const { describeConfinement } = await import("./sandbox.ts");
  const { serveStdio } = await import("./stdio.ts");
  const asksForRoots = options.path === undefined;
  // Only the engine can say what it may really do, so whoever insists on it waits for it.
  const opened = options.requireSandbox && !asksForRoots ? await open([]) : undefined;
  await serveStdio({
    ...common,
    version: manifest.version,
    instructions: `${INSTRUCTIONS} ${describeConfinement(confinement)}`,
    asksForRoots,
    opensAtOnce: isRemote(options.path ?? ""),
    open: opened ? () => Promise.resolve(opened) : open,
  });
  Deno.exit(0);
}

async function runCall(
  { options, tool, json }: {
    readonly options: ServeOptions;
    readonly tool: string;
    readonly json: string;
  },
  program: Program,
): Promise<void> {
  const { tools, open } = await prepare(options, program);
  if (!tools.some(({ name }) => name === tool)) {
    usageError(`unknown tool "${tool}"; tools are ${tools.map(({ name }) => name).join(", ")}`);
  }
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (error) {
    usageError(`the arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const engine = await open([]);
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (signal === "SIGINT" || Deno.build.os !== "windows") {
      Deno.addSignalListener(signal, () => ending.abort());
    }
  }
  const call = { name: tool, arguments: input };
  const result = await engine.call(call, { signal: ending.signal, progress: () => {} });
  await engine.close();
  for (const part of result.content) {
    const text = part.type === "text" ? part.text : `[image ${part.mimeType}, base64] ${part.data}`;
    await writeOut(`${text}\n`);
  }
  Deno.exit(result.isError ? 1 : 0);
}

/** The other side of a front: an engine that was started with narrow permissions. */
async function engineHost(program: Program) {
  const { EngineHost } = await import("./engine/host.ts");
  const { openHere } = await import("./engine/open.ts");
  const { reportPermissions } = await import("./sandbox_report.ts");
  return (send: EngineHostOptions["send"]) =>
    new EngineHost({ send, open: (plan) => openHere(plan, program), report: reportPermissions });
}

function usageError(message: string): never {
  console.error(`octofs: ${message}`);
  Deno.exit(2);
}

function rootFailure(error: unknown): never {
  if (error instanceof RootError) usageError(error.message);
  throw error;
}

function readLogLevel(): { readonly level: LogLevel; readonly fault?: string } {
  const granted = Deno.permissions.querySync({ name: "env", variable: "OCTOFS_LOG" }).state;
  const asked = granted === "granted" ? Deno.env.get("OCTOFS_LOG") : undefined;
  const level = LOG_LEVELS.find((one) => one === asked) ?? "warn";
  if (asked === undefined || asked === "" || asked === level) return { level };
  return {
    level,
    fault: `OCTOFS_LOG=${asked} is not a level (${LOG_LEVELS.join(", ")}); using warn`,
  };
}

async function writeOut(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) {
    written += await Deno.stdout.write(bytes.subarray(written));
  }
}

const INSTRUCTIONS =
  "octofs reads and edits files for you. Lines carry ids (`12:a3`): pass them to batch_edit, the cheapest edit. " +
  "Every successful edit answers with a diff whose ids are valid at once, so no re-reading is needed; " +
  "every error says what to send next. Use view for listing and search too, instead of shell commands.";

if (import.meta.main) await main(Deno.args, { entry: import.meta.url });
