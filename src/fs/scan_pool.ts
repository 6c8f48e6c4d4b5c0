// Owns: worker threads for scans: started when a job needs one, stopped when idle, ended when stuck.
// Must not know: what the jobs mean, which files they read.

import { LINE_SEARCH_PARTS } from "../text/line_search.ts";
import { LOCAL_LISTING_PARTS } from "./local_listing.ts";
import { LOCAL_SCAN_PARTS, LocalScanEngine } from "./local_scan.ts";
import { LOCAL_SEARCH_PARTS } from "./local_search.ts";
import { LOCAL_TEXT_PARTS } from "./local_text.ts";
import { LOCAL_WINDOW_PARTS } from "./local_window.ts";
import type { ScanAnswer, ScanJob } from "./scan_jobs.ts";

export interface ScanPoolOptions {
  readonly threads?: number;
  /** Milliseconds without a job after which the threads end. */
  readonly idleAfter?: number;
  /** Milliseconds that one step of a job may take before its thread is ended. */
  readonly stuckAfter?: number;
}

/** A step of a job took so long that its thread was ended. */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

/** No worker thread can be had in this process. */
export class NoThreadError extends Error {
  override readonly name = "NoThreadError";
}

interface Task {
  readonly job: ScanJob;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Counts the steps of the thread, which cannot say anything else while it works. */
  readonly steps: Int32Array;
  ready: boolean;
  task: Task | undefined;
  seenSteps: number;
  seenAt: number;
}

/** Threads that each do one job at a time. */
export class ScanPool {
  readonly #threads: Thread[] = [];
  readonly #queue: Task[] = [];
  /** Threads that the machine can work on at once. */
  readonly cores: number;
  readonly #idleAfter: number;
  readonly #stuckAfter: number;
  #isClosed = false;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(options: ScanPoolOptions = {}) {
    this.cores = options.threads ?? Math.max(1, Math.min(navigator.hardwareConcurrency, 8));
    this.#idleAfter = options.idleAfter ?? 30_000;
    this.#stuckAfter = options.stuckAfter ?? 7_000;
  }

  /** True when a thread has started and can take a job at once. */
  get isReady(): boolean {
    return this.#threads.some(({ ready }) => ready);
  }

  /** Starts all threads ahead of their jobs. */
  warmUp(): void {
    while (!this.#isClosed && this.#threads.length < this.cores) this.#start();
    this.#idleSoon();
  }

  /** Rejects with StuckError, NoThreadError, or the signal's reason. */
  run<Job extends ScanJob>(job: Job, signal?: AbortSignal): Promise<ScanAnswer<Job>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#isClosed) return reject(new NoThreadError("closed"));
      const task: Task = {
        job,
        resolve: (answer) => {
          signal?.removeEventListener("abort", leave);
          resolve(answer as ScanAnswer<Job>);
        },
        reject,
      };
      const leave = () => {
        const at = this.#queue.indexOf(task);
        if (at !== -1) this.#queue.splice(at, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue.push(task);
      this.#assign();
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    clearInterval(this.#watch);
    for (const thread of this.#threads.splice(0)) {
      thread.worker.terminate();
      thread.task?.reject(new NoThreadError("closed"));
    }
    for (const task of this.#queue.splice(0)) task.reject(new NoThreadError("closed"));
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      // A thread that still starts takes nothing: another may be free before it is.
      const free = this.#threads.find(({ ready, task }) => ready && task === undefined);
      const starting = this.#threads.filter(({ ready }) => !ready).length;
      const mayStart = this.#threads.length < this.cores && starting < this.#queue.length;
      if (free === undefined && mayStart) this.#start();
      const task = free && this.#queue.shift();
      if (free === undefined || task === undefined) break;
      free.task = task;
      free.seenAt = performance.now();
      free.worker.postMessage({ job: task.job });
    }
    this.#idleSoon();
  }

  #start(): Thread {
    const url = URL.createObjectURL(new Blob([workerSource()], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module", name: "octofs-scan" });
    const steps = new Int32Array(new SharedArrayBuffer(4));
    const thread: Thread = {
      worker,
      steps,
      ready: false,
      task: undefined,
      seenSteps: 0,
      seenAt: 0,
    };
    worker.onmessage = ({ data }) => {
      if (data === "ready") {
        thread.ready = true;
        URL.revokeObjectURL(url);
        return this.#assign();
      }
      const task = thread.task;
      thread.task = undefined;
      if ("error" in data) task?.reject(new Error(data.error));
      else task?.resolve(data.answer);
      this.#assign();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(thread, new NoThreadError(event.message));
    };
    worker.postMessage({ steps });
    this.#threads.push(thread);
    this.#watch ??= setInterval(() => this.#endStuck(), 500);
    return thread;
  }

  #endStuck(): void {
    const now = performance.now();
    for (const thread of [...this.#threads]) {
      const steps = Atomics.load(thread.steps, 0);
      const mayStick = thread.task !== undefined && mayNeverEnd(thread.task.job);
      if (!mayStick || steps !== thread.seenSteps) {
        thread.seenSteps = steps;
        thread.seenAt = now;
      } else if (now - thread.seenAt > this.#stuckAfter) {
        this.#end(thread, new StuckError(`no progress for ${this.#stuckAfter} ms`));
      }
    }
  }

  #end(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread);
    if (at !== -1) this.#threads.splice(at, 1);
    thread.worker.terminate();
    thread.task?.reject(error);
    if (error instanceof NoThreadError) {
      for (const task of this.#queue.splice(0)) task.reject(error);
    } else this.#assign();
  }

  #idleSoon(): void {
    clearTimeout(this.#idleTimer);
    const isBusy = this.#queue.length > 0 || this.#threads.some(({ task }) => task !== undefined);
    if (isBusy || this.#threads.length === 0) return;
    this.#idleTimer = setTimeout(() => {
      clearInterval(this.#watch);
      this.#watch = undefined;
      for (const { worker } of this.#threads.splice(0)) worker.terminate();
    }, this.#idleAfter);
  }
}

/** Only a regular expression can take for ever; a slow disk must not end a thread. */
function mayNeverEnd(job: ScanJob): boolean {
  return (job.kind === "search" || job.kind === "match") && job.request.query.kind === "regex";
}

/** A worker's whole program: the parts under their own names, whatever a bundler made of those. */
function workerSource(): string {
  const parts = [
    ...LINE_SEARCH_PARTS,
    ...LOCAL_WINDOW_PARTS,
    ...LOCAL_TEXT_PARTS,
    ...LOCAL_LISTING_PARTS,
    ...LOCAL_SEARCH_PARTS,
    ...LOCAL_SCAN_PARTS,
  ];
  return `${parts.map((part) => `const ${part.name} = ${part};`).join("\n")}
let engine;
onmessage = ({ data: { steps, job } }) => {
  if (steps !== undefined) {
    engine = new ${LocalScanEngine.name}(() => Atomics.add(steps, 0, 1));
    postMessage("ready");
    return;
  }
  try {
    postMessage({ answer: engine.run(job) });
  } catch (error) {
    postMessage({ error: String(error?.stack ?? error) });
  }
};`;
}
