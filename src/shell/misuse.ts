// Owns: whether a command line does by shell what a file tool does better, and which call that is.
// Must not know: how it is said to the agent, processes, the disk.

import type { Command, CommandLine, Pipeline } from "./command_line.ts";
import { type Invocation, nestedSource, readInvocation, unwrap } from "./invocation.ts";
import { type MisuseKind, translateMisuse } from "./misuse_translation.ts";
import { changeDirectory, isOutside, type Platform, type Surroundings } from "./operand_path.ts";
import { parseCommandLine } from "./parse_command_line.ts";
import { knownWord, type Word } from "./shell_words.ts";
import { outputRedirection } from "./translate_read.ts";

/** One command that a file tool should have been asked for. */
export interface Finding {
  readonly kind: MisuseKind;
  /** The command as it was written. */
  readonly source: string;
  /** Calls that do the same; empty where they cannot be known. */
  readonly calls: readonly string[];
}

export type Verdict =
  | { readonly kind: "runs" }
  | {
    readonly kind: "misuse";
    readonly findings: readonly Finding[];
    /** The command line holds other commands too. */
    readonly isPart: boolean;
  }
  | { readonly kind: "too_deep"; readonly limit: number };

export interface JudgeOptions {
  /** Allowed directories, absolute and canonical. */
  readonly localDirectories: readonly string[];
  readonly platform: Platform;
}

/**
 * Judges every simple command outside of quotes by its program, and a pipeline by its first one.
 * Guidance, not a boundary: a command that hides what it does is let through.
 */
export function judgeCommand(command: string, options: JudgeOptions): Verdict {
  const judge = new Judge(options);
  judge.judgeSource(command, { directory: "", fed: false });
  if (judge.tooDeep !== undefined) return { kind: "too_deep", limit: judge.tooDeep };
  if (judge.findings.length === 0) return { kind: "runs" };
  return {
    kind: "misuse",
    findings: judge.findings,
    isPart: judge.commands > judge.findings.length,
  };
}

/** What is known where a list of commands begins. */
interface Scope {
  directory: string | undefined;
  /** Its standard input comes from a pipe. */
  readonly fed: boolean;
}

class Judge {
  readonly findings: Finding[] = [];
  /** First commands of pipelines, wherever they stand. */
  commands = 0;
  tooDeep: number | undefined;

  constructor(readonly options: JudgeOptions) {}

  judgeSource(source: string, scope: Scope): void {
    const backslashEscapes = this.options.platform === "posix";
    const parsed = parseCommandLine(source, { backslashEscapes });
    if (parsed.kind === "too_deep") this.tooDeep = parsed.limit;
    else this.#judgeList(parsed.pipelines, scope);
  }

  #judgeList(list: CommandLine, scope: Scope): void {
    for (const pipeline of list) {
      pipeline.commands.forEach((command, index) => {
        const inner = { directory: scope.directory, fed: scope.fed || index > 0 };
        for (const nested of command.substitutions) {
          this.#judgeList(nested, { directory: scope.directory, fed: false });
        }
        if (command.subshell !== undefined) this.#judgeList(command.subshell, inner);
      });
      this.#judgeFirst(pipeline, scope);
    }
  }

  #judgeFirst({ commands }: Pipeline, scope: Scope): void {
    const [command, ...rest] = commands;
    if (command === undefined || command.words.length === 0) return;
    const { platform } = this.options;
    const words = unwrap(command.words, platform);
    const nested = nestedSource(words, platform);
    if (nested !== undefined) return this.judgeSource(nested, { ...scope });
    this.commands++;
    if (words[0]?.text === "cd" && rest.length === 0) {
      scope.directory = changeDirectory(scope.directory, words[1], platform);
      return;
    }
    const invocation = readInvocation(words, platform);
    if (invocation === undefined) return;
    const around: Surroundings = { ...this.options, directory: scope.directory };
    const kind = misuseKind(invocation, { command, around, fed: scope.fed });
    if (kind === undefined) return;
    const calls = translateMisuse(invocation, { kind, command, rest, around });
    this.findings.push({ kind, source: command.source, calls });
  }
}

/** Undefined for a call that the file tools could not serve. */
function misuseKind(
  invocation: Invocation,
  options: { readonly command: Command; readonly around: Surroundings; readonly fed: boolean },
): MisuseKind | undefined {
  const { command, around, fed } = options;
  const paths = [...invocation.paths, ...inputFiles(command)];
  if (paths.length > 0) {
    return paths.every((word) => isOutside(word, around)) ? undefined : invocation.kind;
  }
  if (asksAboutItself(invocation)) return undefined;
  if (invocation.defaultsToDirectory) return leadsOutside(around) ? undefined : invocation.kind;
  const isFed = fed || command.redirections.some((entry) => /^<[<(]/.test(entry.operator));
  const output = outputRedirection(command);
  if (output !== undefined && invocation.program === "cat") {
    return isOutside(output.target, around) ? undefined : "write";
  }
  return isFed ? undefined : invocation.kind;
}

function inputFiles(command: Command): readonly Word[] {
  return command.redirections.filter((entry) => entry.operator === "<")
    .map((entry) => entry.target);
}

function asksAboutItself(invocation: Invocation): boolean {
  const { flags, expression, patterns } = invocation;
  const [only = "", ...others] = [
    ...flags.map(({ name }) => name),
    ...expression.map(({ text }) => text),
  ];
  return patterns.length + others.length === 0 &&
    /^(?:--?(?:version|help)|-V|--type-list)$/.test(only);
}

function leadsOutside(around: Surroundings): boolean {
  return isOutside(knownWord("."), around);
}
