// Owns: one word of the POSIX shell: quotes, escapes, expansions, and what is left after quote removal.
// Must not know: commands, pipelines, which programs exist, what a word is used for.

export interface Word {
  /** After quote removal; expansions stand as they were written. */
  readonly text: string;
  /** As written, fit to be pasted into another command line. */
  readonly source: string;
  /** Holds an active `$…` or backtick, so the value is not known. */
  readonly expands: boolean;
  /** Holds an active `*`, `?`, `[` or `{a,b}`. */
  readonly glob: boolean;
  /** Begins with an active `~`. */
  readonly tilde: boolean;
  /** Nothing in it was quoted or escaped, as reserved words and assignments require. */
  readonly bare: boolean;
}

/** A word that is exactly `text`. */
export function knownWord(text: string): Word {
  return { text, source: text, expands: false, glob: false, tilde: false, bare: true };
}

/** Reads what stands inside `$(…)` or backticks. */
export interface SubstitutionReader {
  /** Reads from just after `$(` and returns the offset just after its `)`. */
  parenthesised(at: number, quoted: boolean): number;
  /** Reads the text between backticks, one level of `\` already removed. */
  backticks(inner: string, quoted: boolean): void;
  /** Counts one level of nesting while `read` runs. */
  nested(read: () => void): void;
}

export interface WordRules {
  /** False for `cmd`, where `\` separates the parts of a path. */
  readonly backslashEscapes: boolean;
}

