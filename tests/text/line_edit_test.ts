import assert from "node:assert/strict";
import { type Line, splitLines, TextDocument } from "../../src/text/document.ts";
import {
  applyLineEdits,
  invertHunks,
  type LineEdit,
  withEndings,
} from "../../src/text/line_edit.ts";

const edit = (start: number, end: number, text: string): LineEdit => ({
  start,
  end,
  lines: splitLines(text),
});

const APPLIED:
  readonly (readonly [name: string, before: string, edits: LineEdit[], after: string])[] = [
    ["replace one", "a\nb\nc\n", [edit(1, 2, "B\n")], "a\nB\nc\n"],
    ["replace by more", "a\nb\nc\n", [edit(1, 2, "x\ny\nz\n")], "a\nx\ny\nz\nc\n"],
    ["delete", "a\nb\nc\n", [edit(0, 2, "")], "c\n"],
    ["delete all", "a\nb\n", [edit(0, 2, "")], ""],
    ["insert at the start", "a\n", [edit(0, 0, "x\n")], "x\na\n"],
    ["insert at the end", "a\n", [edit(1, 1, "x\n")], "a\nx\n"],
    ["insert into nothing", "", [edit(0, 0, "x\n")], "x\n"],
    ["append after an unended line", "a\nb", [edit(2, 2, "c")], "a\nb\nc"],
    ["append an ended line after an unended one", "a\nb", [edit(2, 2, "c\n")], "a\nb\nc\n"],
    ["append after an unended line, CRLF", "a\r\nb", [edit(2, 2, "c\r\nd")], "a\r\nb\r\nc\r\nd"],
    ["append twice after an unended line", "a", [edit(1, 1, "b\n"), edit(1, 1, "c")], "a\nb\nc"],
    ["append after the only, unended line", "a", [edit(1, 1, "b")], "a\nb"],
    [
      "append where the unended line is replaced",
      "a\nb",
      [edit(1, 2, "B"), edit(2, 2, "c")],
      "a\nB\nc",
    ],
    ["append where the unended line is deleted", "a\nb", [edit(1, 2, ""), edit(2, 2, "c")], "a\nc"],
    ["append where all is deleted", "a", [edit(0, 1, ""), edit(1, 1, "c")], "c"],
    ["deleting the unended line keeps the one before", "a\nb", [edit(1, 2, "")], "a\n"],
    [
      "several, given in any order",
      "a\nb\nc\nd\n",
      [edit(3, 4, "D\n"), edit(0, 1, "A\n")],
      "A\nb\nc\nD\n",
    ],
    ["adjacent replaces", "a\nb\n", [edit(1, 2, "B\n"), edit(0, 1, "A\n")], "A\nB\n"],
    [
      "inserts at one place keep their order",
      "a\n",
      [edit(1, 1, "x\n"), edit(1, 1, "y\n")],
      "a\nx\ny\n",
    ],
    [
      "an insert before a replaced line",
      "a\nb\n",
      [edit(1, 2, "B\n"), edit(1, 1, "x\n")],
      "a\nx\nB\n",
    ],
    [
      "an append given before a replace that only adds to the last line",
      "a\nb\n",
      [edit(2, 2, "end\n"), edit(1, 2, "b\nmore\n")],
      "a\nb\nmore\nend\n",
    ],
    ["mixed endings stay", "a\r\nb\nc\r\n", [edit(1, 2, "B\n")], "a\r\nB\nc\r\n"],
    ["append an empty line after an unended one", "a", [edit(1, 1, "\n")], "a\n\n"],
    ["append after an unended carriage return", "a\r", [edit(1, 1, "b")], "a\r\nb"],
    ["an unended line before others gets an ending", "a\nb\n", [edit(0, 1, "x")], "x\nb\n"],
    [
      "an unended line before another edit",
      "a\nb\n",
      [edit(0, 1, "x"), edit(1, 2, "y\n")],
      "x\ny\n",
    ],
    ["an unended line stays so where all after it goes", "a\nb\n", [
      edit(0, 1, "x"),
      edit(1, 2, ""),
    ], "x"],
    ["a lone carriage return stays", "a\rb\nc\n", [edit(1, 2, "C\n")], "a\rb\nC\n"],
  ];

for (const [name, before, edits, after] of APPLIED) {
  Deno.test(`apply: ${name}`, () => {
    const document = new TextDocument(before);
    const applied = applyLineEdits(document, edits);
    assert.equal(applied.document.text, after);
    const restored = applyLineEdits(applied.document, invertHunks(applied.hunks));
    assert.equal(restored.document.text, before);
  });
}

