import assert from "node:assert/strict";
import { type BatchFailure, type BatchNote, planBatch } from "../../src/text/batch.ts";
import { type BatchOperation, parseOperations } from "../../src/text/batch_operation.ts";
import { TextDocument } from "../../src/text/document.ts";
import type { ShownIds } from "../../src/text/id_check.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { lineFingerprint } from "../../src/text/line_id.ts";

// Hashes: "a" ed, "b" 23, "c" 94, "d" ba, "e" 2e, "" c5, "let x = 0;" and "let x = 272;" ce.
const FIVE = "a\nb\nc\nd\ne\n";
const NOTHING_SHOWN: ShownIds = { fingerprint: () => undefined };

const insert = (start: string | number, content: string): BatchOperation => ({
  operation: "insert",
  start,
  content,
});
const replace = (start: string, end: string | undefined, content: string): BatchOperation => ({
  operation: "replace",
  start,
  end,
  content,
});
const remove = (start: string, end?: string, content?: string): BatchOperation => ({
  operation: "delete",
  start,
  end,
  content,
});

function plan(text: string, operations: readonly BatchOperation[], shown = NOTHING_SHOWN) {
  const document = new TextDocument(text);
  const parsed = parseOperations(operations);
  assert(parsed.kind === "operations", JSON.stringify(parsed));
  return { document, result: planBatch(document, parsed.operations, shown) };
}

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

function words(failure: BatchFailure): string {
  switch (failure.kind) {
    case "line":
      return `${failure.check.kind} ${failure.operation} ${failure.bound}`;
    case "plain_number":
      return `plain_number ${failure.operation} ${failure.bound} ${failure.line?.text ?? "none"}`;
    case "reversed_range":
      return `reversed_range ${failure.operation} ${failure.startId} ${failure.endId}`;
    case "overlap":
    case "same_anchor":
    case "insert_inside_range":
      return `${failure.kind} ${failure.first.operation} ${failure.second.operation}`;
    case "duplicate":
      return `duplicate ${failure.operation} ${failure.duplicate.kind}`;
    default:
      return `${failure.kind} ${"operation" in failure ? failure.operation : ""}`.trim();
  }
}

type FailedRow = readonly [
  name: string,
  text: string,
  operations: BatchOperation[],
  failures: string[],
];

