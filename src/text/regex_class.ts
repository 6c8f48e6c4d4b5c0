// Owns: character classes and escapes of a regular expression, as sources for the JavaScript engine.
// Must not know: groups, repetition, flags.

import { codePointSource, MalformedRegex, type PatternReader } from "./regex_reader.ts";

/** What the short classes stand for; ASCII ones are much faster, and right for ASCII text. */
export interface ShortClasses {
  readonly digit: string;
  readonly word: string;
  readonly space: string;
  readonly boundary: string;
  readonly notBoundary: string;
}

export const ASCII_CLASSES: ShortClasses = {
  digit: "0-9",
  word: "0-9A-Za-z_",
  space: "\\t-\\r\\u{20}",
  boundary: "\\b",
  notBoundary: "\\B",
};

const UNICODE_WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

export const UNICODE_CLASSES: ShortClasses = {
  digit: "\\p{Nd}",
  word: UNICODE_WORD,
  space: "\\p{White_Space}",
  boundary:
    `(?:(?<=[${UNICODE_WORD}])(?![${UNICODE_WORD}])|(?<![${UNICODE_WORD}])(?=[${UNICODE_WORD}]))`,
  notBoundary:
    `(?:(?<=[${UNICODE_WORD}])(?=[${UNICODE_WORD}])|(?<![${UNICODE_WORD}])(?![${UNICODE_WORD}]))`,
};

const POSIX_CLASSES: { readonly [name: string]: string } = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\u{0}-\\u{7f}",
  blank: "\\t\\u{20}",
  cntrl: "\\u{0}-\\u{1f}\\u{7f}",
  digit: "0-9",
  graph: "\\u{21}-\\u{7e}",
  lower: "a-z",
  print: "\\u{20}-\\u{7e}",
  punct: "\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}",
  space: "\\t-\\r\\u{20}",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

