import assert from "node:assert/strict";
import { LocalScanEngine } from "../../src/fs/local_scan.ts";
import type { ScanJob, SearchRequest } from "../../src/fs/scan_jobs.ts";
import { NoThreadError, ScanPool, StuckError } from "../../src/fs/scan_pool.ts";
import { translateRegex } from "../../src/text/regex_syntax.ts";
import { writeTree } from "../support/scan_context.ts";

function literal(text: string, context = 0): SearchRequest {
  return { query: { kind: "literal", text }, context, maxMatches: 100, maxBytes: Infinity };
}

function regex(pattern: string, context = 0): SearchRequest {
  const translated = translateRegex(pattern);
  if (translated.kind === "malformed") throw new Error(pattern);
  const query = { kind: "regex", ...translated.sources } as const;
  return { query, context, maxMatches: 100, maxBytes: Infinity };
}

const LINES = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1} ü`);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Files that need every way of reading: small, in pieces, with long lines, in each encoding. */
const FILES = {
  "empty": "",
  "small": "one\nneedle\nthree",
  "large": LINES.join("\n"),
  "large_ascii": LINES.join("\r\n").replaceAll("ü", "u"),
  "long_line": `${"x".repeat(700_000)}needle${"y".repeat(700_000)}\nneedle\n`,
  "utf16": new Uint8Array([0xfe, 0xff, ...[..."needle\n"].flatMap((c) => [0, c.charCodeAt(0)])]),
  "large_bom": new Uint8Array([0xef, 0xbb, 0xbf, ...bytesOf(LINES.join("\n"))]),
  "late_nul": new Uint8Array([...bytesOf(LINES.join("\n")), 0]),
  "not_utf8": new Uint8Array([0xe9, 10, ...bytesOf("needle")]),
};

async function withFiles(work: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    writeTree(root, FILES);
    await work(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a thread answers every job as this thread does", async () => {
  await withFiles(async (root) => {
    const paths = Object.keys(FILES).map((name) => `${root}/${name}`);
    const all = [...paths, `${root}/missing`, root].join("\0");
    const common = { settledBefore: Date.now() + 60_000, maxBytes: Infinity };
    const jobs: ScanJob[] = [
      { kind: "list", directories: [{ path: root }, { path: `${root}/none` }], ...common },
      { kind: "measure", files: paths.map((path) => ({ path })), budget: 60_000, ...common },
      { kind: "sign", paths: all, settledBefore: common.settledBefore },
      { kind: "search", paths: all, budget: 60_000, request: literal("needle") },
      { kind: "search", paths: all, budget: 60_000, request: literal("line 59999", 2) },
      { kind: "search", paths: all, budget: 60_000, request: literal("absent") },
      { kind: "search", paths: all, budget: 60_000, request: regex("^line [2-5]0000\\b", 3) },
      { kind: "search", paths: all, budget: 60_000, request: regex("(?i)NEEDLE$") },
      { kind: "search", paths: all, budget: 60_000, request: regex("9 ü$", 1) },
      { kind: "match", text: "a\nneedle\n", request: regex("n.{4}e") },
    ];
    const pool = new ScanPool({ threads: 2 });
    const here = new LocalScanEngine(() => {});
    try {
      for (const job of jobs) assert.deepEqual(await pool.run(job), here.run(job), job.kind);
    } finally {
      pool.close();
    }
  });
});

Deno.test("lines, context and counts are right across the pieces of a large file", async () => {
  await withFiles((root) => {
    const engine = new LocalScanEngine(() => {});
    for (const name of ["large", "large_ascii", "large_bom"]) {
      const texts = name === "large_ascii" ? LINES.map((line) => line.replace("ü", "u")) : LINES;
      for (const context of [0, 1, 7]) {
        for (const request of [literal(" 00", context), regex("^line \\d+99 ", context)]) {
          const wanted = request.query.kind === "literal"
            ? (line: string) => line.includes(" 00")
            : (line: string) => /^line \d+99 /.test(line);
          const { found } = engine.run({
            kind: "search",
            paths: `${root}/${name}`,
            budget: 1,
            request: { ...request, maxMatches: Infinity },
          });
          const printed = new Map<number, string>();
          for (const findings of found) {
            if (findings.kind !== "found") continue;
            for (const { firstLine, lines } of findings.blocks) {
              for (const [index, { text }] of lines.entries()) {
                assert.ok(!printed.has(firstLine + index), "each line once");
                printed.set(firstLine + index, text);
              }
            }
          }
          const expected = new Map<number, string>();
          for (const [index, text] of texts.entries()) {
            if (!wanted(text)) continue;
            const last = Math.min(index + context, texts.length - 1);
            for (let line = Math.max(index - context, 0); line <= last; line++) {
              expected.set(line, texts[line] ?? "");
            }
          }
          assert.deepEqual([...printed], [...expected].sort(([one], [other]) => one - other));
        }
      }
    }
    return Promise.resolve();
  });
});

Deno.test("measures agree with a split of the whole text", async () => {
  await withFiles((root) => {
    const engine = new LocalScanEngine(() => {});
    const measured = (name: string) => {
      const files = [{ path: `${root}/${name}` }];
      const [answer] = engine.run({
        kind: "measure",
        files,
        budget: 1,
        settledBefore: 0,
        maxBytes: Infinity,
      });
      return answer?.kind === "measured" ? answer.measure : answer;
    };
    const size = (name: keyof typeof FILES) => bytesOf(String(FILES[name])).length;
    assert.deepEqual(measured("empty"), { kind: "text", lines: 0, bytes: 0 });
    assert.deepEqual(measured("small"), { kind: "text", lines: 3, bytes: 16 });
    assert.deepEqual(measured("large"), { kind: "text", lines: 60_000, bytes: size("large") });
    assert.deepEqual(measured("long_line"), { kind: "text", lines: 2, bytes: size("long_line") });
    assert.deepEqual(measured("utf16"), { kind: "text", lines: 1, bytes: 16 });
    assert.equal(measured("late_nul")?.kind, "binary");
    assert.deepEqual(measured("missing"), { kind: "unreadable", reason: "missing" });
    return Promise.resolve();
  });
});

Deno.test("a thread that makes no progress is ended; the next job gets a new one", async () => {
  const pool = new ScanPool({ threads: 1, stuckAfter: 600 });
  try {
    const text = `${"a".repeat(100)}!`;
    await assert.rejects(pool.run({ kind: "match", text, request: regex("^(a+)+$") }), StuckError);
    const answer = await pool.run({ kind: "match", text, request: regex("!") });
    assert.equal(answer.kind, "found");
  } finally {
    pool.close();
  }
});

Deno.test("a thread that is stuck holds up no other job", async () => {
  const pool = new ScanPool({ threads: 2, stuckAfter: 60_000 });
  try {
    const text = `${"a".repeat(100)}!`;
    let isOver = false;
    const stuck = pool.run({ kind: "match", text, request: regex("^(a+)+$") });
    stuck.catch(() => {}).finally(() => isOver = true);
    const answer = await pool.run({ kind: "match", text, request: regex("!") });
    assert.equal(answer.kind, "found");
    assert.equal(isOver, false);
  } finally {
    pool.close();
  }
});

Deno.test("a cancelled job is left at once", async () => {
  const pool = new ScanPool({ threads: 1 });
  try {
    const ending = new AbortController();
    const text = `${"a".repeat(100)}!`;
    const job = pool.run({ kind: "match", text, request: regex("^(a+)+$") }, ending.signal);
    const waiting = pool.run({ kind: "sign", paths: "/", settledBefore: 0 }, ending.signal);
    ending.abort();
    await assert.rejects(job, { name: "AbortError" });
    await assert.rejects(waiting, { name: "AbortError" });
    await assert.rejects(pool.run({ kind: "sign", paths: "/", settledBefore: 0 }, ending.signal));
  } finally {
    pool.close();
  }
});

Deno.test("idle threads end, and start again when they are needed", async () => {
  const pool = new ScanPool({ threads: 1, idleAfter: 20 });
  const job = { kind: "sign", paths: "/", settledBefore: 0 } as const;
  try {
    await pool.run(job);
    assert.equal(pool.isReady, true);
    while (pool.isReady) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await pool.run(job), "");
  } finally {
    pool.close();
  }
  await assert.rejects(pool.run(job), NoThreadError);
});

Deno.test("threads start where nothing but the project may be read", async () => {
  await withFiles(async (root) => {
    const real = await Deno.realPath(root);
    const main = new URL("../../src/main.ts", import.meta.url).pathname;
    const flags = ["--no-prompt", "--no-check", `--allow-read=${real}`, `--allow-write=${real}`];
    const input = JSON.stringify({ path: ".", content: "^n\\w+e$", regex: true });
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, main, "call", "view", input, "--path", real],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.match(text, /small:\n2:[0-9a-f]{2}\|needle\n/, new TextDecoder().decode(stderr));
    assert.match(text, /not_utf8:\n2:[0-9a-f]{2}\|needle\n/);
  });
});
