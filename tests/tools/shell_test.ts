// Owns: what the shell tool answers, word for word where the contract has the words.
// Must not know: how processes are run, the protocol.

import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { ShellRunner } from "../../src/shell/run.ts";
import { shellTool } from "../../src/tools/shell.ts";
import { type ToolContext, ToolError } from "../../src/tools/tool.ts";
import { livingProcesses, until } from "../support/processes.ts";

interface Input {
  readonly command: string;
  readonly background?: boolean;
  readonly timeout?: number;
}

/** The tool in a directory of its own. */
class Bench implements AsyncDisposable {
  readonly runner = new ShellRunner();
  readonly directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "octofs_shell_" }));
  readonly progress: string[] = [];
  /** Does nothing for minutes, and no other test runs the same. */
  readonly sleeper = `sleep 300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;

  context(changes: object = {}): ToolContext {
    const workspace = {
      root: this.directory,
      workingDirectory: this.directory,
      workingDirectoryIsRemote: false,
      localDirectories: [this.directory],
      ...changes,
    };
    const signal = new AbortController().signal;
    const progress = (message: string): void => void this.progress.push(message);
    return {
      workspace,
      shell: this.runner,
      signal,
      progress,
      ...changes,
    } as unknown as ToolContext;
  }

  async call(input: Input, changes?: object) {
    const absent = { background: undefined, timeout: undefined };
    const output = await shellTool.run({ ...absent, ...input }, this.context(changes));
    const [content] = output.content;
    return {
      text: content?.type === "text" ? content.text : "",
      isError: output.isError ?? false,
      hints: output.hints ?? [],
    };
  }

  async refusal(command: string, changes?: object): Promise<ToolError> {
    const error = await this.call({ command }, changes).then(() => undefined, (thrown) => thrown);
    if (error instanceof ToolError) return error;
    throw new Error(`not refused: ${command}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner.killAll();
    await Deno.remove(this.directory, { recursive: true }).catch(() => {});
  }
}

Deno.test("shell: answers, byte for byte", async () => {
  await using bench = new Bench();
  const rows: readonly (readonly [command: string, text: string, isError: boolean])[] = [
    ["echo hi", "hi\n[exit code 0]", false],
    ["true", "(no output)\n[exit code 0]", false],
    ["false", "(no output)\n[exit code 1]", true],
    ["printf 'no newline'", "no newline\n[exit code 0]", false],
    ["echo oops >&2", "[stderr]\noops\n[exit code 0]", false],
    ["echo out; echo err >&2; exit 3", "out\n[stderr]\nerr\n[exit code 3]", true],
    ["kill -KILL $$", "(no output)\n[ended by SIGKILL]", true],
    [
      "exit 137",
      "(no output)\n[exit code 137: 128 + 9, as when SIGKILL ends a program]",
      true,
    ],
    ["printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n'", "red\n100%\n[exit code 0]", false],
    ["yes | head -n 1000", "y\n[previous line repeated 999 more times]\n[exit code 0]", false],
    ["echo a | grep a", "a\n[exit code 0]", false],
    ["exec 1>&- 2>&-; exit 2", "(no output)\n[exit code 2]", true],
  ];
  for (const [command, text, isError] of rows) {
    const answer = await bench.call({ command });
    deepEqual([answer.text, answer.isError, answer.hints], [text, isError, []], command);
  }
});

Deno.test("shell: a program that is not there is told by the shell, with its code", async () => {
  await using bench = new Bench();
  const answer = await bench.call({ command: "no-such-program-here" });
  match(answer.text, /^\[stderr\]\n.*no-such-program-here: .*not found\n\[exit code 127\]$/);
  equal(answer.isError, true);
});

Deno.test("shell: bytes that are not UTF-8 come with a hint", async () => {
  await using bench = new Bench();
  const answer = await bench.call({ command: "printf 'a\\377b\\n'" });
  equal(answer.text, "a\ufffdb\n[exit code 0]");
  equal(answer.hints.length, 1);
});

