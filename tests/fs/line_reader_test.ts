import assert from "node:assert/strict";
import { FileSystemError, type ReadOptions } from "../../src/fs/file_system.ts";
import { type LineSource, openLines } from "../../src/fs/line_reader.ts";
import { parseDocument } from "../../src/text/document.ts";
import { lineId, linesOf } from "../support/line_ids.ts";
import { MemoryFileSystem } from "../support/memory_file_system.ts";

const MEGABYTE = 1024 * 1024;

/** A file that is made up where it is read, and notes how much was asked for at once. */
class MadeUpFile extends MemoryFileSystem {
  largestRead = 0;
  totalRead = 0;

  constructor(
    readonly size: number,
    readonly fill: (buffer: Uint8Array, offset: number) => void,
  ) {
    super();
  }

  override readFile(_path: string, { offset = 0, length }: ReadOptions = {}): Promise<Uint8Array> {
    const buffer = new Uint8Array(Math.max(0, Math.min(length ?? Infinity, this.size - offset)));
    this.largestRead = Math.max(this.largestRead, buffer.length);
    this.totalRead += buffer.length;
    this.fill(buffer, offset);
    return Promise.resolve(buffer);
  }

  async open(through?: number): Promise<Extract<LineSource, { kind: "text" }>> {
    const source = await openLines({ fileSystem: this, path: "/f", size: this.size, through });
    if (source.kind === "binary") throw new Error(source.reason);
    return source;
  }
}

/** Lines of 64 bytes that say their number. */
function numberedLines(buffer: Uint8Array, offset: number): void {
  buffer.fill(0x2e);
  for (let line = Math.floor(offset / 64); line * 64 < offset + buffer.length; line++) {
    const text = new TextEncoder().encode(`line ${line} `);
    text.forEach((byte, index) => {
      const at = line * 64 + index - offset;
      if (at >= 0 && at < buffer.length) buffer[at] = byte;
    });
    const newline = line * 64 + 63 - offset;
    if (newline >= 0 && newline < buffer.length) buffer[newline] = 10;
  }
}

Deno.test("a range and the end of a large file are read without holding it", async () => {
  const file = new MadeUpFile(16 * MEGABYTE, numberedLines);
  const source = await file.open();
  assert.equal(source.lineCount, MEGABYTE / 4);
  for (const start of [0, 100_000, MEGABYTE / 4 - 20]) {
    const before = file.totalRead;
    const lines = await source.read(start, start + 20);
    assert.deepEqual(
      lines.map(({ text }) => text),
      Array.from({ length: 20 }, (_, index) => `line ${start + index} `.padEnd(63, ".")),
    );
    assert.ok(file.totalRead - before <= 12 * MEGABYTE);
  }
  assert.ok(file.largestRead <= 4 * MEGABYTE);
});

const BOUNDED: readonly (readonly [start: number, end: number, mostRead: number])[] = [
  [0, 10, 0.3],
  [4_000, 4_010, 0.6],
  [100_000, 100_020, 16],
];

for (const [start, end, mostRead] of BOUNDED) {
  Deno.test(`lines ${start} to ${end} of a gigabyte are read without what follows them`, async () => {
    const file = new MadeUpFile(1024 * MEGABYTE, numberedLines);
    const source = await file.open(end);
    assert.equal(source.isWhole, false);
    assert.ok(source.lineCount >= end);
    const lines = await source.read(start, end);
    assert.equal(lines.length, end - start);
    lines.forEach(({ text }, index) => {
      assert.equal(text, `line ${start + index} `.padEnd(63, "."));
    });
    assert.ok(file.totalRead <= mostRead * MEGABYTE, `${file.totalRead} bytes were read`);
  });
}

Deno.test("more lines than there are make the whole known", async () => {
  for (const through of [MEGABYTE / 4, MEGABYTE / 4 + 1, Infinity, undefined]) {
    const source = await new MadeUpFile(16 * MEGABYTE, numberedLines).open(through);
    assert.deepEqual([source.isWhole, source.lineCount], [true, MEGABYTE / 4]);
  }
});

Deno.test("a line of many megabytes is kept to its start, with the hash of the whole", async () => {
  const size = 12 * MEGABYTE;
  const file = new MadeUpFile(size, (buffer, offset) => {
    buffer.fill(0x61);
    for (const newline of [2, size - 3]) {
      if (newline >= offset && newline < offset + buffer.length) buffer[newline - offset] = 10;
    }
  });
  const source = await file.open();
  assert.equal(source.lineCount, 3);
  const [first, giant, last] = await source.read(0, 3);
  assert.deepEqual([first, last], [{ text: "aa" }, { text: "aa" }]);
  assert.equal(giant?.text, "a".repeat(giant?.text.length ?? 0));
  assert.ok((giant?.text.length ?? 0) >= 200_000);
  const bytes = size - 6;
  const hash = lineId(1, new Uint8Array(bytes).fill(0x61)).slice(2);
  assert.deepEqual(giant?.whole, { hash, bytes });
  assert.ok(file.largestRead <= 4 * MEGABYTE);
});

// Pieces that a reader in parts is known to trip over; the period is odd, so that chunks cut it anywhere.
const SMALL = {
  wholeFile: 100,
  chunk: 997,
  firstChunk: 101,
  line: 5_000,
  allLines: 100_000,
  shortLine: 5_000,
};

