import assert from "node:assert/strict";
import { type EditOutcome, FileEditor, type PlannedChange } from "../../src/fs/file_editor.ts";
import type { CurrentFile } from "../../src/fs/disk_file.ts";
import { FileSystemError, type FileSystemErrorCode } from "../../src/fs/file_system.ts";
import { UndoHistory } from "../../src/fs/undo_history.ts";
import type { ResolvedPath } from "../../src/fs/workspace.ts";
import { TextDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { MemoryFileSystem, type Operation } from "../support/memory_file_system.ts";

async function resolve(fileSystem: MemoryFileSystem, path: string): Promise<ResolvedPath> {
  const real = await fileSystem.realPath(path).catch(() => path);
  const info = await fileSystem.linkStat(real).catch(() => undefined);
  return { fileSystem, path: real, display: path, key: `memory${real}`, info, hints: [] };
}

/** A change that replaces the first line that reads `from`, or stops where there is none. */
function replaceLine(from: string, to: string): (current: CurrentFile) => PlannedChange<string> {
  return (current) => {
    if (current.kind !== "text") return { kind: "stop", stop: current.kind };
    const { document } = current;
    const start = document.lines().findIndex(({ text }) => text === from);
    if (start === -1) return { kind: "stop", stop: "missing" };
    const line = { text: to, ending: document.line(start).ending };
    return {
      kind: "write",
      ...applyLineEdits(document, [{ start, end: start + 1, lines: [line] }]),
    };
  };
}

/** A change that writes a file where there is none. */
function writeWhole(text: string): (current: CurrentFile) => PlannedChange<string> {
  return (current) => {
    const before = current.kind === "text" ? current.document : new TextDocument("");
    const after = new TextDocument(text);
    const whole = { start: 0, end: before.lineCount, lines: after.lines() };
    return { kind: "write", document: after, hunks: applyLineEdits(before, [whole]).hunks };
  };
}

async function edit(
  editor: FileEditor,
  target: ResolvedPath,
  [from, to]: readonly [string, string],
): Promise<EditOutcome<string>> {
  return await editor.edit(target, replaceLine(from, to));
}

Deno.test("edit: reads, writes beside, looks again, and renames", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\ntwo\n" });
  const target = await resolve(files, "/d/a");
  files.log.length = 0;
  const outcome = await edit(new FileEditor(), target, ["two", "zwei"]);
  assert.equal(outcome.kind, "written");
  assert.equal(files.text("/d/a"), "one\nzwei\n");
  const log = files.log.map((entry) =>
    entry.replaceAll(/\.octofs-[-0-9a-f]{36}\.tmp/g, "TEMPORARY")
  );
  assert.deepEqual(log, [
    "stat /d/a",
    "readFile /d/a",
    "writeNewFile /d/TEMPORARY",
    "realPath /d",
    "linkStat /d/a",
    "readFile /d/a",
    "replace /d/TEMPORARY /d/a",
  ]);
});

Deno.test("edit: a stop touches nothing and leaves nothing to undo", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  files.log.length = 0;
  const outcome = await edit(editor, target, ["none", "x"]);
  assert.deepEqual(outcome, { kind: "stopped", stop: "missing" });
  assert.deepEqual(files.log, ["stat /d/a", "readFile /d/a"]);
  assert.deepEqual(await editor.undo(target), { kind: "nothing" });
});

const MOMENTS: readonly Operation[] = ["writeNewFile", "realPath", "linkStat"];

for (const moment of MOMENTS) {
  Deno.test(`edit: what another program writes before ${moment} is kept, the edit computed anew`, async () => {
    const files = new MemoryFileSystem({ "/d/a": "one\ntwo\n" });
    const editor = new FileEditor();
    const target = await resolve(files, "/d/a");
    let isDone = false;
    files.before = (operation) => {
      if (operation !== moment || isDone) return;
      isDone = true;
      files.put("/d/a", "zero\none\ntwo\n");
    };
    const outcome = await edit(editor, target, ["two", "zwei"]);
    assert.equal(outcome.kind, "written");
    assert.deepEqual(files.snapshot(), { "/d/a": "zero\none\nzwei\n" });
    assert.equal(outcome.kind === "written" && outcome.before?.text, "zero\none\ntwo\n");
  });
}

Deno.test("edit: computed anew it may have to stop", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const target = await resolve(files, "/d/a");
  files.before = (operation) => {
    if (operation === "writeNewFile") files.put("/d/a", "uno\n");
  };
  assert.deepEqual(await edit(new FileEditor(), target, ["one", "x"]), {
    kind: "stopped",
    stop: "missing",
  });
  assert.deepEqual(files.snapshot(), { "/d/a": "uno\n" });
});