const FAILED: readonly FailedRow[] = [
  ["a stale start", FIVE, [remove("2:00")], ["stale 0 start"]],
  ["a stale end", FIVE, [remove("2:23", "4:00")], ["stale 0 end"]],
  ["both bounds stale", FIVE, [remove("2:00", "4:00")], ["stale 0 start", "stale 0 end"]],
  ["a stale single line is one failure", FIVE, [remove("2:00")], ["stale 0 start"]],
  ["a stale anchor", FIVE, [insert("2:00", "x")], ["stale 0 start"]],
  ["an id after the end", FIVE, [remove("6:ed")], ["stale 0 start"]],
  ["any id in an empty file", "", [remove("1:c5")], ["stale 0 start"]],
  ["pasted text that differs", FIVE, [remove("2:23|x")], ["pasted_text_differs 0 start"]],
  [
    "one bad operation stops all, every failure is told in call order",
    FIVE,
    [remove("1:00"), replace("2:23", undefined, "B"), remove("5"), insert("4:00", "x")],
    ["stale 0 start", "plain_number 2 start e", "stale 3 start"],
  ],
  ["a number to delete", FIVE, [remove("2")], ["plain_number 0 start b"]],
  ["a number as end", FIVE, [remove("2:23", "4")], ["plain_number 0 end d"]],
  ["two numbers", FIVE, [remove("2", "4")], ["plain_number 0 start b", "plain_number 0 end d"]],
  ["a number from the end", FIVE, [replace("-1", undefined, "x")], ["plain_number 0 start e"]],
  ["0 to replace", FIVE, [replace("0", undefined, "x")], ["plain_number 0 start none"]],
  ["a number after the end", FIVE, [remove("6")], ["plain_number 0 start none"]],
  ["a number as anchor", FIVE, [insert(3, "x")], ["plain_number 0 start c"]],
  ["-2 as anchor", FIVE, [insert(-2, "x")], ["plain_number 0 start d"]],
  ["a reversed range", FIVE, [remove("4:ba", "2:23")], ["reversed_range 0 4:ba 2:23"]],
  ["overlapping replaces", FIVE, [replace("1:ed", "3:94", "x"), replace("3:94", "4:ba", "y")], [
    "overlap 0 1",
  ]],
  ["a replace inside another", FIVE, [
    replace("1:ed", "5:2e", "x"),
    replace("3:94", undefined, "y"),
  ], ["overlap 0 1"]],
  ["a delete twice", FIVE, [remove("2:23"), remove("2:23")], ["overlap 0 1"]],
  ["replace and delete", FIVE, [remove("2:23", "3:94"), replace("3:94", undefined, "C")], [
    "overlap 0 1",
  ]],
  [
    "three that overlap are told pair by pair",
    FIVE,
    [remove("1:ed", "5:2e"), remove("2:23"), remove("4:ba")],
    ["overlap 0 1", "overlap 0 2"],
  ],
  ["two inserts at one id", FIVE, [insert("2:23", "x"), insert("2:23", "y")], ["same_anchor 0 1"]],
  ["two inserts at the start", FIVE, [insert(0, "x"), insert("0", "y")], ["same_anchor 0 1"]],
  ["after the last line and at the end", FIVE, [insert("5:2e", "x"), insert(-1, "y")], [
    "same_anchor 0 1",
  ]],
  ["start and end of an empty file", "", [insert(0, "x"), insert(-1, "y")], ["same_anchor 0 1"]],
  ["insert inside a replaced range", FIVE, [insert("3:94", "x"), replace("2:23", "4:ba", "y")], [
    "insert_inside_range 0 1",
  ]],
  ["insert after the first line of a range", FIVE, [
    replace("2:23", "4:ba", "y"),
    insert("2:23", "x"),
  ], ["insert_inside_range 0 1"]],
  ["insert after the last line of a range", FIVE, [
    replace("2:23", "4:ba", "y"),
    insert("4:ba", "x"),
  ], ["insert_inside_range 0 1"]],
  ["insert after a deleted line", FIVE, [remove("3:94"), insert("3:94", "x")], [
    "insert_inside_range 0 1",
  ]],
  ["delete with another content", FIVE, [remove("2:23", undefined, "x")], [
    "delete_with_content 0",
  ]],
  ["delete with too much content", FIVE, [remove("2:23", undefined, "b\nc")], [
    "delete_with_content 0",
  ]],
  ["the line before the range", FIVE, [replace("2:23", undefined, "a\nB")], [
    "duplicate 0 before_range",
  ]],
  ["the line after the range", FIVE, [replace("2:23", undefined, "B\nc")], [
    "duplicate 0 after_range",
  ]],
  ["the next line inserted", FIVE, [insert("2:23", "c")], ["duplicate 0 next_line"]],
  ["the first line inserted at the start", FIVE, [insert(0, "a")], ["duplicate 0 next_line"]],
  ["an insert sent twice", FIVE, [insert("1:ed", "b\nc")], ["duplicate 0 block"]],
  ["an append sent twice", FIVE, [insert(-1, "d\ne")], ["duplicate 0 block"]],
  [
    "a duplicate under pasted ids",
    FIVE,
    [replace("2:23", undefined, "1:ed|a\n2:23|B")],
    ["duplicate 0 before_range"],
  ],
  [
    "failures of one operation do not hide those of another",
    FIVE,
    [insert("2:23", "c"), remove("4:00"), insert("2:23", "q")],
    ["duplicate 0 next_line", "stale 1 start", "same_anchor 0 2"],
  ],
];

for (const [name, text, operations, failures] of FAILED) {
  Deno.test(`batch stops: ${name}`, () => {
    const { result } = plan(text, operations);
    assert(result.kind === "failed", JSON.stringify(result));
    assert.deepEqual(result.failures.map(words), failures);
  });
}

Deno.test("batch stops: the line is not the text that was shown", () => {
  const shown: ShownIds = {
    fingerprint: (id) => id === "1:ce" ? lineFingerprint("let x = 0;") : undefined,
  };
  const { result } = plan("let x = 272;\n", [remove("1:ce")], shown);
  assert(result.kind === "failed");
  assert.deepEqual(result.failures.map(words), ["stale 0 start"]);
});

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
