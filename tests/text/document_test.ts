import assert from "node:assert/strict";
import {
  formatDocument,
  neighbourEnding,
  parseDocument,
  splitLines,
  TextDocument,
} from "../../src/text/document.ts";

const SPLITS: readonly (readonly [text: string, lines: readonly (readonly [string, string])[]])[] =
  [
    ["", []],
    ["\n", [["", "\n"]]],
    ["\r\n", [["", "\r\n"]]],
    ["a", [["a", ""]]],
    ["a\nb\n", [["a", "\n"], ["b", "\n"]]],
    ["a\nb", [["a", "\n"], ["b", ""]]],
    ["a\r\nb\nc", [["a", "\r\n"], ["b", "\n"], ["c", ""]]],
    ["\n\n", [["", "\n"], ["", "\n"]]],
    ["a\rb\n", [["a\rb", "\n"]]],
    ["a\r", [["a\r", ""]]],
    ["\r", [["\r", ""]]],
    ["a\r\r\nb", [["a\r", "\r\n"], ["b", ""]]],
    ["a\n\rb", [["a", "\n"], ["\rb", ""]]],
    ["a\u000bb\u000cc\u0085d\u2028e\u2029f\n", [["a\u000bb\u000cc\u0085d\u2028e\u2029f", "\n"]]],
  ];

for (const [text, lines] of SPLITS) {
  Deno.test(`${JSON.stringify(text)} splits into ${lines.length} lines`, () => {
    assert.deepEqual(splitLines(text).map((line) => [line.text, line.ending]), lines);
    assert.equal(new TextDocument(text).lineCount, lines.length);
  });
}

Deno.test("offsets: starts, ends, and the line at an offset", () => {
  const document = new TextDocument("ab\r\nc\n\nd");
  assert.deepEqual([0, 1, 2, 3, 4].map((index) => document.lineStart(index)), [0, 4, 6, 7, 8]);
  assert.deepEqual([0, 1, 2, 3].map((index) => document.lineEnd(index)), [4, 6, 7, 8]);
  const lineAt = [0, 3, 4, 5, 6, 7, 8].map((offset) => document.lineAt(offset));
  assert.deepEqual(lineAt, [0, 0, 1, 1, 2, 3, 3]);
});

Deno.test("a line outside the document is a RangeError", () => {
  const document = new TextDocument("a\n");
  for (const index of [-1, 1, 2, 0.5]) assert.throws(() => document.line(index), RangeError);
});

Deno.test("lines of a part, clipped by its end only", () => {
  const document = new TextDocument("a\nb\nc");
  assert.deepEqual(document.lines(1, 3).map((line) => line.text), ["b", "c"]);
  assert.deepEqual(document.lines(3), []);
});

const NEIGHBOURS: readonly (readonly [text: string, index: number, ending: string, why: string])[] =
  [
    ["", 0, "\n", "an empty file"],
    ["a", 0, "\n", "no ending anywhere"],
    ["a", 1, "\n", "after the only line"],
    ["a\r\n", 0, "\r\n", "the first line's, below"],
    ["a\r\n", 1, "\r\n", "above"],
    ["a\r\nb\n", 1, "\r\n", "above before below"],
    ["a\nb\r\n", 1, "\n", "above before below"],
    ["a\r\nb", 2, "\r\n", "the habit of the line before an unended one"],
    ["a\r\nb", 1, "\r\n", "above"],
  ];

for (const [text, index, ending, why] of NEIGHBOURS) {
  Deno.test(`a line added at ${index} of ${JSON.stringify(text)}: ${why}`, () => {
    assert.equal(neighbourEnding(new TextDocument(text), index), ending);
  });
}

Deno.test("a byte order mark is hidden from the text and kept in the bytes", () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x68, 0x69, 0x0a);
  const parsed = parseDocument(bytes);
  assert(parsed.kind === "text");
  assert.equal(parsed.document.text, "hi\n");
  assert.equal(parsed.document.lineText(0), "hi");
  assert.deepEqual(formatDocument(parsed.document), bytes);
});

Deno.test("a second byte order mark is data", () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61);
  const parsed = parseDocument(bytes);
  assert(parsed.kind === "text");
  assert.equal(parsed.document.text, "\ufeffa");
  assert.deepEqual(formatDocument(parsed.document), bytes);
});
