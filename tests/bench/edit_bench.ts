// Measures whole tool calls over stdio against a bare program doing the same file work in this process,
// and prints ratios of this run: times alone say nothing on a shared machine.
//
// Run: deno run -A tests/bench/edit_bench.ts

import { temporaryDirectory } from "../support/octofs.ts";
import { BenchServer } from "./bench_server.ts";
import { testSession } from "../support/session.ts";
import { hashLine } from "../../src/text/line_id.ts";

const ROUNDS = 40;

function sourceText(lines: number, bytesPerLine: number): string {
  const rows: string[] = [];
  for (let index = 0; index < lines; index++) {
    const row = `    const value${index} = compute(${index}, "label ${index * 7919 % lines}");`;
    rows.push(row.padEnd(bytesPerLine - 1, "/"));
  }
  return rows.join("\n") + "\n";
}

function median(times: number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

async function time(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 5; round++) {
    const start = performance.now();
    await work(round);
    if (round >= 5) times.push(performance.now() - start);
  }
  return median(times);
}

/** Read, splice, write beside, flush, rename: what any safe edit has to do. */
async function bareEdit(path: string, round: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  const text = new TextDecoder().decode(bytes);
  const from = `value${round % 2 === 0 ? 700 : "X700"} =`;
  const to = `value${round % 2 === 0 ? "X700" : 700} =`;
  const at = text.indexOf(from);
  const result = new TextEncoder().encode(text.slice(0, at) + to + text.slice(at + from.length));
  const temporary = `${path}.tmp`;
  const file = await Deno.open(temporary, { write: true, createNew: true });
  for (let written = 0; written < result.length;) {
    written += await file.write(result.subarray(written));
  }
  await file.sync();
  file.close();
  await Deno.rename(temporary, path);
}

function row(what: string, measured: number, yardstick: number): void {
  const ratio = (measured / yardstick).toFixed(2);
  console.log(
    `${what.padEnd(52)} ${measured.toFixed(2).padStart(8)} ms ${
      yardstick.toFixed(2).padStart(8)
    } ms  ${ratio}x`,
  );
}

console.log(`${"".padEnd(52)} ${"octofs".padStart(11)} ${"bare".padStart(11)}  ratio`);
for (const [lines, width] of [[800, 53], [20_000, 60]] as const) {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/file.ts`;
  const text = sourceText(lines, width);
  await Deno.writeTextFile(path, text);
  const bare = await time((round) => bareEdit(path, round));
  await Deno.writeTextFile(path, text);
  await using octofs = await BenchServer.start(["--path", directory.path]);
  const check = (answer: { text: string; isError: boolean }) => {
    if (answer.isError) throw new Error(answer.text);
    return answer.text;
  };
  const replaced = await time(async (round) => {
    const [from, to] = round % 2 === 0
      ? ["value700 =", "valueX700 ="]
      : ["valueX700 =", "value700 ="];
    check(
      await octofs.call("text_editor", {
        command: "str_replace",
        path: "file.ts",
        old_text: from,
        new_text: to,
      }),
    );
  });
  row(`str_replace over stdio, ${lines} lines`, replaced, bare);
  await Deno.writeTextFile(path, text);
  const line = text.split("\n")[700] ?? "";
  const other = line.replace("const", "let");
  const batched = await time(async (round) => {
    const [from, to] = round % 2 === 0 ? [line, other] : [other, line];
    check(
      await octofs.call("batch_edit", {
        path: "file.ts",
        operations: [{ operation: "replace", start: `701:${hashLine(from)}`, content: to }],
      }),
    );
  });
  row(`batch_edit over stdio, ${lines} lines`, batched, bare);

  await using session = await testSession(directory.path);
  const missing = await time(() =>
    session.call("text_editor", {
      command: "str_replace",
      path: "file.ts",
      old_text: `${line.replace("compute", "calculate")}\n${line.replace("label", "lable")}`,
      new_text: "x",
    })
  );
  row(`miss with diagnostics, ${lines} lines`, missing, bare);
  const end = Math.min(lines, 800);
  const viewed = await time(() => session.call("view", { path: "file.ts", start: 1, end }));
  const joined = await time(async () => {
    const rows = (await Deno.readTextFile(path)).split("\n").slice(0, end);
    return rows.map((one, index) => `${index + 1}:${hashLine(one)}|${one}`).join("\n");
  });
  row(`view of ${end} of ${lines} lines (bare: read, hash, join)`, viewed, joined);
}
