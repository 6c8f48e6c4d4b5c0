// Owns: the program under test with as little client around it as can be, so that its own time is measured.
// Must not know: what is measured.

import { programUnderTest } from "../support/octofs.ts";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export class BenchServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #nextId = 1;
  #reading: Promise<void> | undefined;
  readonly #waiting = new Map<number, (result: unknown) => void>();

  private constructor(args: readonly string[]) {
    const program = programUnderTest();
    this.#child = new Deno.Command(program.command, {
      args: [...program.args, "mcp", ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.getReader();
  }

  static async start(args: readonly string[]): Promise<BenchServer> {
    const server = new BenchServer(args);
    const clientInfo = { name: "bench", version: "0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    await server.request("initialize", params);
    await server.#write({ jsonrpc: "2.0", method: "notifications/initialized" });
    return server;
  }

  async call(name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.request("tools/call", { name, arguments: args });
    const { content, isError } = result as { content: { text?: string }[]; isError?: boolean };
    return { text: content.map((part) => part.text ?? "").join("\n"), isError: isError === true };
  }

  /** Requests may run side by side. */
  async request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    await this.#write({ jsonrpc: "2.0", id, method, params });
    this.#reading ??= this.#readAnswers();
    return await promise;
  }

  /** Process id of the program under test. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Reads for everyone who waits, until nobody does. */
  async #readAnswers(): Promise<void> {
    while (this.#waiting.size > 0) {
      const message = JSON.parse(await this.#readLine());
      this.#waiting.get(message.id)?.(message.result);
      this.#waiting.delete(message.id);
    }
    this.#reading = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#child.status;
  }

  #write(message: Record<string, unknown>): Promise<void> {
    return this.#input.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async #readLine(): Promise<string> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#output.read();
      if (done) throw new Error("the server ended");
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return line;
  }
}
