// Owns: reading many local files and directories fast: synchronously, and as bytes before characters.
// Must not know: threads, messages, ignore rules, allowed directories.
//
// `LOCAL_SCAN_PARTS` are sent to worker threads as source text: a worker can load no module where only
// the project may be read. So nothing here uses anything from outside but the parts of
// line_search.ts, local_listing.ts, local_text.ts and local_window.ts, types, built-ins and Deno's synchronous file functions.

import {
  createLineMatcher,
  type LineBlock,
  type LineMatcher,
  type LineQuery,
  searchLines,
  type SourcePart,
} from "../text/line_search.ts";
import { listDirectorySync, signatureOf } from "./local_listing.ts";
import {
  appendBlocks,
  bomLength,
  countLineBreaks,
  decodeExactly,
  failureWords,
  isBug,
  lineStartBefore,
  measureFile,
  unicodeForm,
} from "./local_text.ts";
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
  SearchRequest,
} from "./scan_jobs.ts";

interface Matchers {
  readonly query: string;
  /** The UTF-8 bytes of a literal as characters of the same number, or empty. */
  readonly bytes: string;
  readonly ascii: LineMatcher;
  readonly unicode: LineMatcher;
}

/** Does the jobs of one thread, one at a time, without ever waiting. */
export class LocalScanEngine {
  readonly #window = new LocalWindow();
  #matchers: Matchers = newMatchers({ kind: "literal", text: "" });
  #isAscii: ((bytes: Uint8Array) => boolean) | undefined;

  /** `onStep` is called before every piece of work that can end only by itself. */
  constructor(readonly onStep: () => void) {}

  run<Job extends ScanJob>(job: Job): ScanAnswer<Job>;
  run(job: ScanJob): ScanAnswers[ScanJob["kind"]] {
    switch (job.kind) {
      case "list":
        return job.directories.map((directory) => listDirectorySync(directory, job));
      case "sign":
        return job.paths.split("\0").map((path) => signatureOf(path, job.settledBefore)).join("\0");
      case "match":
        this.#prepare(job.request);
        return this.#findIn(job.text, job.request, this.#matchers.unicode);
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
    this.#prepare(job.request);
    const known = job.known?.split("\0") ?? [];
    const found: FileFindings[] = [];
    let letters = "";
    const end = performance.now() + job.budget;
    for (const path of job.paths.split("\0")) {
      const findings = this.#search(path, known[letters.length], job.request);
      letters += letterOf(findings);
      if (findings.kind === "found") found.push(findings);
      if (performance.now() > end) break;
    }
    return { letters, found };
  }

  #search(path: string, known: string | undefined, request: SearchRequest): EngineFindings {
    this.onStep();
    if (known && signatureOf(path, Infinity) === known) return { kind: "unchanged" };
    try {
      this.#window.open(path);
      if (this.#window.atEnd) return this.#searchWhole(request);
      return this.#searchLarge(path, request);
    } catch (error) {
      if (isBug(error)) throw error;
      return { kind: "skipped", reason: "unreadable" };
    } finally {
      this.#window.close();
    }
  }

  /** A file that is longer than the first window, and mostly holds nothing: looked through first. */
  #searchLarge(path: string, request: SearchRequest): EngineFindings {
    const window = this.#window;
    const size = window.size();
    if (size > request.maxBytes) return { kind: "skipped", reason: "too_large" };
    const isWide = unicodeForm(window.bytes()) !== "bytes";
    if (this.#matchers.bytes !== "" && !isWide) {
      const glance = this.#glance();
      if (glance.kind !== "found") return glance;
      window.close();
      window.open(path);
    }
    window.grow(Math.min(size + 1, window.largeLength));
    if (window.atEnd) return this.#searchWhole(request);
    const findings = this.#searchByWindows(request, { countLines: false });
    if (findings.kind !== "found") return findings;
    // Lines are counted only where a match needs its number.
    window.close();
    window.open(path);
    window.grow(window.largeLength);
    return this.#searchByWindows(request, { countLines: true });
  }

  /** Looks for a literal's bytes from here to the file's end; `found` says no more than that. */
  #glance(): { kind: "found" } | FileFindings {
    const { bytes } = this.#matchers;
    for (;;) {
      const raw = this.#window.latin1();
      if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
      if (raw.indexOf(bytes) !== -1) return { kind: "found" };
      if (this.#window.atEnd) return { kind: "none" };
      this.#window.advance(raw.length - bytes.length + 1);
    }
  }

