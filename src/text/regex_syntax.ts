// Owns: a regular expression as people write it for RE2 or Rust -> sources for the JavaScript engine.
// Must not know: lines, files, how a search runs.

import {
  ASCII_CLASSES,
  ClassReader,
  REGEX_FLAGS,
  type ShortClasses,
  UNICODE_CLASSES,
} from "./regex_class.ts";
import type { RegexQuery } from "./line_search.ts";
import { requiredLiteral } from "./regex_literal.ts";
import { codePointSource, literalChar, MalformedRegex, PatternReader } from "./regex_reader.ts";

export type TranslatedRegex =
  | { readonly kind: "regex"; readonly sources: Omit<RegexQuery, "kind"> }
  /** `position` is the 1-based character where the pattern stops making sense. */
  | { readonly kind: "malformed"; readonly position: number; readonly reason: string };

/** Translates and proves that the engine takes the result. */
export function translateRegex(pattern: string): TranslatedRegex {
  try {
    let ascii = new Translator(pattern, ASCII_CLASSES, true).translate();
    // Where a match may span lines, the lines it begins with count too.
    const shorten = !ascii.spansLines;
    if (!shorten) ascii = new Translator(pattern, ASCII_CLASSES, shorten).translate();
    const unicode = new Translator(pattern, UNICODE_CLASSES, shorten).translate();
    for (const source of [ascii.source, unicode.source]) new RegExp(source, REGEX_FLAGS);
    return {
      kind: "regex",
      sources: {
        ascii: ascii.source,
        unicode: unicode.source,
        spansLines: ascii.spansLines,
        looksAround: ascii.looksAround,
        needle: requiredLiteral(pattern),
      },
    };
  } catch (error) {
    if (error instanceof MalformedRegex) {
      return { kind: "malformed", position: error.position + 1, reason: error.message };
    }
    if (error instanceof SyntaxError) {
      const reason = error.message.replace(/^Invalid regular expression: .*: /s, "");
      return { kind: "malformed", position: 1, reason };
    }
    throw error;
  }
}

/** Deep nesting would exhaust the stack before the engine could refuse it. */
const MAXIMUM_DEPTH = 200;

interface Flags {
  ignoreCase: boolean;
  dotAll: boolean;
  verbose: boolean;
  swapGreed: boolean;
}

class Translator {
  #depth = 0;
  #groups = 0;
  readonly #reader: PatternReader;
  readonly #classReader: ClassReader;
  spansLines = false;
  looksAround = false;

  constructor(pattern: string, readonly classes: ShortClasses, readonly shorten: boolean) {
    this.#reader = new PatternReader(pattern);
    this.#classReader = new ClassReader(this.#reader, classes);
  }

  translate(): { source: string; spansLines: boolean; looksAround: boolean } {
    const flags = { ignoreCase: false, dotAll: false, verbose: false, swapGreed: false };
    const source = this.#alternation(flags);
    if (!this.#reader.atEnd) throw new MalformedRegex(this.#reader.at, "unopened group: `)`");
    return { source, spansLines: this.spansLines, looksAround: this.looksAround };
  }

  /** Reads up to the end of the group; `flags` may change inside and hold until that end. */
  #alternation(outer: Flags): string {
    const flags = { ...outer };
    const branches: string[] = [];
    let atoms: string[] = [];
    let isOneChar = false;
    // Atoms read under other case rules than the group's are wrapped in a modifier group.
    const add = (atom: string) => {
      if (flags.ignoreCase === outer.ignoreCase) atoms.push(atom);
      else atoms.push(`(?${flags.ignoreCase ? "i" : "-i"}:${atom})`);
    };
    while (!this.#reader.atEnd && this.#reader.peek() !== ")") {
      const start = this.#reader.at;
      const char = this.#reader.next();
      if (char === "|") {
        branches.push(atoms.join(""));
        atoms = [];
      } else if (flags.verbose && /\s/.test(char)) {
        continue;
      } else if (flags.verbose && char === "#") {
        while (!this.#reader.atEnd && this.#reader.next() !== "\n");
      } else if (char === "(" && this.#readFlags(flags)) {
        continue;
      } else if (this.#startsQuantifier(char)) {
        const previous = atoms.pop();
        if (previous === undefined || previous === "") {
          throw new MalformedRegex(start, `\`${char}\` has nothing to repeat`);
        }
        const quantifier = this.#quantifier(char, flags);
        const leads = isOneChar && atoms.length === 0 && this.#depth === 0 && this.shorten;
        atoms.push(`(?:${previous})${leads ? fewest(quantifier) : quantifier}`);
        isOneChar = false;
      } else {
        const atom = this.#atom(char, start, flags);
        isOneChar = /^[[a-z0-9]/i.test(atom);
        add(atom);
      }
    }
    branches.push(atoms.join(""));
    return branches.join("|");
  }

  #atom(char: string, start: number, flags: Flags): string {
    switch (char) {
      case "(":
        return this.#group(start, flags);
      case "[":
        return this.#classReader.characterClass(start);
      case "\\":
        return this.#escape(start);
      case ".":
        return flags.dotAll ? "[^]" : "[^\\n]";
      case "^":
      case "$":
        return char;
      case "\n":
        this.spansLines = true;
        return "\\r?\\n";
      default:
        return literalChar(char);
    }
  }

  /** Reads `(?flags)` just after the `(`; leaves the position alone when it is something else. */
  #readFlags(flags: Flags): boolean {
    const found = /^\?([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/.exec(this.#reader.ahead(16));
    if (!found || found[0] === "?)") return false;
    this.#setFlags(flags, found[1] ?? "", true);
    this.#setFlags(flags, found[2] ?? "", false);
    this.#reader.at += found[0].length;
    return true;
  }

  #setFlags(flags: Flags, letters: string, value: boolean): void {
    for (const letter of letters) {
      if (letter === "i") flags.ignoreCase = value;
      else if (letter === "s") flags.dotAll = value;
      else if (letter === "x") flags.verbose = value;
      else if (letter === "U") flags.swapGreed = value;
      else if (!"muR".includes(letter)) {
        throw new MalformedRegex(
          this.#reader.at,
          `unknown flag \`${letter}\`; known are i m s x U`,
        );
      }
    }
  }

  #group(start: number, flags: Flags): string {
    const inner = { ...flags };
    let open = "(";
    if (this.#reader.peek() === "?") {
      open = this.#groupOpening(start, inner);
    } else this.#groups++;
    if (++this.#depth > MAXIMUM_DEPTH) {
      throw new MalformedRegex(start, "groups are nested too deep");
    }
    const body = this.#alternation(inner);
    if (this.#reader.peek() !== ")") {
      throw new MalformedRegex(start, "unclosed group: `(` has no `)`");
    }
    this.#reader.at++;
    this.#depth--;
    const cased = inner.ignoreCase === flags.ignoreCase
      ? body
      : `(?${inner.ignoreCase ? "i" : "-i"}:${body})`;
    return `${open}${cased})`;
  }

  #groupOpening(start: number, flags: Flags): string {
    const ahead = this.#reader.ahead(80);
    const named = /^\?P?<[A-Za-z_][^>]*>/.exec(ahead);
    if (named) {
      this.#reader.at += [...named[0]].length;
      this.#groups++;
      return "(";
    }
    const around = /^\?<?[=!]/.exec(ahead);
    if (around) {
      this.looksAround = true;
      this.#reader.at += around[0].length;
      return `(${around[0]}`;
    }
    const scoped = /^\?([a-zA-Z]*)(?:-([a-zA-Z]+))?:/.exec(ahead);
    if (!scoped) throw new MalformedRegex(start, "unknown kind of group after `(?`");
    this.#setFlags(flags, scoped[1] ?? "", true);
    this.#setFlags(flags, scoped[2] ?? "", false);
    this.#reader.at += scoped[0].length;
    return "(?:";
  }

