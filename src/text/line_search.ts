// Owns: which lines of a text match, with the lines around them, as merged blocks.
// Must not know: files, line ids, how a regular expression is written (regex_syntax.ts).
//
// `LINE_SEARCH_PARTS` are sent to worker threads as source text, so these functions use nothing from
// outside but each other, types and the standard built-ins.

/** What to look for. */
export type LineQuery = { readonly kind: "literal"; readonly text: string } | RegexQuery;

/** As `translateRegex` makes it. */
export interface RegexQuery {
  readonly kind: "regex";
  /** The source for ASCII text, where the engine's short classes are right. */
  readonly ascii: string;
  /** The source for all other text. */
  readonly unicode: string;
  /** The pattern names a line break, so a match may span lines. */
  readonly spansLines: boolean;
  /** Lookaround sees past the line in whole text, so every line must be tried alone. */
  readonly looksAround: boolean;
  /** A text that every match holds; empty where none is known. */
  readonly needle: string;
}

/** Where a match lies, in UTF-16 units of the text. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the first match at or after `from`, which is a line start, inside lines that exist. */
export type LineMatcher = (text: string, from: number) => MatchSpan | undefined;

export interface FoundLine {
  readonly text: string;
  /** Where in the line its first match begins, if it has one. */
  readonly column?: number;
}

/** Neighbouring lines; `firstLine` is a 0-based line index. */
export interface LineBlock {
  readonly firstLine: number;
  readonly lines: readonly FoundLine[];
}

export interface LineSearchOptions {
  /** Lines to show before and after each match. */
  readonly context: number;
  /** Matched lines to report at most. */
  readonly maxMatches: number;
  /** The last match may begin before this offset only; the rest of the text is context. */
  readonly searchEnd?: number;
  /** Offset of the line start to begin at; what is before it is context. */
  readonly searchStart?: number;
}

export interface LineSearchResult {
  readonly blocks: readonly LineBlock[];
  readonly matchedLines: number;
  /** True when a further match exists beyond `maxMatches`. */
  readonly more: boolean;
}

/** A function or class that is complete together with the parts it is listed with. */
// deno-lint-ignore no-explicit-any
export type SourcePart = (new (...given: any[]) => unknown) | ((...given: any[]) => unknown);

/** A matcher for one query; `ascii` says that only ASCII text will be given to it. */
export function createLineMatcher(query: LineQuery, ascii: boolean): LineMatcher {
  if (query.kind === "literal") return matchLiteral(query.text);
  const source = ascii ? query.ascii : query.unicode;
  if (query.spansLines) return matchAcrossLines(source);
  return matchWithinLines(source, query.looksAround);
}

/** Searches one text; its lines end at `\n`, and a `\r` just before it belongs to the ending. */
export function searchLines(
  text: string,
  matcher: LineMatcher,
  options: LineSearchOptions,
): LineSearchResult {
  const table = new LineTable(text);
  const { matches, matchedLines, more } = findMatches(table, matcher, options);
  return { blocks: mergeBlocks(table, matches, options.context), matchedLines, more };
}

function matchLiteral(needle: string): LineMatcher {
  return (text, from) => {
    const start = text.indexOf(needle, from);
    return start === -1 ? undefined : { start, end: start + needle.length };
  };
}

function matchAcrossLines(source: string): LineMatcher {
  const whole = new RegExp(source, "gmv");
  return (text, from) => {
    whole.lastIndex = from;
    const found = whole.exec(text);
    if (found === null || isBeyondLines(text, found.index)) return undefined;
    return { start: found.index, end: found.index + found[0].length };
  };
}

function matchWithinLines(source: string, everyLineAlone: boolean): LineMatcher {
  const whole = new RegExp(source, "gmv");
  const single = new RegExp(source, "v");
  return (text, from) => {
    for (let start = from; !isBeyondLines(text, start);) {
      if (!everyLineAlone) {
        // Over the whole text first: one call then passes over all lines that cannot match.
        whole.lastIndex = start;
        const candidate = whole.exec(text);
        if (candidate === null || isBeyondLines(text, candidate.index)) return undefined;
        const at = candidate.index;
        start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
      }
      const end = lineBreakAfter(text, start);
      const hasReturn = end > start && end < text.length && text.charCodeAt(end - 1) === 13;
      const found = single.exec(text.slice(start, hasReturn ? end - 1 : end));
      if (found !== null) {
        return { start: start + found.index, end: start + found.index + found[0].length };
      }
      start = end + 1;
    }
    return undefined;
  };
}

