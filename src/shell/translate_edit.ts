// Owns: a call of sed or awk -> the call that shows the same lines or makes the same change.
// Must not know: reading, searching and listing programs, messages.

import { literalText, toViewSearch } from "./grep_pattern.ts";
import type { Invocation } from "./invocation.ts";
import { pathArgument, type Surroundings } from "./operand_path.ts";
import { listFirst, searchTarget } from "./search_target.ts";
import { formatToolCall } from "./tool_call.ts";

const FILES_SHOWN = 5;

/** The calls that do what the script does, as far as the script can be read. */
export function translateEdit(invocation: Invocation, around: Surroundings): readonly string[] {
  const paths = invocation.paths.slice(0, FILES_SHOWN).map((word) => pathArgument(word, around));
  const isKnown = invocation.patterns.every((word) => !word.expands);
  const scripts = isKnown ? invocation.patterns.flatMap((word) => separateScripts(word.text)) : [];
  const text = scripts.length === 1 ? scripts[0] ?? "" : "";
  if (invocation.program === "sed" && changesFile(invocation)) {
    return paths.some((path) => path === undefined)
      ? findCall(invocation, { text, around })
      : paths.flatMap((path) => path === undefined ? [] : changeCalls(path, scripts, invocation));
  }
  const content = matchedLines(invocation, text);
  if (content !== undefined) {
    const target = searchTarget(invocation.paths, around);
    return target === undefined ? [] : [formatToolCall("view", { ...target, ...content })];
  }
  if (invocation.paths.some((word) => word.glob)) return listFirst(invocation.paths, around);
  const ranges = printedRanges(invocation) ?? [{}];
  return paths.flatMap((path) =>
    path === undefined ? [] : ranges.map((range) => formatToolCall("view", { path, ...range }))
  );
}

/** `s/a/b/; s/c/d/` as two scripts, where both can be read alone. */
function separateScripts(script: string): readonly string[] {
  const parts = script.split(/[;\n](?=\s*s[^\w\s])/).map((part) => part.trim());
  return parts.every((part) => readSubstitution(part) !== undefined) ? parts : [script.trim()];
}

/** The one range of lines that a script prints, if that is all it does. */
export function printedRange(
  invocation: Invocation,
): { readonly start?: number; readonly end?: number } | undefined {
  const ranges = printedRanges(invocation);
  return ranges?.length === 1 ? ranges[0] : undefined;
}

type Range = { readonly start?: number; readonly end?: number };

function printedRanges(invocation: Invocation): readonly Range[] | undefined {
  const scripts = invocation.patterns.map((word) => word.text);
  if (scripts.length === 0 || invocation.patterns.some((word) => word.expands)) return undefined;
  const parts = scripts.flatMap((script) => script.split(";")).map((part) => part.trim())
    .filter((part) => part !== "");
  const ranges: Range[] = [];
  for (const part of parts) {
    const read = invocation.program === "awk"
      ? awkRange(part)
      : sedRange(part, isQuiet(invocation));
    if (read === undefined) return undefined;
    if (read !== "stop") ranges.push(read);
  }
  return ranges.length === 0 ? undefined : ranges;
}

/** `11q` after `1,10p` only stops; alone it prints up to there. */
function sedRange(part: string, quiet: boolean): Range | "stop" | undefined {
  const quit = /^(\d+)\s*q$/.exec(part);
  if (quit !== null) return quiet ? "stop" : { start: 1, end: Number(quit[1]) };
  if (!quiet) return undefined;
  if (/^\$\s*p$/.test(part)) return { start: -1 };
  const match = /^(\d+)(?:\s*,\s*(?:(\d+)|(\$)|\+(\d+)))?\s*p$/.exec(part);
  if (match === null) return undefined;
  const [, first, last, toEnd, more] = match;
  const start = Number(first);
  if (toEnd !== undefined) return { start };
  const end = last !== undefined ? Number(last) : start + Number(more ?? 0);
  return { start, end: Math.max(start, end) };
}

function awkRange(part: string): Range | undefined {
  const condition = part.replace(/\s*\{\s*print(?:\s+(?:NR[^$}]*)?\$0)?\s*\}$/, "").replace(
    /\s+/g,
    "",
  );
  const single = /^NR==(\d+)$/.exec(condition);
  if (single !== null) return { start: Number(single[1]), end: Number(single[1]) };
  const pair = /^NR(>=?)(\d+)&&NR(<=?)(\d+)$/.exec(condition);
  if (pair !== null) {
    const start = Number(pair[2]) + (pair[1] === ">" ? 1 : 0);
    return { start, end: Number(pair[4]) - (pair[3] === "<" ? 1 : 0) };
  }
  const span = /^NR==(\d+),NR==(\d+)$/.exec(condition);
  if (span !== null) return { start: Number(span[1]), end: Number(span[2]) };
  const one = /^NR(<=?|>=?)(\d+)$/.exec(condition);
  if (one === null) return undefined;
  const line = Number(one[2]);
  if (one[1]?.startsWith(">")) return { start: line + (one[1] === ">" ? 1 : 0) };
  return { start: 1, end: line - (one[1] === "<" ? 1 : 0) };
}

/** `sed -n '/re/p'` and `awk '/re/'` print the lines that match. */
function matchedLines(invocation: Invocation, script: string): object | undefined {
  const isSed = invocation.program === "sed";
  const form = isSed
    ? /^\/((?:[^/\\]|\\.)+)\/\s*p$/
    : /^\/((?:[^/\\]|\\.)+)\/(?:\s*\{\s*print\s*\})?$/;
  const pattern = form.exec(script)?.[1];
  if (pattern === undefined || (isSed && !isQuiet(invocation))) return undefined;
  return searchFor(pattern.replaceAll("\\/", "/"), { invocation, ignoreCase: false });
}

