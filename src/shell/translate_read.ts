// Owns: a call of cat, head, tail, less or more -> the `view` or writing call that does the same.
// Must not know: searching, listing and editing programs beyond what they are piped into, messages.

import type { Command, Redirection } from "./command_line.ts";
import { expandHereDocument } from "./here_document.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import { pathArgument, type Surroundings } from "./operand_path.ts";
import { listFirst, searchTarget } from "./search_target.ts";
import type { Word } from "./shell_words.ts";
import { formatToolCall } from "./tool_call.ts";
import { printedRange } from "./translate_edit.ts";
import { searchArguments } from "./translate_search.ts";

/** Lines to show; 1-based, negative numbers count from the end, absent means from the start or to the end. */
export interface LineRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

interface ReadOptions {
  readonly command: Command;
  /** The commands it is piped into. */
  readonly rest: readonly Command[];
  readonly around: Surroundings;
}

const FILES_SHOWN = 5;
// A longer text would only be repeated to the agent that has just sent it.
const CONTENT_SHOWN = 400;

/** The calls that show what the command shows; none when its files are not known. */
export function translateRead(invocation: Invocation, options: ReadOptions): readonly string[] {
  const { command, rest, around } = options;
  const inputs = command.redirections.filter((entry) => entry.operator === "<");
  const files = [...invocation.paths, ...inputs.map((entry) => entry.target)];
  const output = outputRedirection(command);
  if (output !== undefined && invocation.program === "cat") {
    return copyCalls(files, { output, around });
  }
  const search = isWhole(ownRange(invocation)) ? pipedSearch(files, options) : undefined;
  if (search !== undefined) return [search];
  const [file] = files;
  if (files.length === 1 && file !== undefined && !file.glob) {
    const path = pathArgument(file, around);
    if (path === undefined) return [];
    const seen = seenPart(invocation, { rest, around });
    const feed = feedCall(file, options);
    const view = formatToolCall("view", { path, ...seen });
    return feed === undefined ? [view] : [view, feed];
  }
  if (files.some((word) => word.glob)) return listFirst(files, around);
  const range = ownRange(invocation);
  return files.slice(0, FILES_SHOWN).flatMap((word) => {
    const path = pathArgument(word, around);
    return path === undefined ? [] : [formatToolCall("view", { path, ...range })];
  });
}

/** The call that writes what `cat > file <<EOF` would write. */
export function translateWrite(
  command: Command,
  around: Surroundings,
): readonly string[] {
  const output = outputRedirection(command);
  const path = output === undefined ? undefined : pathArgument(output.target, around);
  if (output === undefined || path === undefined) return [];
  const document = command.redirections.findLast((entry) => entry.body !== undefined)?.body;
  const content = document === undefined
    ? ""
    : document.expands
    ? expandHereDocument(document.text)
    : document.text;
  const shown = content === undefined || content.length > CONTENT_SHOWN
    ? "<the text of the here-document>"
    : content;
  if (output.operator === ">>") {
    const operations = [{ operation: "insert", start: "-1", content: shown }];
    return [formatToolCall("batch_edit", { path, operations })];
  }
  return [formatToolCall("text_editor", { command: "create", path, content: shown })];
}

/** The file that standard output goes to, if any. */
export function outputRedirection(command: Command): Redirection | undefined {
  return command.redirections.findLast((entry) =>
    /^(?:>|>>|>\||&>|&>>)$/.test(entry.operator) && (entry.descriptor ?? 1) === 1 &&
    entry.target.text !== "/dev/null"
  );
}