Deno.test("shell: the contract's refusal of grep, byte for byte", async () => {
  await using bench = new Bench();
  const { message, hints } = await bench.refusal("grep fulfill_input_requests src/main.rs");
  equal(
    message,
    [
      "Searching file text with this command is forbidden — use `view` with content= instead",
      "(gitignore-aware, context lines, line ids, works on remote hosts).",
      "Example:",
      'view path="src/main.rs" content="fulfill_input_requests"',
      'view path="src/" content="TODO" regex=true',
      'view path="ssh://user@host/dir" content="TODO"   # remote search — no `ssh grep` needed',
    ].join("\n"),
  );
  deepEqual(hints, []);
  // What cannot be translated gets the example as it stands.
  equal((await bench.refusal("grep -v $X $F")).message, message);
});

Deno.test("shell: every kind of misuse names its tool", async () => {
  await using bench = new Bench();
  const rows: readonly (readonly [command: string, tool: RegExp, call: string])[] = [
    ['grep -rn "foo bar" src', /`view` with content=/, 'view path="src" content="foo bar"'],
    ["sed -n 10,20p f", /`view`/, 'view path="f" start=10 end=20'],
    ["head -50 f", /`view`/, 'view path="f" start=1 end=50'],
    ["tail -n 20 f", /`view`/, 'view path="f" start=-20'],
    ["find src -name '*.ts'", /`view` on a directory/, 'view path="src" pattern="*.ts"'],
    ["ls src", /`view` on a directory/, 'view path="src"'],
    ["cat a b", /`view`/, 'view path="a"\nview path="b"'],
    [
      "sed -i s/a/b/ f",
      /`text_editor` or `batch_edit`/,
      'text_editor command="str_replace" path="f" old_text="a" new_text="b"',
    ],
    [
      "cat > f <<EOF\nx\nEOF",
      /`text_editor` with command="create"/,
      'text_editor command="create" path="f" content="x\\n"',
    ],
  ];
  for (const [command, tool, call] of rows) {
    const { message } = await bench.refusal(command);
    match(message, tool, command);
    equal(message.includes(`Example:\n${call}`), true, message);
  }
});

Deno.test("shell: nothing of a refused line runs, and the hint says what may be sent", async () => {
  await using bench = new Bench();
  const { message, hints } = await bench.refusal("touch ran && cat out.txt && ls src");
  deepEqual(await names(bench.directory), []);
  deepEqual(message.match(/^\w+ing .* forbidden/gm)?.length, 2);
  deepEqual(hints, [
    "Nothing was run; only `cat out.txt`, `ls src` was refused, the rest may be sent without it",
  ]);
});

