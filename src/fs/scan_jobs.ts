// Owns: what a scan of many files asks for and answers, as plain data that can pass between threads.
// Must not know: threads, how files are read, which place they are in.

import type { LineBlock, LineQuery } from "../text/line_search.ts";
import type { FileKind } from "./file_system.ts";

/** The kinds of entries as one letter each: file, directory, link, other. */
export const KIND_LETTERS: { readonly [Kind in FileKind]: string } = {
  file: "f",
  directory: "d",
  symlink: "l",
  other: "o",
};

/** What one directory holds: names in no order, and a kind letter for each. */
export type DirectoryListing =
  | {
    readonly kind: "listed";
    readonly names: readonly string[];
    readonly kinds: string;
    /** The state that it was read in; empty or absent where that cannot be told from the next one. */
    readonly state?: Signature;
  }
  | { readonly kind: "failed"; readonly reason: string };

export interface SearchRequest {
  readonly query: LineQuery;
  /** Lines around each match. */
  readonly context: number;
  /** Matched lines that a whole answer can hold; no file needs to report more. */
  readonly maxMatches: number;
  /** Files above this size are skipped. */
  readonly maxBytes: number;
}

export type SkipReason = "binary" | "too_large" | "unreadable";

export type FileFindings =
  | { readonly kind: "none" }
  | {
    readonly kind: "found";
    readonly blocks: readonly LineBlock[];
    readonly matchedLines: number;
    readonly more: boolean;
  }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

export type FileMeasure =
  | { readonly kind: "text"; readonly lines: number; readonly bytes: number }
  | { readonly kind: "binary"; readonly bytes: number }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Names one state of a file or directory: size, times and inode. Empty where the state is too young
 * for its times to tell it from the next one.
 */
export type Signature = string;

/** A path, with the state in which its answer is known already. */
export interface KnownPath {
  readonly path: string;
  readonly known?: Signature;
}

/** What a scan thread is asked; `settledBefore` is the time after which a state is too young. */
export type ScanJob =
  | {
    readonly kind: "list";
    readonly directories: readonly KnownPath[];
    readonly settledBefore: number;
    /** Directories above this size are left to another thread. */
    readonly maxBytes: number;
  }
  | {
    readonly kind: "search";
    /** Joined by NUL, which no path holds: one string passes between threads faster than many. */
    readonly paths: string;
    /** The states in which a file is known to hold no match, joined alike; empty where not known. */
    readonly known?: string;
    readonly request: SearchRequest;
    /** Milliseconds after which the rest is left to another job. */
    readonly budget: number;
  }
  | {
    readonly kind: "measure";
    readonly files: readonly KnownPath[];
    readonly settledBefore: number;
    readonly maxBytes: number;
    readonly budget: number;
  }
  | { readonly kind: "sign"; readonly paths: string; readonly settledBefore: number }
  | { readonly kind: "match"; readonly text: string; readonly request: SearchRequest };

export type Unchanged = { readonly kind: "unchanged" };

/** `odd` is text that only the main thread can decode. */
export type EngineFindings = FileFindings | Unchanged | { readonly kind: "odd" };

/** The findings of many files: one letter each, and what was found in those that have `f`. */
export interface PackedFindings {
  readonly letters: string;
  readonly found: readonly FileFindings[];
}

/** Letters of findings that need no more words. */
export const FINDING_LETTERS: ReadonlyMap<string, EngineFindings> = new Map([
  ["n", { kind: "none" }],
  ["u", { kind: "unchanged" }],
  ["o", { kind: "odd" }],
  ["b", { kind: "skipped", reason: "binary" }],
  ["t", { kind: "skipped", reason: "too_large" }],
  ["r", { kind: "skipped", reason: "unreadable" }],
]);

export type EngineListing =
  | Unchanged
  | { readonly kind: "too_large" }
  | {
    readonly kind: "listed";
    readonly signature: Signature;
    /** Joined by `/`, which no name holds. */
    readonly names: string;
    readonly kinds: string;
  }
  | { readonly kind: "failed"; readonly reason: string };

export type EngineMeasure =
  | Unchanged
  | { readonly kind: "too_large" }
  | { readonly kind: "measured"; readonly signature: Signature; readonly measure: FileMeasure };

/** Answers in the order of the job's paths; those left out for want of budget are missing at the end. */
export interface ScanAnswers {
  readonly list: readonly EngineListing[];
  readonly search: PackedFindings;
  readonly measure: readonly EngineMeasure[];
  /** Joined by NUL. */
  readonly sign: string;
  readonly match: FileFindings;
}

export type ScanAnswer<Job extends ScanJob> = ScanAnswers[Job["kind"]];