const CONTROL_ESCAPES: { readonly [letter: string]: number } = {
  a: 7,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/** Flags for every translated source; `m` too when it is run over more than one line. */
export const REGEX_FLAGS = "v";

/** What one escape or class item stands for: one character, or a ready piece of class source. */
export type ClassItem =
  | { readonly kind: "char"; readonly codePoint: number }
  | { readonly kind: "set"; readonly source: string };

/** Reads classes and escapes from where the reader stands. */
export class ClassReader {
  constructor(readonly reader: PatternReader, readonly classes: ShortClasses) {}

  /** The escape after a `\` as an item that may also stand in a class. */
  escapedItem(start: number): ClassItem {
    const char = this.reader.next();
    const short = this.#shortClass(char);
    if (short !== undefined) return { kind: "set", source: short };
    if (char === "p" || char === "P") return this.#property(start, char === "P");
    if (char === "x" || char === "u" || char === "U") return this.#hexadecimal(start, char);
    const control = CONTROL_ESCAPES[char];
    if (control !== undefined) return { kind: "char", codePoint: control };
    if (/[A-Za-z0-9]/.test(char)) {
      throw new MalformedRegex(start, `unknown escape \`\\${char}\``);
    }
    return { kind: "char", codePoint: char.codePointAt(0) ?? 0 };
  }

  #shortClass(letter: string): string | undefined {
    const { digit, word, space } = this.classes;
    const sets: { readonly [letter: string]: string } = { d: digit, w: word, s: space };
    const set = sets[letter.toLowerCase()];
    if (set === undefined) return undefined;
    return letter === letter.toLowerCase() ? set : `[^${set}]`;
  }

  #property(start: number, negative: boolean): ClassItem {
    const found = /^(?:\{(\^?)([^}]*)\}|([A-Za-z]))/.exec(this.reader.ahead(64));
    if (!found) {
      throw new MalformedRegex(start, "`\\p` needs a property such as `\\pL` or `\\p{Greek}`");
    }
    this.reader.at += found[0].length;
    const name = found[2] ?? found[3] ?? "";
    const letter = negative !== (found[1] === "^") ? "P" : "p";
    for (const candidate of [name, `Script=${name}`, name.replace(/^(\w+):/, "$1=")]) {
      const source = `\\${letter}{${candidate}}`;
      if (isValid(source)) return { kind: "set", source };
    }
    throw new MalformedRegex(start, `unknown property \`${name}\``);
  }

  #hexadecimal(start: number, letter: string): ClassItem {
    const digits = letter === "x" ? 2 : letter === "u" ? 4 : 8;
    const found = /^(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]+))/.exec(this.reader.ahead(10));
    const bare = found?.[2]?.slice(0, digits);
    const hex = found?.[1] ?? (bare?.length === digits ? bare : undefined);
    if (hex === undefined) {
      throw new MalformedRegex(start, `\`\\${letter}\` needs hexadecimal digits`);
    }
    const codePoint = parseInt(hex, 16);
    if (codePoint > 0x10ffff) throw new MalformedRegex(start, `\`${hex}\` is no code point`);
    this.reader.at += found?.[1] === undefined ? digits : hex.length + 2;
    return { kind: "char", codePoint };
  }

  /** The class whose `[` stood at `start`. */
  characterClass(start: number): string {
    const negative = this.reader.peek() === "^";
    if (negative) this.reader.at++;
    // Each operand of `&&` or `--` becomes a class of its own, as the engine wants it.
    let left = "";
    let items = "";
    for (let first = true;; first = false) {
      const char = this.reader.peek();
      if (char === undefined) throw new MalformedRegex(start, "unclosed class: `[` has no `]`");
      if (char === "]" && !first) break;
      const operator = this.reader.ahead(2);
      if ((operator === "&&" || operator === "--") && !first) {
        this.reader.at += 2;
        left = left === "" ? `[${items}]${operator}` : `[${left}[${items}]]${operator}`;
        items = "";
      } else items += this.#classItem();
    }
    this.reader.at++;
    return `[${negative ? "^" : ""}${left === "" ? items : `${left}[${items}]`}]`;
  }

  #classItem(): string {
    const start = this.reader.at;
    const low = this.#classAtom();
    if (low.kind === "set") return low.source;
    const rangeFollows = this.reader.peek() === "-" && this.reader.ahead(2) !== "--" &&
      this.reader.peek(1) !== "]" && this.reader.peek(1) !== undefined;
    if (!rangeFollows) return codePointSource(low.codePoint);
    this.reader.at++;
    const high = this.#classAtom();
    if (high.kind === "set") {
      return `${codePointSource(low.codePoint)}${codePointSource(0x2d)}${high.source}`;
    }
    if (high.codePoint < low.codePoint) throw new MalformedRegex(start, "the range is reversed");
    return `${codePointSource(low.codePoint)}-${codePointSource(high.codePoint)}`;
  }

  #classAtom(): ClassItem {
    const start = this.reader.at;
    const char = this.reader.next();
    if (char === "\\") {
      if (this.reader.peek() === undefined) {
        throw new MalformedRegex(start, "a single `\\` ends the pattern");
      }
      if (this.reader.peek() === "b") {
        this.reader.at++;
        return { kind: "char", codePoint: 8 };
      }
      return this.escapedItem(start);
    }
    if (char !== "[") return { kind: "char", codePoint: char.codePointAt(0) ?? 0 };
    const posix = /^:(\^?)([a-z]+):\]/.exec(this.reader.ahead(12));
    if (!posix) return { kind: "set", source: this.characterClass(start) };
    const set = POSIX_CLASSES[posix[2] ?? ""];
    if (set === undefined) throw new MalformedRegex(start, `unknown class \`[:${posix[2]}:]\``);
    this.reader.at += posix[0].length;
    return { kind: "set", source: posix[1] === "^" ? `[^${set}]` : set };
  }
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, REGEX_FLAGS);
    return true;
  } catch {
    return false;
  }
}
