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