const PIECES: readonly (readonly [name: string, piece: string | Uint8Array])[] = [
  ["plain lines", "some text\n"],
  ["CRLF", "some text\r\nmore\r\n\r\n"],
  ["carriage returns that end nothing", "a\rb\r\rc\n\r\n"],
  ["characters of several bytes", "日本語😀é\n"],
  ["byte order marks inside", "\ufeffa\nb\ufeff\n"],
  ["bytes that are not UTF-8", Uint8Array.of(0x61, 0x99, 0x0a, 0x95, 0x5c, 0x0a, 0xff, 0xfe, 0x0a)],
  ["long lines", `${"x".repeat(901)}\n${"y".repeat(4_003)}\n`],
  ["empty lines", "\n\n\n"],
];

for (const [name, piece] of PIECES) {
  for (const [ending, tail] of [["", ""], ["a line without an ending", "tail"], ["CR", "\r"]]) {
    Deno.test(`read in parts like read whole: ${name}, at the end ${ending || "nothing"}`, async () => {
      const bytes = repeated(piece, 50_000, tail ?? "");
      const file = new MemoryFileSystem({ "/f": bytes });
      const source = await openLines({ fileSystem: file, path: "/f", size: bytes.length }, SMALL);
      const expected = linesOf(bytes);
      assert.ok(source.kind === "text");
      assert.equal(source.lineCount, expected.length);
      const parsed = parseDocument(bytes);
      assert.ok(parsed.kind === "text");
      const count = expected.length;
      const part = await openLines({
        fileSystem: file,
        path: "/f",
        size: bytes.length,
        through: count >> 1,
      }, SMALL);
      assert.ok(part.kind === "text");
      const middle = Math.max(0, (count >> 1) - 40);
      assert.deepEqual(
        (await part.read(middle, count >> 1)).map(({ text }) => text),
        parsed.document.lines(middle, count >> 1).map(({ text }) => text),
      );
      for (const start of [0, 1, count >> 1, Math.floor(count * 0.9), Math.max(0, count - 5)]) {
        const end = Math.min(count, start + 1_500);
        assert.deepEqual(
          (await source.read(start, end)).map(({ text }) => text),
          parsed.document.lines(start, end).map(({ text }) => text),
        );
      }
    });
  }
}

function repeated(piece: string | Uint8Array, length: number, tail: string): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(text);
  const unit = typeof piece === "string" ? encode(piece) : piece;
  const end = encode(tail);
  const count = Math.ceil(length / unit.length);
  const bytes = new Uint8Array(count * unit.length + end.length);
  for (let index = 0; index < count; index++) bytes.set(unit, index * unit.length);
  bytes.set(end, count * unit.length);
  return bytes;
}

Deno.test("a NUL anywhere makes a large file binary, as it does a small one", async () => {
  const file = new MadeUpFile(10 * MEGABYTE, (buffer, offset) => {
    buffer.fill(0x61);
    const nul = 9 * MEGABYTE;
    if (nul >= offset && nul < offset + buffer.length) buffer[nul - offset] = 0;
  });
  const source = await openLines({ fileSystem: file, path: "/f", size: file.size });
  assert.deepEqual(source, { kind: "binary", reason: "it contains NUL bytes" });
});

Deno.test("a sparse gigabyte is answered from its first chunk", async () => {
  const file = new MadeUpFile(1024 * MEGABYTE, () => {});
  const source = await openLines({ fileSystem: file, path: "/f", size: file.size });
  assert.equal(source.kind, "binary");
  assert.ok(file.totalRead <= 5 * MEGABYTE);
});

Deno.test("UTF-32 and more UTF-16 than one string holds are refused by their first piece", async () => {
  const wide = (head: readonly number[]) =>
    new MadeUpFile(1024 * MEGABYTE, (buffer, offset) => offset === 0 && buffer.set(head));
  const utf32 = wide([0xff, 0xfe, 0, 0]);
  const found = await openLines({ fileSystem: utf32, path: "/f", size: utf32.size });
  assert.deepEqual(found, { kind: "binary", reason: "UTF-32 text" });
  const utf16 = wide([0xff, 0xfe, 0x61, 0]);
  await assert.rejects(
    openLines({ fileSystem: utf16, path: "/f", size: utf16.size }),
    (error) => error instanceof FileSystemError && error.code === "too_large",
  );
  assert.ok(utf16.totalRead <= 4 * MEGABYTE);
});

Deno.test("lines read together keep less of each once they are long", async () => {
  const file = new MemoryFileSystem({ "/f": `${"z".repeat(4_000)}\n`.repeat(100) });
  const bounds = { ...SMALL, allLines: 40_000, shortLine: 500 };
  const source = await openLines({ fileSystem: file, path: "/f", size: 400_100 }, bounds);
  assert.ok(source.kind === "text");
  const lines = await source.read(0, 100);
  const hash = lineId(1, "z".repeat(4_000)).slice(2);
  assert.deepEqual(lines[0], { text: "z".repeat(4_000) });
  assert.deepEqual(lines[99], { text: "z".repeat(500), whole: { hash, bytes: 4_000 } });
});

Deno.test("a cancelled scan stops", async () => {
  const ending = new AbortController();
  const file = new MadeUpFile(1024 * MEGABYTE, (buffer, offset) => {
    buffer.fill(0x61);
    if (offset > 0) ending.abort(new Error("enough"));
  });
  const { signal } = ending;
  await assert.rejects(openLines({ fileSystem: file, path: "/f", size: file.size, signal }), {
    message: "enough",
  });
  assert.ok(file.totalRead <= 12 * MEGABYTE);
});
