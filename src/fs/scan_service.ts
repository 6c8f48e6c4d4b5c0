// Owns: what a session keeps for listing and searching: threads, what was seen before, rules from outside.
// Must not know: which tool asks, words for the agent.

import { type FileScanner, FileSystemScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import { NO_OUTSIDE_RULES, type OutsideRules, scopeInside } from "./ignore_sources.ts";
import { LocalScanner } from "./local_scanner.ts";
import type { PathFilter } from "./path_filter.ts";
import { ScanPool, type ScanPoolOptions } from "./scan_pool.ts";
import { TreeMemory } from "./tree_memory.ts";
import { type Tree, walkTree } from "./walk.ts";

export interface ScanServiceOptions {
  readonly outside?: OutsideRules;
  readonly threads?: ScanPoolOptions;
}

export interface TreeRequest {
  readonly fileSystem: FileSystem;
  readonly root: string;
  /** The allowed directory that holds the root. */
  readonly boundary: string | undefined;
  /** Printed in front of every path in the tree. */
  readonly prefix: string;
  readonly includeHidden: boolean;
  readonly includeIgnored: boolean;
  readonly filter?: PathFilter | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxTime?: number | undefined;
  readonly isForSearch?: boolean;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export class ScanService {
  readonly #pool: ScanPool;
  readonly #outside: OutsideRules;
  readonly #trees = new TreeMemory();
  readonly #scanners = new WeakMap<FileSystem, FileScanner>();

  constructor(options: ScanServiceOptions = {}) {
    this.#pool = new ScanPool(options.threads);
    this.#outside = options.outside ?? NO_OUTSIDE_RULES;
  }

  scannerFor(fileSystem: FileSystem): FileScanner {
    let scanner = this.#scanners.get(fileSystem);
    if (scanner === undefined) {
      scanner = fileSystem.key === "local"
        ? new LocalScanner(fileSystem, this.#pool)
        : new FileSystemScanner(fileSystem, this.#pool);
      this.#scanners.set(fileSystem, scanner);
    }
    return scanner;
  }

  /** The tree below a directory, without what ignore files exclude unless that is wanted. */
  async tree(request: TreeRequest): Promise<Tree> {
    const { fileSystem, root, boundary, includeIgnored } = request;
    const scope = includeIgnored
      ? undefined
      : await scopeInside(fileSystem, root, { boundary, outside: this.#outside });
    const scanner = this.scannerFor(fileSystem);
    const { prefix, includeHidden, filter, maxDepth, signal } = request;
    const key = JSON.stringify([
      fileSystem.key,
      root,
      prefix,
      [includeHidden, includeIgnored, maxDepth],
      filter?.source,
      scope?.source,
    ]);
    const known = await this.#trees.recall(key, { fileSystem, scanner, signal });
    if (known !== undefined) return known;
    const tree = await walkTree(root, { ...request, scope, scanner });
    this.#trees.keep(key, tree);
    return tree;
  }

  /** Ends the threads. */
  close(): void {
    this.#pool.close();
  }
}
