// Owns: what path an operand of a command names: for a tool's argument, and against the allowed directories.
// Must not know: the disk, programs, messages.

import { posix, win32 } from "node:path";
import type { Word } from "./shell_words.ts";

export type Platform = "posix" | "windows";

/** Where a command stands when it runs. */
export interface Surroundings {
  readonly platform: Platform;
  /** Absolute, canonical. */
  readonly localDirectories: readonly string[];
  /** Directory that a `cd` before the command leads to, as written; "" for the working directory. */
  readonly directory: string | undefined;
}

/** The directory after `cd`, as far as it can be known without looking at the disk. */
export function changeDirectory(
  directory: string | undefined,
  operand: Word | undefined,
  platform: Platform,
): string | undefined {
  if (operand === undefined) return "~";
  if (operand.text === "-" || operand.expands || operand.glob) return undefined;
  if (operand.tilde || isAbsolute(operand.text, platform)) return operand.text;
  if (directory === undefined) return undefined;
  return pathModule(platform).join(directory, operand.text);
}

/**
 * The path as a tool's argument, or undefined where it is not known or cannot be passed.
 * A leading dash or a literal `~` gets `./`, so that no later reader takes it for something else.
 */
export function pathArgument(word: Word, around: Surroundings): string | undefined {
  if (word.expands || word.glob || word.text === "" || word.text.includes("\0")) return undefined;
  if (word.tilde) return /^~(?:$|\/)/.test(word.text) ? word.text : undefined;
  return placeText(word.text, around);
}

/** Directory to search and glob to pass as `pattern`, for an operand with `*`, `?`, `[` or `{a,b}`. */
export function globArgument(
  word: Word,
  around: Surroundings,
): { readonly path: string; readonly pattern: string } | undefined {
  if (word.expands || !word.glob || word.tilde) return undefined;
  if (isAbsolute(word.text, around.platform)) return undefined;
  const parts = word.text.split("/");
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  const directory = parts.slice(0, first).join("/");
  const path = placeText(directory === "" ? "." : directory, around);
  const pattern = parts.length === 1
    ? word.text
    : placeText(word.text.replace(/^\.\//, ""), around);
  if (path === undefined || pattern === undefined || /[|!\\]|\{(?![^{}]*,[^{}]*\})/.test(pattern)) {
    return undefined;
  }
  return { path, pattern };
}

/** True when the path is absolute and the file tools could not serve it. */
export function isOutside(word: Word, around: Surroundings): boolean {
  const text = word.text;
  if (word.tilde || /^\$(?:HOME|\{HOME\})(?:$|\/)/.test(text)) return true;
  const known = text.slice(0, firstUnknown(word));
  const module = pathModule(around.platform);
  if (isAbsolute(known, around.platform)) return !isAllowed(module.normalize(known), around);
  const { directory } = around;
  if (directory === undefined || directory === "" || word.expands && known === "") return false;
  if (directory.startsWith("~")) return true;
  if (!isAbsolute(directory, around.platform)) return false;
  return !isAllowed(module.join(directory, known), around);
}

function isAllowed(path: string, around: Surroundings): boolean {
  const module = pathModule(around.platform);
  return around.localDirectories.some((allowed) => {
    const relative = module.relative(allowed, path);
    return relative === "" ||
      (!module.isAbsolute(relative) && relative.split(module.sep)[0] !== "..");
  });
}

function firstUnknown(word: Word): number {
  const at = word.text.search(word.expands ? /[$`*?[{]/ : /[*?[{]/);
  return at === -1 || !(word.expands || word.glob) ? word.text.length : at;
}

function placeText(text: string, around: Surroundings): string | undefined {
  if (isAbsolute(text, around.platform)) return text;
  if (around.directory === undefined) return undefined;
  const path = around.directory === ""
    ? text
    : pathModule(around.platform).join(around.directory, text);
  return /^[-~@]/.test(path) && !around.directory.startsWith("~") ? `./${path}` : path;
}

function isAbsolute(text: string, platform: Platform): boolean {
  return pathModule(platform).isAbsolute(text);
}

function pathModule(platform: Platform): typeof posix {
  return platform === "windows" ? win32 : posix;
}
