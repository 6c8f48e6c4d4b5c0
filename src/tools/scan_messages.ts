// Owns: the words of listings and searches: facts -> what an agent reads, with the next call.
// Must not know: how anything was found.

import type { Tree } from "../fs/walk.ts";
import { cutPrefix } from "../text/excerpt.ts";

/** The arguments of `view` that a suggested call repeats. */
export interface ScanArguments {
  readonly path: string;
  readonly pattern?: string | undefined;
  readonly content?: string | undefined;
  readonly regex?: boolean | undefined;
  readonly include_hidden?: boolean | undefined;
  readonly include_ignored?: boolean | undefined;
}

const QUOTED_LIMIT = 300;

function quoted(text = ""): string {
  const isCut = text.length > QUOTED_LIMIT;
  return JSON.stringify(isCut ? `${cutPrefix(text, QUOTED_LIMIT)}…` : text);
}

/** A call of `view` as an agent would write it. */
export function viewCall(given: ScanArguments): string {
  const parts = [`path=${quoted(given.path)}`];
  if (given.pattern !== undefined) parts.push(`pattern=${quoted(given.pattern)}`);
  if (given.content !== undefined) parts.push(`content=${quoted(given.content)}`);
  for (const flag of ["regex", "include_hidden", "include_ignored"] as const) {
    if (given[flag]) parts.push(`${flag}=true`);
  }
  return `view ${parts.join(" ")}`;
}

/** A number with commas; Intl would load its tables first, which takes longer than many a call. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 file`, `1,234 files`. */
export function counted(count: number, noun: string): string {
  const plural = /(?:[sx]|ch)$/.test(noun)
    ? `${noun}es`
    : noun.replace(/([^aeiou])y$/, "$1ie") + "s";
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** What a walk left out or could not see, each with the call that includes it. */
export function treeHints(trees: readonly Tree[], given: ScanArguments): string[] {
  const sum = (count: (tree: Tree) => number) =>
    trees.reduce((total, tree) => total + count(tree), 0);
  const hints: string[] = [];
  const hidden = given.include_hidden ? 0 : sum((tree) => tree.hidden);
  const ignored = sum((tree) => tree.ignored);
  if (hidden > 0 || ignored > 0) {
    const what = [
      ...hidden > 0 ? [`${counted(hidden, "hidden entry")}`] : [],
      ...ignored > 0 ? [`${counted(ignored, "ignored entry")}`] : [],
    ].join(" and ");
    const call = viewCall({
      ...given,
      include_hidden: given.include_hidden || hidden > 0,
      include_ignored: given.include_ignored || ignored > 0,
    });
    hints.push(`${what} left out. To include them: ${call}`);
  }
  const unreadable = trees.flatMap((tree) => tree.unreadable);
  if (unreadable.length > 0) {
    const named = unreadable.slice(0, 5)
      .map(({ prefix, failure }) => `${prefix || "."} (${failure})`).join(", ");
    const more = unreadable.length > 5 ? `, and ${unreadable.length - 5} more` : "";
    hints.push(`Could not be read: ${named}${more}.`);
  }
  const stopped = trees.find((tree) => tree.stopped !== undefined)?.stopped;
  if (stopped !== undefined) {
    const reason = stopped === "time" ? "it took too long" : "it holds too many entries";
    hints.push(
      `The tree was not walked to its end (${reason}); what is shown is incomplete. Name a subdirectory.`,
    );
  }
  return hints;
}

export function malformedPatternMessage(
  pattern: string,
  { position, reason }: { readonly position: number; readonly reason: string },
): string {
  return `The pattern ${quoted(pattern)} is malformed at character ${position}: ` +
    `${reason}. Globs are as in \`rg -g\`: *.ts, src/**/*.ts, {a,b}, [abc], !*.test.ts, several separated by |.`;
}

export function malformedRegexMessage(
  given: ScanArguments,
  { position, reason }: { readonly position: number; readonly reason: string },
): string {
  const literal = viewCall({ ...given, regex: false });
  return `The regular expression ${quoted(given.content)} is malformed at character ` +
    `${position}: ${reason}. To search for this text as it is: ${literal}`;
}

export function stuckRegexMessage(given: ScanArguments): string {
  return `The regular expression ${
    quoted(given.content)
  } was stopped: on some line it tries ever ` +
    "more ways to match and does not come to an end. Avoid repetition inside repetition such as " +
    `(a+)+ or (a|a)*, or search for a literal part of it: ${
      viewCall({ ...given, content: "…", regex: false })
    }`;
}

export function noThreadMessage(given: ScanArguments): string {
  return "Regular expressions are searched in worker threads, which this process cannot start. " +
    `Search for a literal text instead: ${viewCall({ ...given, content: "…", regex: false })}`;
}

/** The glob matched no file. */
export function noFileMessage(given: ScanArguments, filtered: number): string {
  const searched = given.content === undefined ? "" : " Nothing was searched.";
  const base = given.pattern === undefined
    ? `There are no files in ${placeOf(given.path)}.`
    : `The pattern ${quoted(given.pattern)} matches none of the ${counted(filtered, "file")} in ${
      placeOf(given.path)
    }.`;
  return base + searched + patternAdvice(given.pattern);
}

function placeOf(path: string): string {
  return path === "." ? "the working directory" : path;
}

function patternAdvice(pattern: string | undefined): string {
  if (pattern === undefined) return "";
  if (/,/.test(pattern) && !/[{]/.test(pattern)) {
    return ` Separate globs with |: pattern=${quoted(pattern.replace(/\s*,\s*/g, "|"))}`;
  }
  const bare = pattern.replace(/^!?(?:\.?\/)?/, "");
  if (bare.endsWith("/")) {
    return ` A glob names files; for those of a directory: pattern=${quoted(`${bare}**`)}`;
  }
  if (bare.includes("/") && !bare.startsWith("**/") && !pattern.startsWith("!")) {
    return ` A glob with a slash counts from the working directory; at any depth: pattern=${
      quoted(`**/${bare}`)
    }`;
  }
  return "";
}

/** Files were searched and none matched. */
export function noMatchMessage(given: ScanArguments, searched: number): string {
  const what = given.regex ? "regular expression" : "text";
  const filter = given.pattern === undefined ? "" : ` (pattern ${quoted(given.pattern)})`;
  const text = `No match for the ${what} ${quoted(given.content)} in ${
    counted(searched, "file")
  } of ${placeOf(given.path)}${filter}.`;
  const looksLikeRegex = !given.regex &&
    /\.[*+]|\\[bdswn.(]|\||\[[^\]]+\]|^\^|\$$/.test(given.content ?? "");
  if (!looksLikeRegex) return text;
  return `${text} It was taken literally; as a regular expression: ${
    viewCall({ ...given, regex: true })
  }`;
}
