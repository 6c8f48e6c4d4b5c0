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
  readonly #small: Uint8Array<ArrayBuffer>;
  #large: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #buffer: Uint8Array<ArrayBuffer>;
  #slicer: ByteSlicer | undefined;
  /** Bytes of the file that are in the window, from the buffer's start. */
  length = 0;
  /** True when the window reaches the file's end. */
  atEnd = false;

  /**
   * A window of `smallLength` bytes: strings of that size are short-lived and cheap, longer ones are
   * not. `enlarge` is for a file that holds what is sought.
   */
  constructor(smallLength: number = 1 << 16, readonly largeLength: number = 1 << 17) {
    this.#small = new Uint8Array(smallLength);
    this.#buffer = this.#small;
  }

  /** Opens a file at its start; throws like Deno.openSync. */
  open(path: string): void {
    this.#file = Deno.openSync(path);
    this.length = 0;
    this.atEnd = false;
    this.#fill();
    if (!this.atEnd && !this.#file.statSync().isFile) throw new Error("not a regular file");
  }

  /** Ends with the file, and with a window that was made larger for it. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    if (this.#buffer === this.#small) return;
    if (this.#large.length > 1 << 22) this.#large = new Uint8Array(0);
    this.#buffer = this.#small;
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

  /** Makes the window as large as usual for a file that needs a close look, and reads on. */
  enlarge(): void {
    if (this.#buffer.length < this.largeLength) this.#widen(this.largeLength);
  }

  /** Doubles the window, for a line that does not fit into it, and reads on. */
  grow(): void {
    this.#widen(this.#buffer.length * 2);
  }

  /** The room for large windows is kept for the next file. */
  #widen(length: number): void {
    const isKept = this.#large.length >= length;
    const room = isKept ? this.#large : new Uint8Array(length);
    if (this.#buffer.buffer !== room.buffer) room.set(this.bytes());
    this.#large = room;
    this.#buffer = room.subarray(0, length);
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
