// Owns: a call of ls or find -> the `view` call that lists the same files, or searches in them.
// Must not know: reading and editing programs, messages.

import type { Command } from "./command_line.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import type { Surroundings } from "./operand_path.ts";
import { searchTarget, separateRoots } from "./search_target.ts";
import type { Word } from "./shell_words.ts";
import { formatToolCall } from "./tool_call.ts";
import { type SearchArguments, searchArguments } from "./translate_search.ts";

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
    // A glob of `view` names files: `*/` is said by what the directories hold.
    const pattern = target.pattern?.replace(/\/(?=\||$)/g, "/**") ?? filterGlob(next, around);
    const itself = target.pattern !== undefined &&
      invocation.flags.some(({ name }) => name === "-d");
    const options = {
      pattern,
      max_depth: itself ? 1 : undefined,
      include_hidden: hidden || undefined,
    };
    return separateRoots(target.path).map((path) => formatToolCall("view", { path, ...options }));
  }
  const found = readExpression(invocation.expression);
  const filter = { pattern: found.pattern ?? target.pattern, max_depth: found.depth };
  const executed = found.executed ?? xargsWords(next);
  const search = innerSearch(executed, around);
  const paths = search === undefined ? separateRoots(target.path) : [target.path];
  const lists = paths.map((path) => formatToolCall("view", { path, ...filter, ...search }));
  return found.deletes || executed?.[0]?.text === "rm"
    ? [...lists, `${formatToolCall("shell", { command: "rm -- …" })}   # with the files to delete`]
    : lists;
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
function innerSearch(
  words: readonly Word[] | undefined,
  around: Surroundings,
): Omit<SearchArguments, "pattern"> | undefined {
  if (words === undefined) return undefined;
  const invocation = readInvocation(words, around.platform);
  if (invocation?.kind !== "search") return undefined;
  const search = searchArguments(invocation);
  if (search === undefined) return undefined;
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
  let wanted: FindTest[] = [];
  const unwanted: string[] = [];
  let depth: number | undefined;
  let alternatives = false;
  let negated = false;
  let executed: readonly Word[] | undefined;
  let deletes = false;
  let directories = false;
  for (let index = 0; index < expression.length; index++) {
    const { text } = expression[index] as Word;
    const operand = expression[index + 1];
    if (text === "!" || text === "-not") {
      negated = true;
      continue;
    }
    if (/^-i?(?:name|path|wholename)$/.test(text)) {
      const tested = operand === undefined ? {} : findTest(text, operand);
      if (!negated) wanted.push(tested);
      else if (tested.glob !== undefined) unwanted.push(`!${tested.glob}`);
    } else if (text === "-prune") {
      unwanted.push(...wanted.flatMap(({ inside }) => inside === undefined ? [] : [`!${inside}`]));
      wanted = [];
      directories = false;
    } else if (text === "-type") {
      directories = operand?.text === "d";
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
  const named = wanted.map(({ glob, inside }) => directories ? inside : glob);
  const exact = !named.includes(undefined) && (named.length < 2 || alternatives);
  const globs = exact ? [...named, ...unwanted] : [];
  return {
    pattern: globs.length === 0 ? undefined : globs.join("|"),
    depth,
    deletes,
    executed,
  };
}

/** Globs for what a test of a name or path is true of, and for what such a directory holds. */
interface FindTest {
  readonly glob?: string;
  readonly inside?: string;
}

function findTest(test: string, operand: Word): FindTest {
  const { text } = operand;
  if (operand.expands || text === "" || /[|{}\\]/.test(text) || text.startsWith("!")) return {};
  const glob = test.startsWith("-i") ? ignoringCase(text) : text;
  if (/^-i?name$/.test(test)) return { glob, inside: `**/${glob}/**` };
  // To `find`, `*` crosses slashes.
  const path = glob.replace(/^\.\//, "").replace(/^\*\//, "**/").replace(/\/\*$/, "/**");
  return { glob: path, inside: path.endsWith("/**") ? path : `${path}/**` };
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
