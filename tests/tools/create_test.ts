import assert from "node:assert/strict";
import { type CallRow, testCalls } from "../support/call_rows.ts";
import { lineId } from "../support/line_ids.ts";

const fails = true as const;

function create(path: string, rest: Record<string, unknown>) {
  return { tool: "text_editor", args: { command: "create", path, ...rest } };
}

function undo(path: string) {
  return { tool: "text_editor", args: { command: "undo_edit", path } };
}

/** Contents that must arrive byte for byte. */
const VERBATIM: readonly (readonly [name: string, content: string])[] = [
  ["nothing", ""],
  ["no final newline", "a\nb"],
  ["blank lines at both ends", "\n\na\n\n"],
  ["CRLF", "a\r\nb\r\n"],
  ["mixed endings and lone returns", "a\r\nb\nc\rd"],
  ["a backslash before a newline", "#define X \\\n  1\n"],
  ["escapes as two characters", 'print("a\\nb\\t\\\\ \\\' \\" \\0")\n'],
  ["dollar signs", "$& $$ $` $' $1 ${x}\n"],
  ["entities", "A &lt; B &amp; C &apos; &quot;\n"],
  ["JSON text", '{"a": 1.0, "a": 2}\n'],
  ["what looks like ids", "12:30 started\n8080:80\n1:aa|x\n"],
  ["conflict underlines", "Title\n=======\n"],
  ["special line ends", "a\u2028b\u2029c\u0085d\u000be\f\n"],
  ["characters beyond the first plane", "😀👩‍👩‍👧 日本語 é\n"],
  ["six characters of an escape", "[\\u0000-\\x1f]\n"],
  ["a megabyte", "line of text\n".repeat(80_000)],
];