Deno.test("shell: a command on paths outside runs, by the directories of the session", async () => {
  await using bench = new Bench();
  const outside = Deno.realPathSync(Deno.makeTempDirSync());
  await Deno.writeTextFile(`${outside}/f`, "text\n");
  equal((await bench.call({ command: `cat ${outside}/f` })).text, "text\n[exit code 0]");
  const localDirectories = [bench.directory, outside];
  match((await bench.refusal(`cat ${outside}/f`, { localDirectories })).message, /^Reading files/);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("shell: what cannot be run is answered with the next call", async () => {
  await using bench = new Bench();
  const remote = (root: string, ...localDirectories: string[]) => ({
    workingDirectoryIsRemote: true,
    workingDirectory: "ssh://host/dir",
    root,
    localDirectories,
  });
  const rows: readonly (readonly [command: string, changes: object, message: RegExp])[] = [
    ["", {}, /command is empty/],
    [" \n\t", {}, /command is empty/],
    ["echo a\0b", {}, /NUL character/],
    ["echo \ud800", {}, /half a character/],
    [`echo ${"x".repeat(1_000_000)}`, {}, /1,000,005 bytes.*\n.*create.*\n.*sh task\.sh/],
    ["$(".repeat(200), {}, /too deep to be read/],
    ["true", { shell: undefined }, /may not be run/],
    ["true", remote("/p"), /this machine only.*ssh:\/\/host\/dir[^]*workdir reset=true/],
    ["true", remote("ssh://host/dir", "/allowed"), /workdir path="\/allowed"/],
    ["true", remote("ssh://host/dir"), /no directory on this machine.*--allow DIR/],
    [
      "true",
      { workingDirectory: `${bench.directory}/gone` },
      /not there any more[^]*workdir reset/,
    ],
  ];
  for (const [command, changes, message] of rows) {
    match((await bench.refusal(command, changes)).message, message);
  }
});

Deno.test("shell: a directory that was removed meanwhile is said to be gone", async () => {
  await using bench = new Bench();
  await Deno.remove(bench.directory);
  match((await bench.refusal("true")).message, /not there any more/);
});

Deno.test("shell: a time-out keeps the output, says so last, and hands over the next calls", async () => {
  await using bench = new Bench();
  const answer = await bench.call({ command: "echo before; sleep 300", timeout: 1 });
  equal(answer.isError, true);
  equal(
    answer.text,
    [
      "before",
      'With more time: shell command="echo before; sleep 300" timeout=300',
      "Left running, its output in a file for `view`: " +
      'shell command="(echo before; sleep 300) > command.log 2>&1" background=true',
      "[timed out after 1 s; the command and its whole process group were ended]",
    ].join("\n"),
  );
});

Deno.test("shell: a child that lives on is named with its pid and what ends it", async () => {
  await using bench = new Bench();
  const answer = await bench.call({ command: `${bench.sleeper} & echo started` });
  const [, group, pid] =
    /^started\n\[still running in process group (\d+): pid (\d+) `sleep [\d.]+`; to end it: kill -- -\1\]\n\[exit code 0\]$/
      .exec(answer.text) ?? [answer.text];
  equal(Number(pid) > Number(group), true, answer.text);
  equal((await livingProcesses(bench.sleeper)).includes(Number(pid)), true);
});

Deno.test("shell: in the background it answers with the PID, and the call it hands over ends the group", async () => {
  await using bench = new Bench();
  const started = await bench.call({
    command: `${bench.sleeper} | ${bench.sleeper}`,
    background: true,
  });
  equal(started.isError, false);
  match(started.text, /^\[running in the background: PID \d+/);
  const command = /shell command="(kill -- -\d+)"$/.exec(started.text)?.[1] ?? "";
  equal((await livingProcesses(bench.sleeper)).length > 0, true);
  equal((await bench.call({ command })).text, "(no output)\n[exit code 0]");
  await until(async () => (await livingProcesses(bench.sleeper)).length === 0);
});

Deno.test("shell: in the background, a command that ends at once is told as such", async () => {
  await using bench = new Bench();
  const answer = await bench.call({ command: "echo no >&2; exit 5", background: true });
  equal(
    answer.text,
    "[stderr]\nno\n[it has ended already: nothing runs in the background]\n[exit code 5]",
  );
  equal(answer.isError, true);
});

Deno.test("shell: a cancelled call ends, and its processes with it", async () => {
  await using bench = new Bench();
  const cancel = new AbortController();
  const running = bench.call({ command: bench.sleeper }, { signal: cancel.signal });
  await until(async () => (await livingProcesses(bench.sleeper)).length > 0);
  cancel.abort();
  match((await running).text, /\[cancelled; /);
  deepEqual(await livingProcesses(bench.sleeper), []);
});

Deno.test("shell: an answer stays within 60,000 bytes, with the exit code at its end", async () => {
  await using bench = new Bench();
  const line = "é".repeat(500);
  const command =
    `i=0; while [ $i -lt 2000 ]; do echo "$i ${line}"; echo "$i ${line}" >&2; i=$((i+1)); done; exit 9`;
  const { text } = await bench.call({ command });
  equal(new TextEncoder().encode(text).length <= 60_000, true);
  equal(text.endsWith("\n[exit code 9]"), true);
  equal(text.match(/^\[… [\d,]+ bytes not shown …\]$/gm)?.length, 2);
  equal(
    text.startsWith("0 é") && text.includes("\n1999 é") && text.includes("[stderr]\n0 é"),
    true,
  );
  equal(text.includes("\ufffd"), false);
});

Deno.test("shell: the schema is plain and says what the defaults are", () => {
  deepEqual(
    Object.entries(shellTool.fields).map(([name, field]) => [name, field.type]),
    [["command", "string"], ["background", "boolean"], ["timeout", "integer"]],
  );
  match(shellTool.fields.timeout.description, /50 if absent/);
});

Deno.test("shell: an ended session starts nothing", async () => {
  await using bench = new Bench();
  await bench.runner.killAll();
  await rejects(bench.call({ command: "true" }), /session has ended/);
});

async function names(directory: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(directory))).map((entry) => entry.name);
}
