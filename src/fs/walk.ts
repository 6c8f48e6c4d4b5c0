// Owns: walking a tree: which entries a call means, in sorted order, within bounds, failures and all.
// Must not know: what is done with the files, how directories are read fast, words for the agent.

import type { FileScanner } from "./file_scanner.ts";
import type { FileSystem } from "./file_system.ts";
import type { IgnoreScope } from "./ignore_rules.ts";
import { readSeenRules, type SeenRules } from "./ignore_sources.ts";
import type { PathFilter } from "./path_filter.ts";
import type { DirectoryListing, Signature } from "./scan_jobs.ts";

export interface TreeDirectory {
  readonly path: string;
  /** Printed in front of an entry's name: empty, or the directory as it is printed with a slash. */
  readonly prefix: string;
  /** 0 for the root of the walk. */
  readonly depth: number;
  /** By name. */
  readonly directories: TreeDirectory[];
  /** Names of its files, in no order: only some are ever shown, and sorting costs as much as listing. */
  readonly files: string[];
  /** What is neither a file nor a directory, in no order; links are not followed. */
  readonly others: OtherEntry[];
  /** Why it could not be read. */
  failure?: string;
}

export interface OtherEntry {
  readonly name: string;
  readonly kind: "symlink" | "other";
}

/** What a tree was made of: as long as all of it is the same, so is the tree. */
export interface TreeSources {
  readonly directories: readonly string[];
  /** Of each directory. */
  readonly states: readonly Signature[];
  /** The ignore files below the root. */
  readonly rules: readonly SeenRules[];
}

export interface Tree {
  readonly root: TreeDirectory;
  /** Absent where a directory's state could not be told from the next one, and for part of a tree. */
  readonly sources?: TreeSources;
  readonly files: number;
  /** Entries left out, a directory counting as one. */
  readonly hidden: number;
  readonly ignored: number;
  /** Files that the filter left out. */
  readonly filtered: number;
  readonly unreadable: readonly TreeDirectory[];
  /** Why the walk ended before the tree did. */
  readonly stopped?: "entries" | "time";
}

export interface WalkOptions {
  readonly scanner: FileScanner;
  readonly fileSystem: FileSystem;
  /** The rules inside the root; absent when ignored entries are wanted. */
  readonly scope: IgnoreScope | undefined;
  readonly prefix: string;
  readonly includeHidden: boolean;
  readonly filter?: PathFilter | undefined;
  /** Levels of entries; 1 is what the root holds. */
  readonly maxDepth?: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** The files are going to be searched. */
  readonly isForSearch?: boolean | undefined;
  readonly maxEntries?: number;
  /** Milliseconds. */
  readonly maxTime?: number | undefined;
}

const MAX_ENTRIES = 400_000;
const MAX_TIME = 40_000;
/** A guess for directories that are still to be listed. */
const FILES_IN_DIRECTORY = 8;
/** Milliseconds of sorting out entries before others may run. */
const SLICE = 16;

interface Visit {
  readonly directory: TreeDirectory;
  readonly scope: IgnoreScope | undefined;
}

/** Walks level by level, so that a place can read many directories at once. */
export async function walkTree(root: string, options: WalkOptions): Promise<Tree> {
  const walk = new Walk(options);
  return await walk.run(root);
}

