import assert from "node:assert/strict";
import type { BatchOperation } from "../../src/text/batch_operation.ts";
import { batchFailureMessage } from "../../src/tools/edit_messages.ts";
import { FIVE, plan } from "../support/batch_plan.ts";

const DOUBLE = "\n".repeat(8) + "fn double(x: i32) {\n    x * 2\n}\n// end\n";

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly operations: readonly BatchOperation[];
  readonly message: string;
}

const ROWS: readonly Row[] = [
  {
    name: "the line before the range, word for word",
    text: DOUBLE,
    operations: [{
      operation: "replace",
      start: "10:97",
      end: "11:14",
      content: "fn double(x: i32) {\n    2 * x\n}",
    }],
    message: `\
Duplicate line detected in operation 1: content's first line matches 9:d3 (just before the replacement range "10:97"-"11:14").
9:d3: "fn double(x: i32) {". Do NOT include surrounding unchanged lines — only provide the lines that replace "10:97"-"11:14".`,
  },
  {
    name: "the line after the range",
    text: DOUBLE,
    operations: [{
      operation: "replace",
      start: "11:14",
      content: "}\n// end\n",
    }],
    message: `\
Duplicate line detected in operation 1: content's last line matches 12:78 (just after the replacement range "11:14"-"11:14").
12:78: "// end". Do NOT include surrounding unchanged lines — only provide the lines that replace "11:14"-"11:14".`,
  },
  {
    name: "both ends of a range",
    text: DOUBLE,
    operations: [{
      operation: "replace",
      start: "10:97",
      end: "11:14",
      content: "fn double(x: i32) {\n    2 * x\n// end",
    }],
    message: `\
No operation was applied. Failed: operation 1.
Duplicate line detected in operation 1: content's first line matches 9:d3 (just before the replacement range "10:97"-"11:14").
9:d3: "fn double(x: i32) {". Do NOT include surrounding unchanged lines — only provide the lines that replace "10:97"-"11:14".
---
Duplicate line detected in operation 1: content's last line matches 12:78 (just after the replacement range "10:97"-"11:14").
12:78: "// end". Do NOT include surrounding unchanged lines — only provide the lines that replace "10:97"-"11:14".`,
  },
  {
    name: "the next line inserted",
    operations: [{ operation: "insert", start: "2:23", content: "c" }],
    message: `\
Duplicate line detected in operation 1: content's last line matches 3:94 (just after the place of the insert, after "2:23").
3:94: "c". Do NOT include surrounding unchanged lines — only provide the lines to insert after "2:23". To have the line twice, replace "3:94" with both copies.`,
  },
  {
    name: "an append sent twice",
    operations: [{ operation: "insert", start: -1, content: "d\ne\n" }],
    message:
      'Duplicate lines detected in operation 1: the lines to insert at the end of the file are already there, at "4:ba"-"5:2e". ' +
      'Nothing is left to do if an earlier call inserted them; to have them twice, replace "5:2e" with that line and the new ones.',
  },
  {
    name: "a reversed range",
    operations: [{ operation: "delete", start: "4:ba", end: "2:23" }],
    message:
      'Operation 1: start "4:ba" comes after end "2:23". Retry with start: "2:23", end: "4:ba".',
  },
  {
    name: "overlapping operations",
    operations: [
      { operation: "delete", start: "3:94", end: "4:ba" },
      { operation: "replace", start: "2:23", end: "3:94", content: "x" },
    ],
    message: `\
No operation was applied. Failed: operations 1 and 2.
Operations 1 and 2 overlap: delete "3:94"-"4:ba" and replace "2:23"-"3:94". Retry with one replace of "2:23"-"4:ba", or with ranges that share no line.`,
  },
  {
    name: "two inserts at one place",
    operations: [
      { operation: "insert", start: -1, content: "x" },
      { operation: "insert", start: "5:2e", content: "y" },
    ],
    message: `\
No operation was applied. Failed: operations 1 and 2.
Operations 1 and 2 insert at the same place (at the end of the file). Retry with one insert that has both contents in the order you want.`,
  },
  {
    name: "an insert inside a range",
    operations: [
      { operation: "insert", start: "3:94", content: "x" },
      { operation: "delete", start: "2:23", end: "4:ba" },
    ],
    message: `\
No operation was applied. Failed: operations 1 and 2.
Operation 1 inserts after "3:94", a line that operation 2 takes away (delete "2:23"-"4:ba"). Retry with one replace of "2:23"-"4:ba" whose content has the inserted lines where you want them.`,
  },
  {
    name: "a number as anchor",
    operations: [{ operation: "insert", start: 3, content: "x" }],
    message: `\
Operation 1: start 3 is a plain number, but an insert is anchored to a line id; only 0 (start of the file) and -1 (its end) are plain. Line 3 is now:
3:94|c
Retry with start: "3:94" if that is the line you mean.`,
  },
  {
    name: "a number outside the file",
    operations: [{ operation: "delete", start: 9 }],
    message:
      "Operation 1: start 9 is a plain number, but delete takes line ids, so that a line that moved is not changed by mistake. " +
      "The file has 5 lines; run `view` to see their ids.",
  },
  {
    name: "a delete with content",
    operations: [{ operation: "delete", start: "2:23", content: "x" }],
    message:
      'Operation 1: a delete takes no content, but text came with it that is not in "2:23". ' +
      'Retry as a replace of "2:23" if the text is to take their place, else without content.',
  },
];

for (const { name, text = FIVE, operations, message } of ROWS) {
  Deno.test(`message: ${name}`, () => {
    const { result } = plan(text, operations);
    assert(result.kind === "failed", JSON.stringify(result));
    assert.equal(batchFailureMessage(result.failures, operations.length), message);
  });
}