Deno.test("edit: a mode changed meanwhile is the one that stays", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const target = await resolve(files, "/d/a");
  let isDone = false;
  files.before = async (operation) => {
    if (operation !== "writeNewFile" || isDone) return;
    isDone = true;
    await files.setMode("/d/a", 0o755);
  };
  await edit(new FileEditor(), target, ["one", "x"]);
  assert.equal((await files.stat("/d/a")).mode, 0o755);
});

Deno.test("edit: against a program that never stops writing it gives up and leaves that content", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const target = await resolve(files, "/d/a");
  let count = 0;
  files.before = (operation) => {
    if (operation === "writeNewFile") files.put("/d/a", `one\n${++count}\n`);
  };
  const editor = new FileEditor();
  await assert.rejects(edit(editor, target, ["one", "x"]), /another program keeps writing/);
  assert.deepEqual(files.snapshot(), { "/d/a": `one\n${count}\n` });
  files.before = undefined;
  assert.deepEqual(await editor.undo(target), { kind: "nothing" });
});

Deno.test("edit: a directory swapped for a link meanwhile carries nothing out of the root", async () => {
  const files = new MemoryFileSystem({ "/d/sub/a": "one\n", "/out/a": "secret\n" });
  const target = await resolve(files, "/d/sub/a");
  files.before = async (operation) => {
    if (operation !== "realPath") return;
    files.before = undefined;
    for (const name of Object.keys(files.snapshot()).filter((path) => path.startsWith("/d/sub/"))) {
      await files.removeFile(name);
    }
    files.putLink("/out", "/d/sub");
  };
  await assert.rejects(edit(new FileEditor(), target, ["one", "x"]), /replaced by a link/);
  assert.equal(files.text("/out/a"), "secret\n");
});

const FAILURES: readonly (readonly [Operation, FileSystemErrorCode])[] = [
  ["stat", "permission_denied"],
  ["readFile", "permission_denied"],
  ["writeNewFile", "no_space"],
  ["writeNewFile", "failed"],
  ["realPath", "failed"],
  ["linkStat", "permission_denied"],
  ["replace", "no_space"],
  ["replace", "permission_denied"],
];

for (const [operation, code] of FAILURES) {
  Deno.test(`edit: ${code} from ${operation} leaves everything as it was`, async () => {
    const files = new MemoryFileSystem({ "/d/a": "one\n", "/d/b": "other\n" });
    const editor = new FileEditor();
    const target = await resolve(files, "/d/a");
    const before = [files.snapshot(), await files.stat("/d/a")];
    files.failNext(operation, code);
    await assert.rejects(
      edit(editor, target, ["one", "x"]),
      (error) =>
        error instanceof FileSystemError && error.code === code && !error.path.includes("octofs"),
    );
    assert.deepEqual([files.snapshot(), await files.stat("/d/a")], before);
    assert.deepEqual(await editor.undo(target), { kind: "nothing" });
    await edit(editor, target, ["one", "x"]);
    assert.equal(files.text("/d/a"), "x\n", "the next edit goes on");
  });
}

Deno.test("edit: mode and owner of the file are those of what replaces it", async () => {
  const files = new MemoryFileSystem();
  files.put("/d/a", "one\n", 0o4750);
  const target = await resolve(files, "/d/a");
  const before = await files.stat("/d/a");
  await edit(new FileEditor(), target, ["one", "x"]);
  const after = await files.stat("/d/a");
  assert.deepEqual([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid]);
  assert.notEqual(after.inode, before.inode);
});

Deno.test("edit: a file with hard links is written in place, with a note", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  files.putHardLink("/d/a", "/d/b");
  const target = await resolve(files, "/d/a");
  const inode = (await files.stat("/d/a")).inode;
  const outcome = await edit(new FileEditor(), target, ["one", "x"]);
  assert.deepEqual(outcome.kind === "written" && outcome.notes, ["hard_links"]);
  assert.deepEqual(files.snapshot(), { "/d/a": "x\n", "/d/b": "x\n" });
  assert.equal((await files.stat("/d/a")).inode, inode);
});

Deno.test("edit: in a directory that takes no new file it is written in place, with a note", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const target = await resolve(files, "/d/a");
  files.failNext("writeNewFile", "permission_denied");
  const outcome = await edit(new FileEditor(), target, ["one", "x"]);
  assert.deepEqual(outcome.kind === "written" && outcome.notes, ["closed_directory"]);
  assert.deepEqual(files.snapshot(), { "/d/a": "x\n" });
});