class Walk {
  readonly #options: WalkOptions;
  readonly #unreadable: TreeDirectory[] = [];
  readonly #directories: string[] = [];
  readonly #states: Signature[] = [];
  readonly #rules: SeenRules[] = [];
  #files = 0;
  #hidden = 0;
  #ignored = 0;
  #filtered = 0;
  #entries = 0;
  #sliceStart = performance.now();

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async run(path: string): Promise<Tree> {
    const { prefix, scope, signal, progress, isForSearch } = this.#options;
    const { scanner, maxEntries = MAX_ENTRIES, maxTime = MAX_TIME } = this.#options;
    const root: TreeDirectory = { path, prefix, depth: 0, directories: [], files: [], others: [] };
    const end = performance.now() + maxTime;
    let stopped: Tree["stopped"];
    // The root's own rules are part of its scope already.
    let level: Visit[] = [{ directory: root, scope }];
    while (level.length > 0) {
      signal.throwIfAborted();
      if (performance.now() > end) stopped = "time";
      if (this.#entries > maxEntries) stopped = "entries";
      if (stopped !== undefined) break;
      progress(`listed ${this.#entries} entries`);
      if (isForSearch) scanner.expect(this.#files + level.length * FILES_IN_DIRECTORY);
      // A level is taken in portions, so that the bounds hold inside a wide one too.
      const portion = level.splice(0, PORTION);
      const paths = portion.map(({ directory }) => directory.path);
      const listings = await scanner.list(paths, signal);
      const next = await Promise.all(
        portion.map((visit, index) => this.#visit(visit, listings[index])),
      );
      level = level.concat(...next);
    }
    return {
      root,
      files: this.#files,
      hidden: this.#hidden,
      ignored: this.#ignored,
      filtered: this.#filtered,
      unreadable: this.#unreadable,
      ...(stopped === undefined ? this.#sources() : { stopped }),
    };
  }

  #sources(): { sources?: TreeSources } {
    if (this.#unreadable.length > 0 || this.#states.includes("")) return {};
    const [directories, states, rules] = [this.#directories, this.#states, this.#rules];
    return { sources: { directories, states, rules } };
  }

  /** Takes in what one directory holds; returns the directories to enter. */
  async #visit(visit: Visit, listing: DirectoryListing | undefined): Promise<Visit[]> {
    const { directory } = visit;
    if (listing === undefined || listing.kind === "failed") {
      directory.failure = listing?.reason ?? "no answer";
      this.#unreadable.push(directory);
      return [];
    }
    this.#directories.push(directory.path);
    this.#states.push(listing.state ?? "");
    const scope = await this.#scopeInside(visit, listing.names);
    const next: Visit[] = [];
    const { names, kinds } = listing;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? "";
      if (index % 128 === 0 && performance.now() - this.#sliceStart > SLICE) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        this.#options.signal.throwIfAborted();
        this.#sliceStart = performance.now();
      }
      this.#entries++;
      if (kinds[index] === "d") {
        const child = this.#takeDirectory(directory, name, scope);
        if (child !== undefined) next.push({ directory: child, scope: scope?.enter(name) });
      } else if (this.#takesFile(directory, name, scope)) {
        if (kinds[index] === "f") directory.files.push(name);
        else directory.others.push({ name, kind: kinds[index] === "l" ? "symlink" : "other" });
      }
    }
    directory.directories.sort(byPath);
    return next.sort((one, other) => byPath(one.directory, other.directory));
  }

  async #scopeInside(
    { directory, scope }: Visit,
    names: readonly string[],
  ): Promise<IgnoreScope | undefined> {
    if (scope === undefined || directory.depth === 0) return scope;
    const telling = names.filter((name) =>
      name === ".gitignore" || name === ".ignore" || name === ".git"
    );
    if (telling.length === 0) return scope;
    const seen = await readSeenRules(this.#options.fileSystem, directory.path, telling);
    this.#rules.push(seen);
    return scope.with(seen.rules);
  }

  #takeDirectory(
    parent: TreeDirectory,
    name: string,
    scope: IgnoreScope | undefined,
  ): TreeDirectory | undefined {
    const { filter, maxDepth = Infinity } = this.#options;
    if (this.#leavesOut(name, true, scope)) return undefined;
    if (filter?.prunesDirectory(parent.prefix + name, name)) return undefined;
    const child: TreeDirectory = {
      path: parent.path.endsWith("/") ? parent.path + name : `${parent.path}/${name}`,
      prefix: `${parent.prefix}${name}/`,
      depth: parent.depth + 1,
      directories: [],
      files: [],
      others: [],
    };
    parent.directories.push(child);
    return child.depth < maxDepth ? child : undefined;
  }

  #takesFile(parent: TreeDirectory, name: string, scope: IgnoreScope | undefined): boolean {
    const { filter } = this.#options;
    if (this.#leavesOut(name, false, scope)) return false;
    if (filter && !filter.includesFile(parent.prefix + name, name)) {
      this.#filtered++;
      return false;
    }
    this.#files++;
    return true;
  }

  #leavesOut(name: string, isDirectory: boolean, scope: IgnoreScope | undefined): boolean {
    // A repository's own files are no part of the project, whatever else is included.
    if (name === ".git") return true;
    if (!this.#options.includeHidden && name.startsWith(".")) {
      this.#hidden++;
      return true;
    }
    if (!scope?.ignores(name, isDirectory)) return false;
    this.#ignored++;
    return true;
  }
}

/** Directories that are asked for at once. */
const PORTION = 2_048;

/** Of trees that are kept, so that they are put in order once. */
const inOrder = new WeakMap<TreeDirectory, readonly string[]>();

/** The paths of all files in printed order: entries and directories of one directory by name. */
export function filesInOrder(root: TreeDirectory): readonly string[] {
  const known = inOrder.get(root);
  if (known !== undefined) return known;
  const files: string[] = [];
  const add = (directory: TreeDirectory) => {
    const prefix = directory.path.endsWith("/") ? directory.path : `${directory.path}/`;
    const children = directory.directories;
    let next = 0;
    for (const name of directory.files.sort()) {
      for (let child = children[next]; child && nameOf(child) < name; child = children[next]) {
        next++;
        add(child);
      }
      files.push(prefix + name);
    }
    for (const child of children.slice(next)) add(child);
  };
  add(root);
  inOrder.set(root, files);
  return files;
}

function byPath(one: TreeDirectory, other: TreeDirectory): number {
  return one.path < other.path ? -1 : 1;
}

/** Last part of a directory's path. */
export function nameOf({ path }: TreeDirectory): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
