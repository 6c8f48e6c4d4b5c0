// Owns: starting the program under test and speaking MCP to it with the SDK's own client.
// Must not know: what is tested.

import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fileURLToPath } from "node:url";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The program that the end-to-end tests start: from source, or what OCTOFS_PROGRAM names, as a JSON
 * array of command and arguments.
 */
export function programUnderTest(): Program {
  const named = Deno.env.get("OCTOFS_PROGRAM");
  if (named !== undefined && named !== "") {
    const [command, ...args] = JSON.parse(named) as string[];
    if (command === undefined) throw new Error("OCTOFS_PROGRAM names no command");
    return { command, args };
  }
  const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  return { command: Deno.execPath(), args: ["run", "-A", "--no-check", main] };
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Of the process that was started. */
  readonly pid: number;
  readonly stderr: () => string;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Answer>;
}

export interface ConnectOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** File URIs of the client's roots; without them the client declares none. */
  readonly roots?: readonly string[];
}

/** Starts `octofs mcp` and connects to it. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  return await connectTo(programUnderTest(), options);
}

/** As `connect`, for a program that is not the one under test. */
export async function connectTo(
  { command, args }: Program,
  options: ConnectOptions = {},
): Promise<Connection> {
  const transport = new StdioClientTransport({
    command,
    args: [...args, "mcp", ...options.args ?? []],
    stderr: "pipe",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...Deno.env.toObject(), ...options.env },
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => stderr += String(chunk));
  const capabilities = options.roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "octofs-tests", version: "0" }, { capabilities });
  if (options.roots !== undefined) {
    const { ListRootsRequestSchema } = await import("./sdk_types.ts");
    const { roots } = options;
    // Read anew each time, so that a test may change them.
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((uri) => ({ uri })),
    }));
  }
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The text of a tool's answer. */
export function textOf(result: Record<string, unknown>): Answer {
  const content = result["content"] as { type: string; text?: string }[];
  const text = content.map((part) => part.text ?? `[${part.type}]`).join("\n");
  return { text, isError: result["isError"] === true };
}

/** A new directory that is removed when the test ends. */
export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-test-" }));
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
