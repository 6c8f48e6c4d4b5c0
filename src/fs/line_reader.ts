// Owns: reading some lines of a file of any size without holding it whole.
// Must not know: ids, budgets, what the lines are for.

import { parseDocument } from "../text/document.ts";
import type { EncodingName } from "../text/encoding.ts";
import type { FileSystem } from "./file_system.ts";

/** Files up to this many bytes are read in one piece. */
const WHOLE_FILE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** A checkpoint every so many lines: enough to find a line again by reading little. */
const CHECKPOINT_LINES = 1024;
/** Bytes decoded for one window of lines; a longer one is cut at the end of a line. */
const WINDOW_BYTES = 64 * 1024 * 1024;

export interface FileToRead {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly size: number;
  readonly signal?: AbortSignal;
}

export type LineSource =
  | { readonly kind: "binary"; readonly reason: string }
  | {
    readonly kind: "text";
    readonly lineCount: number;
    readonly encoding: EncodingName;
    /** Texts of lines `start` to `end`, 0-based half-open, without endings. */
    read(start: number, end: number): Promise<readonly string[]>;
  };

/** Opens a file for reading by line; a big one is scanned once for its line starts. */
export async function openLines(file: FileToRead): Promise<LineSource> {
  if (file.size <= WHOLE_FILE_BYTES) {
    const { fileSystem, path, signal } = file;
    return wholeFile(await fileSystem.readFile(path, signal ? { signal } : {}));
  }
  const head = await readPart(file, 0, 64 * 1024);
  // UTF-16 and UTF-32 have no single byte that ends a line: they are decoded whole or not at all.
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (wide) return wholeFile(await readPart(file, 0, file.size));
  if (head.includes(0)) return { kind: "binary", reason: "it contains NUL bytes" };
  return await indexedFile(file);
}

function wholeFile(bytes: Uint8Array): LineSource {
  const parsed = parseDocument(bytes);
  if (parsed.kind === "binary") return parsed;
  const { document } = parsed;
  return {
    kind: "text",
    lineCount: document.lineCount,
    encoding: document.form.encoding,
    read: (start, end) => Promise.resolve(document.lines(start, end).map((line) => line.text)),
  };
}

async function indexedFile(file: FileToRead): Promise<LineSource> {
  const checkpoints: number[] = [0];
  let lines = 0;
  let lastByte = 0;
  for (let offset = 0; offset < file.size; offset += CHUNK_BYTES) {
    const chunk = await readPart(file, offset, CHUNK_BYTES);
    if (chunk.length === 0) break;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      lines++;
      if (lines % CHECKPOINT_LINES === 0) checkpoints.push(offset + at + 1);
    }
    lastByte = chunk[chunk.length - 1] ?? 0;
  }
  const lineCount = lastByte === 10 ? lines : lines + 1;
  return {
    kind: "text",
    lineCount,
    encoding: "utf-8",
    read: (start, end) => readWindow(file, { checkpoints, start, end }),
  };
}

async function readWindow(
  file: FileToRead,
  { checkpoints, start, end }: { checkpoints: readonly number[]; start: number; end: number },
): Promise<readonly string[]> {
  const first = Math.floor(start / CHECKPOINT_LINES);
  const from = checkpoints[first] ?? file.size;
  const to = checkpoints[Math.ceil(end / CHECKPOINT_LINES)] ?? file.size;
  const bytes = await readPart(file, from, Math.min(to - from, WINDOW_BYTES));
  const parsed = parseDocument(bytes);
  if (parsed.kind === "binary") return [`[binary data: ${parsed.reason}]`];
  const skip = start - first * CHECKPOINT_LINES;
  const { document } = parsed;
  return document.lines(skip, Math.min(skip + end - start, document.lineCount))
    .map((line) => line.text);
}

async function readPart(file: FileToRead, offset: number, length: number): Promise<Uint8Array> {
  file.signal?.throwIfAborted();
  return await file.fileSystem.readFile(file.path, {
    offset,
    length,
    ...(file.signal ? { signal: file.signal } : {}),
  });
}
