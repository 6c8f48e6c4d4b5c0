import assert from "node:assert/strict";
import { testCalls } from "../support/call_rows.ts";
import { lineId } from "../support/line_ids.ts";

const fails = true as const;

function editor(command: string, rest: Record<string, unknown> = {}) {
  return { tool: "text_editor", args: { command, path: "a.txt", ...rest } };
}

function replace(oldText: string, newText: string) {
  return editor("str_replace", { old_text: oldText, new_text: newText });
}

const undo = editor("undo_edit");

function write(text: string) {
  return (root: string) => Deno.writeTextFileSync(`${root}/a.txt`, text);
}

testCalls("undo_edit", [
  {
    name: "nothing to undo",
    files: { "a.txt": "a\n" },
    steps: [{
      ...undo,
      fails,
      says: ["There is nothing to undo for a.txt", "Nothing was written"],
    }],
  },
  {
    name: "the answer is a diff whose ids are good",
    files: { "a.txt": "a\nb\nc\n" },
    steps: [
      replace("b", "B"),
      {
        ...undo,
        text: [
          `${lineId(1, "a")}|a`,
          `-${lineId(2, "B")}|B`,
          `+${lineId(2, "b")}|b`,
          `${lineId(3, "c")}|c`,
        ].join("\n"),
      },
    ],
    after: { "a.txt": "a\nb\nc\n" },
  },
  {
    name: "says how many more can be taken back",
    files: { "a.txt": "a\nb\nc\n" },
    steps: [replace("a", "A"), replace("b", "B"), {
      ...undo,
      says: ["undo_edit can take back 1 more"],
    }],
    after: { "a.txt": "A\nb\nc\n" },
  },
  {
    name: "an undo can be taken back",
    files: { "a.txt": "a\n" },
    steps: [replace("a", "A"), undo, { ...undo, says: ["this took back the last undo"] }],
    after: { "a.txt": "A\n" },
  },
  {
    name: "a created file goes, its directory stays",
    steps: [
      editor("create", { path: "d/a.txt", content: "x\n" }),
      {
        ...editor("undo_edit", { path: "d/a.txt" }),
        text: "Undone: d/a.txt is gone again, as it was before.",
      },
    ],
    after: { "d/a.txt": undefined },
  },
  {
    name: "a change by someone else elsewhere is kept, with a hint",
    files: { "a.txt": "a\nb\nc\nd\n" },
    steps: [
      replace("a", "A"),
      {
        ...undo,
        meanwhile: write("A\nb\nc\nchanged\n"),
        says: ["changed by someone else", "was kept"],
      },
    ],
    after: { "a.txt": "a\nb\nc\nchanged\n" },
  },
  {
    name: "a change by someone else in the same lines stops and shows both",
    files: { "a.txt": "a\nb\nc\nd\n" },
    steps: [
      replace("b", "B"),
      {
        ...undo,
        meanwhile: write("a\nB and more\nc\nd\n"),
        fails,
        says: [
          "a.txt was changed by someone else since octofs edited it",
          "octofs had replaced these lines:\n  b\nwith:\n  B\nThe file now reads there:\n",
          `${lineId(2, "B and more")}|B and more`,
        ],
      },
      {
        tool: "batch_edit",
        args: {
          path: "a.txt",
          operations: [{ operation: "replace", start: lineId(2, "B and more"), content: "b" }],
        },
      },
    ],
    after: { "a.txt": "a\nb\nc\nd\n" },
  },
  {
    name: "a file deleted by someone else",
    files: { "a.txt": "a\n" },
    steps: [
      replace("a", "A"),
      {
        ...undo,
        meanwhile: (root) => Deno.removeSync(`${root}/a.txt`),
        fails,
        says: ["a.txt was deleted by someone else", 'command="create"'],
      },
    ],
  },
  {
    name: "touches no other file",
    files: { "a.txt": "a\n", "b.txt": "b\n" },
    steps: [
      replace("a", "A"),
      {
        ...undo,
        meanwhile: (root) => {
          Deno.writeTextFileSync(`${root}/b.txt`, "changed\n");
          Deno.writeTextFileSync(`${root}/new.txt`, "new\n");
        },
      },
    ],
    after: { "a.txt": "a\n", "b.txt": "changed\n", "new.txt": "new\n" },
  },
  {
    name: "through a link to the same file",
    files: { "a.txt": "a\n" },
    steps: [
      { ...replace("a", "A"), meanwhile: (root) => Deno.symlinkSync("a.txt", `${root}/link`) },
      editor("undo_edit", { path: "link" }),
    ],
    after: { "a.txt": "a\n" },
    check: (root) => assert.ok(Deno.lstatSync(`${root}/link`).isSymlink),
  },
  {
    name: "mode, bytes and ending come back",
    files: { "a.txt": "\ufeffa\r\nb" },
    steps: [
      { ...replace("b", "B\nC\n"), meanwhile: (root) => Deno.chmodSync(`${root}/a.txt`, 0o751) },
      undo,
    ],
    after: { "a.txt": "\ufeffa\r\nb" },
    check: (root) => assert.equal((Deno.statSync(`${root}/a.txt`).mode ?? 0) & 0o7777, 0o751),
  },
  {
    name: "a batch is one step",
    files: { "a.txt": "a\nb\nc\nd\ne\nf\ng\nh\n" },
    steps: [
      {
        tool: "batch_edit",
        args: {
          path: "a.txt",
          operations: [
            { operation: "replace", start: lineId(1, "a"), content: "A" },
            { operation: "insert", start: -1, content: "end" },
          ],
        },
      },
      { ...undo, says: ["\n---\n"] },
    ],
    after: { "a.txt": "a\nb\nc\nd\ne\nf\ng\nh\n" },
  },
]);

