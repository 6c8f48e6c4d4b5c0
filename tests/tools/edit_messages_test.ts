import assert from "node:assert/strict";
import { planBatch } from "../../src/text/batch.ts";
import { type BatchOperation, parseOperations } from "../../src/text/batch_operation.ts";
import { TextDocument } from "../../src/text/document.ts";
import type { ShownIds } from "../../src/text/id_check.ts";
import { lineFingerprint } from "../../src/text/line_id.ts";
import {
  batchFailureMessage,
  batchNoteMessage,
  linesShownBy,
} from "../../src/tools/edit_messages.ts";

const NOTHING_SHOWN: ShownIds = { fingerprint: () => undefined };

function failuresOf(text: string, operations: readonly BatchOperation[], shown = NOTHING_SHOWN) {
  const parsed = parseOperations(operations);
  const result = parsed.kind === "failed"
    ? parsed
    : planBatch(new TextDocument(text), parsed.operations, shown);
  assert(result.kind === "failed", JSON.stringify(result));
  return result.failures;
}

// The contract's example, with the hashes that these lines really have.
const SERVER = [
  ...Array.from({ length: 39 }, (_, index) => `// ${index + 1}`),
  "    let config = load_config()?;",
  "    let client = Client::new(&config);",
  '    tracing::info!("client ready");',
  "",
  "    run(client).await",
  "    Ok(())",
].join("\n") + "\n";

const FIVE = "a\nb\nc\nd\ne\n";
const DOUBLE = "\n".repeat(8) + "fn double(x: i32) {\n    x * 2\n}\n// end\n";

const STALE_42 = `\
Stale line id "42:b2" — the file changed since you viewed it. Current content around line 42:
40:e4|    let config = load_config()?;
41:49|    let client = Client::new(&config);
42:8e|    tracing::info!("client ready");
43:c5|
44:63|    run(client).await
Content matching hash b2 is now at: 45:b2 (your target may have moved).
Retry with the fresh ids above, or run \`view\` with start: 40, end: 44 (or a wider range) to confirm before editing.`;

const STALE_2 = `\
Stale line id "2:00" — the file changed since you viewed it. Current content around line 2:
1:ed|a
2:23|b
3:94|c
4:ba|d
Retry with the fresh ids above, or run \`view\` with start: 1, end: 4 (or a wider range) to confirm before editing.`;

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly operations: readonly BatchOperation[];
  readonly message: string;
}

