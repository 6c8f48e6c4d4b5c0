// Owns: how many files are listed, searched and measured, as one interface, and it over any FileSystem.
// Must not know: which tool asks, ignore rules, how local files are read fast (local_scanner.ts).

import { decodeBytes } from "../text/encoding.ts";
import { createLineMatcher, searchLines } from "../text/line_search.ts";
import { type FileSystem, FileSystemError } from "./file_system.ts";
import {
  type DirectoryListing,
  type FileFindings,
  type FileMeasure,
  KIND_LETTERS,
  type SearchRequest,
  type Signature,
} from "./scan_jobs.ts";
import type { ScanPool } from "./scan_pool.ts";

/** Asks a place about many files at once; it decides what runs side by side. */
export interface FileScanner {
  /** One answer per directory, in order; a failure is an answer. */
  list(directories: readonly string[], signal: AbortSignal): Promise<readonly DirectoryListing[]>;
  /** True where every directory is certain to be in the state that an earlier listing named. */
  areUnchanged(
    directories: readonly string[],
    states: readonly Signature[],
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Word that so many files are going to be searched. */
  expect(files: number): void;
  /** One answer per file, in order, in portions; a caller that has enough stops asking. */
  search(
    files: readonly string[],
    request: SearchRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly FileFindings[]>;
  /** One answer per file, in order. */
  measure(files: readonly string[], signal: AbortSignal): Promise<readonly FileMeasure[]>;
}

/** Requests that a remote place works on at the same time: half of the 256 handles that some servers have. */
const SIDE_BY_SIDE = 128;
/** Files searched before a caller is asked whether it has enough; each further portion is twice as large. */
const MOST_AT_ONCE = 512;
/** Files are read as a whole here, so not larger ones. */
const WHOLE_LIMIT = 16 << 20;

/** Scans through the FileSystem interface alone, for places that have nothing faster. */
export class FileSystemScanner implements FileScanner {
  constructor(readonly fileSystem: FileSystem, readonly pool: ScanPool) {}

  list(directories: readonly string[], signal: AbortSignal): Promise<readonly DirectoryListing[]> {
    return inParallel(directories, signal, async (path) => {
      try {
        const entries = await this.fileSystem.readDirectory(path);
        const kinds = entries.map(({ kind }) => KIND_LETTERS[kind]).join("");
        return { kind: "listed", names: entries.map(({ name }) => name), kinds };
      } catch (error) {
        return { kind: "failed", reason: failureReason(error) };
      }
    });
  }

  areUnchanged(): Promise<boolean> {
    return Promise.resolve(false);
  }

  expect(): void {}

  async *search(
    files: readonly string[],
    request: SearchRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly FileFindings[]> {
    let size = SIDE_BY_SIDE;
    for (let start = 0; start < files.length;) {
      const portion = files.slice(start, start + size);
      start += portion.length;
      // At the end of a portion the line stands idle, so portions grow.
      size = Math.min(size * 2, MOST_AT_ONCE);
      yield await inParallel(portion, signal, (path) => this.searchFile(path, request, signal));
    }
  }

  /** Searches one file, whatever its encoding. */
  async searchFile(
    path: string,
    request: SearchRequest,
    signal: AbortSignal,
  ): Promise<FileFindings> {
    const limit = Math.min(request.maxBytes, WHOLE_LIMIT);
    let bytes: Uint8Array;
    try {
      bytes = await this.fileSystem.readFile(path, { length: limit + 1, signal });
    } catch (error) {
      signal.throwIfAborted();
      rethrowLostConnection(error);
      return { kind: "skipped", reason: "unreadable" };
    }
    if (bytes.length > limit) return { kind: "skipped", reason: "too_large" };
    const decoded = decodeBytes(bytes);
    if (decoded.kind === "binary") return { kind: "skipped", reason: "binary" };
    if (request.query.kind === "regex") {
      if (!decoded.text.includes(request.query.needle)) return { kind: "none" };
      // A regular expression may never end, so it runs where it can be stopped.
      return await this.pool.run({ kind: "match", text: decoded.text, request }, signal);
    }
    const found = searchLines(decoded.text, createLineMatcher(request.query, false), request);
    return found.blocks.length === 0 ? { kind: "none" } : { kind: "found", ...found };
  }

  measure(files: readonly string[], signal: AbortSignal): Promise<readonly FileMeasure[]> {
    return inParallel(files, signal, async (path): Promise<FileMeasure> => {
      try {
        const bytes = await this.fileSystem.readFile(path, { length: WHOLE_LIMIT + 1, signal });
        if (bytes.length > WHOLE_LIMIT) {
          return { kind: "unreadable", reason: "too large to count" };
        }
        const decoded = decodeBytes(bytes);
        if (decoded.kind === "binary") return { kind: "binary", bytes: bytes.length };
        return { kind: "text", lines: countLines(decoded.text), bytes: bytes.length };
      } catch (error) {
        rethrowLostConnection(error);
        return { kind: "unreadable", reason: failureReason(error) };
      }
    });
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** Without its connection a place can answer nothing more: no list of failed files helps. */
function rethrowLostConnection(error: unknown): void {
  if (error instanceof FileSystemError && error.code === "connection_failed") throw error;
}

function failureReason(error: unknown): string {
  return error instanceof FileSystemError ? error.code.replaceAll("_", " ") : String(error);
}

/** Results in order, a bounded number of them under way at a time. */
async function inParallel<Result>(
  paths: readonly string[],
  signal: AbortSignal,
  work: (path: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(paths.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < paths.length; index = next++) {
      signal.throwIfAborted();
      const path = paths[index];
      if (path !== undefined) results[index] = await work(path);
    }
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, paths.length) }, lane));
  return results;
}
