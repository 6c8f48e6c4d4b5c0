import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { splitLines, TextDocument } from "../../src/text/document.ts";
import { applyLineEdits, type LineEdit } from "../../src/text/line_edit.ts";
import { alignLines, reverseInChanged } from "../../src/text/reverse_edit.ts";

/** before, after octofs's edit, as someone else left it, as it must be then; undefined where it must stop. */
type Row = readonly [
  name: string,
  before: string,
  after: string,
  now: string,
  result: string | undefined,
];

function text(letters: string): string {
  return letters.split("").map((letter) => `${letter}\n`).join("");
}

// One letter is one line.
const ROWS: readonly Row[] = [
  ["nothing else changed", "abc", "aXc", "aXc", "abc"],
  ["lines added above", "abc", "aXc", "newaXc", "newabc"],
  ["lines added below", "abc", "aXc", "aXcnew", "abcnew"],
  ["lines removed above", "abcd", "abcX", "bcX", "bcd"],
  ["the line above changed", "abc", "aXc", "zXc", "zbc"],
  ["the line below changed", "abc", "aXc", "aXz", "abz"],
  ["its own line changed", "abc", "aXc", "aYc", undefined],
  ["its own line gone", "abc", "aXc", "ac", undefined],
  ["its own lines torn apart", "ad", "aXYd", "aXmYd", undefined],
  ["inserted lines, something added above", "ad", "aXYd", "maXYd", "mad"],
  ["removed lines come back between their neighbours", "abcd", "ad", "mad", "mabcd"],
  ["removed lines, the neighbours parted", "abcd", "ad", "amd", undefined],
  ["removed lines, a neighbour gone", "abcd", "ad", "a", undefined],
  ["lines removed at the start", "abc", "c", "cm", "abcm"],
  ["lines removed at the end", "abc", "a", "ma", "mabc"],
  ["everything removed and nothing added", "ab", "", "", "ab"],
  ["two places", "abcdefgh", "aXcdefYh", "maXcdefYhn", "mabcdefghn"],
  ["two places, one of them changed", "abcdefgh", "aXcdefYh", "aXcdefZh", undefined],
];

/** The places where two texts differ, line by line, as edits of the first. */
function editsBetween(before: string, after: string): LineEdit[] {
  const left = splitLines(before);
  const right = splitLines(after);
  const places = alignLines(left, right);
  const edits: LineEdit[] = [];
  let start = 0;
  let rightStart = 0;
  for (let index = 0; index <= left.length; index++) {
    const place = index === left.length ? right.length : places[index] ?? -1;
    if (place === -1) continue;
    const lines = right.slice(rightStart, place);
    if (index > start || lines.length > 0) edits.push({ start, end: index, lines });
    start = index + 1;
    rightStart = place + 1;
  }
  return edits;
}

function reversed(before: string, after: string, now: string): string | undefined {
  const applied = applyLineEdits(new TextDocument(before), editsBetween(before, after));
  assert.equal(applied.document.text, after);
  const current = new TextDocument(now);
  const result = reverseInChanged({ after: applied.document, current }, applied.hunks);
  return result.kind === "conflict"
    ? undefined
    : applyLineEdits(current, result.edits).document.text;
}

for (const [name, before, after, now, result] of ROWS) {
  Deno.test(`reverse: ${name}`, () => {
    const expected = result === undefined ? undefined : text(result);
    assert.equal(reversed(text(before), text(after), text(now)), expected);
  });
}

const letters = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 10 })
  .map((list) => text(list.join("")));

Deno.test("reverse: in a file that nobody changed it always leads back", () => {
  fc.assert(fc.property(letters, letters, (before, after) => {
    assert.equal(reversed(before, after, after), before);
  }));
});

Deno.test("reverse: lines are aligned one to one, in order, and equal", () => {
  fc.assert(fc.property(letters, letters, (left, right) => {
    const [from, to] = [splitLines(left), splitLines(right)];
    const places = [...alignLines(from, to)];
    assert.equal(places.length, from.length);
    const used = places.filter((place) => place !== -1);
    assert.deepEqual(used, [...new Set(used)].sort((one, other) => one - other));
    places.forEach((place, index) => place === -1 || assert.deepEqual(to[place], from[index]));
  }));
});