testCalls("create", [
  ...VERBATIM.map(([name, content]): CallRow => ({
    name: `${name} is written as it is`,
    steps: [{
      ...create("new.txt", { content }),
      says: [/^Created new\.txt \([\d,]+ lines?\)\./],
    }],
    after: { "new.txt": content },
  })),
  {
    name: "parents are made",
    steps: [create("a/b/c.txt", { content: "x\n" })],
    after: { "a/b/c.txt": "x\n" },
  },
  {
    name: "a byte order mark in the content is written once",
    steps: [create("a.txt", { content: "\ufeffx\n" })],
    after: { "a.txt": "\ufeffx\n" },
  },
  {
    name: "an existing file is never touched without overwrite",
    files: { "a.txt": "mine\n" },
    steps: [{
      ...create("a.txt", { content: "x\n" }),
      fails,
      says: ["a.txt exists already (1 line); nothing was written", "overwrite: true"],
    }],
    after: { "a.txt": "mine\n" },
  },
  {
    name: "a file of blanks alone is not empty",
    files: { "a.txt": " \n" },
    steps: [{ ...create("a.txt", { content: "x\n" }), fails }],
  },
  {
    name: "an empty file is filled",
    files: { "a.txt": "" },
    steps: [create("a.txt", { content: "x\n" })],
    after: { "a.txt": "x\n" },
  },
  {
    name: "a file of a byte order mark alone is empty and keeps it",
    files: { "a.txt": "\ufeff" },
    steps: [create("a.txt", { content: "x\n" })],
    after: { "a.txt": "\ufeffx\n" },
  },
  {
    name: "overwrite says how much was replaced and can be undone",
    files: { "a.txt": "1\n2\n3\n" },
    steps: [
      {
        ...create("a.txt", { content: "x\n", overwrite: true }),
        says: ["Replaced 3 lines with 1 in a.txt.", `-${lineId(1, "1")}|1`, `+${lineId(1, "x")}|x`],
      },
      undo("a.txt"),
    ],
    after: { "a.txt": "1\n2\n3\n" },
  },
  {
    name: "overwrite as text",
    files: { "a.txt": "1\n" },
    steps: [create("a.txt", { content: "x\n", overwrite: "true" })],
    after: { "a.txt": "x\n" },
  },
  {
    name: '"false" is false',
    files: { "a.txt": "1\n" },
    steps: [{ ...create("a.txt", { content: "x\n", overwrite: "false" }), fails }],
  },
  {
    name: "the same content is no change and leaves nothing to undo",
    files: { "a.txt": "x\n" },
    steps: [
      { ...create("a.txt", { content: "x\n" }), says: ["No change"] },
      { ...create("a.txt", { content: "x\n", overwrite: true }), says: ["No change"] },
      { ...undo("a.txt"), fails, says: ["nothing to undo"] },
    ],
  },
  {
    name: "overwriting keeps CRLF, with a hint",
    files: { "a.txt": "1\r\n2\r\n" },
    steps: [{
      ...create("a.txt", { content: "x\ny\n", overwrite: true }),
      says: ["Hint: The file's CRLF line endings were kept."],
    }],
    after: { "a.txt": "x\r\ny\r\n" },
  },
  {
    name: "overwriting a byte order mark keeps it, with a hint",
    files: { "a.txt": "\ufeff1\n" },
    steps: [{
      ...create("a.txt", { content: "x\n", overwrite: true }),
      says: ["Hint: The file's byte order mark was kept."],
    }],
    after: { "a.txt": "\ufeffx\n" },
  },
  {
    name: "a byte order mark is never doubled",
    files: { "a.txt": "\ufeff1\n" },
    steps: [create("a.txt", { content: "\ufeffx\n", overwrite: true })],
    after: { "a.txt": "\ufeffx\n" },
  },
  {
    name: "a binary file is not touched without overwrite",
    files: { "a.bin": Uint8Array.of(0, 1) },
    steps: [{ ...create("a.bin", { content: "x\n" }), fails, says: ["2 bytes, binary"] }],
  },
  {
    name: "a binary file that was overwritten comes back",
    files: { "a.bin": Uint8Array.of(0, 1) },
    steps: [create("a.bin", { content: "x\n", overwrite: true }), undo("a.bin")],
    after: { "a.bin": Uint8Array.of(0, 1) },
  },
  {
    name: "a missing content is a call that was cut",
    steps: [{
      ...create("a.txt", {}),
      fails,
      says: ["`content` is missing; the call was probably cut", 'content: ""'],
    }],
  },
  {
    name: "null for the content too",
    steps: [{ ...create("a.txt", { content: null }), fails, says: ["`content` is missing"] }],
  },
  {
    name: "an object is written as JSON",
    steps: [{
      ...create("a.json", { content: { b: 1, a: [true, null] } }),
      says: ["Hint: `content` arrived as JSON data"],
    }],
    after: { "a.json": '{\n  "b": 1,\n  "a": [\n    true,\n    null\n  ]\n}\n' },
  },
  {
    name: "content by its other names",
    steps: [{
      tool: "text_editor",
      args: { command: "create", file_path: "a.txt", file_text: "x\n" },
    }],
    after: { "a.txt": "x\n" },
  },
  {
    name: "a NUL is refused with the spelling of an escape",
    steps: [{
      ...create("a.txt", { content: "a\nb\0c" }),
      fails,
      says: ["Nothing was written. In line 2, `content` holds a real NUL", "\\u0000"],
    }],
  },
  {
    name: "a lone surrogate is refused",
    steps: [{
      ...create("a.txt", { content: "a\ud83d" }),
      fails,
      says: ["`content` holds half a character, the lone surrogate U+D83D"],
    }],
  },
  {
    name: "other control characters are written and named",
    steps: [{
      ...create("a.txt", { content: "\x1b[1m\x07\n" }),
      says: ["Hint: The new text holds control characters (U+001B, U+0007)"],
    }],
    after: { "a.txt": "\x1b[1m\x07\n" },
  },
  {
    name: "conflict markers are written and named",
    steps: [{
      ...create("a.txt", { content: "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n" }),
      says: [
        `conflict markers (<<<<<<< or >>>>>>>) at ${lineId(1, "<<<<<<< HEAD")}, ${
          lineId(5, ">>>>>>> other")
        };`,
      ],
    }],
  },
  {
    name: "a directory",
    files: { "d/a.txt": "" },
    steps: [{ ...create("d", { content: "x" }), fails, says: ["d is a directory"] }],
  },
  {
    name: "a name that ends like a directory",
    steps: [{ ...create("new/", { content: "x" }), fails, says: ["names a directory"] }],
  },
  {
    name: "a file on the way",
    files: { "a.txt": "x\n" },
    steps: [{
      ...create("a.txt/b.txt", { content: "x" }),
      fails,
      says: ["a part of this path is a file, not a directory"],
    }],
  },
  {
    name: "outside the root, whatever way there",
    steps: ["../x.txt", "/etc/x.txt", "a/../../x.txt", "sub/../../../x"].map((path) => ({
      ...create(path, { content: "x" }),
      fails,
      says: ["is outside the directories that may be written"],
    })),
  },
  {
    name: "an empty path",
    steps: ["", " ", null].map((path) => ({
      tool: "text_editor",
      args: { command: "create", path, content: "x" },
      fails,
      says: [/path/],
    })),
  },
  {
    name: "a NUL in the path",
    steps: [{ ...create("a\0b", { content: "x" }), fails, says: ["cannot be used"] }],
  },
  {
    name: "a name longer than the file system takes",
    steps: [{
      ...create("n".repeat(300), { content: "x" }),
      fails,
      says: ["the name is too long"],
    }],
  },
  {
    name: "ten megabytes of path",
    steps: ["x", "x/", "@", "`", "\\ "].map((part) => ({
      ...create(part.repeat(10_000_000 / part.length), { content: "x" }),
      fails,
      says: [/^.{1,2000}$/s],
    })),
  },
  {
    name: "an unknown command",
    steps: [{
      tool: "text_editor",
      args: { command: "insert", path: "a.txt" },
      fails,
      says: [
        '`command` must be one of "create", "str_replace", "delete", "undo_edit", not the text "insert"',
      ],
    }],
  },
  {
    name: "through a link to a file that is not there yet",
    steps: [{
      ...create("link", { content: "x\n" }),
      meanwhile: (root) => {
        Deno.mkdirSync(`${root}/d`);
        Deno.symlinkSync("d/real.txt", `${root}/link`);
      },
      says: ["d/real.txt"],
    }],
    after: { "d/real.txt": "x\n" },
    check: (root) => assert.ok(Deno.lstatSync(`${root}/link`).isSymlink),
  },
  {
    name: "a link that leads out of the root is refused",
    steps: [{
      ...create("link", { content: "x\n" }),
      meanwhile: (root) => Deno.symlinkSync("../outside.txt", `${root}/link`),
      fails,
      says: ["is outside the directories"],
    }],
  },
  {
    name: "a new file below a linked directory outside is refused",
    steps: [{
      ...create("out/x.txt", { content: "x\n" }),
      meanwhile: (root) => Deno.symlinkSync("/tmp", `${root}/out`),
      fails,
      says: ["is outside the directories"],
    }],
  },
  {
    name: "a loop of links",
    steps: [{
      ...create("a", { content: "x\n" }),
      meanwhile: (root) => {
        Deno.symlinkSync("b", `${root}/a`);
        Deno.symlinkSync("a", `${root}/b`);
      },
      fails,
      says: ["too many symbolic links"],
    }],
  },
]);
