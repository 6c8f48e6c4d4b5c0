// Owns: which directories of a tree a listing opens and which it shows as one row, within a budget.
// Must not know: how rows are written, where the tree came from.

import { type Budget, byteLength } from "../text/excerpt.ts";
import { nameOf, type OtherEntry, type TreeDirectory } from "./walk.ts";

export type OutlineRow =
  | {
    readonly kind: "file" | OtherEntry["kind"];
    readonly directory: TreeDirectory;
    readonly name: string;
  }
  /** Not opened, or with nothing in it; `files` counts the whole subtree. */
  | { readonly kind: "directory"; readonly directory: TreeDirectory; readonly files: number };

export interface Outline {
  readonly rows: readonly OutlineRow[];
  /** Rows of the root itself that the budget does not hold. */
  readonly cut: number;
  readonly collapsed: boolean;
}

export interface OutlineOptions {
  readonly budget: Budget;
  /** Levels that may be opened. */
  readonly maxDepth: number;
  /** Leave out directories without files: a filter has emptied them. */
  readonly omitEmpty: boolean;
}

/** Bytes of what a row says besides its path. */
const ROW_EXTRA = 24;

/** Opens directories level by level, on each level the small ones first, while the budget lasts. */
export function outlineTree(root: TreeDirectory, options: OutlineOptions): Outline {
  const counts = countFiles(root);
  const outliner = new Outliner(counts, options);
  return outliner.outline(root);
}

class Outliner {
  readonly #open = new Set<TreeDirectory>();
  #rows = 0;
  #bytes = 0;
  #collapsed = false;

  constructor(
    readonly counts: ReadonlyMap<TreeDirectory, number>,
    readonly options: OutlineOptions,
  ) {}

  outline(root: TreeDirectory): Outline {
    this.#tryToOpen(root, true);
    for (let level = [root]; level.length > 0;) {
      const children = level.flatMap((directory) => this.#childrenOf(directory));
      const added = new Map(children.map((child) => [child, this.#addedRows(child)]));
      children.sort((left, right) => (added.get(left) ?? 0) - (added.get(right) ?? 0));
      level = children.filter((child) => this.#tryToOpen(child, false));
    }
    const rows = [...this.#rowsOf(root)];
    const kept = rows.slice(0, this.#fitting(rows));
    return { rows: kept, cut: rows.length - kept.length, collapsed: this.#collapsed };
  }

  #tryToOpen(directory: TreeDirectory, always: boolean): boolean {
    if (directory.failure !== undefined || this.#isEmpty(directory)) return false;
    const { budget, maxDepth } = this.options;
    const rows = this.#rows + this.#addedRows(directory);
    const mayOpen = rows <= budget.maxLines && directory.depth < maxDepth;
    // Bytes are counted last: most directories of a large tree fail before that.
    const bytes = always || mayOpen ? this.#bytes + this.#addedBytes(directory) : Infinity;
    if (bytes > budget.maxBytes && !always) {
      this.#collapsed = true;
      return false;
    }
    this.#open.add(directory);
    this.#rows = rows;
    this.#bytes = bytes;
    return true;
  }

  /** Rows that opening adds, less the one that the closed directory has. */
  #addedRows(directory: TreeDirectory): number {
    const { depth, files, others } = directory;
    const own = depth === 0 ? 0 : 1;
    return files.length + others.length + this.#childrenOf(directory).length - own;
  }

  #addedBytes(directory: TreeDirectory): number {
    const prefix = byteLength(directory.prefix) + ROW_EXTRA;
    let bytes = directory.depth === 0 ? 0 : -prefix;
    for (const name of directory.files) bytes += prefix + byteLength(name);
    for (const { name } of directory.others) bytes += prefix + byteLength(name);
    for (const child of this.#childrenOf(directory)) bytes += byteLength(child.prefix) + ROW_EXTRA;
    return bytes;
  }

  #childrenOf(directory: TreeDirectory): TreeDirectory[] {
    if (!this.options.omitEmpty) return directory.directories;
    return directory.directories.filter((child) =>
      (this.counts.get(child) ?? 0) > 0 || child.failure !== undefined
    );
  }

  #isEmpty(directory: TreeDirectory): boolean {
    const { files, others } = directory;
    return files.length + others.length + this.#childrenOf(directory).length === 0;
  }

  *#rowsOf(directory: TreeDirectory): Generator<OutlineRow> {
    const children = this.#childrenOf(directory);
    const files = directory.files.map((name) => ({ name, kind: "file" as const }));
    const entries: readonly (OtherEntry | typeof files[number])[] = [...files, ...directory.others]
      .sort((one, other) => one.name < other.name ? -1 : 1);
    let next = 0;
    for (const { name, kind } of entries) {
      for (let child = children[next]; child && nameOf(child) < name; child = children[next]) {
        next++;
        yield* this.#directoryRows(child);
      }
      yield { kind, directory, name };
    }
    for (const child of children.slice(next)) yield* this.#directoryRows(child);
  }

  *#directoryRows(directory: TreeDirectory): Generator<OutlineRow> {
    if (this.#open.has(directory)) yield* this.#rowsOf(directory);
    else yield { kind: "directory", directory, files: this.counts.get(directory) ?? 0 };
  }

  #fitting(rows: readonly OutlineRow[]): number {
    const { maxLines, maxBytes } = this.options.budget;
    let bytes = 0;
    for (const [index, row] of rows.entries()) {
      const name = row.kind === "directory" ? "" : row.name;
      bytes += byteLength(row.directory.prefix + name) + ROW_EXTRA;
      if (index >= maxLines || bytes > maxBytes) return index;
    }
    return rows.length;
  }
}

/** Entries of each subtree. */
function countFiles(root: TreeDirectory): Map<TreeDirectory, number> {
  const counts = new Map<TreeDirectory, number>();
  const count = (directory: TreeDirectory): number => {
    let files = directory.files.length + directory.others.length;
    for (const child of directory.directories) files += count(child);
    counts.set(directory, files);
    return files;
  };
  count(root);
  return counts;
}
