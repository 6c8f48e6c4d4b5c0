// Owns: a position in a regular expression, its errors, and one character as engine source.
// Must not know: what the constructs mean.

/** The pattern stops making sense at `position`, counted in characters from 0. */
export class MalformedRegex extends Error {
  override readonly name = "MalformedRegex";

  constructor(readonly position: number, reason: string) {
    super(reason);
  }
}

/** Reads a pattern by code points. */
export class PatternReader {
  at = 0;
  readonly #chars: readonly string[];

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  get atEnd(): boolean {
    return this.at >= this.#chars.length;
  }

  peek(offset = 0): string | undefined {
    return this.#chars[this.at + offset];
  }

  next(): string {
    return this.#chars[this.at++] ?? "";
  }

  /** The next characters, for a look at what follows. */
  ahead(length: number): string {
    return this.#chars.slice(this.at, this.at + length).join("");
  }
}

/** The character in a form that means itself inside and outside a class. */
export function codePointSource(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9_"' \u0080-\u{10ffff}]$/u.test(char) ? char : `\\u{${codePoint.toString(16)}}`;
}

/** A character of the pattern that means itself. */
export function literalChar(char: string): string {
  return codePointSource(char.codePointAt(0) ?? 0);
}

/** A literal as a source, where each line break also matches `\r\n`. */
export function literalSource(text: string): string {
  return [...text.replaceAll("\r\n", "\n")].map((char) =>
    char === "\n" ? "\\r?\\n" : literalChar(char)
  )
    .join("");
}
