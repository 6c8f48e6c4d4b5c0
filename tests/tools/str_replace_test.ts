import assert from "node:assert/strict";
import { type CallRow, openProject, testCalls } from "../support/call_rows.ts";
import { bytesOf, latin1 } from "../support/disk_state.ts";
import { lineId } from "../support/line_ids.ts";

const fails = true as const;

function replace(oldText: unknown, newText: unknown, rest: Record<string, unknown> = {}) {
  return {
    tool: "text_editor",
    args: { command: "str_replace", path: "a.txt", old_text: oldText, new_text: newText, ...rest },
  };
}

const undo = { tool: "text_editor", args: { command: "undo_edit", path: "a.txt" } };

type ReplaceRow = readonly [
  name: string,
  file: string | Uint8Array,
  oldText: string,
  newText: string,
  after: string | Uint8Array,
  says?: RegExp,
];

/** New text goes in as it is on every rung; what stands around it keeps its bytes. */
const REPLACED: readonly ReplaceRow[] = [
  [
    "dollar signs, exact",
    'log("done");\n',
    'log("done");',
    'log("$& $$ $` $\' $1");',
    'log("$& $$ $` $\' $1");\n',
  ],
  ["dollar signs, CRLF", "a\r\nb\r\nc\r\n", "a\nb", "$&\n$'", "$&\r\n$'\r\nc\r\n"],
  ["dollar signs, escaped", 'x = "\tq";\n', '"\\tq"', '"\\t$&"', 'x = "\t$&";\n'],
  [
    "dollar signs, whitespace",
    "\tif a {\n",
    "  if  a {",
    "  if $& $$ {",
    "\tif $& $$ {\n",
    /fuzzy match/,
  ],
  [
    "dollar signs, typography",
    "say “hi” x\n",
    'say "hi" x',
    'say "hi" $&',
    "say “hi” $&\n",
    /fuzzy match/,
  ],
  [
    "two characters of an escape stay, as the match was exact",
    'print("x")\n',
    'print("x")',
    'print("a\\nb")',
    'print("a\\nb")\n',
  ],
  [
    "paths with backslashes",
    "p = 1\n",
    "p = 1",
    "p = C:\\Users\\name\\title",
    "p = C:\\Users\\name\\title\n",
  ],
  [
    "a continuation line",
    "#define X 1\n",
    "#define X 1",
    "#define X \\\n  1",
    "#define X \\\n  1\n",
  ],
  [
    "entities are not decoded",
    "<b>A</b>\n",
    "<b>A</b>",
    "<b>A &lt; B &amp;</b>",
    "<b>A &lt; B &amp;</b>\n",
  ],
  ["six characters of an escape", "x\n", "x", "[\\x00-\\x1f]\\u0000", "[\\x00-\\x1f]\\u0000\n"],
  ["mixed endings of untouched lines", "a\r\nb\nc", "c", "C", "a\r\nb\nC"],
  [
    "CRLF in the file, LF in the old text",
    "a\r\nb\r\nc\r\n",
    "a\nb\n",
    "A\nB\n",
    "A\r\nB\r\nc\r\n",
  ],
  [
    "an exact match is never re-indented",
    "  a\r\n  b\r\n",
    "  a\n  b",
    "      a\n  b",
    "      a\r\n  b\r\n",
  ],
  [
    "a lone CR survives",
    "alpha\nbeta\rprogress\ngamma\n",
    "gamma",
    "G",
    "alpha\nbeta\rprogress\nG\n",
  ],
  ["a byte order mark stays", "\ufeffhello\nx\n", "hello", "hi", "\ufeffhi\nx\n"],
  ["a byte order mark sent along", "\ufeffhello\nx\n", "\ufeffhello", "\ufeffhi", "\ufeffhi\nx\n"],
  ["a match over the start of a file with a mark", "\ufeffa\nb\n", "a\nb", "c", "\ufeffc\n"],
  [
    "bytes far away are not UTF-8",
    Uint8Array.of(0x61, 0x0a, 0x99, 0x0a),
    "a",
    "b",
    Uint8Array.of(0x62, 0x0a, 0x99, 0x0a),
  ],
  ["part of a line", "let a = 1; let b = 2;\n", "a = 1", "a = 10", "let a = 10; let b = 2;\n"],
  ["no final newline stays none", "a\nb", "b", "c", "a\nc"],
  ["text is deleted", "a\nb\nc\n", "b\n", "", "a\nc\n"],
  [
    "tabs in the file, four spaces a level sent",
    "func f() {\n\tif a {\n\t\tb()\n\t}\n}\n",
    "    if a {\n        b()\n    }",
    "    if a {\n        for {\n            c()\n        }\n    }",
    "func f() {\n\tif a {\n\t\tfor {\n\t\t\tc()\n\t\t}\n\t}\n}\n",
    /Indentation was auto-adjusted to match the file\.$/,
  ],
  [
    "one tab too few",
    "\t\tif err != nil {\n\t\t\treturn err\n",
    "\tif err != nil {\n\t\treturn err",
    "\tif err != nil {\n\t\treturn wrap(err)",
    "\t\tif err != nil {\n\t\t\treturn wrap(err)\n",
    /fuzzy/,
  ],
  [
    "pasted ids are stripped",
    "one\ntwo\n",
    `${lineId(1, "one")}|one\n${lineId(2, "two")}|two`,
    `${lineId(1, "one")}|one\n${lineId(2, "zwei")}|zwei`,
    "one\nzwei\n",
    /Pasted line ids/,
  ],
  [
    "what only looks like a prefix is text",
    "12:30 started\n",
    "12:30 started",
    "12:45 started",
    "12:45 started\n",
  ],
  ["ports are text", "- 8080:80\n", "8080:80", "8081:80", "- 8081:80\n"],
  [
    "escapes of the old text are read once, and those of the new",
    "a\n\tb\n",
    "a\\n\\tb",
    "a\\n\\tc",
    "a\n\tc\n",
    /backslash escapes/,
  ],
  ["characters of several code units", "a😀b\n", "😀", "👩‍👩‍👧", "a👩‍👩‍👧b\n"],
  ["a number for both texts", "port 80\n", "80", "81", "port 81\n"],
];

