import { testCalls } from "../support/call_rows.ts";
import { lineId } from "../support/line_ids.ts";

const CP1252 = Uint8Array.of(0x61, 0x0a, 0x99, 0x0a, 0x62, 0x0a);
// A Shift-JIS comment: the second byte of 0x95 0x5c is a backslash.
const SHIFT_JIS = Uint8Array.from([
  ...[0x2f, 0x2f, 0x20, 0x95, 0x5c, 0x8e, 0xa6, 0x82, 0xb7, 0x82, 0xe9, 0x0a],
  ...[0x78, 0x20, 0x3d, 0x20, 0x31, 0x0a],
]);
const FIVE = "one\ntwo\nthree\nfour\nfive\n";

function operation(verb: string, start: string | number, rest: Record<string, unknown> = {}) {
  return { operation: verb, start, ...rest };
}

function batch(path: string, ...operations: unknown[]) {
  return { tool: "batch_edit", args: { path, operations } };
}

const fails = true as const;
const [ONE, TWO, THREE, FOUR, FIFTH] = ["one", "two", "three", "four", "five"]
  .map((text, index) => lineId(index + 1, text)) as [string, string, string, string, string];

testCalls("batch_edit", [
  {
    name: "operations in any order all count on the file as it was",
    files: { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" },
    steps: [batch(
      "a.txt",
      operation("replace", lineId(8, "8"), { content: "eight" }),
      operation("delete", lineId(5, "5")),
      operation("insert", lineId(2, "2"), { content: "x\ny\nz\n" }),
      operation("insert", lineId(6, "6"), { content: "w" }),
    )],
    after: { "a.txt": "1\n2\nx\ny\nz\n3\n4\n6\nw\n7\neight\n9\n" },
  },
  {
    name: "the whole answer is the diff",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", THREE, { content: "drei" })),
      text: [
        `${ONE}|one`,
        `${TWO}|two`,
        `-${THREE}|three`,
        `+${lineId(3, "drei")}|drei`,
        `${FOUR}|four`,
        `${FIFTH}|five`,
      ].join("\n"),
    }],
  },
  {
    name: "operations as JSON text",
    files: { "a.txt": FIVE },
    steps: [{
      tool: "batch_edit",
      args: {
        path: "a.txt",
        operations: JSON.stringify([operation("delete", TWO)]),
      },
    }],
    after: { "a.txt": "one\nthree\nfour\nfive\n" },
  },
  {
    name: "one operation without its brackets",
    files: { "a.txt": FIVE },
    steps: [{ tool: "batch_edit", args: { path: "a.txt", operations: operation("delete", TWO) } }],
    after: { "a.txt": "one\nthree\nfour\nfive\n" },
  },
  ...["line_start", "start_line", "start_id", "line"].map((alias) => ({
    name: `${alias} is start`,
    files: { "a.txt": FIVE },
    steps: [batch("a.txt", { operation: "delete", [alias]: TWO, end_line: THREE })],
    after: { "a.txt": "one\nfour\nfive\n" },
  })),
  {
    name: "an unknown bound stops instead of narrowing the range to one line",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("delete", TWO, { until: FOUR })),
      fails,
      says: ["Operation 1", '"until" is not a field', "start, end and content"],
    }],
  },
  {
    name: "a missing bound stops",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", { operation: "replace", end: FOUR, content: "x" }),
      fails,
      says: [/start.*missing/],
    }],
  },
  {
    name: "a remark in an operation does no harm",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("delete", TWO, { description: "drop the second" })),
      says: ["Hint: Unknown argument `operations[0].description` was ignored"],
    }],
    after: { "a.txt": "one\nthree\nfour\nfive\n" },
  },
  {
    name: "plain numbers are refused with the id to send",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", 2, { content: "x" })),
      fails,
      says: [`${TWO}|two`, `start: "${TWO}"`],
    }],
  },
  {
    name: "an object for the content is refused",
    files: { "a.json": "{}\n" },
    steps: [{
      ...batch("a.json", operation("replace", lineId(1, "{}"), { content: { a: 1 } })),
      fails,
      says: ["`operations[0].content` must be text", "not an object"],
    }],
  },
  {
    name: "a number for the content is its text",
    files: { "a.txt": FIVE },
    steps: [batch("a.txt", operation("replace", TWO, { content: 2 }))],
    after: { "a.txt": "one\n2\nthree\nfour\nfive\n" },
  },
  {
    name: "a missing content is not an empty one",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", TWO, { content: null })),
      fails,
      says: ["content is missing; the call was probably cut"],
    }],
  },
  {
    name: "a stale id is answered with what is there now, and the fresh id works",
    files: { "a.txt": FIVE },
    steps: [
      { tool: "view", args: { path: "a.txt" }, text: idLines(FIVE) },
      {
        ...batch("a.txt", operation("replace", TWO, { content: "zwei" })),
        meanwhile: (root) => Deno.writeTextFileSync(`${root}/a.txt`, `zero\n${FIVE}`),
        fails,
        says: [
          `Stale line id "${TWO}" — the file changed since you viewed it. Current content around line 2:`,
          `Content matching hash ${TWO.slice(2)} is now at: ${
            lineId(3, "two")
          } (your target may have moved).`,
        ],
      },
      batch("a.txt", operation("replace", lineId(3, "two"), { content: "zwei" })),
    ],
    after: { "a.txt": "zero\none\nzwei\nthree\nfour\nfive\n" },
  },
  {
    name: "an id that was shown does not hold for another text with the same hash",
    // Found by search: both hash to the same two digits.
    files: { "a.txt": `${sameHash()[0]}\n` },
    steps: [
      { tool: "view", args: { path: "a.txt" } },
      {
        ...batch("a.txt", operation("delete", lineId(1, sameHash()[0]))),
        meanwhile: (root) => Deno.writeTextFileSync(`${root}/a.txt`, `${sameHash()[1]}\n`),
        fails,
        says: ["Stale line id"],
      },
    ],
    after: { "a.txt": `${sameHash()[1]}\n` },
  },
  {
    name: "a NUL in the content is refused, its field named",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch(
        "a.txt",
        operation("delete", ONE),
        operation("replace", THREE, { content: "a\0b" }),
      ),
      fails,
      says: ["Nothing was written. `operations[1].content` holds a real NUL", "\\u0000"],
    }],
  },
  {
    name: "six characters of an escape stay six characters",
    files: { "a.txt": FIVE },
    steps: [batch("a.txt", operation("replace", THREE, { content: "[\\u0000-\\x1f]" }))],
    after: { "a.txt": "one\ntwo\n[\\u0000-\\x1f]\nfour\nfive\n" },
  },
  {
    name: "another control character is written and named",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", THREE, { content: "\x1b[0m" })),
      says: ["Hint: The new text holds control characters (U+001B)"],
    }],
    after: { "a.txt": "one\ntwo\n\x1b[0m\nfour\nfive\n" },
  },
  {
    name: "conflict markers are written and named by id",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", THREE, { content: "=======\n>>>>>>> REPLACE" })),
      says: [
        `Hint: The new text brought conflict markers (<<<<<<< or >>>>>>>) at ${
          lineId(4, ">>>>>>> REPLACE")
        };`,
      ],
    }],
  },
  {
    name: "an underline of equals signs is no marker",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", THREE, { content: "=======" })),
      says: [/^(?!.*Hint)/s],
    }],
  },
  {
    name: "bytes that are not UTF-8 stay as they are",
    files: { "a.txt": CP1252 },
    steps: [batch("a.txt", operation("replace", lineId(1, "a"), { content: "A" }))],
    after: { "a.txt": Uint8Array.of(0x41, 0x0a, 0x99, 0x0a, 0x62, 0x0a) },
  },
  {
    name: "text beyond ASCII is not written into an 8-bit file",
    files: { "a b.txt": CP1252 },
    steps: [{
      ...batch("a b.txt", operation("replace", lineId(1, "a"), { content: "é" })),
      fails,
      says: [
        'Nothing was written. `operations[0].content` holds U+00E9 "é"',
        "assumed to be windows-1252",
        `iconv -f WINDOWS-1252 -t UTF-8 'a b.txt' > 'a b.txt.utf8'`,
      ],
    }],
  },
  {
    name: "the replacement character of a view is not written into an 8-bit file",
    files: { "a.txt": CP1252 },
    steps: [{
      ...batch("a.txt", operation("replace", lineId(1, "a"), { content: "\ufffd" })),
      fails,
      says: ["`operations[0].content` holds U+FFFD", "Leave the lines with those bytes out"],
    }],
  },
  {
    name: "a Shift-JIS file is edited in ASCII beside its comment",
    files: { "a.c": SHIFT_JIS },
    steps: [batch("a.c", operation("replace", lineId(2, "x = 1"), { content: "x = 2" }))],
    after: {
      "a.c": Uint8Array.from([...SHIFT_JIS.subarray(0, 12), 0x78, 0x20, 0x3d, 0x20, 0x32, 0x0a]),
    },
  },
  {
    name: "a Shift-JIS file is named as one",
    files: { "a.c": SHIFT_JIS },
    steps: [{
      ...batch("a.c", operation("replace", lineId(2, "x = 1"), { content: "日" })),
      fails,
      says: ["assumed to be shift_jis", "iconv -f SHIFT_JIS -t UTF-8 a.c > a.c.utf8"],
    }],
  },
  {
    name: "UTF-16 stays UTF-16",
    files: { "a.txt": utf16("a\r\nb\r\n") },
    steps: [batch("a.txt", operation("replace", lineId(2, "b"), { content: "日本😀" }))],
    after: { "a.txt": utf16("a\r\n日本😀\r\n") },
  },
  {
    name: "a byte order mark stays one",
    files: { "a.txt": "\ufeffhello\nworld\n" },
    steps: [batch("a.txt", operation("replace", lineId(1, "hello"), { content: "\ufeffhi" }))],
    after: { "a.txt": "\ufeffhi\nworld\n" },
  },
  {
    name: "mixed endings of untouched lines stay",
    files: { "a.txt": "a\r\nb\nc" },
    steps: [batch("a.txt", operation("replace", lineId(2, "b"), { content: "B" }))],
    after: { "a.txt": "a\r\nB\nc" },
  },
  {
    name: "lone carriage returns are data",
    files: { "a.txt": "alpha\nbeta\rprogress\ngamma\n" },
    steps: [batch("a.txt", operation("replace", lineId(3, "gamma"), { content: "G" }))],
    after: { "a.txt": "alpha\nbeta\rprogress\nG\n" },
  },
  {
    name: "a missing file",
    files: { "alpha.txt": "a\n" },
    steps: [{
      ...batch("alhpa.txt", operation("insert", 0, { content: "x" })),
      fails,
      says: ["No such file or directory", "alpha.txt"],
    }],
  },
  {
    name: "a directory",
    files: { "d/a.txt": "a\n" },
    steps: [{
      ...batch("d", operation("insert", 0, { content: "x" })),
      fails,
      says: ["d is a directory, not a file"],
    }],
  },
  {
    name: "a binary file",
    files: { "a.bin": Uint8Array.of(1, 0, 2) },
    steps: [{
      ...batch("a.bin", operation("insert", 0, { content: "x" })),
      fails,
      says: ["a.bin is a binary file (it contains NUL bytes; 3 bytes)", "Nothing was written"],
    }],
  },
  {
    name: "an empty file takes an insert at its start",
    files: { "a.txt": "" },
    steps: [batch("a.txt", operation("insert", 0, { content: "x\ny" }))],
    after: { "a.txt": "x\ny\n" },
  },
  {
    name: "the shape is checked before the path",
    steps: [{
      ...batch("missing.txt", operation("turn", "1:aa")),
      fails,
      says: ["Invalid arguments for `batch_edit`", "`operations[0].operation` must be one of"],
    }],
  },
  {
    name: "no change",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("replace", TWO, { content: "two\n" })),
      says: ["No change"],
    }],
  },
  {
    name: "ten megabytes of content",
    files: { "a.txt": FIVE },
    steps: [batch("a.txt", operation("replace", TWO, { content: "x".repeat(10_000_000) }))],
    after: { "a.txt": `one\n${"x".repeat(10_000_000)}\nthree\nfour\nfive\n` },
  },
  {
    name: "ten megabytes of a bound",
    files: { "a.txt": FIVE },
    steps: [{
      ...batch("a.txt", operation("delete", "9".repeat(10_000_000))),
      fails,
      says: [/^.{1,600}$/s],
    }],
  },
]);

function idLines(text: string): string {
  return text.split("\n").slice(0, -1).map((line, index) => `${lineId(index + 1, line)}|${line}`)
    .join("\n");
}

function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(`\ufeff${text}`.split(""), (unit) => unit.charCodeAt(0));
  const bytes = new Uint8Array(units.length * 2);
  units.forEach((unit, index) => bytes.set([unit & 0xff, unit >> 8], index * 2));
  return bytes;
}

/** Two short texts whose hashes fold to the same two digits. */
function sameHash(): [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0;; number++) {
    const text = `text ${number}`;
    const id = lineId(1, text);
    const other = seen.get(id);
    if (other !== undefined) return [other, text];
    seen.set(id, text);
  }
}
