// Owns: the trees of earlier calls, and the proof that a walk would bring the same again.
// Must not know: which tool asks, how a state is found out.

import type { FileScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import { readSeenRules } from "./ignore_sources.ts";
import type { Tree, TreeSources } from "./walk.ts";

/** Room for all kept trees together, in files; some 150 bytes each. */
const MOST_FILES = 150_000;
/** A directory takes the room of so many files. */
const DIRECTORY_WEIGHT = 4;

export interface TreePlace {
  readonly fileSystem: FileSystem;
  readonly scanner: FileScanner;
  readonly signal: AbortSignal;
}

export class TreeMemory {
  /** The tree that was used last is the last. */
  readonly #trees = new Map<string, Tree>();

  constructor(readonly capacity: number = MOST_FILES) {}

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
    let size = 0;
    for (const kept of this.#trees.values()) size += sizeOf(kept);
    for (const [oldest, kept] of this.#trees) {
      if (size <= this.capacity) break;
      size -= sizeOf(kept);
      this.#trees.delete(oldest);
    }
  }
}

function sizeOf({ files, sources }: Tree): number {
  return files + DIRECTORY_WEIGHT * (sources?.directories.length ?? 0);
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
