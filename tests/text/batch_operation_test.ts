import assert from "node:assert/strict";
import {
  type BatchOperation,
  contentLines,
  parseOperations,
} from "../../src/text/batch_operation.ts";

const CONTENTS: readonly (readonly [content: string, lines: readonly string[]])[] = [
  ["", []],
  ["\n", [""]],
  ["\n\n", ["", ""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\r\n", ["a"]],
  ["a\n\n", ["a", ""]],
  ["\na", ["", "a"]],
  ["a\r\nb\nc", ["a", "b", "c"]],
  ["a\rb", ["a\rb"]],
  ["a\\nb", ["a\\nb"]],
  ["$& $1 $$", ["$& $1 $$"]],
  ["&lt;", ["&lt;"]],
  ["  a  ", ["  a  "]],
  ["\ufeffa", ["a"]],
  ["\ufeff", []],
  ["a\u2028b\u000c", ["a\u2028b\u000c"]],
];

for (const [content, lines] of CONTENTS) {
  Deno.test(`content ${JSON.stringify(content)} is ${lines.length} lines`, () => {
    assert.deepEqual(contentLines(content), lines);
  });
}

const SHAPES:
  readonly (readonly [name: string, operations: BatchOperation[], failures: string[]])[] = [
    ["nothing", [], ["no_operations"]],
    [
      "51 operations",
      Array.from({ length: 51 }, () => ({ operation: "delete", start: "1:ed" })),
      ["too_many_operations"],
    ],
    ["no start", [{ operation: "delete" }], ["missing_start 0"]],
    ["a blank start", [{ operation: "delete", start: "  " }], ["missing_start 0"]],
    ["an end without a start", [{ operation: "delete", end: "1:ed" }], ["missing_start 0"]],
    ["a start that is no id", [{ operation: "delete", start: "x" }], ["malformed_bound 0 start"]],
    ["an end that is no id", [{ operation: "delete", start: "1:ed", end: "x" }], [
      "malformed_bound 0 end",
    ]],
    ["half a number", [{ operation: "insert", start: 1.5, content: "x" }], [
      "malformed_bound 0 start",
    ]],
    ["replace without content", [{ operation: "replace", start: "1:ed" }], ["missing_content 0"]],
    ["insert without content", [{ operation: "insert", start: 0 }], ["missing_content 0"]],
    ["insert of nothing", [{ operation: "insert", start: 0, content: "" }], ["empty_insert 0"]],
    [
      "insert with another end",
      [{ operation: "insert", start: "1:ed", end: "2:23", content: "x" }],
      ["insert_with_end 0"],
    ],
    [
      "a field that no operation has",
      [{ operation: "replace", start: "1:ed", content: "x", unknown: ["finish"] }],
      ["unknown_field 0"],
    ],
    [
      "all of it at once",
      [
        { operation: "replace" },
        { operation: "delete", start: "1:ed" },
        { operation: "delete", start: "a", end: "b" },
      ],
      ["missing_start 0", "missing_content 0", "malformed_bound 2 start", "malformed_bound 2 end"],
    ],
  ];

for (const [name, operations, expected] of SHAPES) {
  Deno.test(`shape: ${name} is refused`, () => {
    const parsed = parseOperations(operations);
    assert(parsed.kind === "failed");
    const words = parsed.failures.map((failure) =>
      [
        failure.kind,
        ..."operation" in failure ? [failure.operation] : [],
        ..."bound" in failure ? [failure.bound] : [],
      ].join(" ")
    );
    assert.deepEqual(words, expected);
  });
}

const ACCEPTED: readonly (readonly [name: string, operation: BatchOperation])[] = [
  ["50 of the same are a matter of the document", { operation: "delete", start: "1:ed" }],
  ["replace with nothing", { operation: "replace", start: "1:ed", content: "" }],
  ["a blank end is absent", { operation: "replace", start: "1:ed", end: "", content: "x" }],
  ["an undefined end is absent", { operation: "delete", start: "1:ed", end: undefined }],
  ["insert with its anchor as end", {
    operation: "insert",
    start: "1:ed",
    end: "L1:ED",
    content: "x",
  }],
  ["insert at -1 with end -1", { operation: "insert", start: -1, end: "-1", content: "x" }],
  ["insert of one empty line", { operation: "insert", start: 0, content: "\n" }],
  ["no unknown fields", { operation: "delete", start: "1:ed", unknown: [] }],
];

for (const [name, operation] of ACCEPTED) {
  Deno.test(`shape: ${name}`, () => {
    const parsed = parseOperations(Array.from({ length: 50 }, () => operation));
    assert.equal(parsed.kind, "operations");
  });
}
