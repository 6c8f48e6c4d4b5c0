import assert from "node:assert/strict";
import { MemoryFileSystem } from "../support/memory_file_system.ts";
import { type ScanContext, scanContext, textOf, writeTree } from "../support/scan_context.ts";
import { hashLine } from "../../src/text/line_id.ts";
import { searchContent, type SearchInput } from "../../src/tools/search_content.ts";

const TREE = {
  ".gitignore": "ignored/\n*.log\n",
  ".hidden/h.ts": "needle hidden\n",
  "a.log": "needle log\n",
  "bin.dat": new Uint8Array([110, 101, 101, 100, 108, 101, 0, 1]),
  "crlf.txt": "one\r\nneedle two\r\nthree\r\n",
  "docs/b.md": "no\nmatch\nhere\n",
  "empty.txt": "",
  "ignored/x.ts": "needle ignored\n",
  "latin.txt": new Uint8Array([0xe9, 0x20, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0x0a]),
  "src/deep/c.ts": "// c\nneedle c1\nx\ny\nneedle c2\nz\n",
  "src/main.ts": "import needle from 'x';\nconst a = 1;\nneedle(a);\n",
  "utf16.txt": new Uint8Array([
    0xff,
    0xfe,
    ...[..."needle ü\n"].flatMap((c) => [c.charCodeAt(0), 0]),
  ]),
  "utf8bom.txt": "\ufeffneedle bom\n",
  "日本.txt": "探す needle 語\n",
};

interface Row {
  readonly input: Omit<SearchInput, "path"> & { readonly path?: string };
  readonly answer: string;
}

const ROWS: readonly Row[] = [
  {
    input: { path: "src", content: "needle" },
    answer: "src/deep/c.ts:\n2|needle c1\n--\n5|needle c2\n\n" +
      "src/main.ts:\n1|import needle from 'x';\n--\n3|needle(a);",
  },
  {
    input: { path: "src/deep", content: "needle", context: 1 },
    answer: "src/deep/c.ts:\n1|// c\n2|needle c1\n3|x\n4|y\n5|needle c2\n6|z",
  },
  {
    input: { path: "src/deep/c.ts", content: "needle c1" },
    answer: "src/deep/c.ts:\n2|needle c1",
  },
  {
    input: { content: "needle", pattern: "*.txt" },
    answer: "crlf.txt:\n2|needle two\n\nlatin.txt:\n1|\udce9 needle\n\nutf16.txt:\n1|needle ü\n\n" +
      "utf8bom.txt:\n1|needle bom\n\n日本.txt:\n1|探す needle 語",
  },
  {
    input: { content: "needle", pattern: "!src/**|!*.txt" },
    answer:
      'No match for the text "needle" in 1 file of the working directory (pattern "!src/**|!*.txt").\n' +
      "Hint: Skipped 1 file (binary).\n" +
      "Hint: 2 hidden entries and 2 ignored entries left out. To include them: " +
      'view path="." pattern="!src/**|!*.txt" content="needle" include_hidden=true include_ignored=true',
  },
  {
    input: { path: "src|docs", content: "match" },
    answer: "docs/b.md:\n2|match",
  },
  {
    input: { path: "src | src/main.ts|src/deep", content: "needle(a)" },
    answer: "src/main.ts:\n3|needle(a);",
  },
  {
    input: { path: "ignored", content: "needle" },
    answer: "ignored/x.ts:\n1|needle ignored",
  },
  {
    input: { path: "a.log", content: "needle" },
    answer: "a.log:\n1|needle log",
  },
  {
    input: { path: "src", content: "^needle.*[12]$", regex: true },
    answer: "src/deep/c.ts:\n2|needle c1\n--\n5|needle c2",
  },
  {
    input: { content: "two$", regex: true, pattern: "crlf*" },
    answer: "crlf.txt:\n2|needle two",
  },
  {
    input: { content: "(?i)NEEDLE \\w+$", regex: true, pattern: "*.txt" },
    answer: "crlf.txt:\n2|needle two\n\nutf16.txt:\n1|needle ü\n\nutf8bom.txt:\n1|needle bom\n\n" +
      "日本.txt:\n1|探す needle 語",
  },
  {
    input: { path: "src", content: "const a = 1;\nneedle(a)" },
    answer: "src/main.ts:\n2|const a = 1;\n3|needle(a);",
  },
  {
    input: { content: "needle two\nthree", path: "crlf.txt" },
    answer: "crlf.txt:\n2|needle two\n3|three",
  },
  {
    input: { content: "needle", pattern: "*.rs" },
    answer:
      'The pattern "*.rs" matches none of the 10 files in the working directory. Nothing was searched.\n' +
      "Hint: 2 hidden entries and 2 ignored entries left out. To include them: " +
      'view path="." pattern="*.rs" content="needle" include_hidden=true include_ignored=true',
  },
  {
    input: { path: "docs", content: "absent" },
    answer: 'No match for the text "absent" in 1 file of docs.',
  },
  {
    input: { path: "docs", content: "no.*match" },
    answer: 'No match for the text "no.*match" in 1 file of docs. It was taken literally; as a ' +
      'regular expression: view path="docs" content="no.*match" regex=true',
  },
  {
    input: { path: "docs", content: "absent", regex: true },
    answer: 'No match for the regular expression "absent" in 1 file of docs.',
  },
  {
    input: { path: ".hidden", content: "needle" },
    answer: ".hidden/h.ts:\n1|needle hidden",
  },
  {
    input: {
      content: "needle",
      pattern: "*.ts",
      include_hidden: true,
      include_ignored: true,
    },
    answer: ".hidden/h.ts:\n1|needle hidden\n\nignored/x.ts:\n1|needle ignored\n\n" +
      "src/deep/c.ts:\n2|needle c1\n--\n5|needle c2\n\nsrc/main.ts:\n1|import needle from 'x';\n--\n3|needle(a);",
  },
  {
    input: { content: "needle", max_depth: 2, path: "src" },
    answer:
      "src/deep/c.ts:\n2|needle c1\n--\n5|needle c2\n\nsrc/main.ts:\n1|import needle from 'x';\n--\n3|needle(a);",
  },
  {
    input: { content: "needle", max_depth: 1, path: "src" },
    answer: "src/main.ts:\n1|import needle from 'x';\n--\n3|needle(a);",
  },
];

