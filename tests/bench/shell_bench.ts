// Owns: what a trivial command costs over the bare process, and how fast much output is read.
// Must not know: what the tool answers.

import { judgeCommand } from "../../src/shell/misuse.ts";
import { ShellRunner } from "../../src/shell/run.ts";
import { renderTerminal } from "../../src/shell/terminal_output.ts";
import { shellTool } from "../../src/tools/shell.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

const directory = Deno.makeTempDirSync();
const context = {
  workspace: {
    workingDirectory: directory,
    workingDirectoryIsRemote: false,
    localDirectories: [directory],
  },
  shell: new ShellRunner(),
  signal: new AbortController().signal,
  progress: () => {},
} as unknown as ToolContext;

const viaTool = (command: string) =>
  shellTool.run({ command, background: undefined, timeout: undefined }, context);
const bare = (command: string) =>
  new Deno.Command("sh", { args: ["-c", command], stdin: "null", cwd: directory }).output();

Deno.bench("bare sh -c true", { group: "trivial command", baseline: true }, async () => {
  await bare("true");
});
Deno.bench("shell true", { group: "trivial command" }, async () => {
  await viaTool("true");
});

const MUCH = "head -c 100000000 /dev/zero | tr '\\0' 'x'";
Deno.bench("bare, 100 MB to nowhere", { group: "100 MB", baseline: true, n: 5 }, async () => {
  await bare(`${MUCH} > /dev/null`);
});
Deno.bench("shell, 100 MB", { group: "100 MB", n: 5 }, async () => {
  await viaTool(MUCH);
});

Deno.bench("judge a long command", () => {
  judgeCommand("cd a && X=1 cargo test --all 2>&1 | grep -v '^ok' | tail -50; echo $?", {
    localDirectories: ["/p"],
    platform: "posix",
  });
});

const COLOURED = "\x1b[32mok\x1b[0m tests/a_file_test.ts ... (12ms)\n".repeat(20_000);
Deno.bench("render 1 MB with colours", () => {
  renderTerminal(COLOURED);
});

if (import.meta.main) {
  // Means over pairs taken in turn, so that a busy machine weighs on both alike.
  const times = { bare: 0, shell: 0 };
  for (let round = 0; round < 220; round++) {
    const [start, middle] = [performance.now(), await bare("true").then(() => performance.now())];
    await viaTool("true");
    if (round < 20) continue;
    times.bare += middle - start;
    times.shell += performance.now() - middle;
  }
  const [bareMean, shellMean] = [times.bare / 200, times.shell / 200];
  console.log(
    `trivial command: bare ${bareMean.toFixed(2)} ms, shell ${shellMean.toFixed(2)} ms, ` +
      `${(shellMean - bareMean).toFixed(2)} ms more (at most 3)`,
  );
}
