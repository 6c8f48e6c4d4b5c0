// Owns: line ids worked out a second time from bytes, to check what the program prints.
// Must not know: the program's own splitting and hashing.

import assert from "node:assert/strict";

/** A file's lines as bytes without their endings; UTF-16 with a byte order mark is turned into UTF-8 first. */
export function linesOf(bytes: Uint8Array): Uint8Array[] {
  const body = withoutMark(bytes);
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] !== 10) continue;
    lines.push(body.subarray(start, at > start && body[at - 1] === 13 ? at - 1 : at));
    start = at + 1;
  }
  if (start < body.length) lines.push(body.subarray(start));
  return lines;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  const wide = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : undefined;
  if (wide !== undefined) return new TextEncoder().encode(new TextDecoder(wide).decode(bytes));
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
}

/** `N:hh` of one line: FNV-1a with the product taken apart so that it stays exact, folded twice. */
export function lineId(number: number, line: Uint8Array | string): string {
  const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
  let hash = 2166136261;
  for (const byte of bytes) {
    const mixed = (hash ^ byte) >>> 0;
    // The prime is 2^24 + 403, and what leaves 32 bits is dropped.
    hash = (mixed * 403 + (mixed % 256) * 2 ** 24) % 2 ** 32;
  }
  const half = Math.floor(hash / 65536) ^ (hash % 65536);
  const folded = Math.floor(half / 256) ^ (half % 256);
  return `${number}:${folded.toString(16).padStart(2, "0")}`;
}

export interface PrintedLine {
  readonly sign: "-" | "+" | "";
  readonly number: number;
  readonly id: string;
  readonly text: string;
}

/** Every `N:hh|text` line of an answer, with the sign before it in a diff. */
export function printedLines(answer: string): PrintedLine[] {
  return answer.split("\n").flatMap((row) => {
    const match = /^([-+]?)\s*((\d+):[0-9a-f]{2})\|(.*)$/s.exec(row);
    if (match === null) return [];
    const [, sign = "", id = "", number = "", text = ""] = match;
    return [{ sign: sign as PrintedLine["sign"], number: Number(number), id, text }];
  });
}

/** Fails unless every id that an answer prints as current is the id of that line of the file. */
export function assertIdsVerify(answer: string, bytes: Uint8Array): void {
  const lines = linesOf(bytes);
  for (const { sign, number, id } of printedLines(answer)) {
    if (sign === "-") continue;
    const line = lines[number - 1];
    assert.ok(line !== undefined, `${id} is printed, but the file has ${lines.length} lines`);
    assert.equal(id, lineId(number, line), `in\n${answer}`);
  }
}
