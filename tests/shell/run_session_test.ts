// Owns: what runs beside the calls: background commands, the heartbeat, the end of the session.
// Must not know: misuse, how output is rendered.

import { deepEqual, equal, rejects } from "node:assert/strict";
import { StartError } from "../../src/shell/process_group.ts";
import { until } from "../support/processes.ts";
import { Bench, exists, text } from "../support/run_bench.ts";

Deno.test("run: in the background it answers with the pid and goes on, also printing", async () => {
  await using bench = new Bench();
  const file = `${bench.directory}/${bench.mark}`;
  const result = await bench.run(bench.fixture("chatter.sh"), { background: true });
  deepEqual(result.end, { kind: "background" });
  equal(text(result.stdout).startsWith("line 0\n"), true);
  const count = async () => Number(await Deno.readTextFile(file).catch(() => "0"));
  const before = await count();
  await until(async () => await count() > before + 20);
  await new Deno.Command("sh", { args: ["-c", `kill -- -${result.pid}`] }).output();
  await until(async () => (await bench.living()).length === 0);
});

Deno.test("run: in the background, what ends at once is told with its code and output", async () => {
  await using bench = new Bench();
  const result = await bench.run("echo no >&2; exit 7", { background: true });
  deepEqual([result.end, text(result.stderr)], [{ kind: "exited", code: 7 }, "no\n"]);
});

Deno.test("run: in the background, a time limit holds as well", async () => {
  await using bench = new Bench();
  const result = await bench.run(bench.sleeper, { background: true, timeout: 400 });
  deepEqual(result.end, { kind: "background" });
  await until(async () => (await bench.living()).length === 0);
});

Deno.test("run: the end of the session ends what runs, what was left and what is in the background", async () => {
  await using bench = new Bench();
  const running = bench.run(bench.sleeper);
  await bench.run(`${bench.sleeper} & true`);
  await bench.run(`${bench.sleeper} > /dev/null 2>&1 & true`);
  await bench.run(bench.sleeper, { background: true });
  await until(async () => (await bench.living()).length >= 4);
  await bench.runner.killAll();
  deepEqual((await running).end, { kind: "cancelled" });
  deepEqual(await bench.living(), []);
  await rejects(
    bench.run("true"),
    (error) => error instanceof StartError && error.reason === "session_ended",
  );
});

Deno.test("run: while the caller waits, the heart beats", async () => {
  await using bench = new Bench();
  const beats: { elapsed: number; bytes: number }[] = [];
  const enough = new AbortController();
  await bench.run(`echo four; ${bench.sleeper}`, {
    heartbeatInterval: 5,
    heartbeat: (state) => {
      if (beats.push(state) >= 5 && state.bytes === 5) enough.abort();
    },
    signal: enough.signal,
  });
  equal(beats.length >= 5, true);
  equal(
    beats.every((beat, index) => index === 0 || beat.elapsed > (beats[index - 1]?.elapsed ?? 0)),
    true,
  );
  equal(beats.at(-1)?.bytes, 5);
});

Deno.test("run: groups are ended also when its own directory was removed", async () => {
  await using bench = new Bench();
  const removed = `${bench.directory}/removed`;
  const script = `${bench.directory}/session.ts`;
  await Deno.mkdir(removed);
  // With the right to run sh only, signals are sent by a program, which has to be started somewhere.
  await Deno.writeTextFile(
    script,
    `import { ShellRunner } from "${new URL("../../src/shell/run.ts", import.meta.url)}";
    const runner = new ShellRunner();
    const run = (command, options) =>
      runner.run(command, { directory: Deno.args[0], signal: new AbortController().signal, ...options });
    await run(Deno.args[1], { background: true });
    const late = await run("rmdir " + Deno.args[0] + "; " + Deno.args[1], { timeout: 300 });
    await runner.killAll();
    console.log(late.end.kind);`,
  );
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--no-prompt", "--allow-run=sh", script],
      ...[removed, bench.sleeper],
    ],
    cwd: removed,
  }).output();
  equal(new TextDecoder().decode(stdout), "timed_out\n");
  equal(await exists(removed), false);
  deepEqual(await bench.living(), []);
});
