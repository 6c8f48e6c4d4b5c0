// Owns: that commands start, end and are ended as promised, with real processes.
// Must not know: misuse, how output is rendered.

import { deepEqual, equal, rejects } from "node:assert/strict";
import { StartError } from "../../src/shell/process_group.ts";
import type { RunResult } from "../../src/shell/run.ts";
import { until } from "../support/processes.ts";
import { Bench, exists, FIXTURES, text } from "../support/run_bench.ts";

Deno.test("run: output of both streams and the exit code", async () => {
  await using bench = new Bench();
  const result = await bench.run("echo out; echo err >&2; exit 3");
  deepEqual(result.end, { kind: "exited", code: 3 });
  deepEqual([text(result.stdout), text(result.stderr)], ["out\n", "err\n"]);
  deepEqual([result.survivors, result.isHeldOpen], [undefined, false]);
});

Deno.test("run: how a command can end", async () => {
  await using bench = new Bench();
  const rows: readonly (readonly [command: string, end: RunResult["end"]])[] = [
    ["true", { kind: "exited", code: 0 }],
    ["false", { kind: "exited", code: 1 }],
    ["exit 255", { kind: "exited", code: 255 }],
    ["no-such-program-here", { kind: "exited", code: 127 }],
    ["kill -KILL $$", { kind: "signalled", signal: "SIGKILL" }],
    ["kill -TERM $$", { kind: "signalled", signal: "SIGTERM" }],
    ["sh -c 'kill -SEGV $$'; exit $?", { kind: "exited", code: 139 }],
    ["exec 1>&- 2>&-; exit 4", { kind: "exited", code: 4 }],
    ["if", { kind: "exited", code: 2 }],
  ];
  for (const [command, end] of rows) deepEqual((await bench.run(command)).end, end, command);
});

Deno.test("run: in the given directory, with a quiet environment and the server's own", async () => {
  await using bench = new Bench();
  const result = await bench.run("pwd; env");
  const lines = text(result.stdout).split("\n");
  equal(lines[0], await Deno.realPath(bench.directory));
  for (
    const line of [
      "GIT_TERMINAL_PROMPT=0",
      "DEBIAN_FRONTEND=noninteractive",
      "PAGER=cat",
      "GIT_PAGER=cat",
      "NO_COLOR=1",
      "GIT_EDITOR=true",
      `PATH=${Deno.env.get("PATH")}`,
    ]
  ) equal(lines.includes(line), true, line);
});

Deno.test("run: nothing can be typed in, so nothing waits for it", async () => {
  await using bench = new Bench();
  const result = await bench.run('cat; read line; echo "read: $?"; sh; test -t 0 || echo no tty');
  equal(text(result.stdout), "read: 1\nno tty\n");
});

Deno.test("run: there is no terminal to ask on", async () => {
  await using bench = new Bench();
  const { stdout } = await bench.run(
    "(echo secret > /dev/tty) 2>/dev/null && echo asked || echo none",
  );
  equal(text(stdout), "none\n");
});

Deno.test("run: both pipes are read at once", async () => {
  await using bench = new Bench();
  const { stdout, stderr } = await bench.run(bench.fixture("fills_both.sh"));
  deepEqual([stdout.head.length, stderr.head.length], [1_048_576, 1_048_576]);
});

Deno.test("run: the group is not the server's", async () => {
  await using bench = new Bench();
  const { pid, stdout } = await bench.run("ps -o pgid= -p $$");
  equal(Number(text(stdout)), pid);
});

Deno.test("run: a child that holds the pipe does not hold the call, and is named", async () => {
  await using bench = new Bench();
  const result = await bench.run(`${bench.sleeper} & echo started`);
  deepEqual(result.end, { kind: "exited", code: 0 });
  equal(text(result.stdout), "started\n");
  equal(result.isHeldOpen, true);
  deepEqual(result.survivors?.some((one) => one.command.includes(bench.mark)), true);
  equal((await bench.living()).length > 0, true);
});

