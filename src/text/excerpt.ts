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

/** UTF-8 bytes of a string, without encoding it. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is 4 bytes in 2 units; every other unit from U+0800 on is 3 bytes.
    const inPair = unit >= 0xd800 && unit <= 0xdfff && (text.codePointAt(index) ?? 0) > 0xffff;
    if (inPair) {
      bytes += 2;
      index++;
    } else bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
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

/** Prints lines within a budget; what does not fit is left out in the middle, as `[...N lines more]`. */
export function formatExcerpt(
  lines: readonly NumberedLine[],
  budget: Budget = ANSWER_BUDGET,
): Excerpt {
  // One line alone may use the whole answer, so that an agent can look into a giant line.
  const limit = lines.length === 1 ? Math.floor(budget.maxBytes * 0.8) : LINE_LIMIT;
  const printed: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (printed.length === budget.maxLines) break;
    const text = formatLine(line, limit);
    bytes += byteLength(text) + 1;
    if (bytes > budget.maxBytes && printed.length > 0) break;
    printed.push(text);
  }
  const cut = lines.some((line) => line.text.length > limit);
  if (printed.length === lines.length) {
    return { text: printed.join("\n"), shown: idsOf(lines), cut };
  }
  return elideMiddle(lines, { budget, cut });
}

function elideMiddle(
  lines: readonly NumberedLine[],
  { budget, cut }: { readonly budget: Budget; readonly cut: boolean },
): Excerpt {
  // The head carries most of what an agent looks for; the tail shows where the range ends.
  const head = takeWithin(lines, {
    maxLines: Math.floor(budget.maxLines * 0.75),
    maxBytes: budget.maxBytes * 0.75,
  });
  const tail = takeWithin(lines.slice(head.length).reverse(), {
    maxLines: budget.maxLines - head.length - 1,
    maxBytes: budget.maxBytes * 0.2,
  }).reverse();
  const start = (head.at(-1)?.number ?? 0) + 1;
  const end = (tail[0]?.number ?? (lines.at(-1)?.number ?? 0) + 1) - 1;
  const printed = [
    ...head.map((line) => formatLine(line)),
    `[...${end - start + 1} lines more]`,
    ...tail.map((line) => formatLine(line)),
  ];
  return {
    text: printed.join("\n"),
    shown: idsOf([...head, ...tail]),
    elided: { start, end },
    cut,
  };
}

function takeWithin(lines: readonly NumberedLine[], budget: Budget): NumberedLine[] {
  const taken: NumberedLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += byteLength(formatLine(line)) + 1;
    if (taken.length >= budget.maxLines || (bytes > budget.maxBytes && taken.length > 0)) break;
    taken.push(line);
  }
  return taken;
}

function idsOf(lines: readonly NumberedLine[]): { id: string; text: string }[] {
  return lines.map(({ number, text }) => ({ id: formatLineId(number, text), text }));
}

function dropHalfPair(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
