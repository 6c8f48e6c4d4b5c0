// Owns: layer one: the canonical form of a path and whether it lies inside an allowed directory.
// Must not know: working directory, what an agent typed, tools.

import { posix, win32 } from "node:path";
import { type FileSystem, FileSystemError, isMissing } from "./file_system.ts";

/** The kernel's own bound on links followed for one path. */
const MAX_LINKS = 40;

export interface CanonicalPath {
  /** Every symbolic link resolved, also a dangling one at the end: where a write would land. */
  readonly path: string;
  /** False when nothing exists there. */
  readonly exists: boolean;
}

/** The path module for a file system's own syntax. */
export function pathsOf(fileSystem: FileSystem): typeof posix {
  return fileSystem.pathStyle === "windows" ? win32 : posix;
}

/**
 * Resolves the links of the longest existing part and of dangling links after it.
 * Throws FileSystemError `link_loop` beyond 40 links.
 */
export async function canonicalize(fileSystem: FileSystem, path: string): Promise<CanonicalPath> {
  const paths = pathsOf(fileSystem);
  let current = paths.resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    try {
      return { path: await fileSystem.realPath(current), exists: true };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const next = await resolveMissing(fileSystem, current);
    if (next.kind === "missing") return { path: next.path, exists: false };
    current = next.path;
  }
  throw new FileSystemError("link_loop", path);
}

/** As `canonicalize`, except that a link at the end is itself what is meant. */
export async function canonicalizeParent(
  fileSystem: FileSystem,
  path: string,
): Promise<CanonicalPath> {
  const paths = pathsOf(fileSystem);
  const parent = await canonicalize(fileSystem, paths.dirname(path));
  const entry = paths.join(parent.path, paths.basename(path));
  const info = await fileSystem.linkStat(entry).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (info?.kind === "symlink") return { path: entry, exists: true };
  return await canonicalize(fileSystem, entry);
}

/**
 * Climbs from a path that does not resolve to its nearest existing ancestor, and says either that
 * the rest is simply missing or where the first dangling link on the way leads.
 */
async function resolveMissing(
  fileSystem: FileSystem,
  path: string,
): Promise<{ kind: "missing" | "link"; path: string }> {
  const paths = pathsOf(fileSystem);
  const rest: string[] = [];
  let current = path;
  while (true) {
    const parent = paths.dirname(current);
    if (parent === current) return { kind: "missing", path: paths.join(current, ...rest) };
    const name = paths.basename(current);
    const realParent = await fileSystem.realPath(parent).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (realParent !== undefined) {
      const entry = paths.join(realParent, name);
      const info = await fileSystem.linkStat(entry).catch((error) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (info?.kind !== "symlink") {
        return { kind: "missing", path: paths.join(entry, ...rest) };
      }
      const target = paths.resolve(realParent, await fileSystem.readLink(entry));
      return { kind: "link", path: paths.join(target, ...rest) };
    }
    rest.unshift(name);
    current = parent;
  }
}

/** True when `path` is `directory` or below it; both canonical, compared component by component. */
export function contains(
  fileSystem: FileSystem,
  pair: { directory: string; path: string },
): boolean {
  const paths = pathsOf(fileSystem);
  const directory = components(paths, pair.directory);
  const path = components(paths, pair.path);
  return directory.length <= path.length &&
    directory.every((component, index) => sameComponent(fileSystem, component, path[index]));
}

function components(paths: typeof posix, path: string): string[] {
  const { root } = paths.parse(path);
  // The root of a UNC share ends in a separator only where something follows it.
  return [
    root.replace(/[\\/]+$/, ""),
    ...path.slice(root.length).split(paths.sep).filter((part) => part !== ""),
  ];
}

function sameComponent(fileSystem: FileSystem, left: string, right: string | undefined): boolean {
  if (left === right) return true;
  // Windows names the same directory in any case; realPath settles the case elsewhere.
  return fileSystem.pathStyle === "windows" && left.toLowerCase() === right?.toLowerCase();
}