/** True after the end of a text's last line: no line begins there. */
function isBeyondLines(text: string, offset: number): boolean {
  if (offset < text.length) return false;
  return offset > text.length || offset === 0 || text.charCodeAt(offset - 1) === 10;
}

/** Offset of the `\n` at or after `from`, or the end of the text. */
function lineBreakAfter(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}

interface MatchedLines {
  /** 0-based line indexes, inclusive. */
  readonly first: number;
  readonly last: number;
  readonly column: number;
}

function findMatches(
  table: LineTable,
  matcher: LineMatcher,
  { maxMatches, searchStart = 0, searchEnd = Infinity }: LineSearchOptions,
): { matches: MatchedLines[]; matchedLines: number; more: boolean } {
  const matches: MatchedLines[] = [];
  let matchedLines = 0;
  for (let from = searchStart; from < table.text.length;) {
    const span = matcher(table.text, from);
    if (span === undefined || span.start >= searchEnd) break;
    if (matchedLines >= maxMatches) return { matches, matchedLines, more: true };
    const first = table.lineAt(span.start);
    const last = span.end > span.start ? table.lineAt(span.end - 1) : first;
    matches.push({ first, last, column: span.start - table.start(first) });
    matchedLines += last - first + 1;
    from = table.end(last) + 1;
  }
  return { matches, matchedLines, more: false };
}

function mergeBlocks(
  table: LineTable,
  matches: readonly MatchedLines[],
  context: number,
): LineBlock[] {
  const columns = new Map<number, number>(matches.map(({ first, column }) => [first, column]));
  const blocks: { firstLine: number; lines: FoundLine[] }[] = [];
  let printed = -1;
  for (const { first, last } of matches) {
    const begin = Math.max(first - context, 0);
    const end = table.lineAfter(last, context);
    let block = blocks[blocks.length - 1];
    if (block === undefined || begin > printed + 1) {
      block = { firstLine: begin, lines: [] };
      blocks.push(block);
    }
    for (let line = Math.max(begin, printed + 1); line <= end; line++) {
      const column = columns.get(line);
      const text = table.lineText(line);
      block.lines.push(column === undefined ? { text } : { text, column });
    }
    printed = Math.max(printed, end);
  }
  return blocks;
}

/** Line starts of a text, learnt from the front only as far as they are asked for. */
class LineTable {
  readonly #starts: number[] = [0];

  constructor(readonly text: string) {}

  start(line: number): number {
    return this.#starts[line] ?? 0;
  }

  /** Offset of the line's `\n`, or the end of the text. */
  end(line: number): number {
    const next = this.#starts[line + 1];
    return next === undefined ? lineBreakAfter(this.text, this.start(line)) : next - 1;
  }

  lineText(line: number): string {
    const start = this.start(line);
    const end = this.end(line);
    const hasReturn = end > start && end < this.text.length &&
      this.text.charCodeAt(end - 1) === 13;
    return this.text.slice(start, hasReturn ? end - 1 : end);
  }

  /** The line that holds `offset`, which is never before one asked for earlier. */
  lineAt(offset: number): number {
    for (;;) {
      const last = this.#starts.length - 1;
      const next = this.end(last) + 1;
      if (next > offset || next >= this.text.length) return last;
      this.#starts.push(next);
    }
  }

  /** The line `count` lines after `line`, or the last one. */
  lineAfter(line: number, count: number): number {
    while (this.#starts.length - 1 < line + count) {
      const next = this.end(this.#starts.length - 1) + 1;
      if (next >= this.text.length) break;
      this.#starts.push(next);
    }
    return Math.min(line + count, this.#starts.length - 1);
  }
}

/** Everything that runs here, for a thread that can load no module. */
export const LINE_SEARCH_PARTS: readonly SourcePart[] = [
  createLineMatcher,
  matchLiteral,
  matchAcrossLines,
  matchWithinLines,
  isBeyondLines,
  lineBreakAfter,
  searchLines,
  findMatches,
  mergeBlocks,
  LineTable,
];