testCalls("str_replace", [
  ...REPLACED.map(([name, file, oldText, newText, after, says]): CallRow => ({
    name,
    files: { "a.txt": file },
    steps: [{ ...replace(oldText, newText), ...(says ? { says: [says] } : {}) }],
    after: { "a.txt": after },
  })),
  ...REPLACED.map(([name, file, oldText, newText]): CallRow => ({
    name: `${name}: taken back`,
    files: { "a.txt": file },
    steps: [replace(oldText, newText), undo],
    after: { "a.txt": file },
  })),
  {
    name: "the answer to ambiguity, word for word",
    files: { "a.txt": "x\na\nx\na\nx\n" },
    steps: [{
      ...replace("x", "y"),
      fails,
      text: [
        "Found 3 matches for replacement text at:",
        `1. ${lineId(1, "x")}`,
        `2. ${lineId(3, "x")}`,
        `3. ${lineId(5, "x")}`,
        "Add more surrounding context to make a unique match, pass `replace_all: true` to replace all 3 " +
        "occurrences, or use `batch_edit` with the specific line ids.",
      ].join("\n"),
    }],
  },
  {
    name: "overlapping matches are ambiguous too",
    files: { "a.txt": "aaa\n" },
    steps: [{ ...replace("aa", "b"), fails, says: ["Found 2 matches"] }],
  },
  {
    name: "at most twenty places are listed",
    files: { "a.txt": "x\n".repeat(50) },
    steps: [{ ...replace("x", "y"), fails, says: ["Found 50 matches", "20. 20:", "30 more"] }],
  },
  {
    name: "replace_all names every place",
    files: { "a.txt": "x\na\nx\nb\nc\nd\ne\nf\nx\n" },
    steps: [{
      ...replace("x", "y", { replace_all: "true" }),
      says: [1, 3, 9].map((line) => `+${lineId(line, "y")}|y`),
    }],
    after: { "a.txt": "y\na\ny\nb\nc\nd\ne\nf\ny\n" },
  },
  {
    name: "replace_all whose new text holds the old one",
    files: { "a.txt": "x x\nx\n" },
    steps: [replace("x", "xx", { replace_all: true })],
    after: { "a.txt": "xx xx\nxx\n" },
  },
  {
    name: "a miss begins with what happened and shows ids the next call takes",
    files: { "a.txt": "fn a() {\n    one();\n    two();\n}\n" },
    steps: [
      {
        ...replace("fn a() {\n    one();\n    three();\n}", "x"),
        fails,
        says: [
          /^No match found; nothing was written\. Pass raw text \(real newlines and tabs, no escapes\)\.\nClosest matches:\n\n {2}1\. 1:[0-9a-f]{2} \.\. 4:[0-9a-f]{2} \(\d+% similar, content differs\)\n/,
          `     ${lineId(1, "fn a() {")}|fn a() {`,
          /First difference: line 3:[0-9a-f]{2} column 6 has U\+0077 "w", `old_text` line 3 has U\+0068 "h"/,
          /\nTip: use `batch_edit` with the line ids shown above, or fix the `old_text` content\.$/,
        ],
      },
      {
        tool: "batch_edit",
        args: {
          path: "a.txt",
          operations: [{
            operation: "replace",
            start: lineId(3, "    two();"),
            content: "    three();",
          }],
        },
      },
    ],
    after: { "a.txt": "fn a() {\n    one();\n    three();\n}\n" },
  },
  {
    name: "only the first and the last line agree: never a write",
    files: { "a.txt": "if (a) {\n  real();\n}\nrest\n" },
    steps: [{
      ...replace("if (a) {\n  invented();\n}", "x"),
      fails,
      says: ["nothing was written"],
    }],
  },
  {
    name: "old and new swapped",
    files: { "a.txt": "const timeout = 60;\n" },
    steps: [{
      ...replace("const timeout = 30;", "const timeout = 60;"),
      says: [/Already applied at 1:[0-9a-f]{2}/, "Nothing was written"],
    }],
  },
  {
    name: "a repeated character with both counts",
    files: { "a.txt": `x\n${"─".repeat(37)}\n` },
    steps: [{
      ...replace(`x\n${"─".repeat(32)}\n`, "y"),
      fails,
      says: ['U+2500 "─" is repeated 37 times', "32 times in `old_text`"],
    }],
  },
  {
    name: "entities are shown as the candidate, not guessed",
    files: { "a.txt": "a < b\n" },
    steps: [{ ...replace("a &lt; b", "c"), fails, says: ["HTML entities decoded", '"a < b"'] }],
  },
  {
    name: "an empty old text on a file with content",
    files: { "a.txt": "abc" },
    steps: [false, true].map((replaceAll) => ({
      ...replace("", "X", { replace_all: replaceAll }),
      fails,
      says: ['"operation": "insert", "start": "0"', '"operation": "insert", "start": "-1"'],
    })),
  },
  {
    name: "an empty old text fills an empty file",
    files: { "a.txt": "" },
    steps: [replace("", "X\n")],
    after: { "a.txt": "X\n" },
  },
  {
    name: "an empty old text on a missing file makes it",
    steps: [replace("", "X\n")],
    after: { "a.txt": "X\n" },
  },
  {
    name: "blanks alone match as they are and loop nowhere",
    files: { "a.txt": "a\n\n\nb\n" },
    steps: [{ ...replace("   ", "X"), fails, says: ["nothing was written"] }],
  },
  {
    name: "equal texts are no change and leave nothing to undo",
    files: { "a.txt": "a\n" },
    steps: [
      { ...replace("a", "a"), says: ["No change"] },
      { ...undo, fails, says: ["nothing to undo"] },
    ],
  },
  {
    name: "a multi-line exact match earns the hint",
    files: { "a.txt": "a\nb\nc\n" },
    steps: [{
      ...replace("a\nb", "x\ny"),
      says: ["Hint: For a change of several lines, `batch_edit`"],
    }],
  },
  {
    name: "a NUL for a text file",
    files: { "a.txt": "a\n" },
    steps: [{
      ...replace("a", "b\0"),
      fails,
      says: ["Nothing was written. `new_text` holds a real NUL"],
    }],
  },
  {
    name: "text beyond ASCII for an 8-bit file",
    files: { "a.txt": Uint8Array.of(0x61, 0x0a, 0x99, 0x0a) },
    steps: [{
      ...replace("a", "é"),
      fails,
      says: [
        '`new_text` holds U+00E9 "é"',
        "windows-1252",
        "iconv -f WINDOWS-1252 -t UTF-8 a.txt > a.txt.utf8",
      ],
    }],
  },
  {
    name: "a match that begins inside a character of an East Asian file",
    files: { "a.txt": Uint8Array.from([0x82, 0xa0, 0x82, 0xa2, 0x95, 0x5c, 0x82, 0xe9, 0x0a]) },
    steps: [{ ...replace("\\", "/"), fails, says: ["may begin or end inside a character"] }],
  },
  {
    name: "U+FFFD of a view in the old text",
    files: { "a.txt": Uint8Array.of(0x61, 0x99, 0x62, 0x0a) },
    steps: [{ ...replace("a\ufffdb", "x"), fails, says: ["`old_text` holds U+FFFD"] }],
  },
  {
    name: "a lone surrogate in either text",
    files: { "a.txt": "a\n" },
    steps: [
      { ...replace("a\ud800", "b"), fails, says: ["`old_text` holds half a character"] },
      { ...replace("a", "\udc99"), fails, says: ["`new_text` holds half a character"] },
    ],
  },
  {
    name: "missing texts are a call that was cut",
    files: { "a.txt": "a\n" },
    steps: [
      {
        ...replace(undefined, "b"),
        fails,
        says: ["`old_text` missing for str_replace", "probably cut"],
      },
      { ...replace("a", undefined), fails, says: ["`new_text` missing", 'new_text: ""'] },
      { ...replace(null, null), fails, says: ["`old_text` and `new_text` missing"] },
    ],
  },
  {
    name: "objects and arrays for a text",
    files: { "a.txt": "a\n" },
    steps: [
      { ...replace({ a: 1 }, "b"), fails, says: ["`old_text` must be text", "not an object"] },
      { ...replace("a", ["b"]), fails, says: ["`new_text` must be text", "not an array of 1"] },
    ],
  },
  {
    name: "other names of the arguments",
    files: { "a.txt": "a\n" },
    steps: [{
      tool: "text_editor",
      args: { command: "str_replace", filePath: "a.txt", oldText: "a", new_string: "b" },
    }],
    after: { "a.txt": "b\n" },
  },
  {
    name: "a missing file, a directory, a binary file",
    files: { "d/x.txt": "x\n", "b.bin": Uint8Array.of(1, 0) },
    steps: [
      { ...replace("a", "b"), fails, says: ["No such file or directory"] },
      { ...replace("a", "b", { path: "d" }), fails, says: ["d is a directory"] },
      { ...replace("\x01", "b", { path: "b.bin" }), fails, says: ["b.bin is a binary file"] },
    ],
  },
  {
    name: "a touch alone blocks nothing, and no view is needed",
    files: { "a.txt": "a\n" },
    steps: [{
      ...replace("a", "b"),
      meanwhile: (root) => Deno.utimeSync(`${root}/a.txt`, 1, 1),
    }],
    after: { "a.txt": "b\n" },
  },
  {
    name: "a growing edit of a large file loses nothing at its end",
    files: { "a.txt": `${"a line of text é\n".repeat(12_000)}needle\nend` },
    steps: [replace("needle", "needle ".repeat(5_000))],
    after: { "a.txt": `${"a line of text é\n".repeat(12_000)}${"needle ".repeat(5_000)}\nend` },
  },
  {
    name: "UTF-16 keeps its form",
    files: { "a.txt": utf16be("a\r\nb\r\n") },
    steps: [replace("b", "日本😀")],
    after: { "a.txt": utf16be("a\r\n日本😀\r\n") },
  },
  {
    name: "a notebook's escapes are text",
    files: { "a.txt": '{"source": ["a\\n", "b"]}\n' },
    steps: [replace('"a\\n"', '"c\\n"')],
    after: { "a.txt": '{"source": ["c\\n", "b"]}\n' },
  },
]);

function utf16be(text: string): Uint8Array {
  const units = [0xfeff, ...text.split("").map((unit) => unit.charCodeAt(0))];
  return Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 0xff]));
}

for (
  const [name, file, oldText, newText] of [
    ["10 MB of old text in one line", "a\n", "x".repeat(10_000_000), "y"],
    ["10 MB of old text in lines", "x\ny\n".repeat(1_000), "y\n".repeat(5_000_000), "z"],
    ["10 MB of old text against 10 MB", "x y\n".repeat(2_500_000), "x z\n".repeat(2_500_000), "z"],
    ["10 MB of new text", "a\nb\n", "b", "x".repeat(10_000_000)],
    ["10 MB of new lines", "a\nb\n", "b", "x\n".repeat(5_000_000)],
  ] as const
) {
  Deno.test(`str_replace: ${name} is answered`, async () => {
    await using project = await openProject({ "a.txt": file });
    const { text, isError } = await project.call("text_editor", replace(oldText, newText).args);
    assert.ok(text.length < 100_000);
    const now = latin1(Deno.readFileSync(`${project.root}/a.txt`));
    assert.equal(now, latin1(bytesOf(isError ? file : file.replace(oldText, newText))));
  });
}
