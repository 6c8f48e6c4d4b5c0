// Measures the start of a process until `initialize` is answered, the first call after that, and the
// memory of an idle server with all its processes, each as a ratio to a minimal server on the same
// package in the same form: source to source, one-file bundle to one-file bundle.
//
// Usage: deno run -A tests/bench/start_bench.ts [runs]

import { bundle, sourcePath } from "../support/ways_of_starting.ts";

interface Variant {
  readonly name: string;
  readonly args: readonly string[];
  /** Name of the variant to compare with. */
  readonly yardstick: string;
}

interface Figures {
  readonly start: number[];
  readonly firstCall: number[];
  readonly memory: number[];
}

const runs = Number(Deno.args[0] ?? 9);
const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-bench-" }));

async function bundled(entry: string, name: string): Promise<string> {
  await Deno.mkdir(`${directory}/${name}`);
  return await bundle(sourcePath(entry), `${directory}/${name}`);
}

const root = `${directory}/root`;
await Deno.mkdir(root);
await Deno.writeTextFile(`${root}/a.txt`, "one\n");
const minimalBundle = await bundled("tests/bench/minimal_server.ts", "minimal");
const octofsBundle = await bundled("src/main.ts", "octofs");
const minimal = sourcePath("tests/bench/minimal_server.ts");
const octofs = sourcePath("src/main.ts");
const serve = ["mcp", "--path", root];
const narrow = ["--no-prompt", `-R=${root}`, `-W=${root}`];

const VARIANTS: readonly Variant[] = [
  { name: "minimal server, source", args: ["-A", minimal], yardstick: "minimal server, source" },
  {
    name: "octofs, source, two layers (deno run -A)",
    args: ["-A", octofs, ...serve],
    yardstick: "minimal server, source",
  },
  {
    name: "octofs, source, two layers (-R=DIR -W=DIR)",
    args: [...narrow, octofs, ...serve],
    yardstick: "minimal server, source",
  },
  {
    name: "octofs, source, one layer (-R -W)",
    args: ["--no-prompt", "-R", "-W", octofs, ...serve],
    yardstick: "minimal server, source",
  },
  {
    name: "minimal server, bundle",
    args: ["-A", "--no-config", minimalBundle],
    yardstick: "minimal server, bundle",
  },
  {
    name: "octofs, bundle, two layers (deno run -A)",
    args: ["-A", "--no-config", octofsBundle, ...serve],
    yardstick: "minimal server, bundle",
  },
  {
    name: "octofs, bundle, two layers (-R=DIR -W=DIR)",
    args: [...narrow, "--no-config", octofsBundle, ...serve],
    yardstick: "minimal server, bundle",
  },
];

function message(body: Record<string, unknown>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...body })}\n`);
}

/** One start, one call, a look at the memory. */
async function measure(variant: Variant, figures: Figures): Promise<void> {
  const begun = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...variant.args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.getReader();
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await input.write(message({ id: 1, method: "initialize", params }));
  await output.read();
  figures.start.push(performance.now() - begun);
  await input.write(message({ method: "notifications/initialized" }));
  const called = performance.now();
  const call = { name: "view", arguments: { path: "a.txt" } };
  await input.write(message({ id: 2, method: "tools/call", params: call }));
  await output.read();
  figures.firstCall.push(performance.now() - called);
  const memory = await proportionalMemory(child.pid);
  if (memory !== undefined) figures.memory.push(memory);
  await input.close();
  await output.cancel();
  try {
    child.kill("SIGTERM");
  } catch {
    // It has ended with its input.
  }
  await child.status;
}

/** MiB of a process and its children, pages shared between processes counted once in all; Linux only. */
async function proportionalMemory(pid: number): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const rollup = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`).catch(() => "");
  let total = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`).catch(() => "");
  for (const child of children.split(" ").filter(Boolean).map(Number)) {
    total += await proportionalMemory(child) ?? 0;
  }
  return total;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? NaN;
}

const results = new Map<string, Figures>(
  VARIANTS.map(({ name }) => [name, { start: [], firstCall: [], memory: [] }]),
);
for (let run = 0; run <= runs; run++) {
  // In turn, so that a machine that gets slower does so for all; the first round only fills caches.
  for (const variant of VARIANTS) {
    const discarded = { start: [], firstCall: [], memory: [] };
    await measure(variant, run === 0 ? discarded : results.get(variant.name) ?? discarded);
  }
}
for (const { name, yardstick } of VARIANTS) {
  const [own, other] = [results.get(name), results.get(yardstick)];
  if (own === undefined || other === undefined) continue;
  const start = median(own.start);
  const memory = median(own.memory);
  console.log(
    `${name.padEnd(44)} start ${start.toFixed(0).padStart(4)} ms ` +
      `${(start / median(other.start)).toFixed(2)}x, ` +
      `first call ${median(own.firstCall).toFixed(0).padStart(4)} ms, ` +
      `memory ${memory.toFixed(0).padStart(3)} MiB ` +
      `${(memory / median(other.memory)).toFixed(2)}x +${
        (memory - median(other.memory)).toFixed(0)
      }`,
  );
}
await Deno.remove(directory, { recursive: true });
