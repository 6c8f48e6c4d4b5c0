// Owns: proof that blocks of lines are found wherever a plain search would find them.
// Must not know: what is done with the windows.

import { deepEqual } from "node:assert/strict";
import fc from "../support/property.ts";
import { TextDocument } from "../../src/text/document.ts";
import { type Folding, foldLine } from "../../src/text/folded_text.ts";
import { findWindows, parseBlock, withoutOverlap } from "../../src/text/match_lines.ts";

function plainSearch(document: TextDocument, lines: readonly string[], folding: Folding): number[] {
  const starts = Array.from({ length: document.lineCount }, (_, index) => index);
  return starts.filter((start) =>
    start + lines.length <= document.lineCount &&
    lines.every((line, offset) =>
      foldLine(document.lineText(start + offset), folding) === foldLine(line, folding)
    )
  );
}

const line = fc.constantFrom("a", " a", "b", "a  b", "", "it’s", "it's", "“", "\u200b");
const lines = fc.array(line, { minLength: 1, maxLength: 5 });

for (const folding of ["whitespace", "typography"] as const) {
  Deno.test(`windows are those of a plain search: ${folding}`, () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), lines, (file, block) => {
        const document = new TextDocument(file.join("\n"));
        deepEqual(findWindows(document, block, folding), plainSearch(document, block, folding));
      }),
      { numRuns: 1_000 },
    );
  });
}

Deno.test("windows of a word that is everywhere", () => {
  const file = Array.from({ length: 1_000 }, (_, index) => index % 3 === 0 ? "a" : "\ta");
  const document = new TextDocument(file.join("\n"));
  deepEqual(findWindows(document, ["a", "a", "a"], "whitespace").length, 998);
});

const BLOCKS: readonly (readonly [string, readonly string[], number, number])[] = [
  ["", [], 0, 0],
  ["\n", [], 1, 0],
  ["a", ["a"], 0, 0],
  ["a\n", ["a"], 0, 0],
  ["\n\na\n\nb\n \n", ["a", "", "b"], 2, 1],
  ["a\r\nb\r\n", ["a", "b"], 0, 0],
  [" \t\na", ["a"], 1, 0],
];

for (const [text, expected, before, after] of BLOCKS) {
  Deno.test(`block of ${JSON.stringify(text)}`, () => {
    deepEqual(parseBlock(text), { lines: expected, blankBefore: before, blankAfter: after });
  });
}

Deno.test("windows without overlap are taken from the top", () => {
  deepEqual(withoutOverlap([0, 1, 2, 4, 5], 2), [0, 2, 4]);
});
