// Owns: the FileScanner of this machine: jobs for the threads, and what was seen before.
// Must not know: which tool asks, ignore rules, how bytes are searched, which thread works.

import { type FileScanner, FileSystemScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import { signatureOf } from "./local_listing.ts";
import {
  type DirectoryListing,
  type EngineFindings,
  type EngineListing,
  type EngineMeasure,
  type FileFindings,
  type FileMeasure,
  FINDING_LETTERS,
  type KnownPath,
  type PackedFindings,
  type ScanJob,
  type SearchRequest,
  type Signature,
} from "./scan_jobs.ts";
import { ScanMemory, splitNames } from "./scan_memory.ts";
import type { ScanPool } from "./scan_pool.ts";
import { type Portion, ScanRunner, type ScanWork, SLICE, untilOthersRan } from "./scan_runner.ts";

/** Larger ones are never read on the client's thread: what takes some 30 ms. */
const LARGE_FILE_HERE = 1 << 24;
const LARGE_DIRECTORY_HERE = 1 << 18;
/** Milliseconds of work on the client's thread before threads are worth their start, which holds it up for 40 each. */
const LIST_HERE = 250;
const MEASURE_HERE = 400;
const SEARCH_HERE = 60;
/** Milliseconds after which a thread's job is cut, so that a cancelled call does not keep it long. */
const JOB_BUDGET = 200;
/** A state younger than this may be followed by another with the same times (some disks count in 2 s). */
const YOUNG = 3_000;
/** For a state that is asked for after the file was read: leaves room for a file server's wrong clock. */
const YOUNG_AFTERWARDS = 10_000;
/** Files to be searched from which on threads are worth their start. */
const WORTH_THREADS = 2_500;
/** Files of a search from which on it is worth remembering. */
const WORTH_REMEMBERING = 1_000;

/** Directories whose state is asked at a stretch: some 15 ms. */
const UNCHANGED_SLICE = 1_500;

type JobOf<Kind extends ScanJob["kind"]> = Extract<ScanJob, { kind: Kind }>;

export class LocalScanner implements FileScanner {
  readonly #memory = new ScanMemory();
  readonly #runner: ScanRunner;
  readonly #general: FileSystemScanner;

  constructor(fileSystem: FileSystem, readonly pool: ScanPool) {
    this.#general = new FileSystemScanner(fileSystem, pool);
    this.#runner = new ScanRunner(pool);
  }

  async list(
    directories: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly DirectoryListing[]> {
    const settledBefore = Date.now() - YOUNG;
    const known = (path: string) => withSignature(path, this.#memory.directorySignature(path));
    const work: ScanWork<JobOf<"list">, EngineListing> = {
      signal,
      portion: 128,
      portionHere: 8,
      hereAtMost: LIST_HERE,
      // Asking whether a directory is as it was takes less time than asking a thread to ask.
      isQuick: (paths) => paths.every((path) => this.#memory.directorySignature(path)),
      job: (paths, here) => ({
        kind: "list",
        directories: paths.map(known),
        settledBefore,
        maxBytes: here ? LARGE_DIRECTORY_HERE : Infinity,
      }),
      answersOf: (answers) => answers,
      isRefused: ({ kind }) => kind === "too_large",
    };
    const answers = await allAnswers(this.#runner.portions(directories, work));
    return await Promise.all(
      answers.map((answer, index) => this.#listing(directories[index] ?? "", answer, signal)),
    );
  }

  async areUnchanged(
    directories: readonly string[],
    states: readonly Signature[],
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let start = 0; start < directories.length; start += UNCHANGED_SLICE) {
      if (start > 0) await untilOthersRan();
      signal.throwIfAborted();
      const slice = directories.slice(start, start + UNCHANGED_SLICE);
      if (!slice.every((path, index) => signatureOf(path, Infinity) === states[start + index])) {
        return false;
      }
    }
    return true;
  }

  expect(files: number): void {
    if (files >= WORTH_THREADS) this.pool.warmUp();
  }

  async *search(
    files: readonly string[],
    request: SearchRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly FileFindings[]> {
    const started = Date.now();
    const covering = this.#memory.queriesCovering(request.query);
    const isWorthIt = files.length >= WORTH_REMEMBERING;
    const missed: string[] = [];
    const work: ScanWork<JobOf<"search">, EngineFindings> = {
      signal,
      portion: 512,
      portionHere: 256,
      isQuick: () => false,
      // A regular expression may never end, so it runs only where it can be stopped.
      hereAtMost: request.query.kind === "regex" ? 0 : SEARCH_HERE,
      job: (paths, here) => ({
        kind: "search",
        paths: paths.join("\0"),
        ...(covering === 0 ? {} : {
          known: paths.map((path) => this.#memory.missSignature(path, covering) ?? "").join("\0"),
        }),
        request: here ? { ...request, maxBytes: LARGE_FILE_HERE } : request,
        budget: here ? SLICE : JOB_BUDGET,
      }),
      answersOf: unpackFindings,
      isRefused: (answer) => answer.kind === "skipped" && answer.reason === "too_large",
    };
    for await (const { paths, answers } of this.#runner.portions(files, work)) {
      const findings: FileFindings[] = [];
      for (const [index, answer] of answers.entries()) {
        const path = paths[index] ?? "";
        if (answer.kind === "odd") {
          findings.push(await this.#general.searchFile(path, request, signal));
        } else findings.push(answer.kind === "unchanged" ? { kind: "none" } : answer);
        if (isWorthIt && answer.kind === "none") missed.push(path);
      }
      yield findings;
    }
    if (isWorthIt) void this.#rememberMisses(missed, request, started);
  }

  async measure(files: readonly string[], signal: AbortSignal): Promise<readonly FileMeasure[]> {
    const settledBefore = Date.now() - YOUNG;
    const known = (path: string) => withSignature(path, this.#memory.measureSignature(path));
    const work: ScanWork<JobOf<"measure">, EngineMeasure> = {
      signal,
      portion: 256,
      portionHere: 256,
      hereAtMost: MEASURE_HERE,
      isQuick: (paths) => paths.every((path) => this.#memory.measureSignature(path)),
      job: (paths, here) => ({
        kind: "measure",
        files: paths.map(known),
        settledBefore,
        maxBytes: here ? LARGE_FILE_HERE : Infinity,
        budget: here ? SLICE : JOB_BUDGET,
      }),
      answersOf: (answers) => answers,
      isRefused: ({ kind }) => kind === "too_large",
    };
    const answers = await allAnswers(this.#runner.portions(files, work));
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
        return {
          kind: "listed",
          names: splitNames(answer.names),
          kinds: answer.kinds,
          state: answer.signature,
        };
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
      for (let start = 0; start < paths.length; start += 1_024) {
        const portion = paths.slice(start, start + 1_024);
        const job = { kind: "sign", paths: portion.join("\0"), settledBefore } as const;
        const signatures = (await this.pool.run(job)).split("\0");
        for (const [index, path] of portion.entries()) {
          this.#memory.rememberMiss(path, signatures[index] ?? "", bit);
        }
      }
    } catch {
      // Without threads there is nothing to remember, and nothing is wrong.
    }
  }
}

function unpackFindings({ letters, found }: PackedFindings): readonly EngineFindings[] {
  let next = 0;
  return Array.from(
    letters,
    (letter) => FINDING_LETTERS.get(letter) ?? found[next++] ?? { kind: "odd" },
  );
}

async function allAnswers<Answer>(portions: AsyncIterable<Portion<Answer>>): Promise<Answer[]> {
  const all: Answer[] = [];
  for await (const { answers } of portions) for (const answer of answers) all.push(answer);
  return all;
}

function withSignature(path: string, known: string | undefined): KnownPath {
  return known === undefined ? { path } : { path, known };
}