Deno.test("edit: a write in place that breaks off is taken back", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\ntwo\n" });
  files.putHardLink("/d/a", "/d/b");
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  let isBroken = false;
  files.before = (operation) => {
    if (operation !== "overwrite" || isBroken) return;
    isBroken = true;
    files.put("/d/a", "on");
    throw new FileSystemError("no_space", "/d/a");
  };
  await assert.rejects(
    edit(editor, target, ["two", "zwei"]),
    (error) => error instanceof FileSystemError && error.code === "no_space",
  );
  assert.deepEqual(files.snapshot(), { "/d/a": "one\ntwo\n", "/d/b": "one\ntwo\n" });
  assert.deepEqual(await editor.undo(target), { kind: "nothing" });
});

Deno.test("edit: a read-only file is refused, whoever asks", async () => {
  const files = new MemoryFileSystem();
  files.put("/d/a", "one\n", 0o444);
  const target = await resolve(files, "/d/a");
  const before = await files.stat("/d/a");
  const editor = new FileEditor();
  const isReadOnly = (error: unknown) =>
    error instanceof FileSystemError && error.code === "read_only";
  await assert.rejects(edit(editor, target, ["one", "x"]), isReadOnly);
  await assert.rejects(editor.remove(target), isReadOnly);
  assert.deepEqual(await files.stat("/d/a"), before);
});

Deno.test("edit: twenty at once are all kept, by whatever name the file goes", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const files = new MemoryFileSystem({ "/d/a": `${lines.join("\n")}\n` });
  files.putLink("a", "/d/link");
  files.putHardLink("/d/a", "/d/hard");
  files.before = () => new Promise((done) => setTimeout(done, 0));
  const editor = new FileEditor();
  const names = ["/d/a", "/d/link", "/d/hard"];
  await Promise.all(lines.map(async (line, index) => {
    const target = await resolve(files, names[index % names.length] ?? "/d/a");
    assert.equal((await edit(editor, target, [line, `new ${index}`])).kind, "written");
  }));
  await editor.idle();
  assert.equal(files.text("/d/hard"), lines.map((_, index) => `new ${index}\n`).join(""));
});

Deno.test("remove: what another program wrote meanwhile is what an undo brings back", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  files.before = (operation) => {
    if (operation !== "linkStat") return;
    files.before = undefined;
    files.put("/d/a", "newer\n");
  };
  assert.equal((await editor.remove(target)).kind, "removed");
  assert.deepEqual(files.snapshot(), {});
  await editor.undo(target);
  assert.deepEqual(files.snapshot(), { "/d/a": "newer\n" });
});

Deno.test("remove: a file too large to be brought back stays, and is not even read", async () => {
  const files = new MemoryFileSystem({ "/d/a": "0123456789" });
  const editor = new FileEditor(new UndoHistory({ levels: 10, bytes: 9 }));
  const target = await resolve(files, "/d/a");
  files.log.length = 0;
  assert.deepEqual(await editor.remove(target), { kind: "too_large" });
  assert.deepEqual(files.log, []);
});

/** What a session and others do to /d/a, what undo answers, and the file afterwards. */
interface UndoRow {
  readonly name: string;
  readonly file: string | Uint8Array | undefined;
  readonly edits: readonly (readonly [string, string] | { readonly whole: string } | "remove")[];
  readonly meanwhile?: string | Uint8Array | null;
  readonly undos?: number;
  readonly answer: Record<string, unknown>;
  /** Undefined for no file. */
  readonly after: string | undefined;
}

const ABC = "a\nb\nc\nd\ne\n";

