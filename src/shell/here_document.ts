// Owns: where a here-document ends and what its text is once the shell has read it.
// Must not know: the command that it belongs to, files, tools.

export interface Delimiter {
  readonly delimiter: string;
  /** `<<-`: tabs at the beginning of each line do not count. */
  readonly stripTabs: boolean;
}

/** Reads the lines from `start` up to the delimiter, or to the end of the source. */
export function readHereDocument(
  source: string,
  start: number,
  { delimiter, stripTabs }: Delimiter,
): { readonly text: string; readonly end: number } {
  const lines: string[] = [];
  let at = start;
  while (at < source.length) {
    const found = source.indexOf("\n", at);
    const end = found === -1 ? source.length : found;
    const raw = source.slice(at, end);
    const line = stripTabs ? raw.replace(/^\t+/, "") : raw;
    at = Math.min(end + 1, source.length);
    if (line === delimiter) break;
    lines.push(`${line}\n`);
  }
  return { text: lines.join(""), end: at };
}

/**
 * The text a here-document with an unquoted delimiter gives, or undefined when it depends on
 * variables or commands.
 */
export function expandHereDocument(text: string): string | undefined {
  const withoutEscapes = text.replace(/\\[\\$`\n]/g, "");
  if (/`|\$[\w({?!#@*$-]/.test(withoutEscapes)) return undefined;
  return text.replace(/\\([\\$`\n])/g, (_, escaped: string) => escaped === "\n" ? "" : escaped);
}
