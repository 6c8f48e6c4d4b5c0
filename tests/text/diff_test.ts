import assert from "node:assert/strict";
import { renderDiff } from "../../src/text/diff.ts";
import { type Line, TextDocument } from "../../src/text/document.ts";
import { applyLineEdits, type LineEdit } from "../../src/text/line_edit.ts";
import { lineId } from "../support/line_ids.ts";

/** start, end (0-based, half-open), lines. */
type Edit = readonly [number, number, ...string[]];
type Row = readonly [name: string, file: string, edits: readonly Edit[], expected: string];

const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

// The hashes were worked out by another program.
const ROWS: readonly Row[] = [
  [
    "a replaced line",
    TEN,
    [[4, 5, "five"]],
    `...
3:d2|3
4:fc|4
-5:4c|5
+5:cc|five
6:13|6
7:6b|7
...`,
  ],
  [
    "the first line",
    TEN,
    [[0, 1, "one"]],
    `-1:83|1
+1:6b|one
2:45|2
3:d2|3
...`,
  ],
  [
    "the last line",
    TEN,
    [[9, 10, "ten"]],
    `...
8:c3|8
9:37|9
-10:9e|10
+10:1c|ten`,
  ],
  [
    "a removed line",
    TEN,
    [[4, 5]],
    `...
3:d2|3
4:fc|4
-5:4c|5
5:13|6
6:6b|7
...`,
  ],
  [
    "an inserted line",
    TEN,
    [[4, 4, "x"]],
    `...
3:d2|3
4:fc|4
+5:26|x
6:4c|5
7:13|6
...`,
  ],
  [
    "everything removed",
    "1\n2\n",
    [[0, 2]],
    `-1:83|1
-2:45|2`,
  ],
  [
    "an empty file filled",
    "",
    [[0, 0, "1", "2"]],
    `+1:83|1
+2:45|2`,
  ],
  [
    "two places close together share their context",
    TEN,
    [[1, 2, "x"], [6, 7, "y"]],
    `1:83|1
-2:45|2
+2:26|x
3:d2|3
4:fc|4
5:4c|5
6:13|6
-7:6b|7
+7:4a|y
8:c3|8
9:37|9
...`,
  ],
  [
    "two places far apart",
    TEN,
    [[1, 2, "x"], [7, 8]],
    `1:83|1
-2:45|2
+2:26|x
3:d2|3
4:fc|4
...
---
...
6:13|6
7:6b|7
-8:c3|8
8:37|9
9:9e|10`,
  ],
  [
    "removed lines have their old numbers, the rest the new ones",
    TEN,
    [
      [0, 2],
      [7, 8, "x"],
    ],
    `-1:83|1
-2:45|2
1:d2|3
2:fc|4
...
---
...
4:13|6
5:6b|7
-8:c3|8
+6:26|x
7:37|9
8:9e|10`,
  ],
];

function linesOf(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ text, ending: "\n" }));
}

function render(file: string, edits: readonly Edit[]) {
  const applied = applyLineEdits(
    new TextDocument(file),
    edits.map(([start, end, ...texts]): LineEdit => ({ start, end, lines: linesOf(texts) })),
  );
  return { ...renderDiff(applied.document, applied.hunks), document: applied.document };
}

for (const [name, file, edits, expected] of ROWS) {
  Deno.test(`diff: ${name}`, () => assert.equal(render(file, edits).text, expected));
}

Deno.test("diff: what is shown are the fresh ids, those of removed lines are not", () => {
  assert.deepEqual(render(TEN, [[4, 5, "five"]]).shown, [
    { id: "3:d2", text: "3" },
    { id: "4:fc", text: "4" },
    { id: "5:cc", text: "five" },
    { id: "6:13", text: "6" },
    { id: "7:6b", text: "7" },
  ]);
});

Deno.test("diff: long runs are left out in the middle and not remembered", () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `n${index}`);
  const { text, shown } = render(`${numbers.join("\n")}\n`, [[
    0,
    200,
    ...numbers.map((n) => `x${n}`),
  ]]);
  const rows = text.split("\n");
  assert.deepEqual(rows.filter((row) => row.startsWith("[")), [
    "[...190 lines more]",
    "[...140 lines more]",
  ]);
  assert.equal(rows.filter((row) => row.startsWith("-")).length, 10);
  assert.equal(rows.filter((row) => row.startsWith("+")).length, 60);
  assert.equal(shown.length, 60);
  assert.deepEqual(shown.at(-1), { id: lineId(200, "xn199"), text: "xn199" });
});

Deno.test("diff: a changed ending alone is shown, as lines that look the same", () => {
  const document = new TextDocument("a\r\nb\n");
  const edit = { start: 0, end: 1, lines: [{ text: "a", ending: "\n" as const }] };
  const { document: after, hunks } = applyLineEdits(document, [edit]);
  assert.equal(renderDiff(after, hunks).text, "-1:ed|a\n+1:ed|a\n2:23|b");
});

Deno.test("diff: a long line is cut around what differs, and its id is that of the whole line", () => {
  const before = "x".repeat(10_000);
  const after = `${before.slice(0, 7_000)}CHANGED${before.slice(7_000)}`;
  const { text } = render(`${before}\n`, [[0, 1, after]]);
  const added = text.split("\n").find((row) => row.startsWith("+")) ?? "";
  assert.ok(added.startsWith(`+${lineId(1, after)}|`));
  assert.ok(added.includes("CHANGED"));
  assert.ok(added.endsWith("[line of 10,007 characters, cut]"));
  assert.ok(added.length < 700);
});

Deno.test("diff: many places are all named, the later ones by id alone", () => {
  const line = "y".repeat(200);
  const file = `${line}\n`.repeat(2_000);
  const edits = Array.from({ length: 200 }, (_, index): Edit => [index * 10, index * 10 + 1, "z"]);
  const { text } = render(file, edits);
  const tail = text.split("\n").at(-1) ?? "";
  assert.match(tail, /^Also changed at: /);
  const named = new Set(text.match(/\d+:[0-9a-f]{2}/g));
  for (let index = 0; index < 200; index++) assert.ok(named.has(lineId(index * 10 + 1, "z")));
  assert.ok(text.length < 60_000);
});
