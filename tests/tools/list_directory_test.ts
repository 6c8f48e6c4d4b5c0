import assert from "node:assert/strict";
import { MemoryFileSystem } from "../support/memory_file_system.ts";
import { type ScanContext, scanContext, textOf, writeTree } from "../support/scan_context.ts";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { listDirectory, type ListingInput } from "../../src/tools/list_directory.ts";

const TREE = {
  ".gitignore": "build/\n",
  ".github/ci.yml": "on: push\n",
  "a.ts": "one\ntwo\n",
  "b/c.ts": "x",
  "b/d/e.md": "",
  "b-c.ts": "\n",
  "bin": new Uint8Array([0, 1, 2]),
  "build/out.js": "x\n",
  "cr.txt": "a\rb\r\nc\u2028d\n",
  "empty": null,
  "utf16.txt": new Uint8Array([0xff, 0xfe, 97, 0, 10, 0, 98, 0]),
  "utf32.txt": new Uint8Array([0xff, 0xfe, 0, 0, 97, 0, 0, 0]),
  "bom.txt": new Uint8Array([0xef, 0xbb, 0xbf]),
  "z": "12345\n1234567",
} as const;

interface Row {
  readonly input: Omit<ListingInput, "path"> & { readonly path?: string };
  readonly answer: string;
}

const LEFT_OUT = (input: string, what: string, flags: string) =>
  `Hint: ${what} left out. To include them: view path="."${input} ${flags}`;

const ROWS: readonly Row[] = [
  {
    input: {},
    answer: "a.ts\t2L\t~2t\nb/c.ts\t1L\t~1t\nb/d/e.md\t0L\t~0t\nb-c.ts\t1L\t~1t\nbin\t(binary)\n" +
      "bom.txt\t0L\t~1t\ncr.txt\t2L\t~3t\nempty/\t(0 files)\nutf16.txt\t2L\t~2t\n" +
      "utf32.txt\t(binary)\nz\t2L\t~4t\n" +
      LEFT_OUT(
        "",
        "2 hidden entries and 1 ignored entry",
        "include_hidden=true include_ignored=true",
      ),
  },
  {
    input: { pattern: "*.ts" },
    answer: "a.ts\t2L\t~2t\nb/c.ts\t1L\t~1t\nb-c.ts\t1L\t~1t\n" +
      LEFT_OUT(
        ' pattern="*.ts"',
        "2 hidden entries and 1 ignored entry",
        "include_hidden=true include_ignored=true",
      ),
  },
  { input: { path: "b" }, answer: "b/c.ts\t1L\t~1t\nb/d/e.md\t0L\t~0t" },
  { input: { path: "b", max_depth: 1 }, answer: "b/c.ts\t1L\t~1t\nb/d/\t(1 file)" },
  { input: { path: "b", max_depth: 2 }, answer: "b/c.ts\t1L\t~1t\nb/d/e.md\t0L\t~0t" },
  { input: { path: "empty" }, answer: "empty is empty." },
  { input: { path: "build" }, answer: "build/out.js\t1L\t~1t" },
  { input: { path: ".github" }, answer: ".github/ci.yml\t1L\t~3t" },
  { input: { path: "a.ts", pattern: "*.ts" }, answer: "a.ts\t2L\t~2t" },
  {
    input: { path: "b", pattern: "*.rs" },
    answer: 'The pattern "*.rs" matches none of the 2 files in b.',
  },
  {
    input: { path: "b", pattern: "d/*.md" },
    answer: 'The pattern "d/*.md" matches none of the 2 files in b. A glob with a slash counts ' +
      'from the working directory; at any depth: pattern="**/d/*.md"',
  },
  {
    input: { path: "b", pattern: "*.rs,*.md" },
    answer: 'The pattern "*.rs,*.md" matches none of the 2 files in b. Separate globs with |: ' +
      'pattern="*.rs|*.md"',
  },
  {
    input: { path: "b", pattern: "d/" },
    answer:
      'The pattern "d/" matches none of the 2 files in b. A glob names files; for those of a ' +
      'directory: pattern="d/**"',
  },
  {
    input: { pattern: "*.{yml,js}", include_hidden: true, include_ignored: true },
    answer: ".github/ci.yml\t1L\t~3t\nbuild/out.js\t1L\t~1t",
  },
];

