// Owns: the times of listing, finding and searching a tree of real packages, as ratios to ripgrep's.
// Must not know: how the program does it.
//
// Each figure is the median of rounds in which ripgrep and octofs take turns, so that a busy machine
// weighs on both alike. "First" is the first call of its kind in a session, "again" the same call later.
// octofs is timed over stdio, protocol and all; ripgrep as a whole process.
//
// Run: deno run -A tests/bench/search_bench.ts [--rounds=5] [--idle]

import { BenchServer } from "./bench_server.ts";

const PACKAGES = [
  "typescript@5.9.2",
  "date-fns@4.1.0",
  "core-js@3.45.0",
  "@mui/material@7.3.1",
  "rxjs@7.8.2",
  "aws-sdk@2.1692.0",
  "three@0.179.1",
  "lodash@4.17.21",
  "ramda@0.31.3",
];
const LITERAL = "zqxjk_unlikely";
const OTHER_LITERAL = "kjxqz_unlikely";
const REGEX = "\\bzqx[a-z]+_un";
const GLOB = "*.json";

const rounds = Number(Deno.args.find((arg) => arg.startsWith("--rounds="))?.slice(9) ?? 5);

/** The tree is made once and kept: it is the same for every run. */
async function packageTree(): Promise<string> {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;
  const root = `${base}/octofs-search-bench`;
  const done = `${root}/.complete`;
  const wanted = PACKAGES.join(" ");
  if (await Deno.readTextFile(done).catch(() => "") === wanted) return root;
  console.log(`Installing ${PACKAGES.length} packages into ${root} …`);
  await Deno.mkdir(root, { recursive: true });
  await Deno.writeTextFile(`${root}/package.json`, '{"name":"bench","private":true}\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional"];
  const npm = new Deno.Command("npm", { args: ["install", ...flags, ...PACKAGES], cwd: root });
  if (!(await npm.output()).success) throw new Error("npm install failed");
  await Deno.writeTextFile(done, wanted);
  return root;
}

function sizeOf(directory: string): { files: number; bytes: number } {
  const total = { files: 0, bytes: 0 };
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) {
      const { files, bytes } = sizeOf(path);
      total.files += files;
      total.bytes += bytes;
    } else if (entry.isFile) {
      total.files++;
      total.bytes += Deno.statSync(path).size;
    }
  }
  return total;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function ripgrep(args: readonly string[]): Promise<number> {
  const command = new Deno.Command("rg", {
    args: [...args],
    cwd: root,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  return timed(() => command.output());
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? NaN;
}

/** An agent's calls are seconds apart; what octofs does in between is part of the bargain. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_500));

interface Figure {
  readonly name: string;
  readonly ripgrep: readonly string[];
  readonly call: Record<string, unknown>;
  /** What octofs has been asked before, in the same session. */
  readonly before: readonly Record<string, unknown>[];
  readonly target: number | undefined;
}

const search = { path: ".", content: LITERAL };
const find = { path: ".", pattern: GLOB };
const list = { path: "." };
const FIGURES: readonly Figure[] = [
  { name: "search, first", ripgrep: [LITERAL], call: search, before: [], target: 1.5 },
  { name: "search, again", ripgrep: [LITERAL], call: search, before: [search], target: 1 },
  {
    name: "search, another text",
    ripgrep: [OTHER_LITERAL],
    call: { path: ".", content: OTHER_LITERAL },
    before: [search],
    target: undefined,
  },
  {
    name: "regex, first",
    ripgrep: [REGEX],
    call: { path: ".", content: REGEX, regex: true },
    before: [],
    target: undefined,
  },
  { name: "find, first", ripgrep: ["--files", "-g", GLOB], call: find, before: [], target: 1.5 },
  {
    name: "find, again",
    ripgrep: ["--files", "-g", GLOB],
    call: find,
    before: [find],
    target: 1.5,
  },
  { name: "list, first", ripgrep: ["--files"], call: list, before: [], target: 4 },
  { name: "list, again", ripgrep: ["--files"], call: list, before: [list], target: 1.5 },
];

async function measure({ name, ripgrep: args, call, before, target }: Figure): Promise<void> {
  const theirs: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using server = await BenchServer.start(["--path", root]);
    // What starting up costs is measured elsewhere: the first call of all is for a small file.
    await server.call("view", { path: "package.json" });
    for (const earlier of before) {
      await server.call("view", earlier);
      await pause();
    }
    theirs.push(await ripgrep(args));
    ours.push(await timed(() => server.call("view", call)));
    theirs.push(await ripgrep(args));
  }
  const ratio = median(ours) / median(theirs);
  const verdict = target === undefined ? "" : ratio <= target ? "  met" : "  missed";
  console.log(
    [
      name.padEnd(22),
      `${median(theirs).toFixed(0)} ms`.padStart(9),
      `${median(ours).toFixed(0)} ms`.padStart(9),
      `${ratio.toFixed(2)}x`.padStart(8),
      target === undefined ? "" : `  at most ${target}x`,
      verdict,
    ].join(""),
  );
}

