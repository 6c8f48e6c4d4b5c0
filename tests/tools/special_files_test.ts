// Files that are not regular, links of every kind, and modes and owners, on the disk of this machine.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { type CallRow, openProject, testCalls } from "../support/call_rows.ts";
import { diskState } from "../support/disk_state.ts";
import { lineId } from "../support/line_ids.ts";

const fails = true as const;
const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;
const needsRoot = IS_ROOT ? undefined : "only root may do this";
const needsUnix = Deno.build.os === "windows" ? "there are no such files on Windows" : undefined;

function run(command: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command(command, { args }).outputSync();
  if (!success) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
}

function replace(path: string) {
  return {
    tool: "text_editor",
    args: { command: "str_replace", path, old_text: "one", new_text: "uno" },
  };
}

function undo(path: string) {
  return { tool: "text_editor", args: { command: "undo_edit", path } };
}

/** Every way to name a file to a tool. */
function everyUseOf(path: string) {
  const id = lineId(1, "one");
  const operations = [{ operation: "replace", start: id, content: "uno" }];
  return [
    { tool: "view", args: { path } },
    { tool: "view", args: { path, start: 1, end: 1 } },
    replace(path),
    { tool: "text_editor", args: { command: "create", path, content: "x" } },
    { tool: "text_editor", args: { command: "create", path, content: "x", overwrite: true } },
    { tool: "text_editor", args: { command: "delete", path } },
    { tool: "batch_edit", args: { path, operations } },
    {
      tool: "extract_lines",
      args: { from_path: path, from_start: 1, append_path: "new.txt", append_line: -1 },
    },
    {
      tool: "extract_lines",
      args: { from_path: "one.txt", from_start: 1, append_path: path, append_line: -1 },
    },
  ];
}

function refusedRow(name: string, make: (path: string) => void, skip?: string): CallRow {
  let isMade = false;
  return {
    name,
    files: { "one.txt": "one\n" },
    steps: everyUseOf("special").map((step) => ({
      ...step,
      meanwhile: (root: string) => {
        if (!isMade) make(`${root}/special`);
        isMade = true;
      },
      fails,
      says: [/special is (?:not a regular file|a device, socket or pipe)/],
    })),
    skip,
  };
}

testCalls("refused without being opened", [
  refusedRow("a FIFO", (path) => run("mkfifo", path), needsUnix),
  refusedRow("a device", (path) => run("mknod", path, "c", "1", "5"), needsUnix ?? needsRoot),
]);

Deno.test({
  name: "refused without being opened: a socket",
  ignore: needsUnix !== undefined,
  async fn() {
    await using project = await openProject({ "one.txt": "one\n" });
    const server = await listen(`${project.root}/special`);
    const before = diskState(project.root);
    for (const { tool, args } of everyUseOf("special")) {
      const answer = await project.call(tool, args);
      assert.ok(answer.isError, answer.text);
      assert.match(answer.text, /special is (?:not a regular file|a device, socket or pipe)/);
    }
    assert.deepEqual(diskState(project.root), before);
    await new Promise((done) => server.close(done));
  },
});

function listen(path: string): Promise<Server> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(path, () => done(server));
  });
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o7777;
}