  #searchWhole(request: SearchRequest): EngineFindings {
    const window = this.#window;
    const { ascii, unicode, bytes } = this.#matchers;
    const form = unicodeForm(window.bytes());
    if (form === "utf-32") return { kind: "skipped", reason: "binary" };
    if (form !== "bytes") {
      const text = decodeExactly(form, window.bytes(2));
      return text === undefined ? { kind: "odd" } : this.#findIn(text, request, unicode);
    }
    const raw = window.latin1();
    if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
    // A literal's bytes are sought among the file's bytes: what cannot match is not decoded.
    if (bytes !== "" && raw.indexOf(bytes) === -1) return { kind: "none" };
    if (this.#holdsAscii(window.bytes())) return this.#findIn(raw, request, ascii);
    const text = decodeExactly("utf-8", window.bytes(bomLength(window.bytes())));
    return text === undefined ? { kind: "odd" } : this.#findIn(text, request, unicode);
  }

  /** A file that is read piece by piece: pieces end between lines, with room for context lines. */
  #searchByWindows(
    request: SearchRequest,
    { countLines }: { readonly countLines: boolean },
  ): EngineFindings {
    const window = this.#window;
    const { unicode, bytes } = this.#matchers;
    const blocks: LineBlock[] = [];
    let matchedLines = 0;
    let firstLine = 0;
    let lead = 0;
    let textStart = bomLength(window.bytes());
    if (unicodeForm(window.bytes()) !== "bytes") return { kind: "odd" };
    for (;;) {
      this.onStep();
      const raw = window.latin1();
      if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
      const end = window.atEnd ? raw.length : raw.lastIndexOf("\n") + 1;
      const searchEnd = window.atEnd ? end : lineStartBefore(raw, end, request.context);
      const keepFrom = lineStartBefore(raw, searchEnd, request.context);
      if (!window.atEnd && (keepFrom === 0 || searchEnd <= lead)) {
        // Lines as long as this are no text that an agent could work with.
        if (raw.length >= 1 << 25) return { kind: "skipped", reason: "too_large" };
        window.grow();
        continue;
      }
      if (bytes === "" || raw.indexOf(bytes, lead) !== -1) {
        const begin = Math.max(lead, textStart);
        const parts = [[textStart, begin], [begin, searchEnd], [searchEnd, end]] as const;
        const texts = parts.map(([from, to]) => decodeExactly("utf-8", window.bytes(from, to)));
        const [before, middle, after] = texts;
        if (before === undefined || middle === undefined || after === undefined) {
          return { kind: "odd" };
        }
        const found = searchLines(before + middle + after, unicode, {
          context: request.context,
          maxMatches: request.maxMatches - matchedLines,
          searchStart: before.length,
          searchEnd: before.length + middle.length + (window.atEnd ? 1 : 0),
        });
        if (found.matchedLines > 0 && !countLines) return { kind: "found", ...found };
        appendBlocks(blocks, found.blocks, firstLine);
        matchedLines += found.matchedLines;
        if (found.more) return { kind: "found", blocks, matchedLines, more: true };
      }
      if (window.atEnd) break;
      if (countLines) firstLine += countLineBreaks(raw, keepFrom);
      lead = searchEnd - keepFrom;
      textStart = 0;
      window.advance(keepFrom);
    }
    return blocks.length === 0
      ? { kind: "none" }
      : { kind: "found", blocks, matchedLines, more: false };
  }

  #findIn(text: string, request: SearchRequest, matcher: LineMatcher): FileFindings {
    this.onStep();
    const found = searchLines(text, matcher, request);
    return found.blocks.length === 0 ? { kind: "none" } : { kind: "found", ...found };
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

  #holdsAscii(bytes: Uint8Array): boolean {
    // deno-lint-ignore no-explicit-any -- loaded late: it costs a worker more than its start
    this.#isAscii ??= (globalThis as any).process.getBuiltinModule("node:buffer").isAscii;
    return this.#isAscii?.(bytes) ?? false;
  }

  #prepare({ query }: SearchRequest): void {
    if (this.#matchers.query !== JSON.stringify(query)) this.#matchers = newMatchers(query);
  }
}

function newMatchers(query: LineQuery): Matchers {
  const bytes = query.kind === "literal" ? new TextEncoder().encode(query.text) : [];
  return {
    query: JSON.stringify(query),
    bytes: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
    ascii: createLineMatcher(query, true),
    unicode: createLineMatcher(query, false),
  };
}

/** One of FINDING_LETTERS, or `f`. */
function letterOf(findings: EngineFindings): string {
  if (findings.kind !== "skipped") return findings.kind.charAt(0);
  return findings.reason === "binary" ? "b" : findings.reason === "too_large" ? "t" : "r";
}

/** Everything that runs here, for a thread that can load no module. */
export const LOCAL_SCAN_PARTS: readonly SourcePart[] = [
  LocalScanEngine,
  newMatchers,
  letterOf,
];