interface ProcessFacts {
  readonly megabytes: number;
  readonly threads: number;
  readonly cpuSeconds: number;
}

/** A process and its children together, as Linux counts them. */
function processFacts(pid: number): ProcessFacts {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const times = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  let megabytes = number("VmRSS") / 1024;
  let threads = number("Threads");
  let cpuSeconds = (Number(times[11]) + Number(times[12])) / 100;
  const children = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim();
  for (const child of children.split(" ").filter(Boolean)) {
    const facts = processFacts(Number(child));
    megabytes += facts.megabytes;
    threads += facts.threads;
    cpuSeconds += facts.cpuSeconds;
  }
  return { megabytes, threads, cpuSeconds };
}

/** Runs in the order in which an agent would: the peak is that of a long session. */
async function measureMemoryAndPing(): Promise<void> {
  await using server = await BenchServer.start(["--path", root]);
  await server.call("view", { path: "package.json" });
  const fresh = processFacts(server.pid);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, processFacts(server.pid).megabytes);
  }, 20);
  let slowest = 0;
  for (const call of [list, search, search, { path: ".", content: REGEX, regex: true }, find]) {
    let running = true;
    const calling = server.call("view", call).finally(() => running = false);
    while (running) {
      const delay = await timed(() => server.request("ping", {}));
      slowest = Math.max(slowest, delay);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await calling;
  }
  clearInterval(watch);
  const tick = await timed(() => new Promise((resolve) => setTimeout(resolve, 0)));
  console.log(
    `memory: ${fresh.megabytes.toFixed(0)} MB fresh, ${peak.toFixed(0)} MB at most (250)`,
  );
  console.log(
    `slowest ping during a call: ${slowest.toFixed(0)} ms (50; a timer here takes ${
      tick.toFixed(0)
    } ms)`,
  );
  if (!Deno.args.includes("--idle")) return;
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  const before = processFacts(server.pid);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const after = processFacts(server.pid);
  console.log(
    `a minute later: ${after.megabytes.toFixed(0)} MB, ${after.threads} threads ` +
      `(${fresh.threads} when fresh), ${
        (after.cpuSeconds - before.cpuSeconds).toFixed(2)
      } s CPU in 5 s`,
  );
}

const hasRipgrep = await new Deno.Command("rg", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);
if (!hasRipgrep) {
  console.log(
    "search_bench: no rg on PATH (Debian: apt-get install ripgrep); nothing to compare with",
  );
  Deno.exit(0);
}
const root = await packageTree();
const { files, bytes } = sizeOf(root);
const megabytes = (bytes / 1e6).toFixed(0);
console.log(
  `${files} files, ${megabytes} MB, ${navigator.hardwareConcurrency} cores, ${rounds} rounds`,
);
console.log(`${"".padEnd(22)}${"rg".padStart(9)}${"octofs".padStart(9)}${"ratio".padStart(8)}`);
await ripgrep(["--files"]);
await ripgrep([LITERAL]);
for (const figure of FIGURES) await measure(figure);
await measureMemoryAndPing();