const UNDO_ROWS: readonly UndoRow[] = [
  { name: "an edit", file: ABC, edits: [["c", "C"]], answer: { merged: false }, after: ABC },
  {
    name: "bytes that are not UTF-8",
    file: Uint8Array.of(0x61, 0x0a, 0x99, 0x0a),
    edits: [["a", "A"]],
    answer: { kind: "undone" },
    after: "a\n\ufffd\n",
  },
  {
    name: "a new file",
    file: undefined,
    edits: [{ whole: "x\n" }],
    answer: { exists: false },
    after: undefined,
  },
  { name: "a removed file", file: ABC, edits: ["remove"], answer: { exists: true }, after: ABC },
  {
    name: "a binary file that was overwritten",
    file: Uint8Array.of(0x61, 0, 0x62),
    edits: [{ whole: "x\n" }],
    answer: { kind: "undone", after: undefined },
    after: "a\0b",
  },
  {
    name: "a change above by someone else is kept",
    file: ABC,
    edits: [["d", "D"]],
    meanwhile: "new\na\nb\nc\nD\ne\n",
    answer: { merged: true },
    after: "new\na\nb\nc\nd\ne\n",
  },
  {
    name: "a change below by someone else is kept",
    file: ABC,
    edits: [["b", "B"]],
    meanwhile: "a\nB\nc\nd\nchanged\n",
    answer: { merged: true },
    after: "a\nb\nc\nd\nchanged\n",
  },
  {
    name: "both neighbours changed by someone else",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: "a\nx\nC\ny\ne\n",
    answer: { merged: true },
    after: "a\nx\nc\ny\ne\n",
  },
  {
    name: "a change inside stops",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: "a\nb\nC changed\nd\ne\n",
    answer: { kind: "conflict" },
    after: "a\nb\nC changed\nd\ne\n",
  },
  {
    name: "its own lines deleted by someone else stops",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: "a\nb\nd\ne\n",
    answer: { kind: "conflict" },
    after: "a\nb\nd\ne\n",
  },
  {
    name: "one of two places gone stops the whole undo",
    file: "k\na\nk\n",
    edits: [{ whole: "K\na\nK\n" }],
    meanwhile: "K\na\n",
    answer: { kind: "conflict" },
    after: "K\na\n",
  },
  {
    name: "endings changed by someone else stop",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: "a\r\nb\r\nC\r\nd\r\ne\r\n",
    answer: { kind: "conflict" },
    after: "a\r\nb\r\nC\r\nd\r\ne\r\n",
  },
  {
    name: "a file deleted by someone else stops",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: null,
    answer: { kind: "conflict", current: { kind: "absent" } },
    after: undefined,
  },
  {
    name: "a file made anew by someone else after a removal stops",
    file: ABC,
    edits: ["remove"],
    meanwhile: "theirs\n",
    answer: { kind: "conflict" },
    after: "theirs\n",
  },
  {
    name: "a new file that someone else went on with keeps their lines",
    file: undefined,
    edits: [{ whole: "mine\n" }],
    meanwhile: "mine\ntheirs\n",
    answer: { merged: true, exists: true },
    after: "theirs\n",
  },
  {
    name: "a binary file overwritten, and changed since, stops",
    file: Uint8Array.of(0x61, 0, 0x62),
    edits: [{ whole: "x\ny\n" }],
    meanwhile: "x\ny\nz\n",
    answer: { kind: "conflict" },
    after: "x\ny\nz\n",
  },
  {
    name: "text made binary by someone else stops",
    file: ABC,
    edits: [["c", "C"]],
    meanwhile: Uint8Array.of(0, 1, 2),
    answer: { kind: "conflict" },
    after: "\0\x01\x02",
  },
  {
    name: "two levels",
    file: ABC,
    edits: [["b", "B"], ["d", "D"]],
    undos: 2,
    answer: { levelsLeft: 0 },
    after: ABC,
  },
  {
    name: "an undo of the undo, when nothing older is left",
    file: ABC,
    edits: [["b", "B"]],
    undos: 2,
    answer: { reverses: "undo" },
    after: "a\nB\nc\nd\ne\n",
  },
  {
    name: "and back once more",
    file: ABC,
    edits: [["b", "B"]],
    undos: 3,
    answer: { reverses: "edit" },
    after: ABC,
  },
  {
    name: "a removal undone and done again",
    file: ABC,
    edits: ["remove"],
    undos: 2,
    answer: { exists: false },
    after: undefined,
  },
  { name: "nothing", file: ABC, edits: [], answer: { kind: "nothing" }, after: ABC },
];

for (const row of UNDO_ROWS) {
  Deno.test(`undo: ${row.name}`, async () => {
    const files = new MemoryFileSystem({ "/d/other": "" });
    if (row.file !== undefined) files.put("/d/a", row.file);
    const editor = new FileEditor();
    const target = await resolve(files, "/d/a");
    for (const one of row.edits) {
      if (one === "remove") await editor.remove(target);
      else if ("whole" in one) await editor.edit(target, writeWhole(one.whole));
      else assert.equal((await edit(editor, target, one)).kind, "written");
    }
    if (row.meanwhile === null) await files.removeFile("/d/a");
    else if (row.meanwhile !== undefined) files.put("/d/a", row.meanwhile);
    for (let count = 1; count < (row.undos ?? 1); count++) await editor.undo(target);
    const answer: Record<string, unknown> = { ...await editor.undo(target) };
    for (const [key, value] of Object.entries(row.answer)) {
      assert.deepEqual(answer[key], value, `${key} of ${JSON.stringify(answer)}`);
    }
    assert.equal(files.text("/d/a"), row.after);
    const { "/d/other": _, "/d/a": __, ...strays } = files.snapshot();
    assert.deepEqual(strays, {});
  });
}

