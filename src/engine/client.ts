// Owns: an engine in another process or thread as an Engine of this one; starting it anew when it ended.
// Must not know: how messages travel, the protocol, what a tool does.

import type { CallOptions, CallResult, Engine, ToolCall } from "./engine.ts";
import type { EngineLink, FromEngine } from "./messages.ts";
import { type EnginePlan, RootError } from "./plan.ts";
import type { Logger } from "../logger.ts";
import type { PermissionReport } from "../sandbox_report.ts";

export interface EngineClientOptions {
  readonly plan: EnginePlan;
  readonly start: (plan: EnginePlan) => EngineLink;
  /** Judges what the engine says of its permissions; throws where it must not be used. */
  readonly accept: (report: PermissionReport) => void;
  readonly logger: Logger;
  /** Milliseconds in which an engine that is not stuck answers a ping. */
  readonly pingLimit?: number;
}

const PING_LIMIT = 10_000;
/** Milliseconds for writes under way, shell groups and connections to end. */
const CLOSE_LIMIT = 8_000;

/** Starts the engine with `open`, and again with the first call after it ended unexpectedly. */
export class EngineClient implements Engine {
  readonly #options: EngineClientOptions;
  #run: Promise<EngineRun> | undefined;
  #isClosed = false;

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  /** Resolves when the engine can take calls. Throws RootError. */
  async open(): Promise<void> {
    await this.#running();
  }

  async call(call: ToolCall, options: CallOptions): Promise<CallResult> {
    const run = await this.#running();
    return await run.call(call, options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const run = await this.#run?.catch(() => undefined);
    await run?.close();
  }

  #running(): Promise<EngineRun> {
    if (this.#isClosed) throw new Error("the engine is closed");
    if (this.#run !== undefined) return this.#run;
    const starting = this.#start();
    this.#run = starting;
    // The next call tries again.
    starting.catch(() => {
      if (this.#run === starting) this.#run = undefined;
    });
    return starting;
  }

  async #start(): Promise<EngineRun> {
    const { plan, start, accept, logger, pingLimit = PING_LIMIT } = this.#options;
    const run = new EngineRun(start(plan), pingLimit);
    void run.ended.then(() => {
      this.#run = undefined;
      if (!this.#isClosed) logger.error("the engine ended unexpectedly; the next call starts it");
    });
    try {
      accept(await run.open(plan));
      return run;
    } catch (error) {
      run.kill();
      throw error;
    }
  }
}

/** One life of the engine. */
class EngineRun {
  readonly ended: Promise<void>;
  readonly #link: EngineLink;
  readonly #pending = new Map<number, PendingCall>();
  readonly #opened = Promise.withResolvers<PermissionReport>();
  #nextId = 1;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;
  #isStuck = false;
  #hasEnded = false;

  constructor(link: EngineLink, readonly pingLimit: number) {
    this.#link = link;
    link.onMessage = (message) => this.#receive(message);
    this.#opened.promise.catch(() => {});
    this.ended = link.ended.then(() => this.#end());
  }

  open(plan: EnginePlan): Promise<PermissionReport> {
    this.#link.send({ kind: "open", plan });
    return this.#opened.promise;
  }

  call(call: ToolCall, { signal, progress }: CallOptions): Promise<CallResult> {
    if (this.#hasEnded) return Promise.resolve(this.#lost());
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.#pending.set(id, { resolve, progress });
    const cancel = () => {
      this.#link.send({ kind: "cancel", id });
      this.#ping();
    };
    signal.addEventListener("abort", cancel, { once: true });
    this.#link.send({ kind: "call", id, call });
    if (signal.aborted) cancel();
    return promise.finally(() => signal.removeEventListener("abort", cancel));
  }

  async close(): Promise<void> {
    this.#link.send({ kind: "close" });
    const limit = setTimeout(() => this.kill(), CLOSE_LIMIT);
    await this.ended;
    clearTimeout(limit);
  }

  kill(): void {
    this.#link.kill();
  }

  /** Ends an engine that does not even answer this: something in it runs without end. */
  #ping(): void {
    if (this.#pingTimer !== undefined) return;
    this.#pingTimer = setTimeout(() => {
      this.#isStuck = true;
      this.kill();
    }, this.pingLimit);
    this.#link.send({ kind: "ping" });
  }

  #receive(message: FromEngine): void {
    switch (message.kind) {
      case "opened":
        return this.#opened.resolve(message.report);
      case "refused":
        return this.#opened.reject(new RootError(message.message, message.isUsage));
      case "progress":
        return this.#pending.get(message.id)?.progress(message.message);
      case "result":
        this.#pending.get(message.id)?.resolve(message.result);
        this.#pending.delete(message.id);
        return;
      case "pong":
        clearTimeout(this.#pingTimer);
        this.#pingTimer = undefined;
        return;
    }
  }

  #end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#pingTimer);
    this.#opened.reject(new Error("the engine ended before it could take calls"));
    for (const { resolve } of this.#pending.values()) resolve(this.#lost());
    this.#pending.clear();
  }

  #lost(): CallResult {
    const what = this.#isStuck ? "did not answer any more and was ended" : "ended unexpectedly";
    const text = `The part of octofs that works on files ${what}. Whether this call was carried ` +
      "out is unknown: look at the file before you repeat it. It starts anew with the next call, " +
      "in the project root, and without the undo history and the line ids shown so far.";
    return { content: [{ type: "text", text }], isError: true };
  }
}

interface PendingCall {
  readonly resolve: (result: CallResult) => void;
  readonly progress: (message: string) => void;
}
