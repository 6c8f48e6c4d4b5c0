// Owns: how lines are printed: numbering, the one truncation helper, elision in the middle, estimates.
// Must not know: why lines are shown, files, tools.

import { formatLineId } from "./line_id.ts";

/** A line to print; `number` is 1-based. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

export interface Budget {
  readonly maxLines: number;
  /** UTF-8 bytes of the whole answer. */
  readonly maxBytes: number;
}

/** The most one answer of `view` or a search may hold; clients cut longer ones blindly. */
export const ANSWER_BUDGET: Budget = { maxLines: 2_000, maxBytes: 60_000 };

/** UTF-16 units of one line that are printed among other lines. */
export const LINE_LIMIT = 2_000;

export interface Excerpt {
  readonly text: string;
  /** Lines printed, ids as printed; cut lines are among them, elided ones are not. */
  readonly shown: readonly { readonly id: string; readonly text: string }[];
  /** The elided middle, 1-based inclusive, if there is one. */
  readonly elided?: { readonly start: number; readonly end: number };
  /** True when some line was cut. */
  readonly cut: boolean;
}

/** Tokens a model is likely to need for so many bytes. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

const encoder = new TextEncoder();

/** UTF-8 bytes of a string. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The longest prefix of at most `limit` UTF-16 units that does not split a code point. */
export function cutPrefix(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Cuts a long line, around `column` if given, and names its full length. */
export function cutLine(
  text: string,
  options: { readonly limit?: number; readonly column?: number } = {},
): string {
  const limit = options.limit ?? LINE_LIMIT;
  if (text.length <= limit) return text;
  const length = `[line of ${text.length.toLocaleString("en-US")} characters, cut]`;
  const column = options.column ?? 0;
  if (column < limit * 0.75) return `${cutPrefix(text, limit)}… ${length}`;
  const start = Math.min(column - (limit >> 1), text.length - limit);
  const window = cutPrefix(dropHalfPair(text.slice(start)), limit);
  const tail = start + window.length < text.length ? "…" : "";
  return `…${window}${tail} ${length}`;
}

/** `N:hh|content`; the id is that of the whole line, also when the content is cut. */
export function formatLine(line: NumberedLine, limit: number = LINE_LIMIT): string {
  return `${formatLineId(line.number, line.text)}|${cutLine(line.text, { limit })}`;
}

/** A line of which only the start is at hand; hash and bytes are those of the whole. */
export interface WholeLine {
  readonly hash: string;
  readonly bytes: number;
}

/** Lines to print, read only where they are printed; indexes are 0-based, half-open. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
  readonly lineText: (index: number) => string;
  /** Says of which lines `lineText` gives only the start. */
  readonly whole?: (index: number) => WholeLine | undefined;
}

/** Prints lines within a budget; what does not fit is left out in the middle, as `[...N lines more]`. */
export function formatExcerpt(range: LineRange, budget: Budget = ANSWER_BUDGET): Excerpt {
  const count = range.end - range.start;
  // One line alone may use the whole answer, so that an agent can look into a giant line.
  const limit = count === 1
    ? unitsWithin(range.lineText(range.start), Math.floor(budget.maxBytes * 0.8))
    : LINE_LIMIT;
  if (count <= budget.maxLines) {
    const all = takeRows(range, { limit, step: 1, budget: { ...budget, maxBytes: Infinity } });
    const whole = excerptOf(all, [], undefined);
    if (count === 1 || fits(whole.text, budget)) return whole;
  }
  // The head carries most of what an agent looks for; the tail shows where the range ends.
  const head = takeRows(range, {
    limit,
    step: 1,
    budget: { maxLines: Math.floor(budget.maxLines * 0.75), maxBytes: budget.maxBytes * 0.75 },
  });
  const rest = { ...range, start: range.start + head.length };
  const tail = takeRows(rest, {
    limit,
    step: -1,
    budget: { maxLines: budget.maxLines - head.length - 1, maxBytes: budget.maxBytes * 0.2 },
  }).reverse();
  return excerptOf(head, tail, { start: rest.start + 1, end: range.end - tail.length });
}

/** UTF-8 has at most three bytes for a UTF-16 unit, so most texts need no count. */
function fits(text: string, { maxBytes }: Budget): boolean {
  return text.length * 3 <= maxBytes || (text.length <= maxBytes && byteLength(text) <= maxBytes);
}

interface Row {
  readonly id: string;
  /** Absent where only the start of the line is at hand. */
  readonly text: string | undefined;
  readonly printed: string;
  readonly cut: boolean;
}

function printRow(
  { number, text }: NumberedLine,
  { limit, whole }: { readonly limit: number; readonly whole: WholeLine | undefined },
): Row {
  if (whole === undefined) {
    const id = formatLineId(number, text);
    return { id, text, printed: `${id}|${cutLine(text, { limit })}`, cut: text.length > limit };
  }
  const id = `${number}:${whole.hash}`;
  const length = `[line of ${whole.bytes.toLocaleString("en-US")} bytes, cut]`;
  return { id, text: undefined, printed: `${id}|${cutPrefix(text, limit)}… ${length}`, cut: true };
}

/** UTF-16 units of the longest prefix that is at most so many UTF-8 bytes. */
function unitsWithin(text: string, mostBytes: number): number {
  if (text.length * 3 <= mostBytes) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Two bytes for each half of a pair, which takes four.
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
    if (bytes > mostBytes) return index;
  }
  return text.length;
}

/** Rows from the start of the range, or with step -1 from its end, as many as the budget holds; at least one. */
function takeRows(
  { start, end, lineText, whole }: LineRange,
  { limit, step, budget }: {
    readonly limit: number;
    readonly step: 1 | -1;
    readonly budget: Budget;
  },
): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (let taken = 0; taken < end - start && taken < budget.maxLines; taken++) {
    const index = step === 1 ? start + taken : end - 1 - taken;
    const line = { number: index + 1, text: lineText(index) };
    const row = printRow(line, { limit, whole: whole?.(index) });
    if (budget.maxBytes !== Infinity) bytes += byteLength(row.printed) + 1;
    if (bytes > budget.maxBytes && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

function excerptOf(head: readonly Row[], tail: readonly Row[], elided: Excerpt["elided"]): Excerpt {
  const middle = elided ? [`[...${elided.end - elided.start + 1} lines more]`] : [];
  const rows = [...head, ...tail];
  return {
    text: [...head.map((row) => row.printed), ...middle, ...tail.map((row) => row.printed)]
      .join("\n"),
    shown: rows.flatMap(({ id, text }) => text === undefined ? [] : [{ id, text }]),
    ...(elided ? { elided } : {}),
    cut: rows.some((row) => row.cut),
  };
}

function dropHalfPair(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
