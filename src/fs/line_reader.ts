// Owns: reading some lines of a file of any size without holding it whole.
// Must not know: ids, budgets, what the lines are for.

import { parseDocument } from "../text/document.ts";
import { decodeUtf8Line, type EncodingName, MOST_TEXT_BYTES } from "../text/encoding.ts";
import { LineHash } from "../text/line_id.ts";
import { type FileSystem, FileSystemError } from "./file_system.ts";

/** How much is read and kept at once, in bytes. */
export interface ReaderBounds {
  /** Files up to this size are read in one piece. */
  readonly wholeFile: number;
  readonly chunk: number;
  /** The first piece of a larger one; each further piece is twice as large, up to `chunk`. */
  readonly firstChunk: number;
  /** What is kept of one line, and of one once `allLines` were kept of those read together. */
  readonly line: number;
  readonly allLines: number;
  readonly shortLine: number;
}

const DEFAULT_BOUNDS: ReaderBounds = {
  wholeFile: 8 * 1024 * 1024,
  chunk: 4 * 1024 * 1024,
  firstChunk: 256 * 1024,
  line: 256 * 1024,
  allLines: 32 * 1024 * 1024,
  shortLine: 8 * 1024,
};

/** A checkpoint every so many lines: enough to find a line again by reading little. */
const CHECKPOINT_LINES = 1024;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface FileToRead {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly size: number;
  readonly signal?: AbortSignal;
  /** Lines from the start that are wanted; without it the file is read to its end. */
  readonly through?: number | undefined;
}

/** A line without its ending. */
export interface SourceLine {
  readonly text: string;
  /** Present where `text` is only the start of a very long line: hash and bytes of the whole. */
  readonly whole?: { readonly hash: string; readonly bytes: number };
}

export type LineSource =
  | { readonly kind: "binary"; readonly reason: string }
  | {
    readonly kind: "text";
    /** Of the whole file, or of the part that was looked at: then at least `through`. */
    readonly lineCount: number;
    readonly isWhole: boolean;
    /** Of a file too large to be read whole: `utf-8`, though some line may hold other bytes. */
    readonly encoding: EncodingName;
    /** Lines `start` to `end`, 0-based half-open. */
    read(start: number, end: number): Promise<readonly SourceLine[]>;
  };

/** Opens a file for reading by line; a big one is scanned for its line starts, as far as is wanted. */
export async function openLines(
  file: FileToRead,
  bounds: ReaderBounds = DEFAULT_BOUNDS,
): Promise<LineSource> {
  if (file.size <= bounds.wholeFile) {
    const { fileSystem, path, signal } = file;
    return wholeFile(await fileSystem.readFile(path, signal ? { signal } : {}));
  }
  const pieces = new PieceReader(file);
  const head = (await pieces.read(0, firstLength(file, bounds))).subarray(0, 4);
  const [first, second] = head;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isWide) return await indexedFile(pieces, bounds);
  // UTF-16 has no single byte that ends a line: it is decoded whole or not at all.
  const parsed = parseDocument(head);
  if (parsed.kind === "binary") return parsed;
  if (file.size > MOST_TEXT_BYTES) throw new FileSystemError("too_large", file.path);
  return wholeFile(await readPart(file, 0, file.size));
}

function wholeFile(bytes: Uint8Array): LineSource {
  const parsed = parseDocument(bytes);
  if (parsed.kind === "binary") return parsed;
  const { document } = parsed;
  return {
    kind: "text",
    lineCount: document.lineCount,
    isWhole: true,
    encoding: document.form.encoding,
    read: (start, end) => Promise.resolve(document.lines(start, end)),
  };
}

/** Where to begin to read for a line. */
interface Checkpoint {
  readonly line: number;
  readonly offset: number;
}

/** Reads a file piece by piece, and keeps the last piece: the lines that are wanted are often in it. */
class PieceReader {
  #piece: { readonly offset: number; readonly bytes: Uint8Array } | undefined;

  constructor(readonly file: FileToRead) {}

