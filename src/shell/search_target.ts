// Owns: the `path` and `pattern` arguments of `view` that cover the operands of a command.
// Must not know: programs, options, messages.

import { globArgument, pathArgument, type Surroundings } from "./operand_path.ts";
import type { Word } from "./shell_words.ts";
import { formatToolCall } from "./tool_call.ts";

export interface SearchTarget {
  /** One root, or several joined by `|`. */
  readonly path: string;
  readonly pattern?: string;
}

/** Where `view` has to look for the same files, or undefined when that cannot be said in one call. */
export function searchTarget(
  paths: readonly Word[],
  around: Surroundings,
): SearchTarget | undefined {
  if (paths.length === 0) {
    if (around.directory === undefined) return undefined;
    return { path: around.directory === "" ? "." : around.directory };
  }
  const globs = paths.filter((word) => word.glob);
  if (globs.length === 0) return plainTarget(paths, around);
  if (globs.length < paths.length) return undefined;
  const found = globs.map((word) => globArgument(word, around));
  const roots = new Set(found.map((entry) => entry?.path));
  const [path] = roots;
  if (path === undefined || roots.size !== 1 || path.includes("|")) return undefined;
  return { path, pattern: found.map((entry) => entry?.pattern).join("|") };
}

const ROOTS_SHOWN = 5;

/** The roots one by one, since a listing, unlike a search, takes one only. */
export function separateRoots(path: string): readonly string[] {
  return path.split("|").slice(0, ROOTS_SHOWN);
}

/** For files named by a glob: the call that lists them, so that each can be viewed. */
export function listFirst(paths: readonly Word[], around: Surroundings): readonly string[] {
  const target = searchTarget(paths, around);
  return target === undefined
    ? []
    : [`${formatToolCall("view", { ...target })}   # then each file that it lists`];
}

function plainTarget(paths: readonly Word[], around: Surroundings): SearchTarget | undefined {
  const roots: string[] = [];
  for (const word of paths) {
    const path = pathArgument(word, around);
    // `view` separates roots by `|`, so a name that holds one cannot be passed.
    if (path === undefined || path.includes("|")) return undefined;
    roots.push(path);
  }
  return { path: roots.join("|") };
}
