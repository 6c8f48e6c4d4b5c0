// Owns: the FileScanner of this machine: a little work here and now, more in threads, and what was seen before.
// Must not know: which tool asks, ignore rules, how bytes are searched.

import { type FileScanner, FileSystemScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import { LocalScanEngine } from "./local_scan.ts";
import type {
  DirectoryListing,
  EngineFindings,
  EngineListing,
  EngineMeasure,
  FileFindings,
  FileMeasure,
  KnownPath,
  ScanJob,
  SearchRequest,
} from "./scan_jobs.ts";
import { ScanMemory, splitNames } from "./scan_memory.ts";
import { NoThreadError, type ScanPool } from "./scan_pool.ts";

/** Milliseconds of work at a stretch on the thread that also answers the client. */
const SLICE = 8;
/** Milliseconds of such work before threads are worth their start. */
const HERE_AT_MOST = 40;
/** Larger files and directories are never read on the client's thread. */
const LARGE_HERE = 1 << 18;
const FILES_A_JOB = 96;
const DIRECTORIES_A_JOB = 48;
/** A state younger than this may be followed by another with the same times (some disks count in 2 s). */
const YOUNG = 3_000;
/** For a state that is asked for after the file was read: leaves room for a file server's wrong clock. */
const YOUNG_AFTERWARDS = 10_000;

export class LocalScanner implements FileScanner {
  readonly #engine = new LocalScanEngine(() => {});
  readonly #memory = new ScanMemory();
  readonly #general: FileSystemScanner;
  #spentHere = 0;
  #lastHere = 0;

  constructor(fileSystem: FileSystem, readonly pool: ScanPool) {
    this.#general = new FileSystemScanner(fileSystem, pool);
  }

  async list(
    directories: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly DirectoryListing[]> {
    const settledBefore = Date.now() - YOUNG;
    const known = (path: string) => withSignature(path, this.#memory.directorySignature(path));
    const answers = await this.#runAll<EngineListing>(directories, {
      signal,
      portion: DIRECTORIES_A_JOB,
      job: (paths, here) => ({
        kind: "list",
        directories: paths.map(known),
        settledBefore,
        maxBytes: here ? LARGE_HERE : Infinity,
      }),
      isRefused: ({ kind }) => kind === "too_large",
    });
    return await Promise.all(
      answers.map((answer, index) => this.#listing(directories[index] ?? "", answer, signal)),
    );
  }

  async *search(
    files: readonly string[],
    request: SearchRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly FileFindings[]> {
    const started = Date.now();
    const covering = this.#memory.queriesCovering(request.query);
    const known = (path: string) => withSignature(path, this.#memory.missSignature(path, covering));
    const missed: string[] = [];
    let usedThreads = false;
    const portions = this.#portions<EngineFindings>(files, {
      signal,
      portion: FILES_A_JOB,
      // A regular expression may never end, so it runs only where it can be stopped.
      neverHere: request.query.kind === "regex",
      job: (paths, here) => ({
        kind: "search",
        files: paths.map(known),
        request: here ? { ...request, maxBytes: LARGE_HERE } : request,
        budget: here ? SLICE : 200,
      }),
      isRefused: (answer) => answer.kind === "skipped" && answer.reason === "too_large",
    });
    for await (const { paths, answers, here } of portions) {
      usedThreads ||= !here;
      yield await Promise.all(answers.map((answer, index) => {
        const path = paths[index] ?? "";
        if (answer.kind === "none") missed.push(path);
        if (answer.kind === "unchanged") return { kind: "none" } as const;
        if (answer.kind === "odd") return this.#general.searchFile(path, request, signal);
        return answer;
      }));
    }
    // A search that was quick needs no memory to be quick again.
    if (usedThreads) void this.#rememberMisses(missed, request, started);
  }

  async measure(files: readonly string[], signal: AbortSignal): Promise<readonly FileMeasure[]> {
    const settledBefore = Date.now() - YOUNG;
    const known = (path: string) => withSignature(path, this.#memory.measureSignature(path));
    const answers = await this.#runAll<EngineMeasure>(files, {
      signal,
      portion: FILES_A_JOB,
      job: (paths, here) => ({
        kind: "measure",
        files: paths.map(known),
        settledBefore,
        maxBytes: here ? LARGE_HERE : Infinity,
        budget: here ? SLICE : 200,
      }),
      isRefused: ({ kind }) => kind === "too_large",
    });
    return await Promise.all(
      answers.map((answer, index) => this.#measureOf(files[index] ?? "", answer, signal)),
    );
  }

  async #listing(
    path: string,
    answer: EngineListing,
    signal: AbortSignal,
  ): Promise<DirectoryListing> {
    switch (answer.kind) {
      case "unchanged": {
        const remembered = this.#memory.listing(path);
        if (remembered !== undefined) return remembered;
        // Forgotten for want of room since the question was put.
        const [listing] = await this.#general.list([path], signal);
        return listing ?? { kind: "failed", reason: "no answer" };
      }
      case "listed":
        this.#memory.rememberDirectory(path, answer);
        return { kind: "listed", names: splitNames(answer.names), kinds: answer.kinds };
      case "failed":
        return answer;
      case "too_large":
        return { kind: "failed", reason: "too large" };
    }
  }

  async #measureOf(
    path: string,
    answer: EngineMeasure,
    signal: AbortSignal,
  ): Promise<FileMeasure> {
    switch (answer.kind) {
      case "unchanged": {
        const remembered = this.#memory.measure(path);
        if (remembered !== undefined) return remembered;
        const [measure] = await this.#general.measure([path], signal);
        return measure ?? { kind: "unreadable", reason: "no answer" };
      }
      case "measured":
        this.#memory.rememberMeasure(path, answer.signature, answer.measure);
        return answer.measure;
      case "too_large":
        return { kind: "unreadable", reason: "too large" };
    }
  }

  /** Asks for the states of files that were read, so that the next search need not read them. */
  async #rememberMisses(
    paths: readonly string[],
    request: SearchRequest,
    started: number,
  ): Promise<void> {
    const bit = this.#memory.queryBit(request.query);
    const settledBefore = started - YOUNG_AFTERWARDS;
    try {
      for (let start = 0; start < paths.length; start += 512) {
        const portion = paths.slice(start, start + 512);
        const signatures = await this.pool.run({ kind: "sign", paths: portion, settledBefore });
        for (const [index, path] of portion.entries()) {
          this.#memory.rememberMiss(path, signatures[index] ?? "", bit);
        }
      }
    } catch {
      // Without threads there is nothing to remember, and nothing is wrong.
    }
  }

  async #runAll<Answer>(
    paths: readonly string[],
    work: PortionedWork<Answer>,
  ): Promise<readonly Answer[]> {
    const all: Answer[] = [];
    for await (const { answers } of this.#portions(paths, work)) all.push(...answers);
    return all;
  }

  /** The answers in order: at first from this thread in slices, then from several threads. */
  async *#portions<Answer>(
    paths: readonly string[],
    work: PortionedWork<Answer>,
  ): AsyncIterable<Portion<Answer>> {
    const many = paths.length > work.portion * 8;
    if (many) this.pool.warmUp();
    let next = 0;
    while (next < paths.length && !work.neverHere && this.#mayWorkHere(many)) {
      work.signal.throwIfAborted();
      const portion = paths.slice(next, next + work.portion);
      const begun = performance.now();
      const answers = [...this.#engine.run(work.job(portion, true))] as Answer[];
      this.#spentHere += performance.now() - begun;
      for (const [index, answer] of answers.entries()) {
        if (!work.isRefused(answer)) continue;
        const [path = ""] = portion.slice(index, index + 1);
        const [elsewhere] = await this.#runInThread([path], work);
        if (elsewhere !== undefined) answers[index] = elsewhere;
      }
      yield { paths: portion.slice(0, answers.length), answers, here: true };
      next += answers.length;
      if (next < paths.length) await untilOthersRan();
    }
    yield* this.#portionsInThreads(paths.slice(next), work);
  }

  async *#portionsInThreads<Answer>(
    paths: readonly string[],
    work: PortionedWork<Answer>,
  ): AsyncIterable<Portion<Answer>> {
    const running: { portion: readonly string[]; answers: Promise<readonly Answer[]> }[] = [];
    let next = 0;
    const ending = new AbortController();
    const signal = AbortSignal.any([work.signal, ending.signal]);
    try {
      while (next < paths.length || running.length > 0) {
        while (next < paths.length && running.length < this.pool.width * 3) {
          const portion = paths.slice(next, next + work.portion);
          const answers = this.#runInThread(portion, { ...work, signal });
          // A failure is met when its turn comes; until then it must not count as unhandled.
          answers.catch(() => {});
          running.push({ portion, answers });
          next += portion.length;
        }
        const first = running.shift();
        if (first === undefined) break;
        yield { paths: first.portion, answers: await first.answers, here: false };
      }
    } finally {
      // A caller that has enough leaves jobs behind that nobody waits for.
      ending.abort();
    }
  }

  async #runInThread<Answer>(
    paths: readonly string[],
    work: PortionedWork<Answer>,
  ): Promise<readonly Answer[]> {
    const all: Answer[] = [];
    while (all.length < paths.length) {
      const job = work.job(paths.slice(all.length), false);
      const answers = await this.pool.run(job, work.signal).catch(async (error: unknown) => {
        if (!(error instanceof NoThreadError) || work.neverHere) throw error;
        // Slower, and a large file holds up other calls for a moment, but it is an answer.
        await untilOthersRan();
        return this.#engine.run("budget" in job ? { ...job, budget: SLICE } : job);
      });
      all.push(...answers as readonly Answer[]);
    }
    return all;
  }

  #mayWorkHere(many: boolean): boolean {
    const now = performance.now();
    if (now - this.#lastHere > 1_000) this.#spentHere = 0;
    this.#lastHere = now;
    return this.#spentHere < HERE_AT_MOST && !(many && this.pool.isReady);
  }
}

type PortionedJob = Extract<ScanJob, { kind: "list" | "search" | "measure" }>;

interface PortionedWork<Answer> {
  readonly signal: AbortSignal;
  readonly portion: number;
  readonly neverHere?: boolean;
  /** The job for some of the paths; `here` is the thread that also answers the client. */
  readonly job: (paths: readonly string[], here: boolean) => PortionedJob;
  /** True for an answer that only another thread can give. */
  readonly isRefused: (answer: Answer) => boolean;
}

interface Portion<Answer> {
  readonly paths: readonly string[];
  readonly answers: readonly Answer[];
  readonly here: boolean;
}

function withSignature(path: string, known: string | undefined): KnownPath {
  return known === undefined ? { path } : { path, known };
}

function untilOthersRan(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
