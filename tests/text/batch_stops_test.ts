import assert from "node:assert/strict";
import type { BatchFailure } from "../../src/text/batch.ts";
import type { BatchOperation } from "../../src/text/batch_operation.ts";
import type { ShownIds } from "../../src/text/id_check.ts";
import { lineFingerprint } from "../../src/text/line_id.ts";
import { FIVE, insert, plan, remove, replace } from "../support/batch_plan.ts";

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
