// Owns: the `pattern` argument: globs in ripgrep's `-g` grammar -> which paths are meant.
// Must not know: ignore files, the disk, messages.

/** Limits that keep a pattern cheap to compile and to match. */
export const PATTERN_LIMITS = { bytes: 4096, globs: 64, braceLevels: 16 } as const;

export type ParsedPattern =
  | { readonly kind: "filter"; readonly filter: PathFilter }
  /** `position` is the 1-based character of the whole pattern. */
  | { readonly kind: "malformed"; readonly position: number; readonly reason: string };

interface Glob {
  readonly negative: boolean;
  readonly directoriesOnly: boolean;
  /** Without a slash a glob names files at any depth. */
  readonly nameOnly: boolean;
  readonly regex: RegExp;
}

/** Which paths several globs mean together; the last one that matches decides. */
export class PathFilter {
  readonly #globs: readonly Glob[];
  readonly #needsMatch: boolean;

  /** `source` is the pattern that the globs were read from. */
  constructor(globs: readonly Glob[], readonly source: string) {
    this.#globs = globs.toReversed();
    this.#needsMatch = globs.some(({ negative }) => !negative);
  }

  /** `path` as it is printed, `name` its last part. */
  includesFile(path: string, name: string): boolean {
    return this.#decide(path, name, "file") ?? !this.#needsMatch;
  }

  /** True when nothing below the directory is meant. */
  prunesDirectory(path: string, name: string): boolean {
    return this.#decide(path, name, "directory") === false;
  }

  /** True or false by the last glob that matches. */
  #decide(path: string, name: string, kind: "file" | "directory"): boolean | undefined {
    let relative: string | undefined;
    for (const { negative, directoriesOnly, nameOnly, regex } of this.#globs) {
      if (directoriesOnly && kind === "file") continue;
      if (!nameOnly) relative ??= path.replace(/^(?:ssh:\/\/[^/]*)?\/+/, "");
      if (regex.test(nameOnly ? name : relative ?? path)) return !negative;
    }
    return undefined;
  }
}

/** Reads globs separated by `|`; nothing is walked before they are known to be well-formed. */
export function parsePattern(pattern: string): ParsedPattern {
  if (new TextEncoder().encode(pattern).length > PATTERN_LIMITS.bytes) {
    return malformed(PATTERN_LIMITS.bytes, `it is longer than ${PATTERN_LIMITS.bytes} bytes`);
  }
  const globs: Glob[] = [];
  for (const { text, offset } of splitGlobs(pattern)) {
    if (text === "" || text === "!") continue;
    if (globs.length === PATTERN_LIMITS.globs) {
      return malformed(offset + 1, `it has more than ${PATTERN_LIMITS.globs} globs`);
    }
    try {
      globs.push(parseGlob(text));
    } catch (error) {
      if (!(error instanceof MalformedGlob)) throw error;
      return malformed(offset + error.position + 1, error.message);
    }
  }
  if (globs.length === 0) return malformed(1, "it is empty");
  return { kind: "filter", filter: new PathFilter(globs, pattern) };
}

function malformed(position: number, reason: string): ParsedPattern {
  return { kind: "malformed", position, reason };
}

/** Cuts at every `|` that is not escaped and not inside `[...]`; blanks around a glob do not count. */
function splitGlobs(pattern: string): { text: string; offset: number }[] {
  const globs: { text: string; offset: number }[] = [];
  let start = 0;
  const push = (end: number) => {
    const raw = pattern.slice(start, end);
    globs.push({ text: raw.trim(), offset: start + raw.length - raw.trimStart().length });
    start = end + 1;
  };
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") at = Math.max(at, pattern.indexOf("]", at + 2));
    else if (pattern[at] === "|") push(at);
  }
  push(pattern.length);
  return globs;
}

class MalformedGlob extends Error {
  constructor(readonly position: number, reason: string) {
    super(reason);
  }
}