// POSIX blanks only: a carriage return belongs to the word, as it does in the shell.
const ENDS_WORD = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);
// Not POSIX, but bash is `sh` on many systems, and agents write for it.
const BRACES = /\{[^\s{}'"\\]*,[^\s{}'"\\]*\}/y;
const DOUBLE_QUOTE_ESCAPES = new Set(["$", "`", '"', "\\"]);
const ANSI_ESCAPES: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The word at `start`, and the offset just after it; an unclosed quote ends with the text. */
export function readWord(
  source: string,
  start: number,
  options: { readonly rules: WordRules; readonly substitutions: SubstitutionReader },
): { readonly word: Word; readonly end: number } {
  return new WordReader(source, options.rules, options.substitutions).read(start);
}

class WordReader {
  #at = 0;
  #parts: string[] = [];
  #expands = false;
  #glob = false;
  #bare = true;

  constructor(
    readonly source: string,
    readonly rules: WordRules,
    readonly substitutions: SubstitutionReader,
  ) {}

  read(start: number): { word: Word; end: number } {
    this.#at = start;
    while (this.#at < this.source.length && !ENDS_WORD.has(this.source[this.#at] ?? "")) {
      this.#readPart();
    }
    const source = this.source.slice(start, this.#at);
    const word = {
      text: this.#parts.join(""),
      source,
      expands: this.#expands,
      glob: this.#glob,
      tilde: source.startsWith("~"),
      bare: this.#bare,
    };
    return { word, end: this.#at };
  }

  #readPart(): void {
    const character = this.source[this.#at] ?? "";
    switch (character) {
      case "\\":
        if (this.rules.backslashEscapes) return this.#readEscape();
        return this.#take(1);
      case "'":
        return this.#readSingleQuoted();
      case '"':
        return this.#readDoubleQuoted();
      case "`":
        return this.#readBackticks(false);
      case "$":
        return this.#readDollar(false);
      case "*":
      case "?":
      case "[":
        this.#glob = true;
        return this.#take(1);
      case "{":
        BRACES.lastIndex = this.#at;
        this.#glob ||= BRACES.test(this.source);
        return this.#take(1);
      default:
        return this.#readPlain();
    }
  }

  #readPlain(): void {
    const start = this.#at;
    do this.#at++; while (
      this.#at < this.source.length && !ENDS_WORD.has(this.source[this.#at] ?? "") &&
      !"\\'\"`$*?[{".includes(this.source[this.#at] ?? "")
    );
    this.#parts.push(this.source.slice(start, this.#at));
  }

  /** Keeps `count` characters as they are. */
  #take(count: number): void {
    this.#parts.push(this.source.slice(this.#at, this.#at + count));
    this.#at += count;
  }

  #readEscape(): void {
    this.#bare = false;
    // At the very end there is nothing to escape, and it stands for itself.
    const next = this.source[this.#at + 1] ?? "\\";
    if (next !== "\n") this.#parts.push(next);
    this.#at = Math.min(this.#at + 2, this.source.length);
  }

  #readSingleQuoted(): void {
    this.#bare = false;
    const close = this.#indexOf("'", this.#at + 1);
    this.#parts.push(this.source.slice(this.#at + 1, close));
    this.#at = Math.min(close + 1, this.source.length);
  }

  #readDoubleQuoted(): void {
    this.#bare = false;
    this.#at++;
    while (this.#at < this.source.length && this.source[this.#at] !== '"') {
      const character = this.source[this.#at];
      if (character === "$") this.#readDollar(true);
      else if (character === "`") this.#readBackticks(true);
      else if (character === "\\" && this.rules.backslashEscapes) this.#readQuotedEscape();
      else this.#take(1);
    }
    this.#at = Math.min(this.#at + 1, this.source.length);
  }

  #readQuotedEscape(): void {
    const next = this.source[this.#at + 1];
    if (next !== undefined && DOUBLE_QUOTE_ESCAPES.has(next)) this.#parts.push(next);
    else if (next !== "\n") return this.#take(2);
    this.#at += 2;
  }

  #readDollar(quoted: boolean): void {
    const start = this.#at;
    const next = this.source[start + 1] ?? "";
    if (next === "'" && !quoted) return this.#readAnsiQuoted();
    if (next === '"' && !quoted) {
      this.#at++;
      return this.#readDoubleQuoted();
    }
    if (next === "(" && this.source[start + 2] === "(") {
      this.substitutions.nested(() => this.#passArithmetic(start + 3, quoted));
    } else if (next === "(") {
      this.#at = this.substitutions.parenthesised(start + 2, quoted);
    } else if (next === "{") {
      this.substitutions.nested(() => this.#passBraces(start + 2, quoted));
    } else if (/[\w?!#@*$-]/.test(next)) {
      this.#at = start + 1;
      do this.#at++; while (/\w/.test(next) && /\w/.test(this.source[this.#at] ?? ""));
    } else return this.#take(1);
    this.#expands = true;
    this.#parts.push(this.source.slice(start, this.#at));
  }

  #readAnsiQuoted(): void {
    this.#bare = false;
    this.#at += 2;
    while (this.#at < this.source.length && this.source[this.#at] !== "'") {
      const next = this.source[this.#at + 1];
      if (this.source[this.#at] !== "\\" || next === undefined) {
        this.#take(1);
        continue;
      }
      this.#parts.push(ANSI_ESCAPES[next] ?? ("\\'\"?".includes(next) ? next : `\\${next}`));
      this.#at += 2;
    }
    this.#at = Math.min(this.#at + 1, this.source.length);
  }

  #readBackticks(quoted: boolean): void {
    const start = this.#at;
    const inner: string[] = [];
    let at = start + 1;
    while (at < this.source.length && this.source[at] !== "`") {
      if (this.source[at] === "\\" && "`\\$".includes(this.source[at + 1] ?? " ")) at++;
      inner.push(this.source[at] ?? "");
      at++;
    }
    this.#at = Math.min(at + 1, this.source.length);
    this.substitutions.backticks(inner.join(""), quoted);
    this.#expands = true;
    this.#parts.push(this.source.slice(start, this.#at));
  }

  #passArithmetic(start: number, quoted: boolean): void {
    let open = 2;
    this.#at = start;
    while (this.#at < this.source.length && open > 0) {
      const character = this.source[this.#at];
      if (character === "(") open++;
      else if (character === ")") open--;
      this.#skipOne(quoted);
    }
  }

  #passBraces(start: number, quoted: boolean): void {
    this.#at = start;
    while (this.#at < this.source.length && this.source[this.#at] !== "}") this.#skipOne(quoted);
    this.#at = Math.min(this.#at + 1, this.source.length);
  }

  /** Passes one character or one whole quoted or expanded part, without keeping its text. */
  #skipOne(quoted: boolean): void {
    const kept = this.#parts.length;
    const character = this.source[this.#at];
    const bare = this.#bare;
    if (character === "$") this.#readDollar(quoted);
    else if (character === "`") this.#readBackticks(quoted);
    else if (character === '"') this.#readDoubleQuoted();
    else if (character === "'" && !quoted) this.#readSingleQuoted();
    else if (character === "\\") this.#at = Math.min(this.#at + 2, this.source.length);
    else this.#at++;
    this.#bare = bare;
    this.#parts.length = kept;
  }

  #indexOf(text: string, from: number): number {
    const found = this.source.indexOf(text, from);
    return found === -1 ? this.source.length : found;
  }
}