function changeCalls(
  path: string,
  scripts: readonly string[],
  invocation: Invocation,
): readonly string[] {
  const replacements = scripts.flatMap((script) => replaceCall(path, script, invocation) ?? []);
  if (scripts.length > 0 && replacements.length === scripts.length) return replacements;
  const script = scripts.length === 1 ? scripts[0] ?? "" : "";
  const substitution = readSubstitution(script);
  if (substitution !== undefined) {
    const { pattern, flags } = substitution;
    const search = searchFor(pattern, { invocation, ignoreCase: /i/i.test(flags) });
    return [formatToolCall("view", { path, ...search }), batchEdit(path, "replace")];
  }
  const [, first, last = first, pattern, letter] = ADDRESSED.exec(script) ?? [];
  const operation = letter === "d" ? "delete" : /^[ai]$/.test(letter ?? "") ? "insert" : "replace";
  const place = pattern === undefined
    ? { start: lineNumber(first), end: lineNumber(last) }
    : searchFor(pattern.replaceAll("\\/", "/"), { invocation, ignoreCase: false });
  return [formatToolCall("view", { path, ...place }), batchEdit(path, operation)];
}

/** Line, range or pattern before a command that changes lines. */
const ADDRESSED = /^(?:(\d+|\$)(?:,(\d+|\$))?|\/((?:[^/\\]|\\.)+)\/)\s*([acids])/;

function lineNumber(address: string | undefined): number | undefined {
  return address === undefined ? undefined : address === "$" ? -1 : Number(address);
}

/** Undefined where the text that is replaced, or the new one, depends on the match. */
function replaceCall(path: string, script: string, invocation: Invocation): string | undefined {
  const substitution = readSubstitution(script);
  if (substitution === undefined || !/^g?$/.test(substitution.flags)) return undefined;
  const { pattern, replacement, flags } = substitution;
  const oldText = literalText(pattern, isExtended(invocation) ? "extended" : "basic");
  const newText = literalReplacement(replacement);
  if (oldText === undefined || newText === undefined) return undefined;
  return formatToolCall("text_editor", {
    command: "str_replace",
    path,
    old_text: oldText,
    new_text: newText,
    replace_all: flags === "g" || undefined,
  });
}

function searchFor(
  pattern: string,
  options: { readonly invocation: Invocation; readonly ignoreCase: boolean },
): { readonly content: string; readonly regex: true | undefined } | undefined {
  const { invocation, ignoreCase } = options;
  const isBasic = invocation.program === "sed" && !isExtended(invocation);
  const search = toViewSearch([pattern], {
    syntax: isBasic ? "basic" : "extended",
    ignoreCase,
    wholeWord: false,
    wholeLine: false,
  });
  return search && { content: search.content, regex: search.regex || undefined };
}

function batchEdit(path: string, operation: "insert" | "replace" | "delete"): string {
  const id = "N:hh";
  const operations = operation === "insert"
    ? [{ operation, start: id, content: "…" }]
    : [{ operation, start: id, end: id, content: operation === "delete" ? "" : "…" }];
  return `${formatToolCall("batch_edit", { path, operations })}   # with the ids that it shows`;
}

/** For files that are not named one by one: where the text is, so that each place can be changed. */
function findCall(
  invocation: Invocation,
  options: { readonly text: string; readonly around: Surroundings },
): readonly string[] {
  const target = searchTarget(invocation.paths, options.around);
  const substitution = readSubstitution(options.text);
  if (target === undefined || substitution === undefined) return [];
  const ignoreCase = /i/i.test(substitution.flags);
  const search = searchFor(substitution.pattern, { invocation, ignoreCase });
  if (search === undefined) return [];
  return [
    `${
      formatToolCall("view", { ...target, ...search })
    }   # then text_editor or batch_edit on each file`,
  ];
}

interface Substitution {
  readonly pattern: string;
  readonly replacement: string;
  readonly flags: string;
}

function readSubstitution(script: string): Substitution | undefined {
  const delimiter = /^s([^\\\n])/.exec(script)?.[1];
  if (delimiter === undefined) return undefined;
  const parts: string[] = [""];
  for (let at = 2; at < script.length; at++) {
    const character = script[at] ?? "";
    if (character === delimiter) parts.push("");
    else if (character === "\\" && script[at + 1] === delimiter) {
      parts.push(`${parts.pop() ?? ""}${delimiter}`);
      at++;
    } else if (character === "\\") {
      parts.push(`${parts.pop() ?? ""}${character}${script[at + 1] ?? ""}`);
      at++;
    } else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  const [pattern, replacement, flags] = parts;
  if (parts.length !== 3 || !pattern || replacement === undefined || flags === undefined) {
    return undefined;
  }
  return /^[gpiIe\d]*$/.test(flags) ? { pattern, replacement, flags } : undefined;
}

/** Undefined when `&` or a group is put in, so that the text depends on the match. */
function literalReplacement(replacement: string): string | undefined {
  if (/&|\\[\dLUEul]/.test(replacement.replace(/\\[\\&]/g, ""))) return undefined;
  return replacement.replace(
    /\\([^])/g,
    (_, letter: string) => letter === "n" ? "\n" : letter === "t" ? "\t" : letter,
  );
}

function changesFile(invocation: Invocation): boolean {
  return invocation.flags.some((flag) => flag.name === "-i" || flag.name === "--in-place");
}

function isQuiet(invocation: Invocation): boolean {
  return invocation.flags.some((flag) => /^(?:-n|--quiet|--silent)$/.test(flag.name));
}

function isExtended(invocation: Invocation): boolean {
  return invocation.flags.some((flag) => /^(?:-E|-r|--regexp-extended)$/.test(flag.name));
}
