import assert from "node:assert/strict";
import { openProject, testCalls } from "../support/call_rows.ts";
import { lineId, printedLines } from "../support/line_ids.ts";

const FIVE = "one\ntwo\nthree\nfour\nfive\n";
const fails = true as const;

function view(args: Record<string, unknown>) {
  return { tool: "view", args };
}

function rows(lines: readonly string[], first = 1): string {
  return lines.map((line, index) => `${lineId(first + index, line)}|${line}`).join("\n");
}

function utf16(text: string, isLittleEndian: boolean): Uint8Array {
  const units = [0xfeff, ...text.split("").map((unit) => unit.charCodeAt(0))];
  return Uint8Array.from(
    units.flatMap((unit) => isLittleEndian ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff]),
  );
}

testCalls("view", [
  {
    name: "lines with the ids of the contract",
    files: { "a.txt": "fn main() {\n}\n\n\t\nhello world\ncafé\n日本語\n😀\n" },
    steps: [{
      ...view({ path: "a.txt" }),
      text:
        "1:92|fn main() {\n2:14|}\n3:c5|\n4:4c|\t\n5:c6|hello world\n6:9a|café\n7:64|日本語\n8:0f|😀",
    }],
  },
  {
    name: "no final newline",
    files: { "a.txt": "a\nb" },
    steps: [{ ...view({ path: "a.txt" }), text: rows(["a", "b"]) }],
  },
  {
    name: "an empty file",
    files: { "a.txt": "" },
    steps: [{ ...view({ path: "a.txt" }), text: "a.txt is empty (0 lines)." }],
  },
  {
    name: "one newline is one line",
    files: { "a.txt": "\n" },
    steps: [{ ...view({ path: "a.txt" }), text: "1:c5|" }],
  },
  {
    name: "CRLF is an ending, a lone CR is data",
    files: { "a.txt": "a\r\nb\rc\nd\r" },
    steps: [{ ...view({ path: "a.txt" }), text: rows(["a", "b\rc", "d\r"]) }],
  },
  {
    name: "what only looks like a line end is data",
    files: { "a.txt": "a\u000bb\fc\u0085d\u2028e\u2029f\n" },
    steps: [{ ...view({ path: "a.txt" }), text: rows(["a\u000bb\fc\u0085d\u2028e\u2029f"]) }],
  },
  {
    name: "a byte order mark is hidden and not hashed",
    files: { "a.txt": "\ufeffhello\nworld\n" },
    steps: [{ ...view({ path: "a.txt" }), text: rows(["hello", "world"]) }],
  },
  ...[true, false].map((isLittleEndian) => ({
    name: `UTF-16 ${isLittleEndian ? "little" : "big"} endian is transcoded and named`,
    files: { "a.txt": utf16("a\r\n日本😀\n", isLittleEndian) },
    steps: [{
      ...view({ path: "a.txt" }),
      says: [rows(["a", "日本😀"]), `Hint: The file is UTF-16${isLittleEndian ? "LE" : "BE"}`],
    }],
  })),
  {
    name: "UTF-16 without a mark is binary",
    files: { "a.txt": Uint8Array.of(0x2f, 0, 0x2f, 0) },
    steps: [{
      ...view({ path: "a.txt" }),
      text: "a.txt is a binary file (it contains NUL bytes; 4 bytes).",
    }],
  },
  {
    name: "UTF-32 is not taken for UTF-16",
    files: { "a.txt": Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0) },
    steps: [{ ...view({ path: "a.txt" }), text: "a.txt is a binary file (UTF-32 text; 8 bytes)." }],
  },
  {
    name: "bytes that are not UTF-8 are shown as U+FFFD, and the id holds",
    files: { "a.txt": Uint8Array.of(0x61, 0x0a, 0x99, 0x0a) },
    steps: [
      {
        ...view({ path: "a.txt" }),
        says: [/^1:ed\|a\n2:[0-9a-f]{2}\|\ufffd\n\nHint: .*not valid UTF-8/],
      },
      {
        tool: "batch_edit",
        args: {
          path: "a.txt",
          operations: [{ operation: "delete", start: lineId(2, Uint8Array.of(0x99)) }],
        },
      },
    ],
    after: { "a.txt": "a\n" },
  },
  {
    name: "a binary file is named by its kind",
    files: { "a.bin": Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]) },
    steps: [{
      ...view({ path: "a.bin" }),
      text: "a.bin is a binary file (ELF program or library; 10 bytes).",
    }],
  },
  ...([
    [{ start: 2, end: 3 }, 2, ["two", "three"]],
    [{ start: "2", end: "3" }, 2, ["two", "three"]],
    [{ start: 4 }, 4, ["four", "five"]],
    [{ end: 2 }, 1, ["one", "two"]],
    [{ start: -2 }, 4, ["four", "five"]],
    [{ start: -4, end: -3 }, 2, ["two", "three"]],
    [{ start: 2, end: 2 }, 2, ["two"]],
    [{ start: lineId(2, "two"), end: lineId(3, "three") }, 2, ["two", "three"]],
    [{ start: ` L${lineId(2, "two").toUpperCase()}|two `, end: "[3]" }, 2, ["two", "three"]],
    [{ start_line: 2, line_end: 3 }, 2, ["two", "three"]],
    [{ start: "", end: null }, 1, ["one", "two", "three", "four", "five"]],
  ] as const).map(([range, first, lines]) => ({
    name: `range ${JSON.stringify(range)}`,
    files: { "a.txt": FIVE },
    steps: [{ ...view({ path: "a.txt", ...range }), text: rows(lines, first) }],
  })),
  ...([
    [{ start: 0 }, "The file has 5 lines; showing 1 to 5."],
    [{ start: 4, end: 99 }, "The file has 5 lines; showing 4 to 5."],
    [{ start: 99 }, "The file has 5 lines; showing 5 to 5."],
    [{ start: -99, end: 1 }, "The file has 5 lines; showing 1 to 1."],
    [{ start: 3, end: 2 }, "start is after end; showing lines 2 to 3."],
    [{ start: "2:00" }, 'The start id "2:00" is stale: line 2 has changed; shown by line number.'],
    [{ start: 1, end: "99:00" }, "The file has 5 lines; showing 1 to 5."],
    [{ start: "999999999999999" }, "The file has 5 lines; showing 5 to 5."],
    [{ lines: 3 }, "Unknown argument `lines` was ignored"],
  ] as const).map(([range, hint]) => ({
    name: `range ${JSON.stringify(range)} with a hint`,
    files: { "a.txt": FIVE },
    steps: [{ ...view({ path: "a.txt", ...range }), says: [`Hint: ${hint}`] }],
  })),
  ...([
    [{ start: "two" }, '`start` is "two", which is neither a line number nor a line id'],
    [{ start: 1.5 }, '`start` is "1.5"'],
    [{ end: true }, '`end` is "true"'],
    [{ end: "2:zz" }, '`end` is "2:zz"'],
    [{ start: "0:aa" }, '`start` is "0:aa"'],
    [{ start: "1 2" }, '`start` is "1 2"'],
    [{ start: [1] }, "`start` must be text"],
    [{ start: { line: 1 } }, "`start` must be text"],
    [{ start: "9".repeat(10_000_000) }, "`start` is "],
    [{ start: "two\ud800" }, "`start` holds half a character"],
    [{ start: "2\0" }, '`start` is "2\\u0000"'],
  ] as const).map(([range, message]) => ({
    name: `range ${JSON.stringify(range).slice(0, 40)} is refused before the path is looked at`,
    steps: [{
      ...view({ path: "missing.txt", ...range }),
      fails,
      says: [message, /^.{1,400}$/s],
    }],
  })),
  {
    name: "a view after a foreign change reads the disk",
    files: { "a.txt": "old\n" },
    steps: [
      { ...view({ path: "a.txt" }), text: rows(["old"]) },
      {
        ...view({ path: "a.txt" }),
        meanwhile: (root) => Deno.writeTextFileSync(`${root}/a.txt`, "new\n"),
        text: rows(["new"]),
      },
    ],
  },
  {
    name: "a line of 3,000 characters is cut among others and its id holds",
    files: { "a.txt": `a\n${"x".repeat(3_000)}\nb\n` },
    steps: [
      {
        ...view({ path: "a.txt" }),
        says: ["… [line of 3,000 characters, cut]", "View it alone (start = end)"],
      },
      {
        tool: "batch_edit",
        args: {
          path: "a.txt",
          operations: [{ operation: "delete", start: lineId(2, "x".repeat(3_000)) }],
        },
      },
    ],
    after: { "a.txt": "a\nb\n" },
  },
  {
    name: "alone it is whole",
    files: { "a.txt": `a\n${"x".repeat(3_000)}\nb\n` },
    steps: [{ ...view({ path: "a.txt", start: 2, end: 2 }), text: rows(["x".repeat(3_000)], 2) }],
  },
  {
    name: "a line of a megabyte and a half shows far more alone, within the budget",
    files: { "a.txt": "日".repeat(533_333) },
    steps: [{
      ...view({ path: "a.txt" }),
      says: [
        "[line of 533,333 characters, cut]",
        'view path="a.txt" content="…"',
        /^.{15000,20000}$/s,
      ],
    }],
  },
  {
    name: "a cut never splits a character",
    files: { "a.txt": `a${"😀".repeat(3_000)}\nb\n` },
    steps: [{ ...view({ path: "a.txt" }), says: [/\|a(?:😀)+… \[line/u] }],
  },
  {
    name: "a missing path names what is near",
    files: { "server.ts": "a\n" },
    steps: [{ ...view({ path: "servre.ts" }), fails, says: ["No such file", "server.ts"] }],
  },
]);

