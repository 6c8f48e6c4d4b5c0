import assert from "node:assert/strict";
import type { BatchNote } from "../../src/text/batch.ts";
import type { BatchOperation } from "../../src/text/batch_operation.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { FIVE, insert, plan, remove, replace } from "../support/batch_plan.ts";

type Row = readonly [name: string, text: string, operations: BatchOperation[], after: string];

const APPLIED: readonly Row[] = [
  ["replace one line", FIVE, [replace("2:23", undefined, "B")], "a\nB\nc\nd\ne\n"],
  ["replace a range", FIVE, [replace("2:23", "4:ba", "X\nY\n")], "a\nX\nY\ne\n"],
  ["replace with nothing deletes", FIVE, [replace("2:23", "4:ba", "")], "a\ne\n"],
  ["replace with one empty line", FIVE, [replace("2:23", "4:ba", "\n")], "a\n\ne\n"],
  ["replace all", FIVE, [replace("1:ed", "5:2e", "x")], "x\n"],
  ["delete one line", FIVE, [remove("5:2e")], "a\nb\nc\nd\n"],
  ["delete a range", FIVE, [remove("1:ed", "3:94")], "d\ne\n"],
  ["delete with the lines it deletes", FIVE, [remove("1:ed", "2:23", "a\n b\n")], "c\nd\ne\n"],
  ["delete with the lines it deletes and their ids", FIVE, [
    remove("1:ed", "2:23", "1:ed|a\n2:23|b"),
  ], "c\nd\ne\n"],
  ["delete everything", FIVE, [remove("1:ed", "5:2e")], ""],
  ["insert after a line", FIVE, [insert("2:23", "x\ny")], "a\nb\nx\ny\nc\nd\ne\n"],
  ["insert after the last line", FIVE, [insert("5:2e", "x")], "a\nb\nc\nd\ne\nx\n"],
  ["insert at the start", FIVE, [insert(0, "x")], "x\na\nb\nc\nd\ne\n"],
  ["insert at the end", FIVE, [insert(-1, "x")], "a\nb\nc\nd\ne\nx\n"],
  ["insert anchors as text", FIVE, [insert("0", "x"), insert("-1", "y")], "x\na\nb\nc\nd\ne\ny\n"],
  ["insert one empty line", FIVE, [insert("1:ed", "\n")], "a\n\nb\nc\nd\ne\n"],
  ["insert into an empty file", "", [insert(0, "x")], "x\n"],
  ["append to an empty file", "", [insert(-1, "x\ny")], "x\ny\n"],
  ["append an empty line to an unended file", "a\nb", [insert(-1, "\n")], "a\nb\n\n"],
  ["an empty line in place of an unended one", "a\nb", [replace("2:23", undefined, "\n")], "a\n\n"],
  ["append after an unended line", "a\nb", [insert(-1, "x")], "a\nb\nx"],
  ["an id of a line beside a hint of its text", FIVE, [remove("3:94|c")], "a\nb\nd\ne\n"],
  [
    "no operation shifts another",
    FIVE,
    [
      insert("2:23", "x\ny\nz"),
      replace("4:ba", undefined, "D\nDD"),
      remove("1:ed"),
      insert("4:ba".replace("4:ba", "5:2e"), "last"),
    ],
    "b\nx\ny\nz\nc\nD\nDD\ne\nlast\n",
  ],
  [
    "any order in the call",
    FIVE,
    [remove("5:2e"), insert("1:ed", "x"), remove("3:94"), insert(0, "top")],
    "top\na\nx\nb\nd\n",
  ],
  [
    "adjacent replaces",
    FIVE,
    [replace("3:94", "4:ba", "C"), replace("1:ed", "2:23", "A")],
    "A\nC\ne\n",
  ],
  ["insert just before a replaced range", FIVE, [
    replace("3:94", undefined, "C"),
    insert("2:23", "x"),
  ], "a\nb\nx\nC\nd\ne\n"],
  ["append beside a replaced last line", FIVE, [
    insert(-1, "x"),
    replace("5:2e", undefined, "e\nmore"),
  ], "a\nb\nc\nd\ne\nmore\nx\n"],
  [
    "insert at the start beside a deleted first line",
    FIVE,
    [remove("1:ed"), insert(0, "x")],
    "x\nb\nc\nd\ne\n",
  ],
  ["move a line", FIVE, [remove("2:23"), insert("4:ba", "b")], "a\nc\nd\nb\ne\n"],
  [
    "move a block up to where it stands",
    FIVE,
    [remove("2:23", "3:94"), insert("1:ed", "b\nc")],
    FIVE,
  ],
  [
    "swap two lines",
    FIVE,
    [replace("2:23", undefined, "c"), replace("3:94", undefined, "b")],
    "a\nc\nb\nd\ne\n",
  ],
  ["CRLF file, LF content", "a\r\nb\r\n", [replace("2:23", undefined, "x\ny")], "a\r\nx\r\ny\r\n"],
  ["LF file, CRLF content", "a\nb\n", [replace("2:23", undefined, "x\r\ny\r\n")], "a\nx\ny\n"],
  [
    "mixed endings",
    "a\r\nb\nc",
    [replace("2:23", undefined, "B"), insert("1:ed", "x")],
    "a\r\nx\r\nB\nc",
  ],
  [
    "backslashes and dollars are text",
    FIVE,
    [replace("1:ed", undefined, "\\n$&$1")],
    "\\n$&$1\nb\nc\nd\ne\n",
  ],
  [
    "markers of other edit dialects are text",
    FIVE,
    [replace("1:ed", undefined, "=======")],
    "=======\nb\nc\nd\ne\n",
  ],
  ["a byte order mark in content is no text", FIVE, [insert(0, "\ufeffx")], "x\na\nb\nc\nd\ne\n"],
  ["no change", FIVE, [replace("2:23", undefined, "b")], FIVE],
];

