// Owns: the program under test as a bare process: bytes in, lines out, exit code; no client library.
// Must not know: what is tested.

import { programUnderTest } from "./octofs.ts";

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RawOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** Runs the program to its end with no input. */
export async function runProgram(
  args: readonly string[],
  options: RawOptions = {},
): Promise<RunResult> {
  const program = programUnderTest();
  const output = await new Deno.Command(program.command, {
    args: [...program.args, ...args],
    stdin: "null",
    ...options,
  }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** `octofs mcp` spoken to line by line. */
export class RawServer implements AsyncDisposable {
  readonly child: Deno.ChildProcess;
  /** Every line of stdout so far, as it came. */
  readonly lines: string[] = [];
  readonly stdoutEnded: Promise<void>;
  stderr = "";
  #input: WritableStreamDefaultWriter<Uint8Array>;
  #waiting: { test: (message: Message) => boolean; found: (message: Message) => void }[] = [];

  constructor(args: readonly string[], options: RawOptions = {}) {
    const program = programUnderTest();
    this.child = new Deno.Command(program.command, {
      args: [...program.args, "mcp", ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...options,
    }).spawn();
    this.#input = this.child.stdin.getWriter();
    this.stdoutEnded = this.#readLines();
    void this.#readErrors();
  }

  /** Sends a message as one line, or any text as it stands. */
  async send(message: Record<string, unknown> | string): Promise<void> {
    const text = typeof message === "string"
      ? message
      : `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    await this.#input.write(new TextEncoder().encode(text));
  }

  /** The first message, past or future, that passes the test. */
  async receive(test: (message: Message) => boolean): Promise<Message> {
    for (const line of this.lines) {
      const message = parsed(line);
      if (message !== undefined && test(message)) return message;
    }
    return await new Promise((found) => this.#waiting.push({ test, found }));
  }

  async request(id: number, method: string, params: Record<string, unknown>): Promise<Message> {
    await this.send({ id, method, params });
    return await this.receive((message) => message.id === id && message.method === undefined);
  }

  /** The handshake; gives the answer to `initialize`. */
  async initialize(options: { version?: string; capabilities?: object } = {}): Promise<Message> {
    const answer = await this.request(0, "initialize", {
      protocolVersion: options.version ?? "2025-06-18",
      capabilities: options.capabilities ?? {},
      clientInfo: { name: "octofs-tests", version: "0" },
    });
    await this.send({ method: "notifications/initialized" });
    return answer;
  }

  async endInput(): Promise<void> {
    await this.#input.close().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endInput();
    try {
      this.child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.child.status;
    await this.stdoutEnded;
  }

  async #readLines(): Promise<void> {
    let rest = "";
    for await (const chunk of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        this.lines.push(line);
        const message = parsed(line);
        if (message === undefined) continue;
        this.#waiting = this.#waiting.filter(({ test, found }) => {
          if (!test(message)) return true;
          found(message);
          return false;
        });
      }
    }
    if (rest !== "") this.lines.push(rest);
  }

  async #readErrors(): Promise<void> {
    for await (const chunk of this.child.stderr.pipeThrough(new TextDecoderStream())) {
      this.stderr += chunk;
    }
  }
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Processes whose environment or command line holds `mark`, on systems with /proc. */
export async function processesMarked(mark: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    const texts = await Promise.all(
      ["environ", "cmdline"].map((file) => Deno.readTextFile(`/proc/${name}/${file}`)),
    ).catch(() => []);
    if (texts.some((text) => text.includes(mark))) found.push(Number(name));
  }
  return found;
}
