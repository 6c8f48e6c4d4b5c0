// Owns: reading a command as a call of a program that reads, searches, lists or cuts files.
// Must not know: which directories are allowed, the tools, how a command line is split.

import { type Grammar, GRAMMARS, type ReadingKind } from "./reading_programs.ts";
import type { Word } from "./shell_words.ts";

export interface Flag {
  /** With its dashes: `-n`, `--include`. */
  readonly name: string;
  readonly value?: string;
  /** The value holds an expansion, so it is not known. */
  readonly unknown: boolean;
}

/** A call of a program whose work a file tool does better. */
export interface Invocation {
  readonly program: string;
  readonly kind: ReadingKind;
  readonly flags: readonly Flag[];
  /** Search patterns, or the script of sed and awk. */
  readonly patterns: readonly Word[];
  readonly paths: readonly Word[];
  /** What `find` tests and does, from its first predicate on. */
  readonly expression: readonly Word[];
  /** Without a path it works on the working directory. */
  readonly defaultsToDirectory: boolean;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);
const PREFIXES = new Set(["command", "exec", "nohup", "env"]);

/** The name a program goes by, without its directory. */
function programName(word: Word, platform: "posix" | "windows"): string {
  const path = platform === "windows" ? word.text.replaceAll("\\", "/") : word.text;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return platform === "windows" ? name.toLowerCase().replace(/\.exe$/, "") : name;
}

/** Takes away wrappers that leave the command what it is: `command`, `env A=b`; others stay. */
export function unwrap(words: readonly Word[], platform: "posix" | "windows"): readonly Word[] {
  let rest = words;
  for (;;) {
    const [first, second] = rest;
    if (first === undefined || second === undefined) return rest;
    const name = programName(first, platform);
    if (!PREFIXES.has(name)) return rest;
    let skip = 1;
    while (name === "env" && /^\w+=/.test(rest[skip]?.text ?? "")) skip++;
    if (name === "command" && second.text === "-p") skip++;
    // Any other option changes what happens (`command -v cat` only looks the program up).
    if (rest[skip] === undefined || rest[skip]?.text.startsWith("-")) return rest;
    rest = rest.slice(skip);
  }
}

/** The command line that `sh -c '…'` or `eval` runs, where it is known. */
export function nestedSource(
  words: readonly Word[],
  platform: "posix" | "windows",
): string | undefined {
  const [first, second, third] = words;
  if (first === undefined || second === undefined) return undefined;
  const name = programName(first, platform);
  if (name === "eval") {
    const parts = words.slice(1);
    return parts.some((word) => word.expands) ? undefined : parts.map((p) => p.text).join(" ");
  }
  if (!SHELLS.has(name) || !/^-[a-z]*c$/.test(second.text)) return undefined;
  return third === undefined || third.expands ? undefined : third.text;
}

/** Reads a command as one of the programs of this file, or says that it is none. */
export function readInvocation(
  words: readonly Word[],
  platform: "posix" | "windows",
): Invocation | undefined {
  const [first, ...rest] = words;
  if (first === undefined || first.expands) return undefined;
  const program = programName(first, platform);
  const grammar = GRAMMARS.get(program);
  if (grammar === undefined) return undefined;
  if (program === "find") return readFind(rest);
  const { flags, flagWords, ...split } = splitOptions(rest, program, grammar);
  const has = (names: readonly string[] = []): boolean =>
    flags.some((flag) => names.includes(flag.name));
  // `sed -i '' …` is how BSD says that no copy is kept; to GNU, no script and no file has that name.
  const isSuffix = program === "sed" && has(["-i"]) && split.operands[0]?.text === "";
  const operands = isSuffix ? split.operands.slice(1) : split.operands;
  const takesPattern = grammar.kind === "search" || grammar.kind === "edit";
  const brought = has(grammar.patternFlags) || has(grammar.patternFileFlags);
  const takesOperand = takesPattern && !brought;
  return {
    program,
    kind: grammar.kind,
    flags,
    patterns: takesOperand
      ? operands.slice(0, 1)
      : flagWords.filter((entry) => grammar.patternFlags?.includes(entry.name))
        .map((entry) => entry.word),
    paths: operands.slice(takesOperand ? 1 : 0).filter((word) => isPath(word, program)),
    expression: [],
    defaultsToDirectory: program === "ls" || program === "rg" ||
      (program.endsWith("grep") && has(["-r", "-R", "--recursive", "--dereference-recursive"])),
  };
}

