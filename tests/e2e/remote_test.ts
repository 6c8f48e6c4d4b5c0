// Owns: the tools on an ssh host: every call answers as it does at home and leaves the same bytes.

import assert from "node:assert/strict";
import { lineId } from "../support/line_ids.ts";
import { connect, temporaryDirectory } from "../support/octofs.ts";
import { LOOPBACK, pathWithSsh, testSsh, withSshd } from "../support/ssh_login.ts";

type Call = readonly [tool: string, args: Record<string, unknown>];

interface Row {
  readonly name: string;
  readonly files: { readonly [path: string]: string | Uint8Array };
  readonly calls: readonly Call[];
  /** Work on the directory that no tool does, before the calls. */
  readonly prepare?: (directory: string) => Promise<void>;
}

const view = (
  path: string,
  more: Record<string, unknown> = {},
): Call => ["view", { path, ...more }];
const create = (path: string, content: string, more = {}): Call => [
  "text_editor",
  { command: "create", path, content, ...more },
];
const replace = (path: string, old_text: string, new_text: string, more = {}): Call => [
  "text_editor",
  { command: "str_replace", path, old_text, new_text, ...more },
];
const undo = (path: string): Call => ["text_editor", { command: "undo_edit", path }];
const remove = (path: string): Call => ["text_editor", { command: "delete", path }];
const batch = (path: string, ...operations: Record<string, unknown>[]): Call => [
  "batch_edit",
  { path, operations },
];

const CODE =
  "function main() {\n\tconst config = load();\n\tif (config) {\n\t\trun(config);\n\t}\n}\n";

/** What a shell, a here-document or a terminal would change on the way. */
const AWKWARD = "it's \"quoted\" `cmd` $(id) ${HOME} \\n \\\\ %s !! *\nEOF\nEND\n'EOF'\n" +
  "\ttab\x01\x7f\n.\r\n日本語 😀 e\u0301 \u2028 \ufeff\n~. \nno newline at the end";

const ROWS: readonly Row[] = [
  {
    name: "ids, diffs and undo",
    files: { "main.ts": CODE },
    calls: [
      view("main.ts"),
      batch(
        "main.ts",
        {
          operation: "replace",
          start: lineId(2, "\tconst config = load();"),
          content: "\tlet c = 1;",
        },
        { operation: "insert", start: lineId(6, "}"), content: "// end" },
      ),
      view("main.ts"),
      undo("main.ts"),
      undo("main.ts"),
      view("main.ts", { start: -2 }),
    ],
  },
  {
    name: "a stale id writes nothing and says where the line is now",
    files: { "a.txt": "zero\none\ntwo\nthree\n" },
    calls: [
      view("a.txt"),
      batch("a.txt", { operation: "insert", start: 0, content: "first" }),
      batch("a.txt", { operation: "delete", start: lineId(3, "two") }),
      batch("a.txt", { operation: "delete", start: lineId(4, "two") }),
    ],
  },
  {
    name: "the ladder: exact, escaped, whitespace, advice, ambiguity",
    files: { "main.ts": CODE, "twice.txt": "same\nother\nsame\n" },
    calls: [
      replace("main.ts", "run(config)", "start(config)"),
      replace(
        "main.ts",
        "    if (config) {\n        start(config);\n    }",
        "    start();\n    stop();",
      ),
      replace("main.ts", "function nothing like this() {\n  at all\n}", "x"),
      replace("twice.txt", "same", "new"),
      replace("twice.txt", "same", "new", { replace_all: true }),
    ],
  },
  {
    name: "bytes that were not edited stay: endings, BOM, Latin-1, UTF-16, no last newline",
    files: {
      "mixed.txt": "\ufeffone\r\ntwo\nthree\r\nfour",
      "latin.txt": Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 10, 0x6f, 0x6b, 10),
      "wide.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 10, 0, 0x62, 0, 10, 0),
    },
    calls: [
      view("mixed.txt"),
      replace("mixed.txt", "two", "2\n2b"),
      replace("latin.txt", "ok", "fine"),
      replace("wide.txt", "b", "ü"),
      view("latin.txt"),
      undo("wide.txt"),
    ],
  },
  {
    name: "content that no quoting survives",
    files: {},
    calls: [
      create("deep/er/file.txt", AWKWARD),
      view("deep/er/file.txt"),
      create("deep/er/file.txt", "x"),
      create("deep/er/file.txt", AWKWARD.toUpperCase(), { overwrite: true }),
      undo("deep/er/file.txt"),
      create("empty.txt", ""),
    ],
  },
  {
    name: "names that are options, quotes and newlines elsewhere",
    files: { "-rf": "one\n", "a b'c\"d": "two\n", "$(id)": "three\n", "line\nbreak": "four\n" },
    calls: [
      view("-rf"),
      replace("-rf", "one", "1"),
      replace("a b'c\"d", "two", "2"),
      replace("$(id)", "three", "3"),
      replace("line\nbreak", "four", "4"),
      remove("./-rf"),
      undo("./-rf"),
    ],
  },
  {
    name: "files come and go",
    files: { "a.txt": "one\n" },
    calls: [
      remove("a.txt"),
      view("a.txt"),
      undo("a.txt"),
      view("a.txt"),
      view("b.txt"),
      replace("b.txt", "x", "y"),
      remove("."),
    ],
  },
  {
    name: "lines are copied between files",
    files: { "from.txt": "a\r\nb\r\nc\r\n", "to.txt": "1\n2" },
    calls: [
      ["extract_lines", {
        from_path: "from.txt",
        from_start: 2,
        from_end: 3,
        append_path: "to.txt",
        append_line: 1,
      }],
      ["extract_lines", {
        from_path: "from.txt",
        from_start: 1,
        append_path: "new/one.txt",
        append_line: -1,
      }],
    ],
  },
  {
    name: "listing obeys every ignore file",
    files: {
      ".gitignore": "*.log\nbuild/\n",
      ".git/info/exclude": "secret\n",
      ".ignore": "ignored.txt\n",
      "a.log": "x\n",
      "build/out.js": "x\n",
      "ignored.txt": "x\n",
      "secret": "x\n",
      "src/.gitignore": "!keep.log\n*.tmp\n",
      "src/keep.log": "needle\n",
      "src/x.tmp": "needle\n",
      "src/main.ts": "a\nneedle\nb\n",
      "src/binary": Uint8Array.of(1, 0, 2),
    },
    calls: [
      view("."),
      view(".", { include_hidden: true, include_ignored: true }),
      view(".", { pattern: "*.ts|!src/main*" }),
      view(".", { content: "needle", context: 1 }),
      view(".", { content: "NEED.E", regex: true }),
      view(".", { content: "(?i)NEED.E", regex: true, pattern: "*.ts" }),
      view("src|build", { content: "x" }),
      view("none", { content: "x" }),
    ],
  },
  {
    name: "links stay links, and loops are named",
    files: { "real/file.txt": "one\n" },
    prepare: async (directory) => {
      await Deno.symlink("real/file.txt", `${directory}/link`);
      await Deno.symlink("real", `${directory}/directory`);
      await Deno.symlink("loop", `${directory}/loop`);
      await Deno.link(`${directory}/real/file.txt`, `${directory}/hard`);
      await Deno.chmod(`${directory}/real/file.txt`, 0o755);
    },
    calls: [
      view("."),
      replace("link", "one", "two"),
      replace("directory/file.txt", "two", "three"),
      undo("link"),
      view("loop"),
      remove("link"),
      view("real/file.txt"),
    ],
  },
  {
    name: "modes are kept",
    files: { "run.sh": "#!/bin/sh\n" },
    prepare: (directory) => Deno.chmod(`${directory}/run.sh`, 0o751),
    calls: [replace("run.sh", "sh", "bash")],
  },
  {
    name: "a large file is viewed in ranges",
    files: { "large.txt": "0123456789 some text\n".repeat(60_000) },
    calls: [
      view("large.txt", { start: 30_000, end: 30_003 }),
      view("large.txt", { start: -3 }),
      replace("large.txt", "none of this", "x"),
    ],
  },
];