function copyCalls(
  files: readonly Word[],
  options: { readonly output: Redirection; readonly around: Surroundings },
): readonly string[] {
  const { output, around } = options;
  const target = pathArgument(output.target, around);
  const sources = files.map((word) => pathArgument(word, around));
  if (target === undefined || sources.includes(undefined)) return [];
  const [only] = files;
  if (sources.length === 1 && only !== undefined && output.operator !== ">>") {
    if (around.directory !== "") return [];
    const command = `cp -- ${only.source} ${output.target.source}`;
    return [formatToolCall("shell", { command })];
  }
  return sources.slice(0, FILES_SHOWN).map((source) => {
    const call = formatToolCall("extract_lines", {
      from_path: source,
      from_start: "1",
      from_end: "N",
      append_path: target,
      append_line: "-1",
    });
    return `${call}   # N: the number of its last line`;
  });
}

/** `cat a b | grep foo` is a search in those files. */
function pipedSearch(files: readonly Word[], { rest, around }: ReadOptions): string | undefined {
  const next = rest[0] === undefined ? undefined : readInvocation(rest[0].words, around.platform);
  if (next?.kind !== "search" || next.paths.length > 0 || files.length === 0) return undefined;
  const target = searchTarget(files, around);
  const search = target === undefined ? undefined : searchArguments(next, target.pattern);
  return search === undefined
    ? undefined
    : formatToolCall("view", { path: target?.path, ...search });
}

/** What of the file is seen in the end, when the next command only narrows it. */
function seenPart(
  invocation: Invocation,
  options: { readonly rest: readonly Command[]; readonly around: Surroundings },
): LineRange {
  const { rest, around } = options;
  const own = ownRange(invocation);
  const next = rest[0] === undefined ? undefined : readInvocation(rest[0].words, around.platform);
  if (next === undefined || next.paths.length > 0) return own;
  const narrower = next.kind === "edit" ? printedRange(next) : ownRange(next);
  if (narrower === undefined || isWhole(narrower)) return own;
  return isWhole(own) ? narrower : narrow(own, narrower);
}

/** `head -20 f | tail -5` and `tail -n +20 f | head -5`; any other pair shows the first range. */
function narrow(outer: LineRange, inner: LineRange): LineRange {
  const { start = 1, end } = outer;
  if (end !== undefined && end > 0 && inner.start !== undefined && inner.start < 0) {
    return { start: Math.max(start, end + inner.start + 1), end };
  }
  if (end === undefined && start > 0 && inner.end !== undefined && inner.end > 0) {
    return { start: start + (inner.start ?? 1) - 1, end: start + inner.end - 1 };
  }
  return outer;
}

function isWhole(range: LineRange): boolean {
  return range.start === undefined && range.end === undefined;
}

function ownRange(invocation: Invocation): LineRange {
  const { program, flags } = invocation;
  if (program !== "head" && program !== "tail") return {};
  if (flags.some((flag) => flag.name === "-c" || flag.name === "--bytes")) return {};
  const count = flags.findLast((flag) => /^(?:-n|-NUM|--lines)$/.test(flag.name))?.value ?? "10";
  if (!/^[+-]?\d+$/.test(count)) return {};
  const lines = Math.abs(Number(count));
  if (program === "tail") {
    if (count.startsWith("+")) return { start: Math.max(1, lines) };
    return lines === 0 ? {} : { start: -lines };
  }
  if (count.startsWith("-")) return { start: 1, end: -lines - 1 };
  return lines === 0 ? {} : { start: 1, end: lines };
}

/** `cat f | jq .` needs no `cat`: the program reads the file itself. */
function feedCall(file: Word, options: ReadOptions): string | undefined {
  const { command, rest, around } = options;
  const [next] = rest;
  if (next === undefined || around.directory !== "" || command.words[0]?.text !== "cat") {
    return undefined;
  }
  const takesInput = next.redirections.every((entry) => !entry.operator.startsWith("<"));
  const isReader = readInvocation(next.words, around.platform) !== undefined;
  const isPlain = rest.every((stage) => stage.words.length > 0 && !/[#\n]/.test(stage.source));
  if (!takesInput || isReader || !isPlain) return undefined;
  const stages = rest.map((stage) => stage.source);
  stages[0] = `${next.source} < ${file.source}`;
  return formatToolCall("shell", { command: stages.join(" | ") });
}