function parseGlob(text: string): Glob {
  const negative = text.startsWith("!");
  let at = negative ? 1 : 0;
  if (text.startsWith("./", at)) at += 2;
  const anchored = text[at] === "/";
  if (anchored) at++;
  const directoriesOnly = text.endsWith("/") && !text.endsWith("\\/") && text.length > at;
  const end = directoriesOnly ? text.length - 1 : text.length;
  const nameOnly = !anchored && !text.slice(at, end).includes("/");
  // `**/` without anything behind it stands for everything, as `**` does.
  const glob = text.slice(at, end) === "**/" ? text.slice(0, end - 1) : text.slice(0, end);
  const source = new GlobTranslator(glob, at).translate();
  return { negative, directoriesOnly, nameOnly, regex: new RegExp(`^(?:${source})$`, "su") };
}

class GlobTranslator {
  #at: number;
  #levels = 0;

  constructor(readonly text: string, start: number) {
    this.#at = start;
  }

  translate(): string {
    let source = "";
    while (this.#at < this.text.length) source += this.#piece();
    return source;
  }

  #piece(): string {
    const start = this.#at;
    const char = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
    this.#at += char.length;
    switch (char) {
      case "*":
        return this.#stars(start);
      case "?":
        return "[^/]";
      case "[":
        return this.#characterClass(start);
      case "{":
        return this.#alternatives(start);
      case "}":
        throw new MalformedGlob(start, "`}` without `{`; write `\\}` for the character");
      case "\\":
        return this.#escaped(start);
      default:
        return escapeRegex(char);
    }
  }

  /** `**` between slashes stands for any directories; any other run of stars is one `*`. */
  #stars(start: number): string {
    while (this.text[this.#at] === "*") this.#at++;
    const atStart = start === 0 || "/{,!".includes(this.text[start - 1] ?? "");
    if (this.#at - start < 2 || !atStart) return "[^/]*";
    const next = this.text[this.#at];
    if (next === "/") {
      this.#at++;
      return "(?:[^/]*/)*";
    }
    return next === undefined || next === "}" || next === "," ? ".+" : "[^/]*";
  }

  #escaped(start: number): string {
    const code = this.text.codePointAt(this.#at);
    if (code === undefined) throw new MalformedGlob(start, "a single `\\` ends the glob");
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return escapeRegex(char);
  }

  #alternatives(start: number): string {
    if (++this.#levels > PATTERN_LIMITS.braceLevels) {
      throw new MalformedGlob(start, `braces are nested deeper than ${PATTERN_LIMITS.braceLevels}`);
    }
    const branches: string[] = [];
    let branch = "";
    for (;;) {
      const char = this.text[this.#at];
      if (char === undefined) throw new MalformedGlob(start, "`{` without `}`");
      if (char === "," || char === "}") {
        this.#at++;
        branches.push(branch);
        branch = "";
        if (char === "}") break;
      } else branch += this.#piece();
    }
    this.#levels--;
    return `(?:${branches.join("|")})`;
  }

  #characterClass(start: number): string {
    const negative = this.text[this.#at] === "!" || this.text[this.#at] === "^";
    if (negative) this.#at++;
    let items = "";
    for (let first = true;; first = false) {
      const char = this.text[this.#at];
      if (char === undefined) throw new MalformedGlob(start, "`[` without `]`");
      if (char === "]" && !first) break;
      const low = this.#classChar();
      if (this.text[this.#at] !== "-" || "]".includes(this.text[this.#at + 1] ?? "]")) {
        items += escapeRegex(low);
        continue;
      }
      this.#at++;
      const high = this.#classChar();
      if ((high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0)) {
        throw new MalformedGlob(start, `the range ${low}-${high} is reversed`);
      }
      items += `${escapeRegex(low)}-${escapeRegex(high)}`;
    }
    this.#at++;
    // A class never matches the separator, also when it is negative.
    return `(?!/)[${negative ? "^" : ""}${items}]`;
  }

  #classChar(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }
}

function escapeRegex(char: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(char) ? `\\${char === "-" ? "x2d" : char}` : char;
}
