// Owns: an engine's side of the conversation: opening its session, running and cancelling calls.
// Must not know: how messages travel, how the engine is confined.

import type { Engine } from "./engine.ts";
import type { FromEngine, ToEngine } from "./messages.ts";
import { type EnginePlan, RootError } from "./plan.ts";
import type { PermissionReport } from "../sandbox_report.ts";

export interface EngineHostOptions {
  readonly send: (message: FromEngine) => void;
  readonly open: (plan: EnginePlan) => Promise<Engine>;
  /** Asks the permission system what this engine may do. */
  readonly report: (plan: EnginePlan) => PermissionReport;
}

export class EngineHost {
  readonly #options: EngineHostOptions;
  readonly #running = new Map<number, AbortController>();
  #engine: Promise<Engine> | undefined;

  constructor(options: EngineHostOptions) {
    this.#options = options;
  }

  receive(message: Exclude<ToEngine, { kind: "close" }>): void {
    switch (message.kind) {
      case "open":
        return void this.#open(message.plan);
      case "call":
        return void this.#call(message);
      case "cancel":
        return this.#running.get(message.id)?.abort();
      case "ping":
        return this.#options.send({ kind: "pong" });
    }
  }

  /** Cancels what runs and waits for writes under way. */
  async close(): Promise<void> {
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  async #open(plan: EnginePlan): Promise<void> {
    const { send, open, report } = this.#options;
    this.#engine = open(plan);
    try {
      await this.#engine;
      send({ kind: "opened", report: report(plan) });
    } catch (error) {
      const isUsage = error instanceof RootError && error.isUsage;
      const message = error instanceof Error ? error.message : String(error);
      send({ kind: "refused", message, isUsage });
    }
  }

  async #call({ id, call }: Extract<ToEngine, { kind: "call" }>): Promise<void> {
    const { send } = this.#options;
    const cancel = new AbortController();
    this.#running.set(id, cancel);
    try {
      const engine = await this.#engine;
      if (engine === undefined) throw new Error("a call came before the plan");
      const progress = (message: string) => send({ kind: "progress", id, message });
      const result = await engine.call(call, { signal: cancel.signal, progress });
      send({ kind: "result", id, result });
    } catch (error) {
      const text = `Internal error: ${error instanceof Error ? error.message : String(error)}`;
      send({ kind: "result", id, result: { content: [{ type: "text", text }], isError: true } });
    } finally {
      this.#running.delete(id);
    }
  }
}