testCalls("modes", [
  ...[0o755, 0o600, 0o640, 0o4755, 0o2755, 0o1644, 0o200 | 0o444].map((mode): CallRow => ({
    name: `0${mode.toString(8)} stays, through an edit and its undo`,
    files: { "a.txt": "one\n" },
    steps: [
      { ...replace("a.txt"), meanwhile: (root) => Deno.chmodSync(`${root}/a.txt`, mode) },
      {
        ...undo("a.txt"),
        meanwhile: (root) => assert.equal(modeOf(`${root}/a.txt`), mode),
      },
    ],
    check: (root) => assert.equal(modeOf(`${root}/a.txt`), mode),
    skip: needsUnix ?? (mode > 0o777 ? needsRoot : undefined),
  })),
  ...[0o444, 0o555, 0o400].map((mode): CallRow => ({
    name: `a file of mode 0${mode.toString(8)} is refused by every tool that writes`,
    files: { "a.txt": "one\n", "one.txt": "one\n" },
    steps: [
      replace("a.txt"),
      {
        tool: "text_editor",
        args: { command: "create", path: "a.txt", content: "x", overwrite: true },
      },
      { tool: "text_editor", args: { command: "delete", path: "a.txt" } },
      {
        tool: "batch_edit",
        args: { path: "a.txt", operations: [{ operation: "delete", start: lineId(1, "one") }] },
      },
      {
        tool: "extract_lines",
        args: { from_path: "one.txt", from_start: 1, append_path: "a.txt", append_line: -1 },
      },
    ].map((step) => ({
      ...step,
      meanwhile: (root: string) => Deno.chmodSync(`${root}/a.txt`, mode),
      fails,
      says: ["a.txt is read-only. Nothing was changed.", 'shell command="chmod u+w a.txt"'],
    })),
    skip: needsUnix,
  })),
  {
    name: "a path in a suggested command is quoted",
    files: { "-rf 'x'.txt": "one\n" },
    steps: [{
      ...replace("-rf 'x'.txt"),
      meanwhile: (root) => Deno.chmodSync(`${root}/-rf 'x'.txt`, 0o444),
      fails,
      says: [`chmod u+w './-rf '\\''x'\\''.txt'`],
    }],
    skip: needsUnix,
  },
  {
    name: "a file of another owner keeps its owner, also through deletion and return",
    files: { "a.txt": "one\n" },
    steps: [
      {
        ...replace("a.txt"),
        meanwhile: (root) => {
          Deno.chownSync(`${root}/a.txt`, 1234, 5678);
          Deno.chmodSync(`${root}/a.txt`, 0o4755);
        },
      },
      { tool: "text_editor", args: { command: "delete", path: "a.txt" } },
      undo("a.txt"),
    ],
    check: (root) => {
      const { uid, gid } = Deno.statSync(`${root}/a.txt`);
      assert.deepEqual([uid, gid, modeOf(`${root}/a.txt`)], [1234, 5678, 0o4755]);
    },
    skip: needsUnix ?? needsRoot,
  },
]);

testCalls("links", [
  {
    name: "a link stays a link, its target is edited and named",
    files: { "d/real.txt": "one\n" },
    steps: [{
      ...replace("link"),
      meanwhile: (root) => Deno.symlinkSync("d/real.txt", `${root}/link`),
      says: ["d/real.txt"],
    }],
    after: { "d/real.txt": "uno\n" },
    check: (root) => assert.equal(Deno.readLinkSync(`${root}/link`), "d/real.txt"),
  },
  {
    name: "a chain of links, absolute and relative, through a linked directory",
    files: { "d/real.txt": "one\n" },
    steps: [{
      ...replace("first"),
      meanwhile: (root) => {
        Deno.symlinkSync("d", `${root}/dir`);
        Deno.symlinkSync(`${root}/dir/real.txt`, `${root}/second`);
        Deno.symlinkSync("./second", `${root}/first`);
      },
    }],
    after: { "d/real.txt": "uno\n" },
    check: (root) => assert.ok(Deno.lstatSync(`${root}/second`).isSymlink),
  },
  {
    name: "a loop of links",
    steps: everyUseOf("a").filter(({ args }) => !("command" in args && args.command === "delete"))
      .filter(({ args }) => !("from_path" in args && args.from_path === "one.txt"))
      .map((step, index) => ({
        ...step,
        ...(index > 0 ? {} : {
          meanwhile: (root: string) => {
            Deno.symlinkSync("b", `${root}/a`);
            Deno.symlinkSync("a", `${root}/b`);
          },
        }),
        fails,
        says: ["too many symbolic links"],
      })),
  },
  {
    name: "a dangling link is missing to a reader, and made by create",
    steps: [
      {
        ...replace("link"),
        meanwhile: (root) => Deno.symlinkSync("later.txt", `${root}/link`),
        fails,
        says: ["No such file", "later.txt"],
      },
      { tool: "text_editor", args: { command: "create", path: "link", content: "one\n" } },
    ],
    after: { "later.txt": "one\n" },
    check: (root) => assert.ok(Deno.lstatSync(`${root}/link`).isSymlink),
  },
  {
    name: "hard links all see the edit, with a hint, and the undo",
    files: { "a.txt": "one\n" },
    steps: [
      {
        ...replace("a.txt"),
        meanwhile: (root) => Deno.linkSync(`${root}/a.txt`, `${root}/b.txt`),
        says: ["Hint: The file has more than one hard link, so it was written in place"],
      },
      {
        ...undo("a.txt"),
        meanwhile: (root) => assert.equal(Deno.readTextFileSync(`${root}/b.txt`), "uno\n"),
      },
    ],
    after: { "a.txt": "one\n", "b.txt": "one\n" },
    check: (root) => {
      assert.equal(Deno.statSync(`${root}/a.txt`).ino, Deno.statSync(`${root}/b.txt`).ino);
    },
  },
]);

