import assert from "node:assert/strict";
import { MemoryFileSystem } from "../support/memory_file_system.ts";
import { ScanService, type TreeRequest } from "../../src/fs/scan_service.ts";
import type { OutsideRules } from "../../src/fs/ignore_sources.ts";
import { readOutsideRules } from "../../src/fs/ignore_sources.ts";
import { filesInOrder } from "../../src/fs/walk.ts";

interface Row {
  readonly name: string;
  readonly files: { readonly [path: string]: string };
  readonly root?: string;
  readonly options?: Partial<TreeRequest>;
  readonly outside?: OutsideRules;
  readonly expected: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "order: a directory where its name stands",
    files: { "/p/b/x": "", "/p/a.ts": "", "/p/b-c": "", "/p/b.ts": "", "/p/Z": "", "/p/é": "" },
    expected: ["/p/Z", "/p/a.ts", "/p/b/x", "/p/b-c", "/p/b.ts", "/p/é"],
  },
  {
    name: ".gitignore at every level, without a repository",
    files: { "/p/.gitignore": "*.o\n", "/p/a.o": "", "/p/x/.gitignore": "!b.o\n", "/p/x/b.o": "" },
    expected: ["/p/x/b.o"],
  },
  {
    name: ".ignore beats .gitignore",
    files: { "/p/.gitignore": "a\n", "/p/.ignore": "!a\nb\n", "/p/a": "", "/p/b": "" },
    expected: ["/p/a"],
  },
  {
    name: "rules between the boundary and the root hold",
    files: { "/p/.gitignore": "gen/\n", "/p/src/gen/a": "", "/p/src/b": "" },
    root: "/p/src",
    options: { boundary: "/p" },
    expected: ["/p/src/b"],
  },
  {
    name: "without boundary, rules up to the repository's top hold",
    files: {
      "/.gitignore": "b\n",
      "/p/.git/info/exclude": "c\n",
      "/p/.gitignore": "a\n",
      "/p/src/a": "",
      "/p/src/b": "",
      "/p/src/c": "",
    },
    root: "/p/src",
    expected: ["/p/src/b"],
  },
  {
    name: "without boundary and repository, only the root's own rules hold",
    files: { "/p/.gitignore": "a\n", "/p/src/a": "", "/p/src/.gitignore": "b\n", "/p/src/b": "" },
    root: "/p/src",
    expected: ["/p/src/a"],
  },
  {
    name: "a root that is ignored itself shows what its rules leave",
    files: { "/p/.gitignore": "out/\n*.map\n", "/p/out/a.js": "", "/p/out/a.map": "" },
    root: "/p/out",
    options: { boundary: "/p" },
    expected: ["/p/out/a.js"],
  },
  {
    name: "a repository inside another starts anew",
    files: {
      "/p/.gitignore": "a\n",
      "/p/sub/.git/info/exclude": "b\n",
      "/p/sub/a": "",
      "/p/sub/b": "",
    },
    expected: ["/p/sub/a"],
  },
  {
    name: "a worktree's exclude file lies in the repository it belongs to",
    files: {
      "/r/.git/info/exclude": "a\n",
      "/r/.git/worktrees/w/commondir": "../..\n",
      "/w/.git": "gitdir: /r/.git/worktrees/w\n",
      "/w/a": "",
      "/w/b": "",
    },
    root: "/w",
    expected: ["/w/b"],
  },
  {
    name: "hidden entries only when wanted, .git never",
    files: { "/p/.git/config": "", "/p/.env": "", "/p/.x/y": "", "/p/a": "" },
    options: { includeHidden: true, includeIgnored: true },
    expected: ["/p/.env", "/p/.x/y", "/p/a"],
  },
  {
    name: ".git when it is named",
    files: { "/p/.git/config": "", "/p/.git/HEAD": "" },
    root: "/p/.git",
    expected: ["/p/.git/HEAD", "/p/.git/config"],
  },
  {
    name: "depth",
    files: { "/p/a": "", "/p/x/b": "", "/p/x/y/c": "" },
    options: { maxDepth: 2 },
    expected: ["/p/a", "/p/x/b"],
  },
];

async function treeOf(row: Row, fileSystem: MemoryFileSystem) {
  const scans = new ScanService(row.outside === undefined ? {} : { outside: row.outside });
  try {
    return await scans.tree({
      fileSystem,
      root: row.root ?? "/p",
      boundary: undefined,
      prefix: "",
      includeHidden: false,
      includeIgnored: false,
      signal: new AbortController().signal,
      progress: () => {},
      ...row.options,
    });
  } finally {
    scans.close();
  }
}

Deno.test("which files a walk brings, in which order", async () => {
  for (const row of ROWS) {
    const tree = await treeOf(row, new MemoryFileSystem(row.files));
    assert.deepEqual(filesInOrder(tree.root), row.expected, row.name);
    assert.equal(tree.files, row.expected.length, row.name);
  }
});

Deno.test("rules from outside are read once and hold inside", async () => {
  const files = {
    "/home/me/.gitconfig": "[user]\n\tname = x\n[core]\n\texcludesFile = ~/mine\n",
    "/home/me/mine": "*.tmp\n",
    "/repo/.git/info/exclude": "e\n",
    "/repo/.gitignore": "g\n/pkg/top\n",
    "/repo/pkg/a.tmp": "",
    "/repo/pkg/e": "",
    "/repo/pkg/g": "",
    "/repo/pkg/top": "",
    "/repo/pkg/x/top": "",
  };
  const fileSystem = new MemoryFileSystem(files);
  const outside = await readOutsideRules(fileSystem, ["/repo/pkg"], {
    home: "/home/me",
    configHome: undefined,
  });
  const options = { boundary: "/repo/pkg" };
  const tree = await treeOf(
    { name: "", files, root: "/repo/pkg", options, outside, expected: [] },
    fileSystem,
  );
  assert.deepEqual(filesInOrder(tree.root), ["/repo/pkg/x/top"]);
});

Deno.test("a walk stops at its bounds and says so", async () => {
  const files: { [path: string]: string } = {};
  for (let index = 0; index < 50; index++) files[`/p/d${index}/sub/f`] = "";
  const row = { name: "", files, expected: [] };
  const options = { maxEntries: 60 };
  const tree = await treeOf(
    { ...row, options: options as Partial<TreeRequest> },
    new MemoryFileSystem(files),
  );
  assert.equal(tree.stopped, "entries");
  const late = await treeOf({ ...row, options: { maxTime: -1 } }, new MemoryFileSystem(files));
  assert.equal(late.stopped, "time");
  const ending = new AbortController();
  ending.abort();
  await assert.rejects(
    treeOf({ ...row, options: { signal: ending.signal } }, new MemoryFileSystem(files)),
    { name: "AbortError" },
  );
});

Deno.test("an unreadable directory is reported, and the rest is walked", async () => {
  const fileSystem = new MemoryFileSystem({ "/p/a/x": "", "/p/b/y": "" });
  fileSystem.failNext("readDirectory", "permission_denied", /\/a$/);
  const tree = await treeOf({ name: "", files: {}, expected: [] }, fileSystem);
  assert.deepEqual(filesInOrder(tree.root), ["/p/b/y"]);
  assert.deepEqual(tree.unreadable.map(({ path, failure }) => [path, failure]), [
    ["/p/a", "permission denied"],
  ]);
});
