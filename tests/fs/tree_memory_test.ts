// Owns: when a tree may be used again, and each kind of change that it must notice.

import assert from "node:assert/strict";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { parsePattern } from "../../src/fs/path_filter.ts";
import { ScanService } from "../../src/fs/scan_service.ts";
import { TreeMemory } from "../../src/fs/tree_memory.ts";
import { filesInOrder, type Tree } from "../../src/fs/walk.ts";
import { temporaryDirectory } from "../support/octofs.ts";
import fc from "../support/property.ts";

const FILES: { readonly [path: string]: string } = {
  ".gitignore": "*.log\n",
  "a.ts": "",
  "a.log": "",
  "src/b.ts": "",
  "src/.gitignore": "gen\n",
  "src/gen/c.ts": "",
  "src/deep/d.ts": "",
  ".hidden/e.ts": "",
};
const SEEN = ["a.ts", "src/b.ts", "src/deep/d.ts"];

interface Options {
  readonly pattern?: string;
  readonly includeHidden?: boolean;
  readonly includeIgnored?: boolean;
  readonly maxDepth?: number;
}

/** A project whose files count as written long ago: what is young is never kept. */
async function withProject(
  use: (project: {
    readonly root: string;
    readonly look: (
      options?: Options,
      by?: ScanService,
    ) => Promise<{ tree: Tree; files: string[] }>;
  }) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory();
  const root = await Deno.realPath(directory.path);
  for (const [path, text] of Object.entries(FILES)) {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, text);
  }
  const scans = new ScanService();
  const fileSystem = new LocalFileSystem();
  const now = Date.now;
  Date.now = () => now() + 60_000;
  const look = async ({ pattern, ...options }: Options = {}, by = scans) => {
    const parsed = pattern === undefined ? undefined : parsePattern(pattern);
    const tree = await by.tree({
      fileSystem,
      root,
      boundary: root,
      prefix: "",
      includeHidden: false,
      includeIgnored: false,
      filter: parsed?.kind === "filter" ? parsed.filter : undefined,
      signal: new AbortController().signal,
      progress: () => {},
      ...options,
    });
    // So that the next change has another time.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { tree, files: filesInOrder(tree.root).map((path) => path.slice(root.length + 1)) };
  };
  try {
    await use({ root, look });
  } finally {
    Date.now = now;
    scans.close();
  }
}

Deno.test("an unchanged tree is used again, for the same question only", async () => {
  await withProject(async ({ look }) => {
    const first = await look();
    assert.deepEqual(first.files, SEEN);
    assert.equal((await look()).tree, first.tree);
    const others: readonly (readonly [Options, readonly string[]])[] = [
      [{ pattern: "b.ts" }, ["src/b.ts"]],
      [{ pattern: "d.ts" }, ["src/deep/d.ts"]],
      [{ includeHidden: true }, [
        ".gitignore",
        ".hidden/e.ts",
        "a.ts",
        "src/.gitignore",
        "src/b.ts",
        "src/deep/d.ts",
      ]],
      [{ includeIgnored: true }, ["a.log", "a.ts", "src/b.ts", "src/deep/d.ts", "src/gen/c.ts"]],
      [{ maxDepth: 1 }, ["a.ts"]],
    ];
    for (const [options, files] of others) {
      const other = await look(options);
      assert.deepEqual(other.files, files, JSON.stringify(options));
      assert.equal((await look(options)).tree, other.tree);
    }
    assert.equal((await look()).tree, first.tree);
  });
});