const ROWS: readonly Row[] = [
  {
    name: "a stale id alone is the contract's block and nothing else",
    text: SERVER,
    operations: [{ operation: "delete", start: "42:B2" }],
    message: STALE_42,
  },
  {
    name: "a stale id without a candidate",
    operations: [{ operation: "delete", start: "2:00" }],
    message: STALE_2,
  },
  {
    name: "a stale id with three candidates",
    text: "x\nx\nx\na\nx\nx\n",
    operations: [{ operation: "delete", start: "4:26" }],
    message: `\
Stale line id "4:26" — the file changed since you viewed it. Current content around line 4:
2:26|x
3:26|x
4:ed|a
5:26|x
6:26|x
Content matching hash 26 is now at: 5:26, 3:26, 6:26 (your target may have moved).
Retry with the fresh ids above, or run \`view\` with start: 2, end: 6 (or a wider range) to confirm before editing.`,
  },
  {
    name: "an id after the end",
    operations: [{ operation: "delete", start: "9:ed" }],
    message: `\
Stale line id "9:ed" — the file changed since you viewed it and now ends at line 5. Current content around line 5:
3:94|c
4:ba|d
5:2e|e
Content matching hash ed is now at: 1:ed (your target may have moved).
Retry with the fresh ids above, or run \`view\` with start: 3, end: 5 (or a wider range) to confirm before editing.`,
  },
  {
    name: "an id of an empty file",
    text: "",
    operations: [{ operation: "delete", start: "1:ed" }],
    message: `\
Stale line id "1:ed" — the file changed since you viewed it and is now empty.
To put text into it, insert with start: 0.`,
  },
  {
    name: "several failures are separated, after one line that names them",
    operations: [
      { operation: "delete", start: "2:00", end: "9:ed" },
      { operation: "insert", start: "1:ed", content: "x" },
      { operation: "replace", start: "4", content: "x" },
    ],
    message: `\
No operation was applied. Failed: operation 1 (start "2:00"), operation 1 (end "9:ed"), operation 3.
${STALE_2}
---
Stale line id "9:ed" — the file changed since you viewed it and now ends at line 5. Current content around line 5:
3:94|c
4:ba|d
5:2e|e
Content matching hash ed is now at: 1:ed (your target may have moved).
Retry with the fresh ids above, or run \`view\` with start: 3, end: 5 (or a wider range) to confirm before editing.
---
Operation 3: start 4 is a plain number, but replace takes line ids, so that a line that moved is not changed by mistake. Line 4 is now:
4:ba|d
Retry with start: "4:ba" if that is the line you mean.`,
  },
  {
    name: "one failure among several operations",
    operations: [
      { operation: "delete", start: "1:ed" },
      { operation: "delete", start: "2:00" },
    ],
    message: `\
No operation was applied. Failed: operation 2 (start "2:00").
${STALE_2}`,
  },
  {
    name: "the same stale id in two operations is shown once",
    operations: [
      { operation: "delete", start: "2:00" },
      { operation: "insert", start: "2:00", content: "x" },
    ],
    message: `\
No operation was applied. Failed: operation 1 (start "2:00"), operation 2 (start "2:00").
${STALE_2}`,
  },
  {
    name: "pasted text that differs",
    operations: [{ operation: "delete", start: "1:ed|b" }],
    message: `\
Line id "1:ed" came with text that is not the text of line 1. Current content around line 1:
1:ed|a
2:23|b
3:94|c
Retry with the id alone, "1:ed", if line 1 above is the one you mean.`,
  },
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
No operation was applied. Failed: operation 2.
Operations 1 and 2 overlap: delete "3:94"-"4:ba" and replace "2:23"-"3:94". Retry with one replace of "2:23"-"4:ba", or with ranges that share no line.`,
  },
  {
    name: "two inserts at one place",
    operations: [
      { operation: "insert", start: -1, content: "x" },
      { operation: "insert", start: "5:2e", content: "y" },
    ],
    message: `\
No operation was applied. Failed: operation 2.
Operations 1 and 2 insert at the same place (at the end of the file). Retry with one insert that has both contents in the order you want.`,
  },
  {
    name: "an insert inside a range",
    operations: [
      { operation: "insert", start: "3:94", content: "x" },
      { operation: "delete", start: "2:23", end: "4:ba" },
    ],
    message: `\
No operation was applied. Failed: operation 2.
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
    const failures = failuresOf(text, operations);
    assert.equal(batchFailureMessage(failures, operations.length), message);
  });
}

Deno.test("message: a long line is cut and its length named", () => {
  const text = `${"x".repeat(5000)}\n`;
  const stale = batchFailureMessage(
    failuresOf(text, [{ operation: "delete", start: "1:00" }]),
    1,
  );
  assert.match(stale, /x… \[line of 5,000 characters, cut\]\nRetry/);
  assert(stale.length < 2500);
});

Deno.test("lines whose ids an error shows are valid for the next call", () => {
  const failures = failuresOf(FIVE, [
    { operation: "delete", start: "2:00" },
    { operation: "delete", start: "5" },
  ]);
  assert.deepEqual(linesShownBy(failures), [
    { id: "1:ed", text: "a" },
    { id: "2:23", text: "b" },
    { id: "3:94", text: "c" },
    { id: "4:ba", text: "d" },
    { id: "5:2e", text: "e" },
  ]);
});

Deno.test("a candidate counts as shown only if its text was", () => {
  const text = "let x = 0;\nb\nc\nd\n";
  const remembered: ShownIds = { fingerprint: () => lineFingerprint("let x = 0;") };
  const operations: BatchOperation[] = [{ operation: "delete", start: "4:ce" }];
  const ids = (shown: ShownIds) =>
    linesShownBy(failuresOf(text, operations, shown)).map((line) => line.id);
  assert.deepEqual(ids(remembered), ["1:ce", "2:23", "3:94", "4:ba"]);
  assert.deepEqual(ids(NOTHING_SHOWN), ["2:23", "3:94", "4:ba"]);
});

const NOTES = [
  [
    { kind: "ids_stripped", operation: 1 },
    "Line ids that were pasted into the content of operation 2 were left out.",
  ],
  [
    { kind: "ids_unproven", operation: 0 },
    "Every line of the content of operation 1 begins like a line id, but not with the id of that text, so it was written as it is. " +
    "If ids were meant, send the content without them.",
  ],
  [
    {
      kind: "anchor_repeated",
      operation: 0,
      anchorId: "2:23",
      repeated: { number: 3, text: "b" },
    },
    'The first line that operation 1 inserted repeats its anchor "2:23". If that was not intended, delete "3:23".',
  ],
] as const;

for (const [note, message] of NOTES) {
  Deno.test(`hint: ${note.kind}`, () => assert.equal(batchNoteMessage(note), message));
}