async function checkRows(context: ScanContext): Promise<void> {
  for (const { input, answer } of ROWS) {
    const actual = textOf(await listDirectory({ path: ".", ...input }, context));
    assert.equal(actual, answer, JSON.stringify(input));
  }
  await assert.rejects(listDirectory({ path: ".", pattern: "{a" }, context), /without `}`/);
  await assert.rejects(listDirectory({ path: "nowhere" }, context));
}

async function withTree(
  files: Parameters<typeof writeTree>[1],
  work: (root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    writeTree(root, files);
    await work(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a listing of this machine's files", async () => {
  await withTree(TREE, async (root) => {
    using context = scanContext(root);
    await checkRows(context);
    await checkRows(context);
  });
});

Deno.test("a listing over any FileSystem is the same", async () => {
  const memory = new MemoryFileSystem();
  for (const [path, content] of Object.entries(TREE)) {
    if (content === null) await memory.makeDirectory(`/project/${path}`);
    else memory.put(`/project/${path}`, content);
  }
  using context = scanContext("/project", { fileSystem: memory });
  await checkRows(context);
});

const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;
if (IS_ROOT) {
  console.log("list_directory_test: root may read everything, so nothing is unreadable here");
}

Deno.test({
  name: "links, special files, loops and unreadable entries are listed, not followed, not fatal",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree({ "real/a.txt": "x\n", "closed/b.txt": "x\n" }, async (root) => {
      await Deno.symlink("real", `${root}/link`);
      await Deno.symlink("real/a.txt", `${root}/file-link`);
      await Deno.symlink("nowhere", `${root}/broken`);
      await Deno.symlink("..", `${root}/real/up`);
      await new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).output();
      await Deno.chmod(`${root}/closed`, 0);
      using context = scanContext(root);
      const text = textOf(await listDirectory({ path: "." }, context));
      await Deno.chmod(`${root}/closed`, 0o755);
      const closed = IS_ROOT
        ? "closed/b.txt\t1L\t~1t\n"
        : "closed/\t(unreadable: permission denied)\n";
      const hint = IS_ROOT ? "" : "\nHint: Could not be read: closed/ (permission denied).";
      assert.equal(
        text,
        `broken\t(link -> nowhere)\n${closed}file-link\t(link -> real/a.txt)\nlink\t(link -> real)\n` +
          `pipe\t(special file)\nreal/a.txt\t1L\t~1t\nreal/up\t(link -> ..)${hint}`,
      );
    });
  },
});

Deno.test({
  name: "a name stays on one line, whatever it holds",
  ignore: Deno.build.os === "windows",
  async fn() {
    const names = ["a\nb", "c\td", "e\u202etxt.exe", "f\u001b[31m", "g\\n", "\u200eh", " i "];
    const files = Object.fromEntries(names.map((name) => [name, "x\n"]));
    await withTree(files, async (root) => {
      using context = scanContext(root);
      const text = textOf(await listDirectory({ path: "." }, context));
      assert.deepEqual(text.split("\n").slice(0, -1), [
        " i \t1L\t~1t",
        "a\\nb\t1L\t~1t",
        "c\\td\t1L\t~1t",
        "e\\u202etxt.exe\t1L\t~1t",
        "f\\u001b[31m\t1L\t~1t",
        "g\\n\t1L\t~1t",
        "\\u200eh\t1L\t~1t",
      ]);
      assert.match(text, /Hint: Control and direction characters/);
    });
  },
});

Deno.test({
  name: "a name that is not UTF-8 is listed as unreadable",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withTree({ "a.txt": "x\n" }, async (root) => {
      const script = `touch "${root}/$(printf 'bad\\377name')"`;
      await new Deno.Command("sh", { args: ["-c", script] }).output();
      using context = scanContext(root);
      const text = textOf(await listDirectory({ path: "." }, context));
      assert.equal(
        text,
        "a.txt\t1L\t~1t\nbad\ufffdname\t(unreadable: its name is not valid UTF-8)",
      );
    });
  },
});

