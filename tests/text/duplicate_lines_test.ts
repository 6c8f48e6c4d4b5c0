import assert from "node:assert/strict";
import { TextDocument } from "../../src/text/document.ts";
import { findDuplicates, isExemptFromGuard } from "../../src/text/duplicate_lines.ts";

const CODE = [
  "fn double(x: i32) {", // 0
  "    let y = x;", // 1
  "    x * 2", // 2
  "}", // 3
  "", // 4
  "fn triple(x: i32) {", // 5
  "    x * 3", // 6
  "}", // 7
].join("\n");

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** Indexes that another operation of the batch replaces. */
  readonly replaced?: readonly number[];
  /** `kind number` of every duplicate, the number being 1-based. */
  readonly found: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "first line is the line before the range",
    start: 1,
    end: 3,
    lines: ["fn double(x: i32) {", "    2 * x"],
    found: ["before_range 1"],
  },
  {
    name: "last line is the line after the range",
    start: 0,
    end: 2,
    lines: ["fn twice(x: i32) {", "    x * 2"],
    found: ["after_range 3"],
  },
  {
    name: "both ends",
    start: 1,
    end: 2,
    lines: ["fn double(x: i32) {", "    let z = x;", "    x * 2"],
    found: ["before_range 1", "after_range 3"],
  },
  {
    name: "one line equal to both neighbours",
    text: "a\nb\na",
    start: 1,
    end: 2,
    lines: ["a"],
    found: ["before_range 1", "after_range 3"],
  },
  { name: "a closing bracket after the range", start: 2, end: 3, lines: ["    x", "}"], found: [] },
  { name: "a blank line before the range", start: 5, end: 6, lines: ["", "fn x() {"], found: [] },
  {
    name: "other indentation is another line",
    start: 1,
    end: 2,
    lines: [" fn double(x: i32) {"],
    found: [],
  },
  {
    name: "the line before, but not first",
    start: 1,
    end: 2,
    lines: ["q", "fn double(x: i32) {"],
    found: [],
  },
  { name: "the line two before", start: 2, end: 3, lines: ["fn double(x: i32) {"], found: [] },
  { name: "nothing before line 1", start: 0, end: 1, lines: ["fn x() {"], found: [] },
  { name: "nothing after the last line", start: 7, end: 8, lines: ["end"], found: [] },
  { name: "a delete", start: 1, end: 2, lines: [], found: [] },
  {
    name: "the neighbour is replaced by another operation",
    start: 1,
    end: 2,
    lines: ["fn double(x: i32) {", "q"],
    replaced: [0],
    found: [],
  },
  {
    name: "another operation elsewhere changes nothing",
    start: 1,
    end: 2,
    lines: ["fn double(x: i32) {", "q"],
    replaced: [2, 3],
    found: ["before_range 1"],
  },
  {
    name: "the first line already stood beside its equal",
    text: "x\nx\ny",
    start: 1,
    end: 3,
    lines: ["x", "z"],
    found: [],
  },
  {
    name: "the last line already stood beside its equal",
    text: "y\nx\nx",
    start: 0,
    end: 2,
    lines: ["z", "x"],
    found: [],
  },
  {
    name: "insert of the next line",
    start: 2,
    end: 2,
    lines: ["    x * 2"],
    found: ["next_line 3"],
  },
  {
    name: "insert whose last line is the next line",
    start: 2,
    end: 2,
    lines: ["    let z = 1;", "    x * 2"],
    found: ["next_line 3"],
  },
  {
    name: "insert whose first line is the next line",
    start: 2,
    end: 2,
    lines: ["    x * 2", "    let z = 1;"],
    found: [],
  },
  { name: "insert of the anchor line", start: 2, end: 2, lines: ["    let y = x;"], found: [] },
  { name: "insert of a bracket before a bracket", start: 3, end: 3, lines: ["}"], found: [] },
  { name: "insert of a blank line before one", start: 4, end: 4, lines: [""], found: [] },
  {
    name: "insert of a block that ends with a bracket before one",
    start: 3,
    end: 3,
    lines: ["    if x {", "}"],
    found: [],
  },
  {
    name: "insert of a block that is already there, after",
    start: 1,
    end: 1,
    lines: ["    let y = x;", "    x * 2"],
    found: ["block 2-3"],
  },
  {
    name: "insert of a block that is already there, before: an append sent twice",
    start: 8,
    end: 8,
    lines: ["fn triple(x: i32) {", "    x * 3", "}"],
    found: ["block 6-8"],
  },
  {
    name: "a block of brackets is no single line",
    text: "a\n}\n}\n",
    start: 1,
    end: 1,
    lines: ["}", "}"],
    found: ["block 2-3"],
  },
  {
    name: "a block there only in part",
    start: 1,
    end: 1,
    lines: ["    let y = x;", "    x * 2", "    z"],
    found: [],
  },
  {
    name: "a block longer than the rest of the file",
    start: 6,
    end: 6,
    lines: ["    x * 3", "}", "}"],
    found: [],
  },
  {
    name: "a block that another operation takes away",
    start: 1,
    end: 1,
    lines: ["    let y = x;", "    x * 2"],
    replaced: [1, 2],
    found: [],
  },
  { name: "insert at the end of the file", start: 8, end: 8, lines: ["fn x() {"], found: [] },
  { name: "insert into an empty file", text: "", start: 0, end: 0, lines: ["a", "b"], found: [] },
];

for (const { name, text = CODE, start, end, lines, replaced = [], found } of ROWS) {
  Deno.test(`duplicate guard: ${name}`, () => {
    const document = new TextDocument(text);
    const result = findDuplicates(document, { start, end, lines }, (i) => replaced.includes(i));
    const words = result.map((duplicate) =>
      duplicate.kind === "block"
        ? `block ${duplicate.first.number}-${duplicate.last.number}`
        : `${duplicate.kind} ${duplicate.line.number}`
    );
    assert.deepEqual(words, found);
  });
}

const EXEMPT: readonly (readonly [text: string, exempt: boolean])[] = [
  ["", true],
  ["  \t", true],
  ["}", true],
  ["  ]", true],
  [")", true],
  ["},", true],
  ["];", true],
  ["\t);", true],
  ["} ", true],
  ["},,", false],
  ["});", false],
  ["}}", false],
  ["{", false],
  [";", false],
  ["} else {", false],
  ["end", false],
];

for (const [text, exempt] of EXEMPT) {
  Deno.test(`${JSON.stringify(text)} is ${exempt ? "" : "not "}exempt from the guard`, () => {
    assert.equal(isExemptFromGuard(text), exempt);
  });
}
