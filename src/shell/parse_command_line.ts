// Owns: reading a command line of the POSIX shell, as far as judging its commands needs.
// Must not know: which programs exist, what a command means, tools.

import type {
  Command,
  CommandLine,
  ParsedCommandLine,
  Pipeline,
  Redirection,
} from "./command_line.ts";
import { redirectionAt, skipBlanks, tokenAt } from "./command_tokens.ts";
import { type Delimiter, readHereDocument } from "./here_document.ts";
import {
  knownWord,
  readWord,
  type SubstitutionReader,
  type Word,
  type WordRules,
} from "./shell_words.ts";

const DEPTH_LIMIT = 100;
const BEFORE_COMMAND = new Set([
  "!",
  "{",
  "if",
  "then",
  "elif",
  "else",
  "while",
  "until",
  "do",
  "time",
]);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Splits a command line as the shell would; text that the shell would refuse is read as far as it goes. */
export function parseCommandLine(source: string, rules: WordRules): ParsedCommandLine {
  try {
    return { kind: "parsed", pipelines: new Parser(source, rules, 0).parse() };
  } catch (error) {
    if (error instanceof TooDeep) return { kind: "too_deep", limit: DEPTH_LIMIT };
    throw error;
  }
}

class TooDeep extends Error {}

interface OpenCommand {
  words: Word[];
  redirections: Redirection[];
  substitutions: CommandLine[];
  subshell?: CommandLine;
  assigned: boolean;
  start: number;
}

interface PendingHereDocument extends Delimiter {
  readonly keep: (text: string) => void;
}

class Parser implements SubstitutionReader {
  #at = 0;
  #depth: number;
  #command: OpenCommand;
  #pending: PendingHereDocument[] = [];
  #caseDepth = 0;

  constructor(readonly source: string, readonly rules: WordRules, depth: number) {
    this.#depth = depth;
    this.#command = this.#newCommand();
  }

  /** Parses the whole source; a stray `)` only ends a command. */
  parse(): CommandLine {
    const pipelines: Pipeline[] = [];
    while (this.#at < this.source.length) {
      for (const pipeline of this.#parseList()) pipelines.push(pipeline);
      this.#at++;
    }
    return pipelines;
  }

  /** Reads up to the `)` that closes this list, or to the end, and stays before it. */
  #parseList(): CommandLine {
    if (this.#depth > DEPTH_LIMIT) throw new TooDeep();
    const outer = this.#command;
    const pipelines: Pipeline[] = [];
    let commands: Command[] = [];
    const endCommand = (): void => {
      const command = this.#command;
      const source = this.source.slice(command.start, this.#at).trim();
      const { assigned, start: _, ...parts } = command;
      if (source !== "" && (assigned || !isEmpty(parts))) commands.push({ ...parts, source });
      this.#command = this.#newCommand();
    };
    const endPipeline = (): void => {
      endCommand();
      if (commands.length > 0) pipelines.push({ commands });
      commands = [];
    };
    this.#command = this.#newCommand();
    for (let open = true; open;) {
      this.#skipBlanks();
      switch (tokenAt(this.source, this.#at)) {
        case "end":
          open = false;
          break;
        case "pipe":
          endCommand();
          this.#passPipe();
          break;
        case "separator":
          endPipeline();
          this.#passSeparator();
          break;
        case "parenthesis":
          this.#readParenthesis();
          break;
        case "redirection":
          this.#readRedirection(undefined);
          break;
        case "word":
          this.#readCommandWord();
          break;
      }
    }
    endPipeline();
    this.#command = outer;
    return pipelines;
  }

  #newCommand(): OpenCommand {
    return {
      words: [],
      redirections: [],
      substitutions: [],
      assigned: false,
      start: this.#at,
    };
  }

  #skipBlanks(): void {
    this.#at = skipBlanks(this.source, this.#at);
  }

  /** After `|` the command may stand in a later line. */
  #passPipe(): void {
    this.#at += this.source[this.#at + 1] === "&" ? 2 : 1;
    this.#passBlankLines();
    this.#command.start = this.#at;
  }

