import assert from "node:assert/strict";
import { TextDocument } from "../../src/text/document.ts";
import { type LineCheck, LineChecker, type ShownIds } from "../../src/text/id_check.ts";
import { hashLine, lineFingerprint, type LineRef, parseLineRef } from "../../src/text/line_id.ts";

const NOTHING_SHOWN: ShownIds = { fingerprint: () => undefined };

function shownAs(shown: Readonly<Record<string, string>>): ShownIds {
  return {
    fingerprint: (id) => shown[id] === undefined ? undefined : lineFingerprint(shown[id]),
  };
}

function check(text: string, raw: string, shown: ShownIds = NOTHING_SHOWN): LineCheck {
  const ref = parseLineRef(raw);
  assert(ref.kind !== "malformed");
  return new LineChecker(new TextDocument(text), shown).check(ref satisfies LineRef);
}

// Hashes of "a", "b", "c", "d", "e": ed, 23, 94, ba, 2e. The texts "let x = 0;", "let x = 272;" and
// "let x = 281;" share the hash ce (both facts from another program).
const FIVE = "a\nb\nc\nd\ne\n";

const HOLDS: readonly (readonly [name: string, text: string, raw: string, index: number])[] = [
  ["an id", FIVE, "3:94", 2],
  ["the first line", FIVE, "1:ed", 0],
  ["the last line", FIVE, "5:2e", 4],
  ["an unended last line", "a\nb", "2:23", 1],
  ["a CRLF line", "a\r\nb\r\n", "2:23", 1],
  ["an empty line", "a\n\nb\n", "2:c5", 1],
  ["pasted text", FIVE, "3:94|c", 2],
  ["pasted text with other blanks around it", FIVE, "3:94|  c ", 2],
  ["pasted text of an empty line", "\n", "1:c5|", 0],
  ["a number", FIVE, "3", 2],
  ["a number from the end", FIVE, "-1", 4],
  ["the first by a number from the end", FIVE, "-5", 0],
];

for (const [name, text, raw, index] of HOLDS) {
  Deno.test(`${name} holds: ${raw}`, () => {
    assert.deepEqual(check(text, raw), { kind: "ok", index });
  });
}

const OUTSIDE: readonly (readonly [text: string, value: number, lineCount: number])[] = [
  [FIVE, 0, 5],
  [FIVE, 6, 5],
  [FIVE, -6, 5],
  ["", 1, 0],
  ["", -1, 0],
];

for (const [text, value, lineCount] of OUTSIDE) {
  Deno.test(`number ${value} is outside a file of ${lineCount} lines`, () => {
    assert.deepEqual(check(text, String(value)), { kind: "out_of_range", value, lineCount });
  });
}

interface StaleRow {
  readonly name: string;
  readonly text: string;
  readonly raw: string;
  readonly shown?: ShownIds;
  /** Line numbers. */
  readonly excerpt: readonly number[];
  readonly candidates: readonly number[];
}

const STALE: readonly StaleRow[] = [
  { name: "nowhere", text: FIVE, raw: "3:00", excerpt: [1, 2, 3, 4, 5], candidates: [] },
  { name: "moved down", text: FIVE, raw: "1:94", excerpt: [1, 2, 3], candidates: [3] },
  { name: "moved up", text: FIVE, raw: "5:ed", excerpt: [3, 4, 5], candidates: [1] },
  { name: "after the end", text: FIVE, raw: "9:00", excerpt: [3, 4, 5], candidates: [] },
  {
    name: "after the end, still there",
    text: FIVE,
    raw: "9:ba",
    excerpt: [3, 4, 5],
    candidates: [4],
  },
  { name: "just after the end", text: FIVE, raw: "6:2e", excerpt: [3, 4, 5], candidates: [5] },
  { name: "empty file", text: "", raw: "2:23", excerpt: [], candidates: [] },
  { name: "one line", text: "a\n", raw: "1:00", excerpt: [1], candidates: [] },
  {
    name: "nearest first, at most 3, the one below first at equal distance",
    text: "x\nx\nx\na\nx\nx\nx\n",
    raw: `4:${hashLine("x")}`,
    excerpt: [2, 3, 4, 5, 6],
    candidates: [5, 3, 6],
  },
  {
    name: "the hash holds, but not the text shown",
    text: "a\nlet x = 272;\nb\n",
    raw: "2:ce",
    shown: shownAs({ "2:ce": "let x = 0;" }),
    excerpt: [1, 2, 3],
    candidates: [],
  },
  {
    name: "only lines with the text shown are candidates",
    text: "let x = 272;\nb\nlet x = 281;\nlet x = 0;\n",
    raw: "2:ce",
    shown: shownAs({ "2:ce": "let x = 0;" }),
    excerpt: [1, 2, 3, 4],
    candidates: [4],
  },
  {
    name: "without memory every line with the hash is a candidate",
    text: "let x = 272;\nb\nlet x = 281;\nlet x = 0;\n",
    raw: "2:ce",
    excerpt: [1, 2, 3, 4],
    candidates: [3, 1, 4],
  },
  {
    name: "without memory pasted text narrows the candidates",
    text: "let x = 272;\nb\nlet x = 281;\nlet x = 0;\n",
    raw: "2:ce|let x = 0;",
    excerpt: [1, 2, 3, 4],
    candidates: [4],
  },
  {
    name: "memory of another id does not matter",
    text: "let x = 272;\nb\n",
    raw: "2:ce",
    shown: shownAs({ "1:ce": "let x = 0;" }),
    excerpt: [1, 2],
    candidates: [1],
  },
];

