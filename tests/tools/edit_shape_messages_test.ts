import assert from "node:assert/strict";
import { type BatchOperation, parseOperations } from "../../src/text/batch_operation.ts";
import { batchFailureMessage } from "../../src/tools/edit_messages.ts";

interface Row {
  readonly name: string;
  readonly operations: readonly BatchOperation[];
  readonly message: string;
}

const ROWS: readonly Row[] = [
  {
    name: "no operation",
    operations: [],
    message: "operations is empty, so there is nothing to do. Send at least one operation, like " +
      '{"operation": "replace", "start": "12:a3", "end": "14:0f", "content": "…"}.',
  },
  {
    name: "too many operations",
    operations: Array.from({ length: 51 }, () => ({ operation: "delete", start: "1:ed" })),
    message:
      "51 operations are more than the 50 one call may hold; nothing was applied. Send the first 50 in one call, " +
      "then the rest with the ids from its answer.",
  },
  {
    name: "no start to replace",
    operations: [{ operation: "replace", content: "x" }],
    message:
      'Operation 1: start is missing. Send the id of the first line to replace, like "12:a3"; `view` prints the ids.',
  },
  {
    name: "no anchor",
    operations: [{ operation: "insert", content: "x" }],
    message:
      'Operation 1: start is missing. Send the id of the line to insert after, like "12:a3", or 0 for the start of the file, -1 for its end.',
  },
  {
    name: "no id",
    operations: [{ operation: "delete", start: "first" }],
    message:
      'Operation 1: start "first" is not a line id. Retry with start as `view` prints it, the line number and two hex digits: "12:a3".',
  },
  {
    name: "two ids in one field",
    operations: [{ operation: "delete", start: "10:a3-15:c2" }],
    message:
      'Operation 1: start "10:a3-15:c2" is not a line id. Retry with two fields, start: "10:a3" and end: "15:c2".',
  },
  {
    name: "a replace that was cut",
    operations: [{ operation: "replace", start: "1:ed" }],
    message:
      "Operation 1: content is missing; the call was probably cut. Send the replace again with its content, a long one in parts; " +
      'to delete the lines, send content: "".',
  },
  {
    name: "an insert of nothing",
    operations: [{ operation: "insert", start: 0, content: "" }],
    message:
      'Operation 1: content is empty, so there is nothing to insert. For one empty line send content: "\\n".',
  },
  {
    name: "an insert with a range",
    operations: [{ operation: "insert", start: "1:ed", end: "2:23", content: "x" }],
    message:
      'Operation 1: an insert has one anchor, but start is "1:ed" and end is "2:23". Send start alone to insert after that line, ' +
      'or operation: "replace" to change the range.',
  },
  {
    name: "a field that no operation has",
    operations: [{ operation: "delete", start: "1:ed", unknown: ["finish"] }],
    message:
      'Operation 1: "finish" is not a field of an operation. Retry with operation, start, end and content: ' +
      "the first line of the range is start, its last line is end.",
  },
];

for (const { name, operations, message } of ROWS) {
  Deno.test(`message: ${name}`, () => {
    const parsed = parseOperations(operations);
    assert(parsed.kind === "failed");
    assert.equal(batchFailureMessage(parsed.failures, operations.length), message);
  });
}
