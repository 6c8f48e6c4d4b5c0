// Owns: the memory of which line texts were shown under which id, file by file, with a bound.
// Must not know: files themselves, tools, how lines are printed.

import { lineFingerprint } from "./line_id.ts";

/** UTF-16 units of text remembered over all files. */
const DEFAULT_CAPACITY = 8 * 1024 * 1024;

/** What an id counts for: its characters and its place in a list. */
const ID_UNITS = 16;

/** Lines of one answer; the texts are joined, since slices of a file would keep all of it alive. */
interface Showing {
  readonly file: string;
  readonly ids: readonly string[];
  readonly texts: string;
}

/**
 * Closes the 1-in-256 hole of an 8-bit hash: an id that was shown holds only for the text shown.
 * Remembering is on the path of every answer and costs one join; looking up is rare and searches.
 */
export class ShownLines {
  /** Oldest first. */
  readonly #showings: Showing[] = [];
  #size = 0;

  constructor(readonly capacity: number = DEFAULT_CAPACITY) {}

  /** Remembers that each `id` (`N:hh`) of a file was shown for its `text`, which has no line ending. */
  remember(file: string, shown: readonly { readonly id: string; readonly text: string }[]): void {
    if (shown.length === 0) return;
    const ids = shown.map((line) => line.id);
    const texts = shown.map((line) => line.text).join("\n");
    const showing = { file, ids, texts };
    this.#showings.push(showing);
    this.#size += sizeOf(showing);
    this.#forgetOldest();
  }

  /** Fingerprint of the text last shown under this id, if it is remembered. */
  fingerprint(file: string, id: string): number | undefined {
    for (let index = this.#showings.length - 1; index >= 0; index--) {
      const showing = this.#showings[index];
      if (showing?.file !== file) continue;
      const place = showing.ids.lastIndexOf(id);
      if (place !== -1) return lineFingerprint(showing.texts.split("\n")[place] ?? "");
    }
    return undefined;
  }

  /** The memory of one file. */
  of(file: string): { readonly fingerprint: (id: string) => number | undefined } {
    return { fingerprint: (id) => this.fingerprint(file, id) };
  }

  #forgetOldest(): void {
    let forgotten = 0;
    while (this.#size > this.capacity && forgotten < this.#showings.length) {
      const oldest = this.#showings[forgotten++];
      if (oldest !== undefined) this.#size -= sizeOf(oldest);
    }
    if (forgotten > 0) this.#showings.splice(0, forgotten);
  }
}

function sizeOf({ ids, texts }: Showing): number {
  return ids.length * ID_UNITS + texts.length;
}
