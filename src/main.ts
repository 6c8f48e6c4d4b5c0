// Owns: the only entry: arguments, session, stdio, signals, exit codes.
// Must not know: what a tool does.

import manifest from "../deno.json" with { type: "json" };
import { parseCommandLine, type ServeOptions } from "./cli.ts";
import { createLogger, LOG_LEVELS, type Logger } from "./logger.ts";
import { openSession, readEnvironment, RootError } from "./start.ts";
import { availableTools } from "./tools/registry.ts";

// Whatever a dependency prints must not end up between the JSON-RPC lines.
console.log = console.info = console.debug = console.error;

function makeLogger(): Logger {
  const asked = readEnvironment("OCTOFS_LOG");
  const level = LOG_LEVELS.find((one) => one === asked) ?? "warn";
  const logger = createLogger(level, (line) => console.error(line));
  if (asked !== undefined && asked !== "" && level !== asked) {
    logger.warn(`OCTOFS_LOG=${asked} is not a level (${LOG_LEVELS.join(", ")}); using warn`);
  }
  return logger;
}

async function main(argv: readonly string[]): Promise<void> {
  const command = parseCommandLine(argv, manifest.version);
  switch (command.kind) {
    case "print":
      await writeOut(command.text);
      return;
    case "usage_error":
      return usageError(command.message);
    case "call":
      return await runCall(command);
    case "mcp":
      return await runServer(command.options);
  }
}

function usageError(message: string): never {
  console.error(`octofs: ${message}`);
  Deno.exit(2);
}

async function runCall(
  { options, tool, json }: {
    readonly options: ServeOptions;
    readonly tool: string;
    readonly json: string;
  },
): Promise<void> {
  const tools = availableTools({ shell: options.shell });
  if (!tools.some(({ name }) => name === tool)) {
    usageError(`unknown tool "${tool}"; tools are ${tools.map(({ name }) => name).join(", ")}`);
  }
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (error) {
    usageError(`the arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const session = await openSession({ options, tools, logger: makeLogger() }).catch(rootFailure);
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => ending.abort());
  }
  const call = { name: tool, arguments: input };
  const result = await session.call(call, { signal: ending.signal, progress: () => {} });
  await session.close();
  for (const part of result.content) {
    const text = part.type === "text" ? part.text : `[image ${part.mimeType}, base64] ${part.data}`;
    await writeOut(`${text}\n`);
  }
  Deno.exit(result.isError ? 1 : 0);
}

async function runServer(options: ServeOptions): Promise<void> {
  const logger = makeLogger();
  const tools = availableTools({ shell: options.shell });
  const { serveStdio } = await import("./stdio.ts");
  await serveStdio({ options, tools, logger, version: manifest.version }).catch(rootFailure);
}

function rootFailure(error: unknown): never {
  if (error instanceof RootError) usageError(error.message);
  throw error;
}

async function writeOut(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) {
    written += await Deno.stdout.write(bytes.subarray(written));
  }
}

if (import.meta.main) await main(Deno.args);
