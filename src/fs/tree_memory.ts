// Owns: the trees of earlier calls, and the proof that a walk would bring the same again.
// Must not know: which tool asks, how a state is found out.

import type { FileScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import { readSeenRules } from "./ignore_sources.ts";
import type { Tree, TreeSources } from "./walk.ts";

/** Entries of all kept trees together; some 200 bytes each. */
const MOST_ENTRIES = 150_000;

export interface TreePlace {
  readonly fileSystem: FileSystem;
  readonly scanner: FileScanner;
  readonly signal: AbortSignal;
}

export class TreeMemory {
  /** The tree that was used last is the last. */
  readonly #trees = new Map<string, Tree>();

  constructor(readonly capacity: number = MOST_ENTRIES) {}

  /** The tree that was kept under `key`, unless anything that it was made of has changed. */
  async recall(key: string, place: TreePlace): Promise<Tree | undefined> {
    const tree = this.#trees.get(key);
    this.#trees.delete(key);
    if (tree?.sources === undefined || !await isUnchanged(tree.sources, place)) return undefined;
    this.#trees.set(key, tree);
    return tree;
  }

  keep(key: string, tree: Tree): void {
    this.#trees.delete(key);
    if (tree.sources === undefined) return;
    this.#trees.set(key, tree);
    let entries = 0;
    for (const kept of this.#trees.values()) entries += sizeOf(kept);
    for (const [oldest, kept] of this.#trees) {
      if (entries <= this.capacity) break;
      entries -= sizeOf(kept);
      this.#trees.delete(oldest);
    }
  }
}

function sizeOf({ files, sources }: Tree): number {
  return files + (sources?.directories.length ?? 0);
}

async function isUnchanged(
  { directories, states, rules }: TreeSources,
  { fileSystem, scanner, signal }: TreePlace,
): Promise<boolean> {
  if (!await scanner.areUnchanged(directories, states, signal)) return false;
  // A rule file that is written again leaves its directory as it is.
  const now = await Promise.all(
    rules.map(({ path, telling }) => readSeenRules(fileSystem, path, telling)),
  );
  return JSON.stringify(now) === JSON.stringify(rules);
}
