// Owns: the engine of a session whose roots may change: one at a time, the old one ends with its last call.
// Must not know: the protocol, how an engine is made.

import type { Engine } from "./engine.ts";

export class EngineSlot {
  readonly #open: (clientRoots: readonly string[]) => Promise<Engine>;
  #roots: readonly string[] | undefined;
  #current: Promise<CountedEngine> | undefined;
  readonly #retiring = new Set<Promise<void>>();

  constructor(open: (clientRoots: readonly string[]) => Promise<Engine>) {
    this.#open = open;
  }

  /** The engine for these roots: the present one where they are the same, else a new one. */
  use(clientRoots: readonly string[]): Promise<Engine> {
    const same = JSON.stringify(clientRoots) === JSON.stringify(this.#roots);
    if (same && this.#current !== undefined) return this.#current;
    const previous = this.#current;
    if (previous !== undefined) this.#retire(previous);
    this.#roots = clientRoots;
    const opening = this.#open(clientRoots).then((engine) => new CountedEngine(engine));
    this.#current = opening;
    // A root that cannot be used may be there the next time.
    opening.catch(() => {
      if (this.#current === opening) this.#current = undefined;
    });
    return opening;
  }

  get current(): Promise<Engine> | undefined {
    return this.#current;
  }

  /** Cancels running calls and ends every engine. */
  async close(): Promise<void> {
    const engine = await this.#current?.catch(() => undefined);
    await engine?.close();
    await Promise.all(this.#retiring);
  }

  #retire(previous: Promise<CountedEngine>): void {
    const retiring = previous.then((engine) => engine.closeWhenIdle(), () => {});
    this.#retiring.add(retiring);
    void retiring.finally(() => this.#retiring.delete(retiring));
  }
}

class CountedEngine implements Engine {
  readonly #engine: Engine;
  readonly #running = new Set<Promise<unknown>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  readonly call: Engine["call"] = async (call, options) => {
    const running = this.#engine.call(call, options);
    this.#running.add(running);
    return await running.finally(() => this.#running.delete(running));
  };

  close(): Promise<void> {
    return this.#engine.close();
  }

  async closeWhenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await this.close();
  }
}
