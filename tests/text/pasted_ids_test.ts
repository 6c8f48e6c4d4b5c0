import assert from "node:assert/strict";
import { TextDocument } from "../../src/text/document.ts";
import { stripPastedIds } from "../../src/text/pasted_ids.ts";

// Hashes of "a", "b", "c" and "": ed, 23, 94, c5.
const DOCUMENT = new TextDocument("a\nb\nc\n");

type Expected = readonly string[] | "unproven" | "none";

const ROWS: readonly (readonly [name: string, lines: readonly string[], expected: Expected])[] = [
  ["one line with its own hash", ["7:ed|a"], ["a"]],
  ["several lines", ["7:ed|a", "8:23|b"], ["a", "b"]],
  ["numbers with a gap", ["7:ed|a", "12:23|b"], ["a", "b"]],
  ["an empty line with its id", ["7:ed|a", "8:c5|"], ["a", ""]],
  ["an empty line without one", ["7:ed|a", "", "9:23|b"], ["a", "", "b"]],
  ["added lines of a diff", ["+7:ed|a", "8:23|b"], ["a", "b"]],
  ["only the first bar belongs to the id", ["7:ed|a", "1:ed|a|b"], ["a", "a|b"]],
  ["a changed text under an id of the file", ["2:23|changed"], ["changed"]],
  ["a changed text among others", ["1:ed|a", "2:23|changed", "3:94|c"], ["a", "changed", "c"]],
  ["a hash that proves nothing", ["12:00|a"], "unproven"],
  ["an id of the file with another hash", ["2:24|changed"], "unproven"],
  ["one unproven line among proven ones", ["7:ed|a", "8:00|b"], "unproven"],
  ["a line number after the file", ["99:24|changed"], "unproven"],
  ["line number 0", ["0:24|changed"], "unproven"],
  ["a line without an id", ["7:ed|a", "b"], "none"],
  ["a time", ["12:30 started"], "none"],
  ["a time before a bar", ["12:30 | started"], "none"],
  ["ports", ["8080:80"], "none"],
  ["a table row", ["| 12:30 | started |"], "none"],
  ["capital digits", ["7:ED|a"], "none"],
  ["a blank before the id", [" 7:ed|a"], "none"],
  ["a removed line of a diff", ["-7:ed|a"], "none"],
  ["no id at all", ["a", "b"], "none"],
  ["nothing", [], "none"],
  ["empty lines only", ["", ""], "none"],
];

for (const [name, lines, expected] of ROWS) {
  Deno.test(`pasted ids: ${name}`, () => {
    const result = stripPastedIds(lines, DOCUMENT);
    if (typeof expected === "string") assert.deepEqual(result, { kind: expected });
    else assert.deepEqual(result, { kind: "stripped", lines: expected });
  });
}