Deno.test("view: following the hints shows every line of a long file once", async () => {
  const lines = Array.from(
    { length: 9_000 },
    (_, index) => `line ${index} ${"=".repeat(index % 90)}`,
  );
  await using project = await openProject({ "a.txt": lines.join("\n") });
  const seen = new Map<number, string>();
  let args: Record<string, unknown> | undefined = { path: "a.txt" };
  for (let calls = 0; args !== undefined; calls++) {
    assert.ok(calls < 50, "the hints come to an end");
    const { text } = await project.call("view", args);
    const printed = printedLines(text);
    assert.ok(printed.length <= 2_000);
    assert.ok(new TextEncoder().encode(text).length <= 60_500);
    const before = seen.size;
    for (const line of printed) seen.set(line.number, line.text);
    assert.ok(seen.size > before, "every answer brings something new");
    const left = /^\[\.\.\.(\d+) lines more\]$/m.exec(text);
    const next = /view path="a\.txt" start=(\d+) end=(\d+)/.exec(text);
    assert.equal(left === null, next === null);
    if (left !== null && next !== null) {
      assert.equal(Number(next[2]) - Number(next[1]) + 1, Number(left[1]));
    }
    args = next === null ? undefined : { path: "a.txt", start: next[1], end: next[2] };
  }
  assert.deepEqual([...seen.entries()].sort(([a], [b]) => a - b).map(([, text]) => text), lines);
});

Deno.test("view: five lines of 20 KB are all named, cut, and each advances", async () => {
  const lines = Array.from({ length: 5 }, (_, index) => `${index}${"y".repeat(20_000)}`);
  await using project = await openProject({ "a.txt": `${lines.join("\n")}\n` });
  const { text } = await project.call("view", { path: "a.txt" });
  assert.deepEqual(
    printedLines(text).map(({ id }) => id),
    lines.map((line, i) => lineId(i + 1, line)),
  );
  const alone = await project.call("view", { path: "a.txt", start: 3, end: 3 });
  assert.equal(alone.text, `${lineId(3, lines[2] ?? "")}|${lines[2]}`);
});