const ERRORS: readonly { readonly input: Row["input"]; readonly message: RegExp }[] = [
  { input: { path: "sr", content: "x" }, message: /missing/ },
  { input: { path: "src|nowhere", content: "x" }, message: /missing/ },
  {
    input: { content: "x", pattern: "a[b" },
    message: /malformed at character 2: `\[` without `\]`/,
  },
  {
    input: { content: "foo(", regex: true },
    message:
      /malformed at character 4: .*unclosed.*search for this text as it is: view path="." content="foo\("$/,
  },
];

/** Removes the hashes after checking that each is its line's. */
function withoutHashes(text: string): string {
  return text.replace(/^(\d+):([0-9a-f]{2})\|(.*)$/gm, (_, number, hash, content) => {
    assert.equal(hash, hashLine(content), content);
    return `${number}|${content}`;
  });
}

async function answerOf(input: Row["input"], context: ScanContext): Promise<string> {
  return withoutHashes(textOf(await searchContent({ path: ".", ...input }, context)));
}

async function checkRows(context: ScanContext): Promise<void> {
  for (const { input, answer } of ROWS) {
    const actual = await answerOf(input, context);
    assert.equal(actual, answer, JSON.stringify(input));
  }
  for (const { input, message } of ERRORS) {
    await assert.rejects(answerOf(input, context), message, JSON.stringify(input));
  }
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

Deno.test("a search answers with blocks and ids on this machine", async () => {
  await withTree(TREE, async (root) => {
    using context = scanContext(root);
    await checkRows(context);
    // Again, with what was seen the first time.
    await checkRows(context);
  });
});

Deno.test("a search answers the same over any FileSystem", async () => {
  const files = Object.fromEntries(
    Object.entries(TREE).map(([path, content]) => [`/project/${path}`, content]),
  );
  using context = scanContext("/project", { fileSystem: new MemoryFileSystem(files) });
  await checkRows(context);
});

Deno.test("ids that were shown are remembered for the file", async () => {
  await withTree({ "a.txt": "x\nneedle\n" }, async (root) => {
    using context = scanContext(root);
    const text = textOf(await searchContent({ path: ".", content: "needle" }, context));
    const id = /^2:[0-9a-f]{2}/m.exec(text)?.[0] ?? "";
    const { key } = await context.workspace.resolve("a.txt", {
      purpose: "read",
      expect: "existing",
    });
    assert.notEqual(context.shown.fingerprint(key, id), undefined);
  });
});

Deno.test("an answer says that it is full only when more exists", async () => {
  const most = 1989;
  const exactly = "needle\n".repeat(most);
  await withTree({ "a.txt": exactly, "z.txt": "other\n" }, async (root) => {
    using context = scanContext(root);
    const full = textOf(await searchContent({ path: ".", content: "needle" }, context));
    assert.equal(full.split("\n").length, most + 1);
    assert.doesNotMatch(full, /more matches/);
    await Deno.writeTextFile(`${root}/z.txt`, "needle\n");
    const more = textOf(await searchContent({ path: ".", content: "needle" }, context));
    assert.match(more, /\nHint: The answer is full: more matches exist\./);
  });
});

Deno.test("an answer stays within 2,000 lines and 60,000 bytes", async () => {
  const line = `${"x".repeat(5_000)}needle${"語".repeat(5_000)}\n`;
  const files = Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [`d${index}/f.txt`, line.repeat(40)]),
  );
  await withTree(files, async (root) => {
    using context = scanContext(root);
    for (const content of ["needle", "x"]) {
      const text = textOf(await searchContent({ path: ".", content, context: 5 }, context));
      assert.ok(new TextEncoder().encode(text).length <= 60_000);
      assert.ok(text.split("\n").length <= 2_000);
      assert.match(text, /more matches exist/);
      assert.match(text, content === "needle" ? /…x+needle語+… \[line of 10,006 / : /x… \[line of/);
    }
  });
});

Deno.test("lines that a large file is cut between are found together", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line number ${index} of the file`);
  for (const ending of ["\n", "\r\n"]) {
    await withTree({ "a.txt": lines.join(ending) }, async (root) => {
      using context = scanContext(root);
      let offset = 0;
      let tried = 0;
      for (const [index, line] of lines.entries()) {
        const next = offset + line.length + ending.length;
        // Wherever pieces of any power of two from 64 KiB on would end.
        if (offset >> 16 !== next >> 16) {
          for (const first of [index - 1, index, index + 1]) {
            const content = `number ${first} of the file\nline number ${first + 1} of`;
            const text = textOf(await searchContent({ path: ".", content }, context));
            assert.match(text, new RegExp(`^${first + 1}:.*number ${first} of`, "m"));
            tried++;
          }
        }
        offset = next;
      }
      assert.ok(tried > 20);
    });
  }
});

Deno.test("a changed file is never answered from memory", async () => {
  const files = Object.fromEntries(
    Array.from(
      { length: 1_200 },
      (_, index) => [`d${index % 30}/f${index}.txt`, `line ${index}\n`],
    ),
  );
  await withTree(files, async (root) => {
    using context = scanContext(root);
    const search = async () =>
      textOf(await searchContent({ path: ".", content: "needle" }, context));
    // Old enough to be remembered, as the files of a project are.
    const old = new Date(Date.now() - 3_600_000);
    for (const path of Object.keys(files)) await Deno.utime(`${root}/${path}`, old, old);
    assert.match(await search(), /in 1,200 files/);
    assert.match(await search(), /in 1,200 files/);
    // The same size and the same time of change: only the inode's own time tells.
    await Deno.writeTextFile(`${root}/d7/f7.txt`, "needle");
    await Deno.utime(`${root}/d7/f7.txt`, old, old);
    assert.match(await search(), /^d7\/f7\.txt:\n/);
    await Deno.writeTextFile(`${root}/d7/new.txt`, "needle\n");
    assert.match(await search(), /d7\/new\.txt:\n/);
    await Deno.remove(`${root}/d7`, { recursive: true });
    assert.match(await search(), /in 1,160 files/);
  });
});

Deno.test("a pattern that backtracks without end is stopped, and others are answered meanwhile", async () => {
  await withTree({ "a.txt": `${"a".repeat(200)}!\n`, "b.txt": "needle\n" }, async (root) => {
    using context = scanContext(root, { threads: { stuckAfter: 1_000 } });
    const stuck = searchContent({ path: ".", content: "^(a+)+$", regex: true }, context);
    stuck.catch(() => {});
    const other = textOf(
      await searchContent({ path: ".", content: "need.e", regex: true }, context),
    );
    assert.match(other, /b\.txt:\n1:/);
    await assert.rejects(stuck, /was stopped/);
  });
});

Deno.test("a cancelled search ends", async () => {
  await withTree({ "a.txt": `${"a".repeat(200)}!\n` }, async (root) => {
    const controller = new AbortController();
    using context = scanContext(root, { signal: controller.signal });
    const search = searchContent({ path: ".", content: "^(a+)+$", regex: true }, context);
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(search, { name: "AbortError" });
  });
});