  #startsQuantifier(char: string): boolean {
    if ("*+?".includes(char)) return true;
    return char === "{" && COUNTED.test(`{${this.#reader.ahead(24)}`);
  }

  #quantifier(char: string, flags: Flags): string {
    let quantifier = char;
    if (char === "{") {
      const counted = COUNTED.exec(`{${this.#reader.ahead(24)}`);
      const [whole = "", low = "", comma = "", high = ""] = counted ?? [];
      if (high !== "" && Number(high) < Number(low)) {
        throw new MalformedRegex(
          this.#reader.at - 1,
          `repetition counts are reversed in \`${whole}\``,
        );
      }
      quantifier = `{${low === "" ? "0" : low}${comma}${high}}`;
      this.#reader.at += whole.length - 1;
    }
    const lazy = this.#reader.peek() === "?";
    if (lazy) this.#reader.at++;
    return quantifier + (lazy !== flags.swapGreed ? "?" : "");
  }

  #escape(start: number): string {
    const char = this.#reader.peek();
    if (char === undefined) throw new MalformedRegex(start, "a single `\\` ends the pattern");
    const { boundary, notBoundary, word } = this.classes;
    const assertions: { readonly [letter: string]: string } = {
      b: boundary,
      B: notBoundary,
      A: "^",
      z: "$",
      Z: "$",
      "<": `(?:${boundary}(?=[${word}]))`,
      ">": `(?:${boundary}(?<=[${word}]))`,
    };
    const assertion = assertions[char];
    if (assertion !== undefined) {
      this.#reader.at++;
      return assertion;
    }
    if (char === "n") {
      this.#reader.at++;
      this.spansLines = true;
      return "\\r?\\n";
    }
    if (char === "Q") return this.#quoted();
    if (/[1-9]/.test(char)) {
      this.#reader.at++;
      if (Number(char) > this.#groups) throw new MalformedRegex(start, `there is no group ${char}`);
      return `\\${char}(?:)`;
    }
    const item = this.#classReader.escapedItem(start);
    return item.kind === "set" ? `[${item.source}]` : codePointSource(item.codePoint);
  }

  #quoted(): string {
    this.#reader.at++;
    let source = "";
    while (!this.#reader.atEnd) {
      if (this.#reader.ahead(2) === "\\E") {
        this.#reader.at += 2;
        break;
      }
      source += literalChar(this.#reader.next());
    }
    return `(?:${source})`;
  }
}

/**
 * The fewest repetitions a quantifier asks for. A line that `\w+x` matches is one that `\wx` matches: so
 * a repetition that leads need not be tried at every length, which takes quadratic time in long lines.
 */
function fewest(quantifier: string): string {
  if (quantifier.startsWith("+")) return "";
  return `{${/^\{(\d+)/.exec(quantifier)?.[1] ?? "0"}}`;
}

/** A repetition like `{2,5}`; braces around anything else are plain characters. */
const COUNTED = /^\{(?=\d|,\d)(\d*)(,?)(\d*)\}/;
