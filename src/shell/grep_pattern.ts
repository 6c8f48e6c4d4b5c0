// Owns: a search pattern of grep or ripgrep -> the `content` and `regex` arguments of `view`.
// Must not know: options, paths, where the pattern came from.

export type PatternSyntax = "fixed" | "basic" | "extended" | "rust";

export interface PatternOptions {
  readonly syntax: PatternSyntax;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly wholeLine: boolean;
}

export interface ViewSearch {
  readonly content: string;
  readonly regex: boolean;
}

const CLASSES: { readonly [name: string]: string } = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** The search for lines that match any of `patterns`; undefined when there is none. */
export function toViewSearch(
  patterns: readonly string[],
  options: PatternOptions,
): ViewSearch | undefined {
  // To grep, each line of a pattern is a pattern of its own.
  const each = patterns.flatMap((pattern) => pattern.split("\n")).filter((text) => text !== "");
  const [only] = each;
  if (only === undefined) return undefined;
  const decorated = options.ignoreCase || options.wholeWord || options.wholeLine;
  const literal = each.length === 1 ? literalText(only, options.syntax) : undefined;
  if (literal !== undefined && !decorated) return { content: literal, regex: false };
  const source = each.map((pattern) => regexSource(pattern, options.syntax)).join("|");
  const prefix = options.ignoreCase ? "(?i)" : "";
  return { content: `${prefix}${bounded(source, options)}`, regex: true };
}

function bounded(source: string, { wholeLine, wholeWord }: PatternOptions): string {
  const grouped = source.includes("|") ? `(?:${source})` : source;
  if (wholeLine) return `^${grouped}$`;
  if (!wholeWord) return source;
  // `\b` beside anything but a letter or digit would ask for one on the other side.
  return /^[\w|]+$/.test(source) ? `\\b${grouped}\\b` : `(?:^|\\W)${grouped}(?:\\W|$)`;
}

/** The text that a pattern stands for when nothing in it is special, else undefined. */
export function literalText(pattern: string, syntax: PatternSyntax): string | undefined {
  if (syntax === "fixed") return pattern;
  const withoutEscapes = pattern.replace(/\\[\\.*[\]^$/]/g, "");
  const special = syntax === "basic" ? /[\\.*[\]^$]/ : /[\\.*[\]^$+?(){}|]/;
  if (special.test(withoutEscapes)) return undefined;
  return pattern.replace(/\\([\\.*[\]^$/])/g, "$1");
}

function regexSource(pattern: string, syntax: PatternSyntax): string {
  switch (syntax) {
    case "fixed":
      return pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    case "basic":
    case "extended":
      return posixParts(pattern).map((part, index) => {
        if (part.startsWith("[") && part.length > 1) return bracketExpression(part);
        if (/^\\[<>]$/.test(part)) return "\\b";
        return syntax === "basic" ? basicPart(part, index) : part;
      }).join("");
    case "rust":
      return pattern;
  }
}

/** Escapes, bracket expressions and single characters. */
function posixParts(pattern: string): readonly string[] {
  return pattern.match(/\\.|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/gu) ?? [];
}

/** In a basic expression `\(` groups and `(` is itself; in an extended one it is the other way round. */
function basicPart(part: string, index: number): string {
  if (/^\\[(){}|+?]$/.test(part)) return part.slice(1);
  if (/^[(){}|+?]$/.test(part)) return `\\${part}`;
  return part === "*" && index === 0 ? "\\*" : part;
}

/** In POSIX brackets a backslash is itself, and so is `]` in the first place. */
function bracketExpression(part: string): string {
  const negation = part.startsWith("[^") ? "^" : "";
  const inner = part.slice(1 + negation.length, -1);
  const items = inner.replace(/\[:(\w+):\]|[\\[\]]/g, (item, name: string | undefined) => {
    return name === undefined ? `\\${item}` : CLASSES[name] ?? "";
  });
  return `[${negation}${items}]`;
}