Deno.test("a large tree is one useful answer", async () => {
  const files: { [path: string]: string } = { "README.md": "# x\n", "package.json": "{}\n" };
  for (let index = 0; index < 6_000; index++) {
    files[`packages/p${index % 20}/src/m${index % 7}/file${index}.ts`] = "";
  }
  for (let index = 0; index < 30; index++) files[`src/s${index}.ts`] = "a\nb\n";
  await withTree(files, async (root) => {
    using context = scanContext(root);
    const text = textOf(await listDirectory({ path: "." }, context));
    assert.ok(text.length <= 60_000 && text.split("\n").length <= 2_000, String(text.length));
    assert.match(text, /^README\.md\t1L\t~1t\npackage\.json\t1L\t~1t\n|src\/s0\.ts\t2L\t~1t/);
    assert.match(text, /^packages\/p0\/src\/m\d\/\t\(\d+ files\)$/m);
    assert.match(text, /Hint: 6,032 files in all/);
    const listed = text.split("\n").filter((line) => !line.startsWith("Hint:"));
    const counted = listed.reduce(
      (sum, line) => sum + Number(/\((\d+) files\)/.exec(line)?.[1] ?? 1),
      0,
    );
    assert.equal(counted, 6_032, "every file is in one row");
    const shallow = textOf(await listDirectory({ path: ".", max_depth: 1 }, context));
    assert.equal(
      shallow,
      "README.md\t1L\t~1t\npackage.json\t1L\t~1t\npackages/\t(6,000 files)\nsrc/\t(30 files)",
    );
  });
});

Deno.test("a directory with too many entries of its own is cut, and says so", async () => {
  const files: { [path: string]: string } = {};
  for (let index = 0; index < 3_000; index++) files[`f${index}`] = "";
  await withTree(files, async (root) => {
    using context = scanContext(root);
    const text = textOf(await listDirectory({ path: "." }, context));
    assert.match(text, /\nHint: 1,010 more entries not shown\. Narrow with pattern/);
  });
});

Deno.test("a changed file or directory is never listed from memory", async () => {
  await withTree({ "d/a.txt": "1\n", "d/b.txt": "1\n2\n" }, async (root) => {
    using context = scanContext(root);
    const list = async () => textOf(await listDirectory({ path: "." }, context));
    const old = new Date(Date.now() - 3_600_000);
    for (const path of ["d/a.txt", "d/b.txt", "d"]) await Deno.utime(`${root}/${path}`, old, old);
    assert.equal(await list(), "d/a.txt\t1L\t~1t\nd/b.txt\t2L\t~1t");
    await Deno.writeTextFile(`${root}/d/a.txt`, "xy");
    await Deno.utime(`${root}/d/a.txt`, old, old);
    assert.equal(await list(), "d/a.txt\t1L\t~1t\nd/b.txt\t2L\t~1t");
    await Deno.writeTextFile(`${root}/d/a.txt`, "\n\n");
    await Deno.utime(`${root}/d/a.txt`, old, old);
    assert.equal(await list(), "d/a.txt\t2L\t~1t\nd/b.txt\t2L\t~1t");
    await Deno.writeTextFile(`${root}/d/c.txt`, "");
    await Deno.utime(`${root}/d`, old, old);
    assert.equal(await list(), "d/a.txt\t2L\t~1t\nd/b.txt\t2L\t~1t\nd/c.txt\t0L\t~0t");
  });
});

Deno.test({
  name: "a tree 500 levels deep and a directory that vanishes end well",
  async fn() {
    const deep = Array(500).fill("d").join("/");
    await withTree({ [`${deep}/f.txt`]: "x\n" }, async (root) => {
      using context = scanContext(root);
      assert.equal(textOf(await listDirectory({ path: "." }, context)), `${deep}/f.txt\t1L\t~1t`);
    });
    const memory = new MemoryFileSystem({ "/project/a/x": "1\n", "/project/b/y": "1\n" });
    memory.before = (operation, path) => {
      if (operation !== "readDirectory" || path !== "/project/a") return;
      throw new FileSystemError("missing", path);
    };
    using context = scanContext("/project", { fileSystem: memory });
    const text = textOf(await listDirectory({ path: "." }, context));
    assert.match(text, /\(unreadable: missing\)/);
    assert.match(text, /Hint: Could not be read: [ab]\/ \(missing\)\./);
  },
});
