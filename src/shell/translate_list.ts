// Owns: a call of ls or find -> the `view` call that lists the same files, or searches in them.
// Must not know: reading and editing programs, messages.

import type { Command } from "./command_line.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import type { Surroundings } from "./operand_path.ts";
import { searchTarget } from "./search_target.ts";
import type { Word } from "./shell_words.ts";
import { formatToolCall } from "./tool_call.ts";
import { searchArguments } from "./translate_search.ts";

/** The calls that list what the command lists; `rest` are the commands it is piped into. */
export function translateList(
  invocation: Invocation,
  options: { readonly rest: readonly Command[]; readonly around: Surroundings },
): readonly string[] {
  const { rest, around } = options;
  const target = searchTarget(invocation.paths, around);
  if (target === undefined) return [];
  const [next] = rest;
  if (invocation.program === "ls") {
    const hidden = invocation.flags.some((flag) => /^-[aA]$|^--(?:almost-)?all$/.test(flag.name));
    const pattern = target.pattern ?? filterGlob(next, around);
    return [formatToolCall("view", { ...target, pattern, include_hidden: hidden || undefined })];
  }
  const found = readExpression(invocation.expression);
  const filter = { pattern: found.pattern ?? target.pattern, max_depth: found.depth };
  const search = innerSearch(found.executed ?? xargsWords(next), around);
  const list = formatToolCall("view", { path: target.path, ...filter, ...search });
  return found.deletes
    ? [list, `${formatToolCall("shell", { command: "rm -- …" })}   # with the files to delete`]
    : [list];
}

/** `| grep foo` after `ls` keeps the names with `foo` in them. */
function filterGlob(next: Command | undefined, around: Surroundings): string | undefined {
  const filter = next === undefined ? undefined : readInvocation(next.words, around.platform);
  if (filter?.kind !== "search") return undefined;
  const search = searchArguments(filter);
  const usable = search !== undefined && search.regex === undefined &&
    /^[\w. -]+$/.test(search.content);
  return usable ? `*${search.content}*` : undefined;
}

function xargsWords(next: Command | undefined): readonly Word[] | undefined {
  if (next?.words[0]?.text !== "xargs") return undefined;
  const start = next.words.findIndex((word, index) => index > 0 && !/^-\d*[\w]*$/.test(word.text));
  return start === -1 ? undefined : next.words.slice(start);
}

/** The search that `find` hands its files to. */
function innerSearch(words: readonly Word[] | undefined, around: Surroundings): object {
  if (words === undefined) return {};
  const invocation = readInvocation(words, around.platform);
  if (invocation?.kind !== "search") return {};
  const search = searchArguments(invocation);
  if (search === undefined) return {};
  // The files are those that `find` names; the globs of the search would only repeat that.
  const { pattern: _, ...rest } = search;
  return rest;
}

interface FindExpression {
  readonly pattern: string | undefined;
  readonly depth: number | undefined;
  readonly deletes: boolean;
  readonly executed: readonly Word[] | undefined;
}

/** What can be said in globs; a test that cannot be said is left out, so that the list is longer, never shorter. */
function readExpression(expression: readonly Word[]): FindExpression {
  const wanted: (string | undefined)[] = [];
  const unwanted: string[] = [];
  let depth: number | undefined;
  let alternatives = false;
  let negated = false;
  let executed: readonly Word[] | undefined;
  let deletes = false;
  for (let index = 0; index < expression.length; index++) {
    const { text } = expression[index] as Word;
    const operand = expression[index + 1];
    if (text === "!" || text === "-not") {
      negated = true;
      continue;
    }
    if (/^-i?(?:name|path|wholename)$/.test(text)) {
      const glob = operand === undefined ? undefined : findGlob(text, operand);
      if (!negated) wanted.push(glob);
      else if (glob !== undefined) unwanted.push(`!${glob}`);
    } else if (text === "-o" || text === "-or") alternatives = true;
    else if (text === "-maxdepth" && /^\d+$/.test(operand?.text ?? "")) {
      depth = Number(operand?.text);
    } else if (text === "-delete") deletes = true;
    else if (/^-(?:exec|ok)(?:dir)?$/.test(text)) {
      const end = expression.findIndex((word, at) => at > index && /^[;+]$/.test(word.text));
      executed = expression.slice(index + 1, end === -1 ? undefined : end)
        .filter((word) => word.text !== "{}");
      index = end === -1 ? expression.length : end;
    }
    negated = false;
  }
  const exact = !wanted.includes(undefined) && (wanted.length < 2 || alternatives);
  const globs = exact ? [...wanted, ...unwanted] : [];
  return {
    pattern: globs.length === 0 ? undefined : globs.join("|"),
    depth,
    deletes: deletes || executed?.[0]?.text === "rm",
    executed,
  };
}

function findGlob(test: string, operand: Word): string | undefined {
  const { text } = operand;
  if (operand.expands || text === "" || /[|{}\\]/.test(text) || text.startsWith("!")) {
    return undefined;
  }
  const glob = test.startsWith("-i") ? ignoringCase(text) : text;
  if (/name$/.test(test) && !test.endsWith("wholename")) return glob;
  // To `find`, `*` crosses slashes.
  return glob.replace(/^\.\//, "").replace(/^\*\//, "**/").replace(/\/\*$/, "/**");
}

/** `*.md` -> `*.[mM][dD]`; text that holds brackets already stays as it is. */
function ignoringCase(glob: string): string {
  if (glob.includes("[")) return glob;
  return glob.replace(
    /\p{L}/gu,
    (letter) =>
      letter.toLowerCase() === letter.toUpperCase()
        ? letter
        : `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}