testCalls("delete", [
  {
    name: "a file, and its return",
    files: { "a.txt": "a\nb\n" },
    steps: [
      { ...editor("delete"), text: "Deleted a.txt (2 lines). undo_edit on this path restores it." },
      { ...undo, says: ["Restored a.txt.", `+${lineId(1, "a")}|a`] },
    ],
    after: { "a.txt": "a\nb\n" },
  },
  {
    name: "one line is one line",
    files: { "a.txt": "a\n" },
    steps: [{ ...editor("delete"), says: ["(1 line)"] }],
    after: { "a.txt": undefined },
  },
  {
    name: "a binary file with its mode",
    files: { "a.txt": Uint8Array.of(0, 1, 2) },
    steps: [
      {
        ...editor("delete"),
        meanwhile: (root) => Deno.chmodSync(`${root}/a.txt`, 0o700),
        says: ["3 bytes"],
      },
      { ...undo, says: ["has its former content again (binary)"] },
    ],
    after: { "a.txt": Uint8Array.of(0, 1, 2) },
    check: (root) => assert.equal((Deno.statSync(`${root}/a.txt`).mode ?? 0) & 0o7777, 0o700),
  },
  {
    name: "a link, not its target",
    files: { "real.txt": "a\n" },
    steps: [{
      ...editor("delete"),
      meanwhile: (root) => Deno.symlinkSync("real.txt", `${root}/a.txt`),
      says: ["symbolic link", "its target was not touched"],
    }],
    after: { "a.txt": undefined, "real.txt": "a\n" },
  },
  {
    name: "a dangling link",
    steps: [{
      ...editor("delete"),
      meanwhile: (root) => Deno.symlinkSync("nowhere", `${root}/a.txt`),
      says: ["symbolic link"],
    }],
    check: (root) => assert.deepEqual([...Deno.readDirSync(root)], []),
  },
  {
    name: "never a directory",
    files: { "d/x.txt": "x\n" },
    steps: [{ ...editor("delete", { path: "d" }), fails, says: ["d is a directory"] }],
  },
  {
    name: "nor a link to one but the link",
    files: { "d/x.txt": "x\n" },
    steps: [{
      ...editor("delete"),
      meanwhile: (root) => Deno.symlinkSync("d", `${root}/a.txt`),
      says: ["symbolic link"],
    }],
    after: { "d/x.txt": "x\n" },
  },
  {
    name: "a missing file",
    files: { "b.txt": "" },
    steps: [{ ...editor("delete"), fails, says: ["No such file", "b.txt"] }],
  },
  {
    name: "a read-only file is refused with the next step",
    files: { "a.txt": "a\n" },
    steps: [{
      ...editor("delete"),
      meanwhile: (root) => Deno.chmodSync(`${root}/a.txt`, 0o444),
      fails,
      says: ["a.txt is read-only", "chmod u+w a.txt"],
    }],
  },
  {
    name: "what was deleted cannot be edited",
    files: { "a.txt": "a\n" },
    steps: [editor("delete"), { ...replace("a", "b"), fails, says: ["No such file"] }],
  },
  {
    name: "edits before a deletion can be taken back after it came back",
    files: { "a.txt": "a\n" },
    steps: [replace("a", "A"), editor("delete"), undo, undo],
    after: { "a.txt": "a\n" },
  },
]);
