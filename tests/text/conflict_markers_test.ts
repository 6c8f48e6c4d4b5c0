// Owns: proof of which new lines are told as conflict markers.
// Must not know: how an edit is made.

import { deepEqual } from "node:assert/strict";
import { findNewConflictMarkers } from "../../src/text/conflict_markers.ts";
import { TextDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";

/** name, file, lines that take the place of its first, lines told. */
const ROWS: readonly (readonly [string, string, string, readonly number[]])[] = [
  ["both", "a\nb\n", "<<<<<<< HEAD\na\n=======\nc\n>>>>>>> x\n", [0, 4]],
  ["an edit block", "a\n", "b\n>>>>>>> REPLACE\n", [1]],
  ["bare", "a\n", "<<<<<<<\n", [0]],
  ["a heading", "a\n", "Title\n=======\n", []],
  ["already in the file", "a\n<<<<<<< HEAD\n", "<<<<<<< HEAD\n", []],
  ["inside a line", "a\n", "cat <<<<<<< x\n", []],
  ["eight", "a\n", "<<<<<<<<\n", []],
  ["quoted mail", "a\n", ">>>>>> x\n", []],
];

for (const [name, file, lines, expected] of ROWS) {
  Deno.test(`conflict markers: ${name}`, () => {
    const before = new TextDocument(file);
    const edit = { start: 0, end: 1, lines: new TextDocument(lines).lines() };
    deepEqual(findNewConflictMarkers(before, applyLineEdits(before, [edit]).hunks), expected);
  });
}
