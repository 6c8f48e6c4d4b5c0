// Owns: the one diff renderer: hunks -> removed lines with old ids, added lines and context with fresh ids.
// Must not know: which tool edited, hints, files.

import type { Line, TextDocument } from "./document.ts";
import { byteLength, cutLine } from "./excerpt.ts";
import type { Hunk } from "./line_edit.ts";
import { formatLineId } from "./line_id.ts";

export interface RenderedDiff {
  readonly text: string;
  /** Every id printed that is valid in the document after the edit. */
  readonly shown: readonly { readonly id: string; readonly text: string }[];
}

/** Lines of unchanged text around a change. */
const CONTEXT = 2;
/** Longer runs of removed or added lines are elided in the middle. */
const REMOVED_RUN = { keep: 12, head: 6, tail: 4 };
const ADDED_RUN = { keep: 80, head: 40, tail: 20 };
/** A block of more places is cut in two, so that a replacement in every line is not printed whole. */
const MOST_HUNKS = 50;
const DIFF_LINE_LIMIT = 500;
/** Bytes of blocks printed in full; places after that are named by their ids only. */
const FULL_BLOCK_BYTES = 40_000;

interface Block {
  readonly hunks: readonly Hunk[];
}

/** Renders hunks in file order; blocks far apart are separated by `---`, `...` says that the file goes on. */
export function renderDiff(after: TextDocument, hunks: readonly Hunk[]): RenderedDiff {
  const printer = new DiffPrinter(after);
  const blocks = groupIntoBlocks(hunks.map(withoutUnchangedText));
  const texts: string[] = [];
  const unprinted: Block[] = [];
  let bytes = 0;
  for (const block of blocks) {
    if (bytes > FULL_BLOCK_BYTES) {
      unprinted.push(block);
      continue;
    }
    const text = printer.block(block);
    bytes += byteLength(text);
    texts.push(text);
  }
  if (unprinted.length > 0) texts.push(printer.placesOnly(unprinted));
  return { text: texts.join("\n---\n"), shown: printer.shown };
}

class DiffPrinter {
  readonly shown: { id: string; text: string }[] = [];

  constructor(readonly after: TextDocument) {}

  block({ hunks }: Block): string {
    const first = hunks[0];
    const last = hunks.at(-1);
    if (!first || !last) return "";
    const start = Math.max(0, first.newStart - CONTEXT);
    const end = Math.min(this.after.lineCount, endOf(last) + CONTEXT);
    const rows: string[] = start > 0 ? ["..."] : [];
    let position = start;
    for (const hunk of hunks) {
      rows.push(...this.#context(position, hunk.newStart));
      rows.push(...this.#removed(hunk), ...this.#added(hunk));
      position = endOf(hunk);
    }
    rows.push(...this.#context(position, end));
    if (end < this.after.lineCount) rows.push("...");
    return rows.join("\n");
  }

  placesOnly(blocks: readonly Block[]): string {
    const hunks = blocks.flatMap((block) => block.hunks);
    const limit = 2_000;
    const ids = hunks.slice(0, limit).map((hunk) => {
      const index = Math.min(hunk.newStart, this.after.lineCount - 1);
      return index < 0 ? "0" : this.#remember(index);
    });
    const rest = hunks.length > limit ? `, and ${hunks.length - limit} more` : "";
    return `Also changed at: ${ids.join(", ")}${rest}`;
  }

  #context(start: number, end: number): string[] {
    const rows: string[] = [];
    for (let index = start; index < end; index++) rows.push(this.#fresh(index, ""));
    return rows;
  }

  #removed(hunk: Hunk): string[] {
    return elideRun(hunk.oldLines.length, REMOVED_RUN, (index) => {
      const text = hunk.oldLines[index]?.text ?? "";
      const column = firstDifference(text, hunk.newLines[index]?.text ?? "");
      const id = formatLineId(hunk.oldStart + index + 1, text);
      return `-${id}|${cutLine(text, { limit: DIFF_LINE_LIMIT, column })}`;
    });
  }

  #added(hunk: Hunk): string[] {
    return elideRun(
      hunk.newLines.length,
      ADDED_RUN,
      (index) => this.#fresh(hunk.newStart + index, "+", hunk.oldLines[index]),
    );
  }

  #fresh(index: number, sign: string, old?: Line): string {
    const text = this.after.lineText(index);
    const column = old === undefined ? 0 : firstDifference(text, old.text);
    return `${sign}${this.#remember(index)}|${cutLine(text, { limit: DIFF_LINE_LIMIT, column })}`;
  }

  #remember(index: number): string {
    const text = this.after.lineText(index);
    const id = formatLineId(index + 1, text);
    this.shown.push({ id, text });
    return id;
  }
}

interface Run {
  readonly keep: number;
  readonly head: number;
  readonly tail: number;
}

/** Rows are made only when printed, so that an elided line is not remembered as shown. */
function elideRun(count: number, run: Run, row: (index: number) => string): string[] {
  const rows = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, offset) => row(start + offset));
  if (count <= run.keep) return rows(0, count);
  return [
    ...rows(0, run.head),
    `[...${count - run.head - run.tail} lines more]`,
    ...rows(count - run.tail, count),
  ];
}

function groupIntoBlocks(hunks: readonly Hunk[]): Block[] {
  const blocks: { hunks: Hunk[] }[] = [];
  for (const hunk of hunks) {
    const current = blocks.at(-1);
    const previous = current?.hunks.at(-1);
    const isNear = previous !== undefined && hunk.newStart - endOf(previous) <= 2 * CONTEXT;
    if (current && isNear && current.hunks.length < MOST_HUNKS) {
      current.hunks.push(hunk);
    } else blocks.push({ hunks: [hunk] });
  }
  return blocks;
}

/** Lines at a hunk's edges whose text is the same, as when only an ending changed, are context to a reader. */
function withoutUnchangedText(hunk: Hunk): Hunk {
  const { oldLines, newLines } = hunk;
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head]?.text === newLines[head]?.text) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail)?.text === newLines.at(-1 - tail)?.text) {
    tail++;
  }
  // A change of endings alone is still a change: then the lines are shown as they are.
  if (head === oldLines.length && head === newLines.length) return hunk;
  return {
    oldStart: hunk.oldStart + head,
    oldLines: oldLines.slice(head, oldLines.length - tail),
    newStart: hunk.newStart + head,
    newLines: newLines.slice(head, newLines.length - tail),
  };
}

function endOf(hunk: Hunk): number {
  return hunk.newStart + hunk.newLines.length;
}

function firstDifference(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let index = 0;
  while (index < shorter && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  return index;
}
