// Owns: the memory of which line texts were shown under which id, file by file, with a bound.
// Must not know: files themselves, tools, how lines are printed.

import { lineFingerprint } from "./line_id.ts";

/** Ids remembered over all files; at about 40 bytes each this is some 4 MB at worst. */
const DEFAULT_CAPACITY = 100_000;

/** Closes the 1-in-256 hole of an 8-bit hash: an id that was shown holds only for the text shown. */
export class ShownLines {
  /** file key -> id -> fingerprint of the text; the file used longest ago comes first. */
  readonly #files = new Map<string, Map<string, number>>();
  #size = 0;

  constructor(readonly capacity: number = DEFAULT_CAPACITY) {}

  /** Remembers that `id` (`N:hh`) of a file was shown for `text`. */
  remember(file: string, shown: readonly { readonly id: string; readonly text: string }[]): void {
    const ids = this.#files.get(file) ?? new Map<string, number>();
    this.#files.delete(file);
    this.#files.set(file, ids);
    for (const { id, text } of shown) {
      if (!ids.has(id)) this.#size++;
      // Set anew so that the ids shown last are forgotten last.
      ids.delete(id);
      ids.set(id, lineFingerprint(text));
    }
    this.#forgetOldest();
  }

  /** Fingerprint of the text last shown under this id, if it is remembered. */
  fingerprint(file: string, id: string): number | undefined {
    return this.#files.get(file)?.get(id);
  }

  /** The memory of one file. */
  of(file: string): { readonly fingerprint: (id: string) => number | undefined } {
    return { fingerprint: (id) => this.fingerprint(file, id) };
  }

  #forgetOldest(): void {
    while (this.#size > this.capacity) {
      const oldest = this.#files.entries().next().value;
      if (oldest === undefined) return;
      const [file, ids] = oldest;
      const first = ids.keys().next().value;
      if (first === undefined) {
        this.#files.delete(file);
        continue;
      }
      ids.delete(first);
      this.#size--;
    }
  }
}