for (const [name, text, operations, after] of APPLIED) {
  Deno.test(`batch: ${name}`, () => {
    const { document, result } = plan(text, operations);
    assert(result.kind === "edits", JSON.stringify(result));
    assert.equal(applyLineEdits(document, result.edits).document.text, after);
  });
}

const NOTED: readonly (readonly [
  name: string,
  operations: BatchOperation[],
  after: string,
  notes: BatchNote[],
])[] = [
  [
    "pasted ids are left out",
    [replace("2:23", "3:94", "2:23|B\n3:94|C")],
    "a\nB\nC\nd\ne\n",
    [{ kind: "ids_stripped", operation: 0 }],
  ],
  [
    "what only looks like ids is written",
    [insert("1:ed", "12:30|started")],
    "a\n12:30|started\nb\nc\nd\ne\n",
    [{ kind: "ids_unproven", operation: 0 }],
  ],
  ["a time is no id", [insert("1:ed", "12:30 started")], "a\n12:30 started\nb\nc\nd\ne\n", []],
  [
    "an insert that repeats its anchor",
    [insert("2:23", "b\nNEW")],
    "a\nb\nb\nNEW\nc\nd\ne\n",
    [{
      kind: "anchor_repeated",
      operation: 0,
      anchorId: "2:23",
      repeated: { number: 3, text: "b" },
    }],
  ],
  [
    "the repeated line is named where it stands after the batch",
    [insert("4:ba", "d"), insert(0, "x\ny"), remove("2:23")],
    "x\ny\na\nc\nd\nd\ne\n",
    [{
      kind: "anchor_repeated",
      operation: 0,
      anchorId: "4:ba",
      repeated: { number: 6, text: "d" },
    }],
  ],
];

for (const [name, operations, after, notes] of NOTED) {
  Deno.test(`batch notes: ${name}`, () => {
    const { document, result } = plan(FIVE, operations);
    assert(result.kind === "edits", JSON.stringify(result));
    assert.equal(applyLineEdits(document, result.edits).document.text, after);
    assert.deepEqual(result.notes, notes);
  });
}

Deno.test("batch notes: a repeated blank line or bracket is not worth a word", () => {
  const { result } = plan("}\nx\n", [insert("1:14", "}\ny")]);
  assert(result.kind === "edits");
  assert.deepEqual(result.notes, []);
});
