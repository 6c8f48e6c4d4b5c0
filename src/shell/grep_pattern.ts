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
  const sources = each.map((pattern) => regexSource(pattern, options.syntax));
  const joined = sources.join("|");
  const body = sources.length > 1 || (decorated && joined.includes("|")) ? `(?:${joined})` : joined;
  const plain = sources.length > 1 && !decorated ? joined : body;
  const bounded = options.wholeLine ? `^${plain}$` : options.wholeWord ? `\\b${plain}\\b` : plain;
  return { content: `${options.ignoreCase ? "(?i)" : ""}${bounded}`, regex: true };
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
      return readClasses(basicToExtended(pattern));
    case "extended":
      return readClasses(wordEdges(pattern));
    case "rust":
      return pattern;
  }
}

/** In a basic expression `\(` groups and `(` is itself; in an extended one it is the other way round. */
function basicToExtended(pattern: string): string {
  const parts = pattern.match(/\\.|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/gu) ?? [];
  return parts.map((part, index) => {
    if (/^\\[(){}|+?]$/.test(part)) return part.slice(1);
    if (/^[(){}|+?]$/.test(part)) return `\\${part}`;
    if (part === "*" && index === 0) return "\\*";
    return wordEdges(part);
  }).join("");
}

function wordEdges(pattern: string): string {
  return pattern.replace(/\\[<>]/g, "\\b");
}

function readClasses(pattern: string): string {
  return pattern.replace(/\[:(\w+):\]/g, (whole, name: string) => CLASSES[name] ?? whole);
}