Deno.test("every change of a tree is noticed", async () => {
  const rows: readonly (readonly [
    what: string,
    change: (root: string) => Promise<unknown>,
    files: readonly string[],
  ])[] = [
    ["a new file", (root) => Deno.writeTextFile(`${root}/src/deep/new.ts`, ""), [
      ...SEEN,
      "src/deep/new.ts",
    ]],
    ["a removed file", (root) => Deno.remove(`${root}/src/b.ts`), ["a.ts", "src/deep/d.ts"]],
    ["a file with another name", (root) => Deno.rename(`${root}/a.ts`, `${root}/z.ts`), [
      "src/b.ts",
      "src/deep/d.ts",
      "z.ts",
    ]],
    ["a removed directory", (root) => Deno.remove(`${root}/src/deep`, { recursive: true }), [
      "a.ts",
      "src/b.ts",
    ]],
    ["a file that became a directory", async (root) => {
      await Deno.remove(`${root}/a.ts`);
      await Deno.mkdir(`${root}/a.ts`);
    }, ["src/b.ts", "src/deep/d.ts"]],
    ["the root's rules", (root) => Deno.writeTextFile(`${root}/.gitignore`, "b.ts\n"), [
      "a.log",
      "a.ts",
      "src/deep/d.ts",
    ]],
    ["rules below, in place", (root) => Deno.writeTextFile(`${root}/src/.gitignore`, "b.ts\n"), [
      "a.ts",
      "src/deep/d.ts",
      "src/gen/c.ts",
    ]],
    ["new rules below", (root) => Deno.writeTextFile(`${root}/src/deep/.ignore`, "d.ts\n"), [
      "a.ts",
      "src/b.ts",
    ]],
    ["a repository's own rules", async (root) => {
      await Deno.mkdir(`${root}/.git/info`, { recursive: true });
      await Deno.writeTextFile(`${root}/.git/info/exclude`, "a.ts\n");
    }, ["src/b.ts", "src/deep/d.ts"]],
  ];
  for (const [what, change, files] of rows) {
    await withProject(async ({ root, look }) => {
      const first = await look();
      assert.equal((await look()).tree, first.tree, what);
      await change(root);
      assert.deepEqual((await look()).files, files, what);
    });
  }
});

const NAMES = ["a", "b.ts", "c.log", ".gitignore", ".ignore"] as const;
const DIRECTORIES = ["", "x", "y", "x/z"] as const;
type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "directory" | "link"; readonly path: string };

async function take(root: string, step: Step): Promise<void> {
  const path = `${root}/${step.path}`;
  try {
    if (step.kind === "write") await Deno.writeTextFile(path, step.text);
    else if (step.kind === "remove") await Deno.remove(path, { recursive: true });
    else if (step.kind === "rename") await Deno.rename(path, `${root}/${step.to}`);
    else if (step.kind === "directory") await Deno.mkdir(path);
    else await Deno.symlink("x", path);
  } catch {
    // Not possible as things are: then nothing happens.
  }
}

Deno.test("whatever happens to a tree, the answer is that of a new walk", async () => {
  const place = fc.tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom(...NAMES, "x", "y", "z"))
    .map(([directory, name]) => directory === "" ? name : `${directory}/${name}`);
  const text = fc.constantFrom("", "a\n", "*.ts\n", "!b.ts\n", "z/\n", "/x\n", "x/z/a\n");
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), path: place, text }),
    fc.record({ kind: fc.constant("remove" as const), path: place }),
    fc.record({ kind: fc.constant("rename" as const), path: place, to: place }),
    fc.record({ kind: fc.constantFrom("directory" as const, "link" as const), path: place }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await withProject(async ({ root, look }) => {
        await Deno.remove(`${root}/src`, { recursive: true });
        await Deno.mkdir(`${root}/x/z`, { recursive: true });
        for (const one of steps) {
          await look();
          await take(root, one);
          const { files } = await look();
          assert.deepEqual(files, (await look({}, new ScanService())).files);
        }
      });
    }),
    { numRuns: 40 },
  );
});

Deno.test("a tree with a young directory is not kept", async () => {
  await withProject(async ({ look }) => {
    const ahead = Date.now;
    Date.now = () => ahead() - 60_000;
    const first = await look();
    const second = await look();
    Date.now = ahead;
    assert.deepEqual(second.files, first.files);
    assert.notEqual(second.tree, first.tree);
  });
});

Deno.test("the memory is bounded, the tree that was not used longest goes first", async () => {
  const scanner = {
    ...{ areUnchanged: () => Promise.resolve(true), expect: () => {} },
    ...{ list: unused, search: unused, measure: unused },
  };
  const place = {
    fileSystem: new LocalFileSystem(),
    scanner,
    signal: new AbortController().signal,
  };
  const tree = (files: number): Tree => ({
    root: { path: "/", prefix: "", depth: 0, directories: [], files: [], others: [] },
    sources: { directories: [], states: [], rules: [] },
    files,
    hidden: 0,
    ignored: 0,
    filtered: 0,
    unreadable: [],
  });
  const memory = new TreeMemory(100);
  for (const key of ["a", "b"]) memory.keep(key, tree(40));
  assert.ok(await memory.recall("a", place));
  memory.keep("c", tree(40));
  assert.equal(await memory.recall("b", place), undefined);
  assert.ok(await memory.recall("a", place));
  memory.keep("d", tree(101));
  for (const key of ["a", "c", "d"]) assert.equal(await memory.recall(key, place), undefined, key);
});

function unused(): never {
  throw new Error("not asked here");
}