  #passBlankLines(): void {
    for (;;) {
      this.#skipBlanks();
      if (this.source[this.#at] !== "\n") return;
      this.#at++;
      this.#readHereDocuments();
    }
  }

  #passSeparator(): void {
    const character = this.source[this.#at];
    const endsCase = character === ";" && /[;&]/.test(this.source[this.#at + 1] ?? "");
    while (this.#at < this.source.length && this.source[this.#at] === character) {
      this.#at++;
      if (character === "\n") {
        this.#readHereDocuments();
        break;
      }
    }
    if (endsCase && this.source[this.#at] === "&") this.#at++;
    if (endsCase && this.#caseDepth > 0) this.#skipPattern();
    this.#command.start = this.#at;
  }

  #readCommandWord(): void {
    const word = this.#readWord();
    const command = this.#command;
    const fresh = command.words.length === 0;
    if (fresh && word.bare && BEFORE_COMMAND.has(word.text)) {
      command.start = this.#at;
      return;
    }
    if (fresh && ASSIGNMENT.test(word.source)) {
      command.assigned = true;
      return;
    }
    const next = this.source[this.#at];
    if ((next === "<" || next === ">") && /^\d+$/.test(word.source)) {
      return this.#readRedirection(Number(word.source));
    }
    if (fresh && word.text === "esac") this.#caseDepth = Math.max(0, this.#caseDepth - 1);
    command.words.push(word);
    if (word.text === "in" && command.words.length === 3 && command.words[0]?.text === "case") {
      this.#caseDepth++;
      this.#skipPattern();
      this.#command.words = [];
      this.#command.start = this.#at;
    }
  }

  /** Passes `pattern)` or `(pattern)` of a case clause; `esac` is left for the command reader. */
  #skipPattern(): void {
    this.#passBlankLines();
    if (/^esac(?![^\s;&|)])/.test(this.source.slice(this.#at, this.#at + 5))) return;
    while (this.#at < this.source.length && this.source[this.#at] !== ")") {
      const before = this.#at;
      this.#skipBlanks();
      if (this.source[this.#at] === ")") break;
      this.#readWord();
      if (this.#at === before) this.#at++;
    }
    this.#at = Math.min(this.#at + 1, this.source.length);
  }

  #readParenthesis(): void {
    const command = this.#command;
    const body = this.#parseNested(this.#at + 1);
    if (command.words.length === 0 && !command.assigned) command.subshell = body;
    // `name()` begins a function; anything else in the middle of a command is no command to judge.
    else if (body.length === 0 && command.words.length === 1) command.words = [];
  }

  /** Reads a list from `start` and moves past its `)`. */
  #parseNested(start: number): CommandLine {
    this.#at = start;
    this.#depth++;
    const list = this.#parseList();
    this.#depth--;
    this.#at = Math.min(this.#at + 1, this.source.length);
    return list;
  }

  #readRedirection(descriptor: number | undefined): void {
    const operator = redirectionAt(this.source, this.#at);
    this.#at += operator.length;
    // `<(…)` and `>(…)` are operands whose commands feed another program, as in a pipeline.
    if (this.source[this.#at] === "(" && operator.length === 1) {
      const start = this.#at - 1;
      this.#parseNested(this.#at + 1);
      const target = knownWord(this.source.slice(start, this.#at));
      this.#command.redirections.push({ operator: `${operator}(`, target });
      return;
    }
    this.#skipBlanks();
    const target = this.#readWord();
    const entry = { operator, target, ...(descriptor === undefined ? {} : { descriptor }) };
    const { redirections } = this.#command;
    const index = redirections.push(entry) - 1;
    if (operator !== "<<" && operator !== "<<-") return;
    const keep = (text: string): void => {
      redirections[index] = { ...entry, body: { text, expands: target.bare } };
    };
    this.#pending.push({ delimiter: target.text, stripTabs: operator === "<<-", keep });
  }

  #readHereDocuments(): void {
    for (const pending of this.#pending.splice(0)) {
      const { text, end } = readHereDocument(this.source, this.#at, pending);
      this.#at = end;
      pending.keep(text);
    }
  }

  #readWord(): Word {
    const options = { rules: this.rules, substitutions: this };
    const { word, end } = readWord(this.source, this.#at, options);
    this.#at = end;
    return word;
  }

  parenthesised(at: number, quoted: boolean): number {
    const { substitutions } = this.#command;
    const list = this.#parseNested(at);
    if (!quoted) substitutions.push(list);
    return this.#at;
  }

  backticks(inner: string, quoted: boolean): void {
    if (quoted) return;
    this.#command.substitutions.push(new Parser(inner, this.rules, this.#depth + 1).parse());
  }

  nested(read: () => void): void {
    if (++this.#depth > DEPTH_LIMIT) throw new TooDeep();
    read();
    this.#depth--;
  }
}

function isEmpty(command: Pick<Command, "words" | "redirections" | "substitutions" | "subshell">) {
  return command.words.length === 0 && command.redirections.length === 0 &&
    command.substitutions.length === 0 && command.subshell === undefined;
}
