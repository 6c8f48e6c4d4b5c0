// Owns: MCP messages on stdin and stdout.
// Must not know: what the messages ask for.
//
// The package's own transport copies all that has arrived with every chunk and ends the session at
// 10 MiB; a large file sent in one call must neither take seconds nor end anything.

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
// The package names no types for paths that end in .js.
// @ts-types="@modelcontextprotocol/sdk/types"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { lineWriter, readLines } from "./line_stream.ts";

export interface StdioStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #readable: ReadableStream<Uint8Array>;
  readonly #write: (message: unknown) => Promise<void>;
  #isClosed = false;
  #written: Promise<void> = Promise.resolve();

  constructor({ readable, writable }: StdioStreams) {
    this.#readable = readable;
    this.#write = lineWriter(writable);
  }

  start(): Promise<void> {
    const onOverlong = () => this.onerror?.(new Error("a message too long to be read was skipped"));
    void readLines(this.#readable, { onLine: (line) => this.#receive(line), onOverlong })
      .then(() => this.#answerWhatCame())
      .then(() => this.close());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#written = this.#write(message);
    return this.#written;
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Leaves the answers that need no waiting time to be written, as for a request that is piped in. */
  async #answerWhatCame(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.#written;
  }

  #receive(line: string): void {
    if (this.#isClosed || line.trim() === "") return;
    try {
      const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(line));
      if (parsed.success) this.onmessage?.(parsed.data);
      else this.onerror?.(new Error(`a line is not a JSON-RPC message: ${beginning(line)}`));
    } catch {
      this.onerror?.(new Error(`a line is not JSON: ${beginning(line)}`));
    }
  }
}

function beginning(line: string): string {
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
