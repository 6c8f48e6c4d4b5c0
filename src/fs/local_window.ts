// Owns: one local file at a time as a window of bytes that moves from its start to its end.
// Must not know: what is sought in it.
//
// Sent to worker threads as source text, like all of LOCAL_SCAN_PARTS.

import type { SourcePart } from "../text/line_search.ts";

/** Node's Buffer, which makes one-byte strings several times faster than TextDecoder. */
interface ByteSlicer {
  latin1Slice(start: number, end: number): string;
}

/** Reads synchronously; the buffer is used again for the next file. */
export class LocalWindow {
  #file: Deno.FsFile | undefined;
  #buffer: Uint8Array<ArrayBuffer>;
  #slicer: ByteSlicer | undefined;
  /** Bytes of the file that are in the window, from the buffer's start. */
  length = 0;
  /** True when the window reaches the file's end. */
  atEnd = false;

  /**
   * A window of `startLength` bytes: strings of that size are short-lived and cheap, longer ones are
   * not. `largeLength` is for a file that holds what is sought.
   */
  constructor(readonly startLength: number = 1 << 16, readonly largeLength: number = 1 << 22) {
    this.#buffer = new Uint8Array(startLength);
  }

  /** Opens a file at its start; throws like Deno.openSync. */
  open(path: string): void {
    this.#file = Deno.openSync(path);
    this.length = 0;
    this.atEnd = false;
    this.#fill();
    if (!this.atEnd && !this.#file.statSync().isFile) throw new Error("not a regular file");
  }

  /** Ends with the file; a window that was made large is given back. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    if (this.#buffer.length === this.startLength) return;
    this.#buffer = new Uint8Array(this.startLength);
    this.#slicer = undefined;
  }

  /** Size of the open file. */
  size(): number {
    return this.#file?.statSync().size ?? 0;
  }

  bytes(start = 0, end = this.length): Uint8Array {
    return this.#buffer.subarray(start, end);
  }

  /** The bytes of the window as characters of the same number. */
  latin1(): string {
    // deno-lint-ignore no-explicit-any -- a global of Deno that its own types do not list
    this.#slicer ??= (globalThis as any).Buffer.from(this.#buffer.buffer) as ByteSlicer;
    return this.#slicer.latin1Slice(0, this.length);
  }

  /** Drops the bytes before `from` and reads on. */
  advance(from: number): void {
    this.#buffer.copyWithin(0, from, this.length);
    this.length -= from;
    this.#fill();
  }

  /** Makes the window larger and reads on. */
  grow(length = this.#buffer.length * 2): void {
    const larger = new Uint8Array(length);
    larger.set(this.bytes());
    this.#buffer = larger;
    this.#slicer = undefined;
    this.#fill();
  }

  #fill(): void {
    while (!this.atEnd && this.length < this.#buffer.length) {
      const free = this.#buffer.length - this.length;
      const count = this.#file?.readSync(this.#buffer.subarray(this.length)) ?? 0;
      this.length += count;
      // A regular file gives less than was asked for only at its end.
      if (count < free) this.atEnd = true;
    }
  }
}

export const LOCAL_WINDOW_PARTS: readonly SourcePart[] = [LocalWindow];