Deno.test("run: a child that left its output elsewhere is named too", async () => {
  await using bench = new Bench();
  const result = await bench.run(`${bench.sleeper} >/dev/null 2>&1 & echo started`);
  equal(result.isHeldOpen, false);
  equal(result.survivors?.some((one) => one.command.includes(bench.mark)), true);
});

Deno.test("run: the time limit ends the whole group and keeps the output so far", async () => {
  await using bench = new Bench();
  const command = `echo before; ${bench.sleeper} & ${bench.sleeper} | ${bench.sleeper}; echo after`;
  const result = await bench.run(command, { timeout: 300 });
  deepEqual(result.end, { kind: "timed_out" });
  equal(text(result.stdout), "before\n");
  equal(result.survivors, undefined);
  deepEqual(await bench.living(), []);
});

Deno.test("run: a group that ignores TERM is ended all the same", async () => {
  await using bench = new Bench();
  const result = await bench.run(bench.fixture("ignore_term.sh"), { timeout: 300 });
  deepEqual(result.end, { kind: "timed_out" });
  deepEqual(await bench.living(), []);
});

Deno.test("run: TERM comes first, so that a program can clean up", async () => {
  await using bench = new Bench();
  const cancel = new AbortController();
  const running = bench.run(bench.fixture("cleans_up.sh"), { signal: cancel.signal });
  const file = `${bench.directory}/${bench.mark}`;
  await until(() => exists(file));
  cancel.abort();
  deepEqual((await running).end, { kind: "cancelled" });
  equal(await exists(file), false);
});

Deno.test("run: two hundred children end with their command", async () => {
  await using bench = new Bench();
  const cancel = new AbortController();
  const running = bench.run(bench.fixture("fork_storm.sh"), { signal: cancel.signal });
  await until(async () => (await bench.living()).length > 200);
  cancel.abort();
  deepEqual((await running).end, { kind: "cancelled" });
  deepEqual(await bench.living(), []);
});

Deno.test("run: a call that was cancelled before it began starts nothing", async () => {
  await using bench = new Bench();
  await rejects(
    bench.run(`touch ran; ${bench.sleeper}`, { signal: AbortSignal.abort() }),
    (error) => error instanceof StartError && error.reason === "cancelled",
  );
  equal(await exists(`${bench.directory}/ran`), false);
});

Deno.test("run: fifty at once answer each with their own output", async () => {
  await using bench = new Bench();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) => bench.run(`echo ${index}; exit ${index}`)),
  );
  deepEqual(
    results.map((result) => [text(result.stdout), result.end]),
    results.map((_, index) => [`${index}\n`, { kind: "exited", code: index }]),
  );
});

Deno.test("run: what cannot be started says why", async () => {
  await using bench = new Bench();
  const gone = `${bench.directory}/gone`;
  const file = `${bench.directory}/file`;
  await Deno.writeTextFile(file, "");
  const rows: readonly (readonly [command: string, directory: string, reason: string])[] = [
    ["true", gone, "no_directory"],
    ["true", file, "no_directory"],
    [`: ${"x".repeat(4_000_000)}`, bench.directory, "too_long"],
  ];
  for (const [command, directory, reason] of rows) {
    await rejects(
      bench.run(command, { directory }),
      (error) => error instanceof StartError && error.reason === reason,
      reason,
    );
  }
});

Deno.test("run: with the right to start sh only, groups are ended all the same", async () => {
  await using bench = new Bench();
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--no-prompt", "--allow-run=sh"],
      ...[`${FIXTURES}narrow_run.ts`, bench.directory, bench.mark],
    ],
  }).output();
  deepEqual(JSON.parse(text({ head: stdout })), [
    "prompt",
    { kind: "exited", code: 3 },
    true,
    { kind: "timed_out" },
  ]);
  deepEqual(await bench.living(), []);
});

Deno.test("run: 100 MB of output pass in bounded memory", async () => {
  const script = `${FIXTURES}read_much.ts`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script],
  }).output();
  const { bytes, megabytes } = JSON.parse(
    text({ head: stdout }) || `{"error":${text({ head: stderr })}}`,
  );
  equal(bytes, 100_000_000);
  equal(megabytes < 60, true, `${megabytes} MB over idle`);
});
