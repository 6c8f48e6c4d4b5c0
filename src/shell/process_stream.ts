// Owns: reading one pipe to its end, keeping what fits until it is taken.
// Must not know: processes, text.

import { type CollectedOutput, NO_OUTPUT, OutputCollector } from "./output_collector.ts";

const READ_SIZE = 65536;

/** Reads one pipe to its end and keeps what fits. */
export class StreamReader {
  readonly done: Promise<void>;
  #collector: OutputCollector | undefined = new OutputCollector();
  total = 0;

  constructor(stream: ReadableStream<Uint8Array>) {
    // A pipe that cannot be read any more has ended.
    this.done = this.#read(stream).catch(() => {});
  }

  take(): CollectedOutput {
    const output = this.#collector?.collected();
    this.#collector = undefined;
    return output ?? NO_OUTPUT;
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const reader = stream.getReader({ mode: "byob" });
    let buffer = new Uint8Array(READ_SIZE);
    for (;;) {
      const { done, value } = await reader.read(buffer);
      if (done || value === undefined) return;
      this.total += value.length;
      this.#collector?.add(value);
      buffer = new Uint8Array(value.buffer);
    }
  }
}
