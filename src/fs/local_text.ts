// Owns: which text a local file's bytes are, how many lines, and pieces of it put together.
// Must not know: what is sought in it, threads.
//
// Sent to worker threads as source text, like all of LOCAL_SCAN_PARTS.

import type { FoundLine, LineBlock, SourcePart } from "../text/line_search.ts";
import type { LocalWindow } from "./local_window.ts";
import type { FileMeasure } from "./scan_jobs.ts";

/** What the byte order mark says; `bytes` when there is none for units of 16 or 32 bits. */
export function unicodeForm(bytes: Uint8Array): "bytes" | "utf-16le" | "utf-16be" | "utf-32" {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? "utf-32" : "utf-16le";
  }
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const isBig = first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
  return isBig ? "utf-32" : "bytes";
}

/** The characters, or undefined where decoding would lose something. */
export function decodeExactly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Counts the lines of an open file to its end. */
export function measureFile(window: LocalWindow): FileMeasure {
  const form = unicodeForm(window.bytes());
  if (form === "utf-32") return { kind: "binary", bytes: window.size() };
  const wide = form === "bytes" ? 0 : 2;
  let bytes = 0;
  let lines = 0;
  let endsInLine = false;
  for (let start = bomLength(window.bytes());; start = 0) {
    const raw = window.latin1();
    // Two-byte units are counted in whole units; an odd last byte stays for the next window.
    const length = wide === 0 ? raw.length : raw.length - raw.length % 2;
    if (wide === 0 && raw.indexOf("\0") !== -1) return { kind: "binary", bytes: window.size() };
    const text = form === "bytes" ? raw : new TextDecoder(form).decode(window.bytes(start, length));
    lines += countLineBreaks(text, text.length);
    if (length > start) endsInLine = !text.endsWith("\n");
    bytes += length;
    if (window.atEnd) {
      // A unit cut in the middle: no text that could be edited.
      if (length !== raw.length) return { kind: "binary", bytes: bytes + 1 };
      return { kind: "text", lines: lines + (endsInLine ? 1 : 0), bytes };
    }
    window.advance(length);
  }
}

/** Start of the line `count` lines before the line start `from`, at least 0. */
export function lineStartBefore(text: string, from: number, count: number): number {
  let start = from;
  for (let line = 0; line < count && start > 0; line++) {
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

export function countLineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Adds the blocks of a next piece, whose first lines may be printed already. */
export function appendBlocks(
  blocks: LineBlock[],
  next: readonly LineBlock[],
  firstLine: number,
): void {
  for (const block of next) {
    const first = block.firstLine + firstLine;
    const last = blocks[blocks.length - 1];
    const printed = last === undefined ? -1 : last.firstLine + last.lines.length;
    if (last === undefined || first > printed) {
      blocks.push({ firstLine: first, lines: block.lines });
      continue;
    }
    const lines: FoundLine[] = [...last.lines, ...block.lines.slice(printed - first)];
    blocks[blocks.length - 1] = { firstLine: last.firstLine, lines };
  }
}

/** Why a file operation of Deno failed, in the words of the other places. */
export function failureWords(error: unknown): string {
  const name = error instanceof Error ? error.name : String(error);
  if (name === "NotFound") return "missing";
  // What layer two refuses: the path is outside the allowed directories.
  if (name === "NotCapable") return "not allowed";
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** True for an error that no file can cause. */
export function isBug(error: unknown): boolean {
  return error instanceof ReferenceError || error instanceof TypeError;
}

/** Bytes of the byte order mark of UTF-8 or UTF-16, or 0. */
export function bomLength(bytes: Uint8Array): number {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 3;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) ? 2 : 0;
}

export const LOCAL_TEXT_PARTS: readonly SourcePart[] = [
  unicodeForm,
  decodeExactly,
  measureFile,
  lineStartBefore,
  countLineBreaks,
  appendBlocks,
  failureWords,
  isBug,
  bomLength,
];
