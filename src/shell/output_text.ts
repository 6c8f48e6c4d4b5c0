// Owns: collected bytes -> the text to show, within a number of bytes, with the size of what is left out.
// Must not know: processes, exit codes, the words around the output.

import type { CollectedOutput } from "./output_collector.ts";
import { renderTerminal } from "./terminal_output.ts";

/** The text of one stream, ending in a newline unless it is empty. */
export interface OutputText {
  readonly text: string;
  /** Bytes that were not valid UTF-8 were replaced. */
  readonly hadInvalidBytes: boolean;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** Renders each stream and shares `limit` bytes between them; one that needs less leaves the rest. */
export function showOutputs(
  outputs: readonly CollectedOutput[],
  limit: number,
): readonly OutputText[] {
  const rendered = outputs.map(render);
  const sizes = rendered.map((stream) => stream.head.length + stream.tail.length);
  const share = Math.floor(limit / outputs.length);
  const spare = sizes.map((size) => Math.max(0, share - size)).reduce((sum, part) => sum + part, 0);
  return rendered.map((stream) => ({
    text: fit(stream, share + spare),
    hadInvalidBytes: stream.hadInvalidBytes,
  }));
}

/** What a stream shows when nothing limits it, as UTF-8; the two parts are one where nothing is missing. */
interface RenderedStream {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly missing: number;
  readonly hadInvalidBytes: boolean;
}

function render(output: CollectedOutput): RenderedStream {
  const { head, tail } = output.missing === 0 ? output : wholeLines(output);
  const left = output.head.length + output.tail.length - head.length - tail.length;
  const parts = [decode(head), decode(tail)];
  const [shownHead, shownTail] = parts.map((part) => encode(renderTerminal(part.text)));
  return {
    head: shownHead ?? head,
    tail: shownTail ?? tail,
    missing: output.missing + left,
    hadInvalidBytes: parts.some((part) => part.isInvalid),
  };
}

/** Where bytes are missing, a broken line or frame at the gap is left out: its meaning is gone. */
function wholeLines(output: CollectedOutput): { head: Uint8Array; tail: Uint8Array } {
  const { head, tail } = output;
  const lastLine = head.lastIndexOf(NEWLINE) + 1;
  return {
    head: head.subarray(0, lastLine || characterStart(head, head.length)),
    tail: tail.subarray(firstWhole(tail)),
  };
}

/** Where the first line or frame begins that is there from its beginning. */
function firstWhole(tail: Uint8Array): number {
  const line = tail.indexOf(NEWLINE) + 1;
  const frame = tail.indexOf(CARRIAGE_RETURN) + 1;
  const start = frame > 0 && (line === 0 || frame + 1 < line) ? frame : line;
  // A line without an end, or with its end last, is better seen in part than not at all.
  return start === 0 || start === tail.length ? nextCharacter(tail, 0) : start;
}

function decode(bytes: Uint8Array): { text: string; isInvalid: boolean } {
  try {
    return { text: decoder(true).decode(bytes), isInvalid: false };
  } catch {
    return { text: decoder(false).decode(bytes), isInvalid: true };
  }
}

function decoder(fatal: boolean): TextDecoder {
  return new TextDecoder("utf-8", { fatal, ignoreBOM: true });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fit(stream: RenderedStream, limit: number): string {
  const { head, tail, missing } = stream;
  const read = (bytes: Uint8Array): string => decoder(false).decode(bytes);
  if (missing === 0 && head.length <= limit) return closeLine(read(head));
  const half = Math.floor(limit / 2);
  const end = missing === 0 ? head : tail;
  const headEnd = head.length <= half && missing > 0 ? head.length : cutBefore(head, half);
  const tailStart = end.length <= half ? 0 : cutAfter(end, end.length - half);
  const unshown = missing === 0 ? tailStart - headEnd : head.length - headEnd + missing + tailStart;
  const gap = `[… ${unshown.toLocaleString("en-US")} bytes not shown …]\n`;
  return closeLine(read(head.subarray(0, headEnd))) + gap +
    closeLine(read(end.subarray(tailStart)));
}

/** A place to cut at or before `at`: after a whole line if one ends not too far back. */
function cutBefore(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  const line = bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  return line > at / 2 ? line : characterStart(bytes, at);
}

function cutAfter(bytes: Uint8Array, at: number): number {
  const line = bytes.indexOf(NEWLINE, at) + 1;
  return line > 0 && line - at < (bytes.length - at) / 2 ? line : nextCharacter(bytes, at);
}

/** Start of the UTF-8 character that `at` would cut through, or `at` itself between two. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 4 && isContinuation(bytes[start])) start--;
  if (start < bytes.length) return start;
  // At the very end, a character may have begun and not ended.
  let lead = at - 1;
  while (lead > 0 && at - lead < 4 && isContinuation(bytes[lead])) lead--;
  return at - lead < characterLength(bytes[lead]) ? lead : at;
}

function nextCharacter(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && next - at < 4 && isContinuation(bytes[next])) next++;
  return next;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterLength(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function closeLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
