// Owns: reading many local files and directories fast: synchronously, and as bytes before characters.
// Must not know: threads, messages, ignore rules, allowed directories.
//
// `LOCAL_SCAN_PARTS` are sent to worker threads as source text: a worker can load no module where only
// the project may be read. So nothing here uses anything from outside but parts in such lists, types,
// built-ins and Deno's synchronous file functions.

import type { SourcePart } from "../text/line_search.ts";
import { listDirectorySync, signatureOf } from "./local_listing.ts";
import { LocalFileSearch } from "./local_search.ts";
import { failureWords, isBug, measureFile } from "./local_text.ts";
import { LocalWindow } from "./local_window.ts";
import type {
  EngineFindings,
  EngineMeasure,
  FileFindings,
  KnownPath,
  PackedFindings,
  ScanAnswer,
  ScanAnswers,
  ScanJob,
} from "./scan_jobs.ts";

/** Does the jobs of one thread, one at a time, without ever waiting. */
export class LocalScanEngine {
  readonly #window = new LocalWindow();
  readonly #search: LocalFileSearch;

  /** `onStep` is called before every piece of work that can end only by itself. */
  constructor(onStep: () => void) {
    this.#search = new LocalFileSearch(this.#window, onStep);
  }

  run<Job extends ScanJob>(job: Job): ScanAnswer<Job>;
  run(job: ScanJob): ScanAnswers[ScanJob["kind"]] {
    switch (job.kind) {
      case "list":
        return job.directories.map((directory) => listDirectorySync(directory, job));
      case "sign":
        return job.paths.split("\0").map((path) => signatureOf(path, job.settledBefore)).join("\0");
      case "match":
        this.#search.prepare(job.request);
        return this.#search.searchText(job.text, job.request);
      case "search":
        return this.#searchAll(job);
      case "measure":
        return this.#each(job.files, job.budget, (file) => this.#measure(file, job));
    }
  }

  /** One answer per file until the budget is spent; always at least one. */
  #each<T>(files: readonly KnownPath[], budget: number, answer: (file: KnownPath) => T): T[] {
    const answers: T[] = [];
    const end = performance.now() + budget;
    for (const file of files) {
      answers.push(answer(file));
      if (performance.now() > end) break;
    }
    return answers;
  }

  #searchAll(job: Extract<ScanJob, { kind: "search" }>): PackedFindings {
    this.#search.prepare(job.request);
    const known = job.known?.split("\0") ?? [];
    const found: FileFindings[] = [];
    let letters = "";
    let request = job.request;
    const end = performance.now() + job.budget;
    for (const path of job.paths.split("\0")) {
      const findings = this.#search.searchFile(path, known[letters.length], request);
      letters += letterOf(findings);
      if (findings.kind === "found") {
        found.push(findings);
        // Once an answer is full, a later file only has to say that more exists.
        const maxMatches = Math.max(1, request.maxMatches - findings.matchedLines);
        request = { ...request, maxMatches };
      }
      if (performance.now() > end) break;
    }
    return { letters, found };
  }

  #measure(
    { path, known }: KnownPath,
    { settledBefore, maxBytes }: { readonly settledBefore: number; readonly maxBytes: number },
  ): EngineMeasure {
    const signature = signatureOf(path, settledBefore);
    if (known && signature === known) return { kind: "unchanged" };
    try {
      this.#window.open(path);
      if (!this.#window.atEnd && this.#window.size() > maxBytes) return { kind: "too_large" };
      return { kind: "measured", signature, measure: measureFile(this.#window) };
    } catch (error) {
      if (isBug(error)) throw error;
      const reason = failureWords(error);
      return { kind: "measured", signature: "", measure: { kind: "unreadable", reason } };
    } finally {
      this.#window.close();
    }
  }
}

/** One of FINDING_LETTERS, or `f`. */
function letterOf(findings: EngineFindings): string {
  if (findings.kind !== "skipped") return findings.kind.charAt(0);
  return findings.reason === "binary" ? "b" : findings.reason === "too_large" ? "t" : "r";
}

/** Everything that runs here, for a thread that can load no module. */
export const LOCAL_SCAN_PARTS: readonly SourcePart[] = [
  LocalScanEngine,
  letterOf,
];