testSsh("every call answers and writes as it does at home", async () => {
  await withSshd({}, async (sshd) => {
    const PATH = await pathWithSsh(sshd);
    await using local = await temporaryDirectory();
    await using remote = await temporaryDirectory();
    const remoteRoot = `ssh://${LOOPBACK}:${sshd.port}${remote.path}`;
    await using here = await connect({ args: ["--path", local.path] });
    await using there = await connect({ args: ["--path", remoteRoot], env: { PATH } });
    for (const [index, row] of ROWS.entries()) {
      for (const { path } of [local, remote]) await prepare(`${path}/row${index}`, row);
      for (const octofs of [here, there]) await octofs.call("workdir", { path: `row${index}` });
      for (const [tool, args] of row.calls) {
        const what = `${row.name}: ${tool} ${JSON.stringify(args).slice(0, 200)}`;
        const [expected, actual] = await Promise.all([
          here.call(tool, args),
          there.call(tool, args),
        ]);
        const plain = actual.text.replaceAll(remoteRoot, local.path)
          .replaceAll(remote.path, local.path);
        assert.equal(plain, expected.text, what);
        assert.equal(actual.isError, expected.isError, what);
      }
      assert.deepEqual(
        await snapshot(`${remote.path}/row${index}`),
        await snapshot(`${local.path}/row${index}`),
        row.name,
      );
      for (const octofs of [here, there]) await octofs.call("workdir", { reset: true });
    }
    assert.equal(there.stderr(), here.stderr());
  });
});

async function prepare(directory: string, row: Row): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(row.files)) {
    const slash = path.lastIndexOf("/");
    if (slash > 0) await Deno.mkdir(`${directory}/${path.slice(0, slash)}`, { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(`${directory}/${path}`, content);
    else await Deno.writeFile(`${directory}/${path}`, content);
  }
  await row.prepare?.(directory);
}

/** Names, kinds, modes, links and bytes of everything below a directory. */
async function snapshot(directory: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isSymlink) found[entry.name] = await Deno.readLink(path);
    else if (entry.isDirectory) found[entry.name] = await snapshot(path);
    else {
      const { mode, nlink } = await Deno.stat(path);
      const bytes = await Deno.readFile(path);
      found[entry.name] = [mode, nlink, new TextDecoder("latin1").decode(bytes)];
    }
  }
  return found;
}