Deno.test({
  name: "no space: everything stays as it was, and the answer says why",
  ignore: needsRoot !== undefined || Deno.build.os !== "linux",
  async fn() {
    await using project = await openProject();
    const disk = `${project.root}/disk`;
    Deno.mkdirSync(disk);
    try {
      run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk);
    } catch (error) {
      console.log(`no space: not run: ${error}`);
      return;
    }
    try {
      Deno.writeTextFileSync(`${disk}/a.txt`, "one\ntwo\n");
      Deno.linkSync(`${disk}/a.txt`, `${disk}/hard.txt`);
      Deno.writeTextFileSync(`${disk}/b.txt`, "one\n");
      const before = diskState(disk);
      const large = "x".repeat(100_000);
      for (const path of ["disk/a.txt", "disk/b.txt"]) {
        const answer = await project.call("text_editor", {
          command: "str_replace",
          path,
          old_text: "one",
          new_text: large,
        });
        assert.ok(answer.isError);
        assert.match(answer.text, /No space left on the disk for disk\/.\.txt/);
        const undone = await project.call("text_editor", undo(path).args);
        assert.match(undone.text, /nothing to undo/);
      }
      const created = await project.call("text_editor", {
        command: "create",
        path: "disk/new.txt",
        content: large,
      });
      assert.match(created.text, /No space left/);
      const after = diskState(disk);
      // What was written in place and put back has a new time.
      for (const name of ["a.txt", "hard.txt"]) {
        assert.equal(after[name]?.content, before[name]?.content);
        assert.equal(after[name]?.inode, before[name]?.inode);
      }
      assert.deepEqual(Object.keys(after), Object.keys(before));
      assert.deepEqual(after["b.txt"], before["b.txt"]);
    } finally {
      run("umount", disk);
    }
  },
});

Deno.test({
  name: "a read-only file system is named as what it is",
  ignore: needsRoot !== undefined || Deno.build.os !== "linux",
  async fn() {
    await using project = await openProject();
    const disk = `${project.root}/disk`;
    Deno.mkdirSync(disk);
    try {
      run("mount", "-t", "tmpfs", "tmpfs", disk);
    } catch (error) {
      console.log(`read-only file system: not run: ${error}`);
      return;
    }
    try {
      Deno.writeTextFileSync(`${disk}/a.txt`, "one\n");
      run("mount", "-o", "remount,ro", disk);
      for (const { tool, args } of everyUseOf("disk/a.txt").slice(4, 7)) {
        const answer = await project.call(tool, args);
        assert.ok(answer.isError);
        assert.match(answer.text, /mounted read-only\. Nothing was changed/);
      }
    } finally {
      run("umount", disk);
    }
  },
});

Deno.test({
  name: "a directory that takes no new file: written in place, with a hint",
  ignore: needsRoot !== undefined || Deno.build.os !== "linux",
  async fn() {
    await using project = await openProject({ "d/a.txt": "one\n" });
    const directory = `${project.root}/d`;
    try {
      run("chattr", "+i", directory);
    } catch (error) {
      console.log(`closed directory: not run: ${error}`);
      return;
    }
    try {
      const inode = Deno.statSync(`${directory}/a.txt`).ino;
      const answer = await project.call("text_editor", replace("d/a.txt").args);
      assert.match(
        answer.text,
        /Hint: The directory takes no new file, so the file was written in place/,
      );
      assert.equal(Deno.readTextFileSync(`${directory}/a.txt`), "uno\n");
      assert.equal(Deno.statSync(`${directory}/a.txt`).ino, inode);
      const created = await project.call("text_editor", {
        command: "create",
        path: "d/new.txt",
        content: "x",
      });
      assert.match(created.text, /Permission denied: d\/new\.txt\. Nothing was changed/);
      const removed = await project.call("text_editor", { command: "delete", path: "d/a.txt" });
      assert.match(removed.text, /Permission denied: d\/a\.txt/);
    } finally {
      run("chattr", "-i", directory);
    }
  },
});
