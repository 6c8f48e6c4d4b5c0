// Owns: keeping the beginning and the end of a stream of bytes in bounded memory.
// Must not know: processes, text, how much of it is shown in the end.

/** Bytes of one stream: all of them, or the first and the last with the number between. */
export interface CollectedOutput {
  readonly head: Uint8Array;
  /** Empty unless bytes are missing between it and the head. */
  readonly tail: Uint8Array;
  readonly missing: number;
}

export const NO_OUTPUT: CollectedOutput = {
  head: new Uint8Array(0),
  tail: new Uint8Array(0),
  missing: 0,
};

// Far more than is shown: progress bars and escape sequences take most of it away again.
const DEFAULT_LIMIT = 512 * 1024;

export class OutputCollector {
  #head = new Uint8Array(4096);
  #headLength = 0;
  /** The last `limit` bytes after the head, written round and round. */
  #ring: Uint8Array | undefined;
  #ringTotal = 0;

  /** Keeps at most `limit` bytes of each end. */
  constructor(readonly limit: number = DEFAULT_LIMIT) {}

  get total(): number {
    return this.#headLength + this.#ringTotal;
  }

  /** Copies `bytes`, so the caller may use its buffer again. */
  add(bytes: Uint8Array): void {
    const forHead = Math.min(bytes.length, this.limit - this.#headLength);
    if (forHead > 0) this.#addToHead(bytes.subarray(0, forHead));
    if (forHead < bytes.length) this.#addToRing(bytes.subarray(forHead));
  }

  /** What was collected so far; later additions do not change it. */
  collected(): CollectedOutput {
    const head = this.#head.slice(0, this.#headLength);
    const ring = this.#ring;
    if (ring === undefined) return { head, tail: new Uint8Array(0), missing: 0 };
    if (this.#ringTotal <= this.limit) {
      const whole = new Uint8Array(this.total);
      whole.set(head);
      whole.set(ring.subarray(0, this.#ringTotal), head.length);
      return { head: whole, tail: new Uint8Array(0), missing: 0 };
    }
    const split = this.#ringTotal % this.limit;
    const tail = new Uint8Array(this.limit);
    tail.set(ring.subarray(split));
    tail.set(ring.subarray(0, split), this.limit - split);
    return { head, tail, missing: this.#ringTotal - this.limit };
  }

  #addToHead(bytes: Uint8Array): void {
    const needed = this.#headLength + bytes.length;
    if (needed > this.#head.length) {
      const grown = new Uint8Array(Math.min(this.limit, Math.max(needed, this.#head.length * 2)));
      grown.set(this.#head.subarray(0, this.#headLength));
      this.#head = grown;
    }
    this.#head.set(bytes, this.#headLength);
    this.#headLength = needed;
  }

  #addToRing(bytes: Uint8Array): void {
    this.#ring ??= new Uint8Array(this.limit);
    const last = bytes.subarray(-this.limit);
    const at = (this.#ringTotal + bytes.length - last.length) % this.limit;
    const first = last.subarray(0, this.limit - at);
    this.#ring.set(first, at);
    this.#ring.set(last.subarray(first.length), 0);
    this.#ringTotal += bytes.length;
  }
}
