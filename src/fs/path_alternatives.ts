// Owns: what a path that does not exist may have meant: a sibling, a near name, a variable, another root.
// Must not know: allowed directories; the gate checks whatever comes from here.

import { pathsOf } from "./access.ts";
import type { FileSystem } from "./file_system.ts";
import { foldName, nearestNames } from "./path_cleaning.ts";
import { PathError, type PathProblem } from "./path_error.ts";

/** An absolute path on a file system, not yet canonical. */
export interface Place {
  readonly fileSystem: FileSystem;
  readonly path: string;
}

export async function parentExists({ fileSystem, path }: Place): Promise<boolean> {
  return await fileSystem.stat(pathsOf(fileSystem).dirname(path)).then(
    (info) => info.kind === "directory",
    () => false,
  );
}

/** The one entry of the directory whose name differs only in Unicode form, spaces or quotes. */
export async function siblingOf({ fileSystem, path }: Place): Promise<Place | undefined> {
  const paths = pathsOf(fileSystem);
  const parent = paths.dirname(path);
  const name = paths.basename(path);
  const folded = foldName(name);
  const entries = await fileSystem.readDirectory(parent).catch(() => []);
  // The very name is there where it is a link that leads nowhere.
  const equal = entries.filter((one) => one.name !== name && foldName(one.name) === folded);
  const only = equal.length === 1 ? equal[0] : undefined;
  return only && { fileSystem, path: paths.join(parent, only.name) };
}

/** What a write through a link at the end of a path really changes. */
export async function linkHints(
  { fileSystem, path }: Place,
  { target, display }: {
    readonly target: string;
    readonly display: (path: string) => string;
  },
): Promise<string[]> {
  const info = await fileSystem.linkStat(path).catch(() => undefined);
  if (info?.kind !== "symlink") return [];
  return [`${display(path)} is a symbolic link; the file that it leads to is ${display(target)}.`];
}

/** The error for a missing path, with the nearest names in its deepest existing directory. */
export async function missingError(
  raw: string,
  { place, display }: { readonly place: Place; readonly display: (path: string) => string },
): Promise<PathError> {
  const { fileSystem, path } = place;
  const paths = pathsOf(fileSystem);
  let missing = path;
  while (true) {
    const parent = paths.dirname(missing);
    const entries = await fileSystem.readDirectory(parent).catch(() => undefined);
    if (entries !== undefined || parent === missing) {
      const names = nearestNames(paths.basename(missing), (entries ?? []).map((one) => one.name));
      const nearest = names.map((name) => display(paths.join(parent, name)));
      const firstMissing = missing === path ? undefined : display(missing);
      const resolved = fileSystem.key === "local" ? path : fileSystem.key + path;
      return new PathError({ kind: "missing", raw, resolved, nearest, firstMissing });
    }
    missing = parent;
  }
}

export interface WriteCircumstances {
  readonly workingPlace: Place;
  readonly rootIsGuessed: boolean;
  readonly homeDirectory: string | undefined;
  readonly environment: ((name: string) => string | undefined) | undefined;
}

/** Why a new file at this path is hardly meant: `$HOME/x`, `~name/x`, or a server started nowhere in particular. */
export function doubtfulWrite(
  raw: string,
  circumstances: WriteCircumstances,
): PathProblem | undefined {
  const { workingPlace, rootIsGuessed, homeDirectory, environment } = circumstances;
  const variable = /^\$\{?([A-Z_][A-Z0-9_]*)\}?(?=$|\/)/.exec(raw);
  if (variable) {
    const value = environment?.(variable[1] ?? "");
    const expanded = value === undefined ? undefined : value + raw.slice(variable[0].length);
    return { kind: "variable", raw, expanded };
  }
  if (/^~[A-Za-z_]/.test(raw)) return { kind: "other_home", raw };
  const working = workingPlace.path;
  const nowhere = working === "/" || working === homeDirectory ||
    /^[A-Za-z]:\\(?:Windows.*)?$/i.test(working);
  const relative = !pathsOf(workingPlace.fileSystem).isAbsolute(raw) && !/^~/.test(raw);
  if (rootIsGuessed && nowhere && relative) {
    return { kind: "guessed_root", raw, workingDirectory: working };
  }
  return undefined;
}
