// Owns: which thread does which part of a scan: a little here and now, in slices; more in the pool.
// Must not know: what the jobs mean, what is remembered.

import { LocalScanEngine } from "./local_scan.ts";
import type { ScanAnswer, ScanJob } from "./scan_jobs.ts";
import { NoThreadError, type ScanPool } from "./scan_pool.ts";

/** Milliseconds of work at a stretch on the thread that also answers the client. */
export const SLICE = 16;
/** Milliseconds that threads take to start. */
const START_TIME = 80;
/** Portions under way for each thread: one at work, one waiting. */
const AHEAD = 2;

/** A scan of many paths, cut into jobs. */
export interface ScanWork<Job extends ScanJob, Answer> {
  readonly signal: AbortSignal;
  /** Paths in one job for a thread, and in one slice here. */
  readonly portion: number;
  readonly portionHere: number;
  /** Milliseconds of work on this thread before threads are worth their start; 0 for none. */
  readonly hereAtMost: number;
  /** True for paths that this thread is through with before another has heard of them. */
  readonly isQuick: (paths: readonly string[]) => boolean;
  /** `here` is the thread that also answers the client. */
  readonly job: (paths: readonly string[], here: boolean) => Job;
  /** One answer for each path from the first on; a job may stop early. */
  readonly answersOf: (answer: ScanAnswer<Job>) => readonly Answer[];
  /** True for an answer that only another thread can give. */
  readonly isRefused: (answer: Answer) => boolean;
}

export interface Portion<Answer> {
  readonly paths: readonly string[];
  readonly answers: readonly Answer[];
}

export class ScanRunner {
  readonly #engine = new LocalScanEngine(() => {});
  #sliceStart = 0;

  constructor(readonly pool: ScanPool) {}

  /** The answers in order. */
  async *portions<Job extends ScanJob, Answer>(
    paths: readonly string[],
    work: ScanWork<Job, Answer>,
  ): AsyncIterable<Portion<Answer>> {
    const many = paths.length > work.portion && !work.isQuick(paths);
    const hasThreads = many && this.pool.isReady;
    let next = 0;
    let spent = 0;
    while (next < paths.length && spent < work.hereAtMost && !hasThreads) {
      work.signal.throwIfAborted();
      // Threads that will be needed start while this one still works.
      if (many && spent >= work.hereAtMost - START_TIME) this.pool.warmUp();
      const portion = paths.slice(next, next + work.portionHere);
      const begun = performance.now();
      const answers = [...work.answersOf(this.#engine.run(work.job(portion, true)))];
      spent += performance.now() - begun;
      for (const [index, answer] of answers.entries()) {
        if (!work.isRefused(answer)) continue;
        const [elsewhere] = await this.#inThread(portion.slice(index, index + 1), work);
        if (elsewhere !== undefined) answers[index] = elsewhere;
      }
      yield { paths: portion.slice(0, answers.length), answers };
      next += answers.length;
      if (next < paths.length && performance.now() - this.#sliceStart > SLICE) {
        await untilOthersRan();
        this.#sliceStart = performance.now();
      }
    }
    if (next < paths.length) yield* this.#inThreads(paths.slice(next), work);
  }

  async *#inThreads<Job extends ScanJob, Answer>(
    paths: readonly string[],
    work: ScanWork<Job, Answer>,
  ): AsyncIterable<Portion<Answer>> {
    this.pool.warmUp();
    const running: { portion: readonly string[]; answers: Promise<readonly Answer[]> }[] = [];
    const ending = new AbortController();
    const signal = AbortSignal.any([work.signal, ending.signal]);
    let next = 0;
    try {
      while (next < paths.length || running.length > 0) {
        while (next < paths.length && running.length < this.pool.cores * AHEAD) {
          const portion = paths.slice(next, next + work.portion);
          const answers = this.#inThread(portion, { ...work, signal });
          // A failure is met when its turn comes; until then it must not count as unhandled.
          answers.catch(() => {});
          running.push({ portion, answers });
          next += portion.length;
        }
        const first = running.shift();
        if (first === undefined) break;
        yield { paths: first.portion, answers: await first.answers };
      }
    } finally {
      // A caller that has enough leaves jobs behind that nobody waits for.
      ending.abort();
    }
  }

  async #inThread<Job extends ScanJob, Answer>(
    paths: readonly string[],
    work: ScanWork<Job, Answer>,
  ): Promise<readonly Answer[]> {
    let all: readonly Answer[] = [];
    while (all.length < paths.length) {
      const job = work.job(paths.slice(all.length), false);
      const answer = await this.pool.run(job, work.signal).catch(async (error: unknown) => {
        if (!(error instanceof NoThreadError) || work.hereAtMost === 0) throw error;
        // Slower, and a large file holds up other calls for a moment, but it is an answer.
        await untilOthersRan();
        return this.#engine.run("budget" in job ? { ...job, budget: SLICE } : job);
      });
      const answers = work.answersOf(answer);
      if (answers.length === 0) throw new Error("a scan thread gave no answer");
      all = all.length === 0 ? answers : [...all, ...answers];
    }
    return all;
  }
}

/** A timer, which takes 2 ms: `setImmediate` is faster and leaves input and threads waiting for 200 ms. */
export function untilOthersRan(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
