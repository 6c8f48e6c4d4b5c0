// Owns: a text file as lines that each keep their own ending, and the way back to the same bytes.
// Must not know: line ids, matching, files.

import { decodeBytes, encodeText, type TextForm } from "./encoding.ts";

export type LineEnding = "" | "\n" | "\r\n";

export interface Line {
  readonly text: string;
  readonly ending: LineEnding;
}

export type ParsedFile =
  | { readonly kind: "text"; readonly document: TextDocument }
  | { readonly kind: "binary"; readonly reason: string };

/**
 * An immutable text file. Line indexes are 0-based; offsets count UTF-16 units of `text`, which has
 * no byte order mark and keeps every line ending as it is in the file.
 */
export class TextDocument {
  #starts: Uint32Array | undefined;

  constructor(
    readonly text: string,
    readonly form: TextForm = { encoding: "utf-8", bom: false },
  ) {}

  /** A document whose line starts are known already, as after an edit; they are not checked. */
  static withLineStarts(
    text: string,
    { form, starts }: { readonly form: TextForm; readonly starts: Uint32Array },
  ): TextDocument {
    const document = new TextDocument(text, form);
    document.#starts = starts;
    return document;
  }

  /** Offsets of the lines from `start` to `end`, 0-based half-open. */
  lineStarts(start = 0, end: number = this.lineCount): Uint32Array {
    return this.#lineStarts().subarray(start, end);
  }

  get lineCount(): number {
    return this.#lineStarts().length;
  }

  /** The line at `index`; throws RangeError outside the document. */
  line(index: number): Line {
    const end = this.lineEnd(index);
    const ending = this.#endingBefore(end, this.lineStart(index));
    return { text: this.text.slice(this.lineStart(index), end - ending.length), ending };
  }

  /** The line's characters without its ending. */
  lineText(index: number): string {
    return this.line(index).text;
  }

  lines(start = 0, end: number = this.lineCount): Line[] {
    const lines: Line[] = [];
    for (let index = start; index < end; index++) lines.push(this.line(index));
    return lines;
  }

  /** Offset of the first character of the line; `lineStart(lineCount)` is the end of the text. */
  lineStart(index: number): number {
    const starts = this.#lineStarts();
    if (index === starts.length) return this.text.length;
    const start = starts[index];
    if (start === undefined) throw new RangeError(`line index ${index} of ${starts.length}`);
    return start;
  }

  /** Offset just after the line's ending. */
  lineEnd(index: number): number {
    return this.lineStart(index + 1);
  }

  /** Index of the line that holds the character at `offset`; the end of the text belongs to the last line. */
  lineAt(offset: number): number {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #lineStarts(): Uint32Array {
    this.#starts ??= findLineStarts(this.text);
    return this.#starts;
  }

  #endingBefore(end: number, start: number): LineEnding {
    if (end === start || this.text.charCodeAt(end - 1) !== 10) return "";
    return end - 2 >= start && this.text.charCodeAt(end - 2) === 13 ? "\r\n" : "\n";
  }
}

/** Bytes to a document; `formatDocument` gives the same bytes back, whatever they are. */
export function parseDocument(bytes: Uint8Array): ParsedFile {
  const decoded = decodeBytes(bytes);
  if (decoded.kind === "binary") return decoded;
  const { text, encoding, bom } = decoded;
  return { kind: "text", document: new TextDocument(text, { encoding, bom }) };
}

export function formatDocument(document: TextDocument): Uint8Array {
  return encodeText(document.text, document.form);
}

/** Splits text with the one splitter of every tool: only `\n` and `\r\n` end a line. */
export function splitLines(text: string): Line[] {
  return new TextDocument(text).lines();
}

/** The ending a line added at `index` takes: its neighbour's above, else below, else `\n`. */
export function neighbourEnding(document: TextDocument, index: number): "\n" | "\r\n" {
  const above = index > 0 ? document.line(index - 1).ending : "";
  if (above !== "") return above;
  const below = index < document.lineCount ? document.line(index).ending : "";
  if (below !== "") return below;
  // The neighbour is a last line without an ending: the line before it shows the file's habit.
  const habit = index > 1 ? document.line(index - 2).ending : "";
  return habit === "" ? "\n" : habit;
}

function findLineStarts(text: string): Uint32Array {
  if (text.length === 0) return new Uint32Array(0);
  let starts = new Uint32Array((text.length >> 4) + 16);
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (at + 1 === text.length) break;
    if (count === starts.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at + 1;
  }
  return starts.slice(0, count);
}
