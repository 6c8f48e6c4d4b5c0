// Owns: proof that the bit-parallel length is that of the textbook's table.
// Must not know: what similarity is used for.

import { equal } from "node:assert/strict";
import fc from "../support/property.ts";
import { LcsPattern } from "../../src/text/lcs.ts";

function tableLength(left: string, right: string): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (let i = 0; i < left.length; i++) {
    const next = [0];
    for (let j = 0; j < right.length; j++) {
      next.push(
        left.charCodeAt(i) === right.charCodeAt(j)
          ? (row[j] ?? 0) + 1
          : Math.max(row[j + 1] ?? 0, next[j] ?? 0),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const ROWS: readonly (readonly [string, string, number])[] = [
  ["", "", 0],
  ["", "abc", 0],
  ["abc", "", 0],
  ["abc", "abc", 3],
  ["abc", "cba", 1],
  ["AGGTAB", "GXTXAYB", 4],
  ["kitten", "sitting", 4],
  ["a".repeat(32), "a".repeat(31), 31],
  ["a".repeat(33), "a".repeat(40), 33],
  ["a".repeat(64) + "b", "b" + "a".repeat(64), 64],
  ["日本語", "日語本", 2],
];

for (const [left, right, expected] of ROWS) {
  Deno.test(`common subsequence of "${left.slice(0, 9)}" and "${right.slice(0, 9)}"`, () => {
    equal(new LcsPattern(left).lengthIn(right, 0, right.length), expected);
    equal(new LcsPattern(right).lengthIn(left, 0, left.length), expected);
  });
}

Deno.test("common subsequence: as the table has it, for texts of several words", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "日"), maxLength: 150 });
  fc.assert(fc.property(text, text, (left, right) => {
    equal(new LcsPattern(left).lengthIn(right, 0, right.length), tableLength(left, right));
  }));
});

Deno.test("common subsequence: a part of the text", () => {
  equal(new LcsPattern("bcd").lengthIn("abcde", 1, 3), 2);
});
