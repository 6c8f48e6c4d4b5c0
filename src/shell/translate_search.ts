// Owns: a call of grep or ripgrep -> the `view` call that finds the same lines.
// Must not know: reading, listing and editing programs, messages.

import { type PatternSyntax, toViewSearch } from "./grep_pattern.ts";
import type { Flag, Invocation } from "./invocation.ts";
import type { Surroundings } from "./operand_path.ts";
import { searchTarget, separateRoots } from "./search_target.ts";
import { formatToolCall } from "./tool_call.ts";

/** The arguments of `view` that carry a search, without the path. */
export interface SearchArguments {
  readonly pattern?: string | undefined;
  readonly content: string;
  readonly regex?: true | undefined;
  readonly context?: number | undefined;
  readonly include_hidden?: true | undefined;
  readonly include_ignored?: true | undefined;
}

// Types whose files one glob names; for the others the search without a type finds no less.
const TYPE_GLOBS: { readonly [type: string]: string } = {
  c: "*.{c,h}",
  cpp: "*.{cc,cpp,cxx,h,hh,hpp,hxx}",
  css: "*.{css,scss}",
  go: "*.go",
  html: "*.{html,htm}",
  java: "*.java",
  js: "*.{js,jsx,mjs,cjs}",
  json: "*.json",
  md: "*.{md,markdown}",
  py: "*.{py,pyi}",
  rust: "*.rs",
  sh: "*.{sh,bash}",
  toml: "*.toml",
  ts: "*.{ts,tsx,mts,cts}",
  yaml: "*.{yaml,yml}",
};
const UNTRANSLATABLE = new Set([
  "-v",
  "--invert-match",
  "-L",
  "--files-without-match",
  "-f",
  "--file",
  "-U",
  "--multiline",
]);

/** The calls that do what the search does; none when its pattern or place is not known. */
export function translateSearch(invocation: Invocation, around: Surroundings): readonly string[] {
  const target = searchTarget(invocation.paths, around);
  if (target === undefined) return [];
  if (invocation.program === "rg" && hasFlag(invocation, "--files")) {
    const pattern = joinGlobs([target.pattern, ...globs(invocation)]);
    return separateRoots(target.path).map((path) => formatToolCall("view", { path, pattern }));
  }
  const search = searchArguments(invocation, target.pattern);
  return search === undefined ? [] : [formatToolCall("view", { path: target.path, ...search })];
}

/** The search itself, for use with whatever path it is aimed at. */
export function searchArguments(
  invocation: Invocation,
  pathPattern?: string,
): SearchArguments | undefined {
  const { flags, patterns } = invocation;
  if (flags.some((flag) => flag.unknown || UNTRANSLATABLE.has(flag.name))) return undefined;
  if (patterns.length === 0 || patterns.some((word) => word.expands)) return undefined;
  const texts = patterns.map((word) => word.text);
  const smartCase = hasFlag(invocation, "-S", "--smart-case") &&
    texts.every((text) => text === text.toLowerCase());
  const search = toViewSearch(texts, {
    syntax: patternSyntax(invocation),
    ignoreCase: smartCase || hasFlag(invocation, "-i", "-y", "--ignore-case"),
    wholeWord: hasFlag(invocation, "-w", "--word-regexp"),
    wholeLine: hasFlag(invocation, "-x", "--line-regexp"),
  });
  if (search === undefined) return undefined;
  const unrestricted = flags.filter((flag) => flag.name === "-u").length;
  return {
    pattern: joinGlobs([pathPattern, ...globs(invocation)]),
    content: search.content,
    regex: search.regex || undefined,
    context: contextLines(flags),
    include_hidden: unrestricted > 1 || hasFlag(invocation, "--hidden", "-.") || undefined,
    include_ignored: unrestricted > 0 || hasFlag(invocation, "--no-ignore") || undefined,
  };
}

function hasFlag(invocation: Invocation, ...names: readonly string[]): boolean {
  return invocation.flags.some((flag) => names.includes(flag.name));
}

function patternSyntax(invocation: Invocation): PatternSyntax {
  const { program } = invocation;
  if (program === "fgrep" || hasFlag(invocation, "-F", "--fixed-strings")) return "fixed";
  if (program === "rg") return "rust";
  if (hasFlag(invocation, "-P", "--perl-regexp")) return "rust";
  const extended = program === "egrep" || hasFlag(invocation, "-E", "--extended-regexp");
  return extended ? "extended" : "basic";
}

function contextLines(flags: readonly Flag[]): number | undefined {
  const names = /^(?:-[ABC]|-NUM|--(?:after-|before-)?context)$/;
  const counts = flags.filter((flag) => names.test(flag.name))
    .map((flag) => Number(flag.value)).filter((count) => Number.isInteger(count) && count > 0);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

function globs(invocation: Invocation): (string | undefined)[] {
  const excludes = /^--exclude$|^--type-not$|^-T$/;
  return invocation.flags.map((flag) => {
    if (/^-T$|^--type-not$/.test(flag.name) || excludes.test(flag.name)) {
      const glob = flag.name === "--exclude" ? flag.value : TYPE_GLOBS[flag.value ?? ""];
      return glob === undefined ? undefined : `!${glob}`;
    }
    if (/^-t$|^--type$/.test(flag.name) && invocation.program === "rg") {
      return TYPE_GLOBS[flag.value ?? ""];
    }
    return /^(?:-g|--glob|--include)$/.test(flag.name) ? flag.value : undefined;
  });
}

function joinGlobs(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join("|");
}