for (const { name, text, raw, shown = NOTHING_SHOWN, excerpt, candidates } of STALE) {
  Deno.test(`stale ${raw}: ${name}`, () => {
    const result = check(text, raw, shown);
    assert(result.kind === "stale");
    const lines = new TextDocument(text);
    const numbered = (number: number) => ({ number, text: lines.lineText(number - 1) });
    assert.deepEqual(result.excerpt, excerpt.map(numbered));
    assert.deepEqual(result.candidates, candidates.map(numbered));
    assert.equal(result.remembered, shown.fingerprint(result.id) !== undefined);
    assert.equal(result.lineCount, lines.lineCount);
  });
}

Deno.test("an id that was shown holds for the text shown", () => {
  const shown = shownAs({ "2:ce": "let x = 272;" });
  assert.deepEqual(check("a\nlet x = 272;\n", "2:ce", shown), { kind: "ok", index: 1 });
});

Deno.test("capital digits and a leading zero find the same memory", () => {
  const shown = shownAs({ "2:ce": "let x = 0;" });
  assert.equal(check("a\nlet x = 272;\n", "L02:CE", shown).kind, "stale");
});

Deno.test("pasted text that is not the line's does not hold", () => {
  const result = check("a\nb\nc\n", "2:23|something else");
  assert.deepEqual(result, {
    kind: "pasted_text_differs",
    id: "2:23",
    pastedText: "something else",
    excerpt: [{ number: 1, text: "a" }, { number: 2, text: "b" }, { number: 3, text: "c" }],
  });
});

Deno.test("a long line pasted as it was shown, cut, holds", () => {
  const long = "word ".repeat(1000);
  const shown = `${long.slice(0, 2000)}… [line of 5,000 characters, cut]`;
  assert.deepEqual(check(`${long}\n`, `1:${hashLine(long)}|${shown}`), { kind: "ok", index: 0 });
  const other = `other${shown.slice(5)}`;
  assert.equal(check(`${long}\n`, `1:${hashLine(long)}|${other}`).kind, "pasted_text_differs");
});

Deno.test("an id of a line that is not valid UTF-8 holds", () => {
  assert.deepEqual(check("a\n\udc99\n", "2:f4"), { kind: "ok", index: 1 });
  assert.deepEqual(check("a\n\udc99\n", "2:f4|\ufffd"), { kind: "ok", index: 1 });
});

Deno.test("a byte order mark does not change the id of line 1", () => {
  const document = new TextDocument("a\n", { encoding: "utf-8", bom: true });
  const checker = new LineChecker(document, NOTHING_SHOWN);
  assert.deepEqual(checker.check({ kind: "id", line: 1, hash: "ed" }), { kind: "ok", index: 0 });
});

Deno.test("an id beyond any file is stale, and found fast", () => {
  const result = check(FIVE, "999999999999999:94");
  assert(result.kind === "stale");
  assert.deepEqual(result.candidates, [{ number: 3, text: "c" }]);
});
