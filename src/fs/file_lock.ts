// Owns: one queue per real file, so that read, change and write of two calls never interleave.
// Must not know: what is done under the lock.

export class FileLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` after every earlier work with the same key has ended, whatever became of it. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tails.set(key, promise);
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      if (this.#tails.get(key) === promise) this.#tails.delete(key);
      resolve();
    }
  }

  /** Resolves when no work is running or waiting. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