function readFind(words: readonly Word[]): Invocation {
  const isOption = (word: Word): boolean => /^-[HLP]$|^-O\d/.test(word.text);
  const start = words.findIndex((word) => !isOption(word));
  const operands = start === -1 ? [] : words.slice(start);
  const predicate = operands.findIndex((word) => /^-.|^[(!]$/.test(word.text));
  const split = predicate === -1 ? operands.length : predicate;
  return {
    program: "find",
    kind: "list",
    flags: [],
    patterns: [],
    paths: operands.slice(0, split),
    expression: operands.slice(split),
    defaultsToDirectory: true,
  };
}

function isPath(word: Word, program: string): boolean {
  if (word.text === "-") return false;
  if (program === "awk") return !/^[A-Za-z_]\w*=/.test(word.text);
  return !(program === "less" || program === "more") || !word.text.startsWith("+");
}

interface SplitOptions {
  readonly flags: readonly Flag[];
  readonly operands: readonly Word[];
  /** Values as words, for the options that bring a pattern. */
  readonly flagWords: readonly { readonly name: string; readonly word: Word }[];
}

/** Options may stand between operands, as GNU programs allow; `--` ends them. */
function splitOptions(words: readonly Word[], program: string, grammar: Grammar): SplitOptions {
  const flags: Flag[] = [];
  const flagWords: { name: string; word: Word }[] = [];
  const operands: Word[] = [];
  const keep = (name: string, word: Word | undefined, value = word?.text): void => {
    flags.push({
      name,
      ...(value === undefined ? {} : { value }),
      unknown: word?.expands ?? false,
    });
    if (word !== undefined && value !== undefined) {
      flagWords.push({ name, word: { ...word, text: value } });
    }
  };
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (text === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      if (equals !== -1) keep(text.slice(0, equals), word, text.slice(equals + 1));
      else if (grammar.valuedLong.includes(text)) keep(text, words[++index]);
      else keep(text, undefined);
    } else if (/^-\d+$/.test(text) && program !== "sed") keep("-NUM", word, text.slice(1));
    else if (/^\+\d+$/.test(text) && program === "tail") keep("-n", word, text);
    else if (/^-./.test(text)) {
      index += keepShortFlags(text, { word, next: words[index + 1], program, grammar, keep });
    } else operands.push(word);
  }
  return { flags, operands, flagWords };
}

interface ShortFlags {
  readonly word: Word;
  readonly next: Word | undefined;
  readonly program: string;
  readonly grammar: Grammar;
  readonly keep: (name: string, word: Word | undefined, value?: string) => void;
}

/** Reads a cluster such as `-rnA3`; returns how many further words it took. */
function keepShortFlags(text: string, options: ShortFlags): 0 | 1 {
  const { word, next, program, grammar, keep } = options;
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? "";
    const rest = text.slice(at + 1);
    // The suffix of `sed -i.bak` belongs to the option.
    if (program === "sed" && letter === "i") {
      keep("-i", word, rest);
      return 0;
    }
    if (!grammar.valued.includes(letter)) {
      keep(`-${letter}`, undefined);
      continue;
    }
    if (rest !== "") {
      keep(`-${letter}`, word, rest);
      return 0;
    }
    keep(`-${letter}`, next);
    return next === undefined ? 0 : 1;
  }
  return 0;
}