  /** From `offset` on, `length` bytes at most; empty only at the end. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const piece = this.#piece;
    const skipped = piece === undefined ? -1 : offset - piece.offset;
    if (piece !== undefined && skipped >= 0 && skipped < piece.bytes.length) {
      return piece.bytes.subarray(skipped);
    }
    const bytes = await readPart(this.file, offset, length);
    this.#piece = { offset, bytes };
    return bytes;
  }
}

function firstLength({ through }: FileToRead, { chunk, firstChunk }: ReaderBounds): number {
  return through === undefined || through === Infinity ? chunk : Math.min(firstChunk, chunk);
}

async function indexedFile(pieces: PieceReader, bounds: ReaderBounds): Promise<LineSource> {
  const { size, through = Infinity } = pieces.file;
  const checkpoints: Checkpoint[] = [{ line: 0, offset: 0 }];
  let lines = 0;
  let lastByte = 0;
  let offset = 0;
  let length = firstLength(pieces.file, bounds);
  while (offset < size && lines < through) {
    const chunk = await pieces.read(offset, length);
    if (chunk.length === 0) break;
    if (chunk.includes(0)) return { kind: "binary", reason: "it contains NUL bytes" };
    let isFirst = true;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      lines++;
      // The first line of a chunk too, so that no more than a chunk and a line is read in vain.
      if (isFirst || lines % CHECKPOINT_LINES === 0) {
        checkpoints.push({ line: lines, offset: offset + at + 1 });
      }
      isFirst = false;
    }
    lastByte = chunk[chunk.length - 1] ?? 0;
    offset += chunk.length;
    length = Math.min(length * 2, bounds.chunk);
  }
  const isWhole = lines < through || offset >= size;
  return {
    kind: "text",
    lineCount: isWhole && lastByte !== 10 ? lines + 1 : lines,
    isWhole,
    encoding: "utf-8",
    read: (start, end) => readLines(pieces, { bounds, checkpoints, start, end }),
  };
}

async function readLines(
  pieces: PieceReader,
  { bounds, checkpoints, start, end }: {
    readonly bounds: ReaderBounds;
    readonly checkpoints: readonly Checkpoint[];
    readonly start: number;
    readonly end: number;
  },
): Promise<readonly SourceLine[]> {
  const from = checkpoints.findLast(({ line }) => line <= start) ?? { line: 0, offset: 0 };
  const after = checkpoints.find(({ line }) => line >= end)?.offset ?? pieces.file.size;
  const found: SourceLine[] = [];
  let { line } = from;
  let kept = 0;
  const collector = () =>
    new LineCollector(kept < bounds.allLines ? bounds.line : bounds.shortLine);
  let current = collector();
  const finish = () => {
    if (line >= start) {
      found.push(current.finish());
      kept += current.kept;
    }
    line++;
    current = collector();
  };
  for (let { offset } = from; line < end && offset < pieces.file.size;) {
    const chunk = await pieces.read(offset, pieceLength(after - offset, bounds));
    if (chunk.length === 0) break;
    let position = offset === 0 && startsWithMark(chunk) ? BYTE_ORDER_MARK.length : 0;
    while (line < end) {
      const newline = chunk.indexOf(10, position);
      if (line >= start) {
        current.add(chunk.subarray(position, newline === -1 ? undefined : newline), newline !== -1);
      }
      if (newline === -1) break;
      position = newline + 1;
      finish();
    }
    offset += chunk.length;
  }
  if (line < end && !current.isEmpty) finish();
  return found;
}

/** No further than where the lines end; and where that is not as it was, still a piece. */
function pieceLength(left: number, { chunk }: ReaderBounds): number {
  return left > 0 ? Math.min(left, chunk) : chunk;
}

/** Puts a line together from chunks, and keeps its start where it is too long. */
class LineCollector {
  readonly #parts: Uint8Array[] = [];
  readonly #hash = new LineHash();
  #bytes = 0;
  #heldReturn = false;
  kept = 0;

  constructor(readonly mostKept: number) {}

  get isEmpty(): boolean {
    return this.#bytes === 0 && !this.#heldReturn;
  }

  /** A `\r` at the end is held back: before the newline it is a part of the ending. */
  add(bytes: Uint8Array, isEnd: boolean): void {
    if (bytes.length === 0) {
      if (isEnd) this.#heldReturn = false;
      return;
    }
    if (this.#heldReturn) this.#append(Uint8Array.of(13));
    const endsInReturn = bytes[bytes.length - 1] === 13;
    this.#append(endsInReturn ? bytes.subarray(0, -1) : bytes);
    this.#heldReturn = endsInReturn && !isEnd;
  }

  finish(): SourceLine {
    if (this.#heldReturn) this.#append(Uint8Array.of(13));
    const joined = new Uint8Array(this.kept);
    let filled = 0;
    for (const part of this.#parts) {
      joined.set(part, filled);
      filled += part.length;
    }
    const text = decodeUtf8Line(joined);
    if (this.kept === this.#bytes) return { text };
    return { text, whole: { hash: this.#hash.digits(), bytes: this.#bytes } };
  }

  #append(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    const room = this.mostKept - this.kept;
    if (room <= 0) return;
    const part = bytes.slice(0, room);
    this.#parts.push(part);
    this.kept += part.length;
  }
}

function startsWithMark(chunk: Uint8Array): boolean {
  return BYTE_ORDER_MARK.every((byte, index) => chunk[index] === byte);
}

async function readPart(file: FileToRead, offset: number, length: number): Promise<Uint8Array> {
  file.signal?.throwIfAborted();
  return await file.fileSystem.readFile(file.path, {
    offset,
    length,
    ...(file.signal ? { signal: file.signal } : {}),
  });
}