const UNCHANGING: readonly (readonly [name: string, before: string, edits: LineEdit[]])[] = [
  ["no edits", "a\n", []],
  ["a line by itself", "a\nb\n", [edit(1, 2, "b\n")]],
  ["an empty insert", "a\n", [edit(1, 1, "")]],
  ["a line by itself, unended", "a\nb\n", [edit(0, 1, "a")]],
  ["no line at all", "a\n", [{ start: 1, end: 1, lines: [{ text: "", ending: "" }] }]],
  ["an unended line by itself", "a\nb", [edit(0, 2, "a\nb")]],
];

for (const [name, before, edits] of UNCHANGING) {
  Deno.test(`apply: ${name} changes nothing`, () => {
    const document = new TextDocument(before);
    const applied = applyLineEdits(document, edits);
    assert.equal(applied.document, document);
    assert.deepEqual(applied.hunks, []);
  });
}

const REFUSED: readonly (readonly [name: string, edits: LineEdit[]])[] = [
  ["an overlap", [edit(0, 2, "x\n"), edit(1, 3, "y\n")]],
  ["the same lines twice", [edit(0, 1, "x\n"), edit(0, 1, "y\n")]],
  ["an insert inside", [edit(0, 2, "x\n"), edit(1, 1, "y\n")]],
  ["an end outside", [edit(2, 4, "x\n")]],
  ["an end outside an unended file", [edit(3, 4, "x\n")]],
  ["an insert outside", [edit(4, 4, "x\n")]],
  ["a reversed range", [edit(2, 1, "x\n")]],
  ["a negative start", [edit(-1, 1, "x\n")]],
];

for (const [name, edits] of REFUSED) {
  Deno.test(`apply: ${name} is a RangeError`, () => {
    assert.throws(() => applyLineEdits(new TextDocument("a\nb\nc\n"), edits), RangeError);
  });
}

Deno.test("hunks leave out lines that an edit repeats, and count in both documents", () => {
  const document = new TextDocument("a\nb\nc\nd\n");
  const edits = [edit(0, 1, "a\nnew\n"), edit(1, 4, "b\nC\nd\n")];
  const { hunks } = applyLineEdits(document, edits);
  assert.deepEqual(hunks, [
    { oldStart: 1, oldLines: [], newStart: 1, newLines: splitLines("new\n") },
    { oldStart: 2, oldLines: splitLines("c\n"), newStart: 3, newLines: splitLines("C\n") },
  ]);
});

Deno.test("the form of the file is kept", () => {
  const form = { encoding: "utf-16le", bom: true } as const;
  const { document } = applyLineEdits(new TextDocument("a\n", form), [edit(0, 1, "b\n")]);
  assert.deepEqual(document.form, form);
});

const ENDINGS: readonly (readonly [
  name: string,
  text: string,
  range: readonly [start: number, end: number],
  texts: readonly string[],
  expected: string,
])[] = [
  ["line by line", "a\r\nb\nc\r\n", [0, 3], ["x", "y", "z"], "x\r\ny\nz\r\n"],
  [
    "further lines take the last replaced one's",
    "a\r\nb\nc\r\n",
    [1, 2],
    ["x", "y", "z"],
    "x\ny\nz\n",
  ],
  ["fewer lines: the last keeps the last one's", "a\r\nb\n", [0, 2], ["x"], "x\n"],
  ["the unended end stays unended", "a\r\nb", [1, 2], ["x", "y"], "x\r\ny"],
  ["an unended only line", "a", [0, 1], ["x", "y"], "x\ny"],
  ["an insert takes the line's above", "a\r\nb\n", [1, 1], ["x"], "x\r\n"],
  ["an insert at the start takes the line's below", "a\r\n", [0, 0], ["x"], "x\r\n"],
  ["an insert after the unended end stays unended", "a\r\nb", [2, 2], ["x", "y"], "x\r\ny"],
  ["an empty line after the unended end", "a\nb", [2, 2], ["x", ""], "x\n\n"],
  ["an insert before the unended end", "a\nb", [1, 1], ["x"], "x\n"],
  ["an insert into nothing", "", [0, 0], ["x", "y"], "x\ny\n"],
  ["an empty line in place of the unended end", "a\nb", [1, 2], [""], "\n"],
  ["an empty line at the end of what replaces the unended end", "a\nb", [1, 2], ["x", ""], "x\n\n"],
  ["nothing", "a\n", [0, 1], [], ""],
];

for (const [name, text, [start, end], texts, expected] of ENDINGS) {
  Deno.test(`endings: ${name}`, () => {
    const lines = withEndings(new TextDocument(text), { start, end }, texts);
    assert.equal(lines.map((line: Line) => line.text + line.ending).join(""), expected);
  });
}
