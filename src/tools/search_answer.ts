// Owns: the text of a search's hits: files, blocks, ids, within the budget of one answer.
// Must not know: how hits are found, hints.

import { ANSWER_BUDGET, byteLength, cutLine } from "../text/excerpt.ts";
import { formatLineId } from "../text/line_id.ts";
import type { LineBlock } from "../text/line_search.ts";
import { printableName } from "../text/printable_name.ts";
import type { ShownLines } from "../text/shown_lines.ts";

/** Characters of one line around its match. */
const LINE_LIMIT = 500;
/** Room that is left for hints. */
const RESERVE = 2_000;

export interface FileHits {
  readonly display: string;
  /** Key of the file in the memory of shown lines. */
  readonly key: string;
  readonly blocks: readonly LineBlock[];
  readonly matchedLines: number;
  /** The file itself has more matches than these. */
  readonly more: boolean;
}

/** Takes hits in order until a further line would not fit; then it knows that more exists. */
export class SearchAnswer {
  readonly #lines: string[] = [];
  #bytes = 0;
  #isFull = false;
  #hasCutLines = false;
  files = 0;

  constructor(readonly shown: ShownLines) {}

  /** True when a hit was left out: there is more than is shown. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get hasCutLines(): boolean {
    return this.#hasCutLines;
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  add({ display, key, blocks, more }: FileHits): void {
    if (this.#isFull) return;
    const lead = [...this.#lines.length > 0 ? [""] : [], `${printableName(display)}:`];
    const shown: { id: string; text: string }[] = [];
    for (const [index, block] of blocks.entries()) {
      if (index > 0) lead.push("--");
      for (const [offset, { text, column }] of block.lines.entries()) {
        const id = formatLineId(block.firstLine + offset + 1, text);
        const printed = cutLine(text, {
          limit: LINE_LIMIT,
          ...(column === undefined ? {} : { column }),
        });
        if (!this.#append([...lead.splice(0), `${id}|${printed}`])) {
          this.#isFull = true;
          break;
        }
        if (printed.length !== text.length) this.#hasCutLines = true;
        shown.push({ id, text });
      }
      if (this.#isFull) break;
    }
    if (shown.length > 0) this.files++;
    this.shown.remember(key, shown);
    if (more) this.#isFull = true;
  }

  #append(lines: readonly string[]): boolean {
    const bytes = lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
    const fits = this.#lines.length + lines.length <= ANSWER_BUDGET.maxLines - 10 &&
      this.#bytes + bytes <= ANSWER_BUDGET.maxBytes - RESERVE;
    if (!fits) return false;
    this.#lines.push(...lines);
    this.#bytes += bytes;
    return true;
  }
}
