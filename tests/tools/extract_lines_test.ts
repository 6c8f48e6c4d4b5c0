import { testCalls } from "../support/call_rows.ts";
import { lineId } from "../support/line_ids.ts";

const fails = true as const;
const FROM = "one\ntwo\n\tthree\nfour\n";

function extract(args: Record<string, unknown>) {
  return {
    tool: "extract_lines",
    args: { from_path: "from.txt", append_path: "to.txt", append_line: -1, ...args },
  };
}

const utf16 = (text: string) =>
  Uint8Array.from([0xfeff, ...text.split("").map((unit) => unit.charCodeAt(0))]
    .flatMap((unit) => [unit & 0xff, unit >> 8]));

testCalls("extract_lines", [
  {
    name: "into a new file, its parents made; the answer is the diff",
    files: { "from.txt": FROM },
    steps: [{
      ...extract({ from_start: 2, from_end: 3, append_path: "d/new.txt" }),
      text: `+${lineId(1, "two")}|two\n+${lineId(2, "\tthree")}|\tthree`,
    }],
    after: { "d/new.txt": "two\n\tthree\n", "from.txt": FROM },
  },
  ...([
    [0, "two\na\nb\n"],
    ["0", "two\na\nb\n"],
    [-1, "a\nb\ntwo\n"],
    [1, "a\ntwo\nb\n"],
    [lineId(1, "a"), "a\ntwo\nb\n"],
    [lineId(2, "b"), "a\nb\ntwo\n"],
  ] as const).map(([append_line, after]) => ({
    name: `append_line ${append_line}`,
    files: { "from.txt": FROM, "to.txt": "a\nb\n" },
    steps: [extract({ from_start: 2, append_line })],
    after: { "to.txt": after },
  })),
  ...([
    [{ from_start: 2 }, "two\n"],
    [{ from_start: lineId(2, "two"), from_end: lineId(4, "four") }, "two\n\tthree\nfour\n"],
    [{ from_start: -2, from_end: -1 }, "\tthree\nfour\n"],
    [{ start_line: 1, end_line: 2 }, "one\ntwo\n"],
    [{ line_start: 1, line_end: 2 }, "one\ntwo\n"],
  ] as const).map(([args, after]) => ({
    name: `lines ${JSON.stringify(args)}`,
    files: { "from.txt": FROM },
    steps: [extract(args)],
    after: { "to.txt": after },
  })),
  {
    name: "lines take the target's ending",
    files: { "from.txt": FROM, "to.txt": "a\r\nb\r\n" },
    steps: [extract({ from_start: 2, from_end: 3, append_line: 1 })],
    after: { "to.txt": "a\r\ntwo\r\n\tthree\r\nb\r\n" },
  },
  {
    name: "a target without a final newline gets one before what is appended",
    files: { "from.txt": FROM, "to.txt": "a\nb" },
    steps: [extract({ from_start: 2 })],
    after: { "to.txt": "a\nb\ntwo" },
  },
  {
    name: "inside one file",
    files: { "from.txt": FROM },
    steps: [extract({ from_start: 1, append_path: "from.txt", append_line: -1 })],
    after: { "from.txt": `${FROM}one\n` },
  },
  {
    name: "bytes that are not UTF-8 are copied as they are",
    files: {
      "from.txt": Uint8Array.of(0x61, 0x99, 0x0a),
      "to.txt": Uint8Array.of(0x95, 0x5c, 0x0a),
    },
    steps: [extract({ from_start: 1 })],
    after: { "to.txt": Uint8Array.of(0x95, 0x5c, 0x0a, 0x61, 0x99, 0x0a) },
  },
  {
    name: "bytes that are not UTF-8 do not go into a UTF-8 file",
    files: { "from.txt": Uint8Array.of(0x61, 0x99, 0x0a), "to.txt": "é\n" },
    steps: [{ ...extract({ from_start: 1 }), fails, says: ["cannot hold", "nothing was written"] }],
  },
  {
    name: "UTF-16 into UTF-8",
    files: { "from.txt": utf16("a\r\n日本😀\r\n"), "to.txt": "x\n" },
    steps: [extract({ from_start: 2 })],
    after: { "to.txt": "x\n日本😀\n" },
  },
  {
    name: "a NUL of UTF-16 does not make a UTF-8 file binary",
    files: { "from.txt": utf16("a\0b\n"), "to.txt": "x\n" },
    steps: [{ ...extract({ from_start: 1 }), fails }],
  },
  {
    name: "a byte order mark is not copied",
    files: { "from.txt": "\ufeffone\ntwo\n", "to.txt": "x\n" },
    steps: [extract({ from_start: 1 })],
    after: { "to.txt": "x\none\n" },
  },
  {
    name: "a stale id in the source",
    files: { "from.txt": FROM, "to.txt": "x\n" },
    steps: [{
      ...extract({ from_start: "2:00" }),
      fails,
      says: ['Stale line id "2:00"', `${lineId(2, "two")}|two`],
    }],
  },
  {
    name: "a stale anchor in the target",
    files: { "from.txt": FROM, "to.txt": "x\n" },
    steps: [{
      ...extract({ from_start: 2, append_line: "1:00" }),
      fails,
      says: ['Stale line id "1:00"', `${lineId(1, "x")}|x`],
    }],
  },
  {
    name: "lines outside the file",
    files: { "from.txt": FROM },
    steps: [
      { ...extract({ from_start: 9 }), fails, says: ["from_start 9 is outside", "4 lines"] },
      { ...extract({ from_start: 1, from_end: 9 }), fails, says: ["from_end 9 is outside"] },
      { ...extract({ from_start: 0 }), fails, says: ["from_start 0 is outside"] },
      { ...extract({ from_start: 1, append_line: 9 }), fails, says: ["append_line 9 is outside"] },
    ],
  },
  {
    name: "a reversed range",
    files: { "from.txt": FROM },
    steps: [{
      ...extract({ from_start: 3, from_end: 2 }),
      fails,
      says: ["comes after from_end", "Retry"],
    }],
  },
  {
    name: "missing and malformed arguments, before any path",
    steps: [
      { ...extract({}), fails, says: ["`from_start` is missing"] },
      { ...extract({ from_start: "two" }), fails, says: ['`from_start` is "two"'] },
      { ...extract({ from_start: 1, from_end: "1.5" }), fails, says: ['`from_end` is "1.5"'] },
      {
        ...extract({ from_start: 1, append_line: "end" }),
        fails,
        says: ['`append_line` is "end"'],
      },
      {
        ...extract({ from_start: 1, append_line: null }),
        fails,
        says: ["`append_line` must be text"],
      },
      { ...extract({ from_start: {} }), fails, says: ["`from_start` must be text"] },
      { ...extract({ from_start: "1".repeat(10_000_000) }), fails, says: [/^.{1,300}$/s] },
      { ...extract({ from_start: 1, from_path: "" }), fails, says: ["`from_path` is empty"] },
      { ...extract({ from_start: 1, append_path: " " }), fails, says: ["`append_path` is empty"] },
    ],
  },
  {
    name: "missing, binary and other sources and targets",
    files: { "from.txt": FROM, "b.bin": Uint8Array.of(0), "d/x.txt": "x\n" },
    steps: [
      {
        ...extract({ from_path: "form.txt", from_start: 1 }),
        fails,
        says: ["No such file", "from.txt"],
      },
      {
        ...extract({ from_path: "b.bin", from_start: 1 }),
        fails,
        says: ["b.bin is a binary file"],
      },
      {
        ...extract({ append_path: "b.bin", from_start: 1 }),
        fails,
        says: ["b.bin is a binary file"],
      },
      { ...extract({ from_path: "d", from_start: 1 }), fails, says: ["d is a directory"] },
      { ...extract({ append_path: "d", from_start: 1 }), fails, says: ["d is a directory"] },
    ],
  },
  {
    name: "either path outside the root",
    files: { "from.txt": FROM },
    steps: [
      { ...extract({ from_path: "../x", from_start: 1 }), fails, says: ["may be read"] },
      { ...extract({ append_path: "../x", from_start: 1 }), fails, says: ["may be written"] },
    ],
  },
  {
    name: "an empty source",
    files: { "from.txt": "" },
    steps: [{ ...extract({ from_start: 1 }), fails, says: ["has no lines"] }],
  },
  {
    name: "can be undone",
    files: { "from.txt": FROM, "to.txt": "a\nb" },
    steps: [
      extract({ from_start: 2 }),
      { tool: "text_editor", args: { command: "undo_edit", path: "to.txt" } },
    ],
    after: { "to.txt": "a\nb" },
  },
]);
