import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { byteLength, cutLine, cutPrefix, formatExcerpt } from "../../src/text/excerpt.ts";
import { lineId, printedLines } from "../support/line_ids.ts";

const HALF_PAIR = "\ud83d";

type CutRow = readonly [text: string, limit: number, expected: string];

const PREFIXES: readonly CutRow[] = [
  ["abc", 3, "abc"],
  ["abc", 2, "ab"],
  ["abc", 0, ""],
  ["😀😀", 4, "😀😀"],
  ["😀😀", 3, "😀"],
  ["😀😀", 1, ""],
  ["日本語", 2, "日本"],
  [`a${HALF_PAIR}b`, 2, "a"],
];

for (const [text, limit, expected] of PREFIXES) {
  Deno.test(`prefix of ${JSON.stringify(text)} at ${limit}`, () => {
    assert.equal(cutPrefix(text, limit), expected);
  });
}

Deno.test("a cut line names its full length and shows what it is cut around", () => {
  assert.equal(cutLine("a".repeat(10), { limit: 10 }), "a".repeat(10));
  assert.equal(cutLine("a".repeat(11), { limit: 10 }), "aaaaaaaaaa… [line of 11 characters, cut]");
  const text = `${"a".repeat(5_000)}needle${"b".repeat(5_000)}`;
  const cut = cutLine(text, { limit: 100, column: 5_000 });
  assert.ok(cut.includes("needle"));
  assert.match(cut, /^…a+needleb+… \[line of 10,006 characters, cut\]$/);
});

Deno.test("bytes are counted as UTF-8 has them", () => {
  for (const text of ["", "a", "é", "日", "😀", "a\ud83d", "\ude00a", "e\u0301"]) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length, JSON.stringify(text));
  }
});

Deno.test("a cut is well-formed wherever it falls", () => {
  const texts = fc.array(fc.constantFrom("a", "é", "日", "😀"), { maxLength: 60 })
    .map((parts) => parts.join(""));
  const options = fc.record({
    limit: fc.integer({ min: 8, max: 40 }),
    column: fc.nat({ max: 120 }),
  });
  fc.assert(fc.property(texts, options, (text, { limit, column }) => {
    assert.ok(cutLine(text, { limit, column: Math.min(column, text.length) }).isWellFormed());
  }));
});

Deno.test("an excerpt holds to its budget, says what it left out, and loses no line", () => {
  const lines = fc.array(fc.constantFrom("", "a", "日本語".repeat(30), "x".repeat(200)), {
    minLength: 2,
    maxLength: 80,
  });
  const budgets = fc.record({
    maxLines: fc.integer({ min: 4, max: 100 }),
    maxBytes: fc.integer({ min: 1_500, max: 9_000 }),
  });
  fc.assert(fc.property(lines, budgets, (texts, budget) => {
    const range = { start: 0, end: texts.length, lineText: (index: number) => texts[index] ?? "" };
    const { text, shown, elided } = formatExcerpt(range, budget);
    const printed = printedLines(text);
    assert.ok(printed.length <= budget.maxLines);
    assert.ok(new TextEncoder().encode(text).length <= budget.maxBytes + 100);
    for (const { number, id } of printed) assert.equal(id, lineId(number, texts[number - 1] ?? ""));
    assert.deepEqual(shown.map(({ id }) => id), printed.map(({ id }) => id));
    const left = elided === undefined ? 0 : elided.end - elided.start + 1;
    assert.equal(printed.length + left, texts.length);
    assert.equal(text.includes(`[...${left} lines more]`), left > 0);
    if (elided) assert.ok(elided.start > 1, "a next call from there goes on");
  }));
});

Deno.test("one line alone may fill the answer, counted in bytes", () => {
  const giant = "日".repeat(100_000);
  const { text, cut } = formatExcerpt({ start: 0, end: 1, lineText: () => giant });
  assert.equal(cut, true);
  const bytes = new TextEncoder().encode(text).length;
  assert.ok(bytes > 40_000 && bytes <= 60_000, String(bytes));
});