Deno.test("undo: ten levels are kept, the eleventh is forgotten", async () => {
  const files = new MemoryFileSystem({ "/d/a": "0\n" });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  for (let count = 0; count < 12; count++) await edit(editor, target, [`${count}`, `${count + 1}`]);
  for (let count = 12; count > 2; count--) {
    assert.equal((await editor.undo(target)).kind, "undone");
    assert.equal(files.text("/d/a"), `${count - 1}\n`);
  }
  const next = await editor.undo(target);
  assert.equal(next.kind === "undone" && next.reverses, "undo");
});

Deno.test("undo: the bound on bytes forgets the file edited longest ago", async () => {
  const files = new MemoryFileSystem({ "/d/a": "0\n", "/d/b": "0\n" });
  const editor = new FileEditor(new UndoHistory({ levels: 10, bytes: 8 }));
  const first = await resolve(files, "/d/a");
  const second = await resolve(files, "/d/b");
  await edit(editor, first, ["0", "1"]);
  await edit(editor, second, ["0", "1"]);
  await edit(editor, second, ["1", "2"]);
  assert.deepEqual(await editor.undo(first), { kind: "nothing" });
  assert.equal((await editor.undo(second)).kind, "undone");
});

Deno.test("undo: an edit too large to be kept says so and forgets what came before", async () => {
  const files = new MemoryFileSystem({ "/d/a": "0\n" });
  const editor = new FileEditor(new UndoHistory({ levels: 10, bytes: 20 }));
  const target = await resolve(files, "/d/a");
  await edit(editor, target, ["0", "1"]);
  const outcome = await edit(editor, target, ["1", "a line that is long"]);
  assert.deepEqual(outcome.kind === "written" && outcome.notes, ["too_large_for_undo"]);
  assert.deepEqual(await editor.undo(target), { kind: "nothing" });
});

Deno.test("undo: mode and owner come back with a removed file", async () => {
  const files = new MemoryFileSystem();
  files.put("/d/a", "one\n", 0o640);
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  await editor.remove(target);
  await editor.undo(target);
  const { mode, uid, gid } = await files.stat("/d/a");
  assert.deepEqual([mode, uid, gid], [0o640, 1000, 1000]);
});

Deno.test("undo: a mode that someone else set since is kept", async () => {
  const files = new MemoryFileSystem({ "/d/a": "one\n" });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  await edit(editor, target, ["one", "x"]);
  await files.setMode("/d/a", 0o755);
  await editor.undo(target);
  assert.equal(files.text("/d/a"), "one\n");
  assert.equal((await files.stat("/d/a")).mode, 0o755);
});

Deno.test("undo: a file made read-only since is not taken away", async () => {
  const files = new MemoryFileSystem({ "/d/other": "" });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  await editor.edit(target, writeWhole("x\n"));
  await files.setMode("/d/a", 0o444);
  await assert.rejects(
    editor.undo(target),
    (error) => error instanceof FileSystemError && error.code === "read_only",
  );
  await files.setMode("/d/a", 0o644);
  await editor.undo(target);
  assert.equal(files.text("/d/a"), undefined, "the undo is still there after it failed");
});

Deno.test("undo: shows its places apart, as the edit did", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index}`);
  const files = new MemoryFileSystem({ "/d/a": `${lines.join("\n")}\n` });
  const editor = new FileEditor();
  const target = await resolve(files, "/d/a");
  await editor.edit(target, (current) => {
    if (current.kind !== "text") return { kind: "stop", stop: "no text" };
    const edits = [3, 20].map((start) => ({
      start,
      end: start + 1,
      lines: [{ text: "x", ending: "\n" as const }],
    }));
    return { kind: "write", ...applyLineEdits(current.document, edits) };
  });
  const undone = await editor.undo(target);
  assert.deepEqual(
    undone.kind === "undone" &&
      undone.hunks.map(({ newStart, newLines }) => [newStart, newLines.length]),
    [[3, 1], [20, 1]],
  );
});
