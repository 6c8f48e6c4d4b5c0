// Owns: what earlier scans saw of local files and directories, within a bound, each with its signature.
// Must not know: how a signature is made or compared, threads.

import type { LineQuery } from "../text/line_search.ts";
import type { DirectoryListing, FileMeasure, Signature } from "./scan_jobs.ts";

/** Files, and names in directories, that are remembered; some 40 MB together at the most. */
const DEFAULT_CAPACITY = 150_000;
/** Queries whose misses are remembered: one bit each in a file's record. */
const MAX_QUERIES = 30;

interface DirectoryRecord {
  readonly signature: Signature;
  /** Joined by `/`: one string takes a fraction of the memory of many. */
  readonly names: string;
  readonly kinds: string;
}

interface FileRecord {
  readonly signature: Signature;
  measure?: FileMeasure;
  /** A bit for each remembered query that found nothing in the file. */
  misses: number;
}

/** Nothing in here is used before the place has said that the signature still holds. */
export class ScanMemory {
  readonly #directories = new Map<string, DirectoryRecord>();
  readonly #files = new Map<string, FileRecord>();
  readonly #queries: (LineQuery | undefined)[] = [];
  #nextQuery = 0;
  #names = 0;

  constructor(readonly capacity: number = DEFAULT_CAPACITY) {}

  directorySignature(path: string): Signature | undefined {
    return this.#directories.get(path)?.signature;
  }

  listing(path: string): DirectoryListing | undefined {
    const record = this.#directories.get(path);
    if (record === undefined) return undefined;
    const { names, kinds, signature } = record;
    return { kind: "listed", names: splitNames(names), kinds, state: signature };
  }

  rememberDirectory(path: string, record: DirectoryRecord): void {
    this.#forgetDirectory(path);
    if (record.signature === "") return;
    this.#directories.set(path, record);
    this.#names += record.kinds.length;
    for (const oldest of this.#directories.keys()) {
      if (this.#names <= this.capacity) break;
      this.#forgetDirectory(oldest);
    }
  }

  /** The state in which the file's measure is known. */
  measureSignature(path: string): Signature | undefined {
    const record = this.#files.get(path);
    return record?.measure && record.signature;
  }

  measure(path: string): FileMeasure | undefined {
    return this.#files.get(path)?.measure;
  }

  rememberMeasure(path: string, signature: Signature, measure: FileMeasure): void {
    const record = this.#record(path, signature);
    if (record) record.measure = measure;
  }

  /** The state in which the file is known to hold nothing that one of `queries` finds. */
  missSignature(path: string, queries: number): Signature | undefined {
    const record = this.#files.get(path);
    return record && (record.misses & queries) !== 0 ? record.signature : undefined;
  }

  rememberMiss(path: string, signature: Signature, query: number): void {
    const record = this.#record(path, signature);
    if (record) record.misses |= query;
  }

  /** Bits of the remembered queries that find at least what `query` finds. */
  queriesCovering(query: LineQuery): number {
    return this.#queries.reduce(
      (bits, known, index) =>
        known !== undefined && covers(known, query) ? bits | 1 << index : bits,
      0,
    );
  }

  /** The bit that stands for `query` from now on. */
  queryBit(query: LineQuery): number {
    const known = this.#queries.findIndex((one) => one !== undefined && isSame(one, query));
    if (known !== -1) return 1 << known;
    const index = this.#nextQuery;
    this.#nextQuery = (index + 1) % MAX_QUERIES;
    if (this.#queries[index] !== undefined) {
      for (const record of this.#files.values()) record.misses &= ~(1 << index);
    }
    this.#queries[index] = query;
    return 1 << index;
  }

  #record(path: string, signature: Signature): FileRecord | undefined {
    if (signature === "") return undefined;
    const known = this.#files.get(path);
    if (known?.signature === signature) return known;
    const record: FileRecord = { signature, misses: 0 };
    this.#files.delete(path);
    this.#files.set(path, record);
    if (this.#files.size > this.capacity) {
      const oldest = this.#files.keys().next().value;
      if (oldest !== undefined) this.#files.delete(oldest);
    }
    return record;
  }

  #forgetDirectory(path: string): void {
    this.#names -= this.#directories.get(path)?.kinds.length ?? 0;
    this.#directories.delete(path);
  }
}

export function splitNames(names: string): readonly string[] {
  return names === "" ? [] : names.split("/");
}

function isSame(one: LineQuery, other: LineQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A text without a needle is without every longer needle that holds it. */
function covers(known: LineQuery, query: LineQuery): boolean {
  if (known.kind === "literal" && query.kind === "literal") return query.text.includes(known.text);
  return isSame(known, query);
}
