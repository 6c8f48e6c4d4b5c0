// Owns: the shell tool over stdio: schema, answers, cancel, and that nothing outlives the server.
// Must not know: how commands are judged or run.

import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { connect, textOf } from "../support/octofs.ts";
import { livingProcesses, until } from "../support/processes.ts";

interface Bench extends AsyncDisposable {
  readonly directory: string;
  /** Does nothing for minutes, and no other test runs the same. */
  readonly sleeper: string;
}

async function makeBench(): Promise<Bench> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs_e2e_shell_" }));
  const number = crypto.getRandomValues(new Uint32Array(1))[0];
  const sleeper = `sleep 300.${number}`;
  return {
    directory,
    sleeper,
    async [Symbol.asyncDispose]() {
      await Deno.remove(directory, { recursive: true });
      await until(async () => (await livingProcesses(sleeper)).length === 0);
    },
  };
}

Deno.test("e2e shell: it is listed with a plain schema and true annotations", async () => {
  await using bench = await makeBench();
  await using octofs = await connect({ args: ["--path", bench.directory] });
  const { tools } = await octofs.client.listTools();
  const shell = tools.find((tool) => tool.name === "shell");
  deepEqual(
    Object.entries(shell?.inputSchema.properties ?? {}).map(([name, schema]) => [
      name,
      (schema as { type: unknown }).type,
    ]),
    [["command", "string"], ["background", "boolean"], ["timeout", "integer"]],
  );
  deepEqual(shell?.inputSchema.required, ["command"]);
  equal(shell?.annotations?.readOnlyHint, false);
  equal(shell?.annotations?.destructiveHint, true);
  equal(shell?.annotations?.openWorldHint, true);
});

Deno.test("e2e shell: --no-shell takes it away", async () => {
  await using bench = await makeBench();
  await using octofs = await connect({ args: ["--path", bench.directory, "--no-shell"] });
  const { tools } = await octofs.client.listTools();
  equal(tools.some((tool) => tool.name === "shell"), false);
});

Deno.test("e2e shell: commands run in the project, misuse does not", async () => {
  await using bench = await makeBench();
  await using octofs = await connect({ args: ["--path", bench.directory] });
  deepEqual(await octofs.call("shell", { command: "pwd" }), {
    text: `${bench.directory}\n[exit code 0]`,
    isError: false,
  });
  deepEqual(await octofs.call("shell", { command: "echo a >&2; exit 2" }), {
    text: "[stderr]\na\n[exit code 2]",
    isError: true,
  });
  const refused = await octofs.call("shell", { command: 'grep -rn "foo bar" src; touch ran' });
  equal(refused.isError, true);
  match(refused.text, /^Searching file text .*\n.*\nExample:\nview path="src" content="foo bar"\n/);
  match(refused.text, /\n\nHint: Nothing was run; only `grep -rn "foo bar" src` was refused/);
  equal(await Deno.stat(`${bench.directory}/ran`).then(() => true, () => false), false);
});

Deno.test("e2e shell: fifty calls at once, and other tools answer meanwhile", async () => {
  await using bench = await makeBench();
  await using octofs = await connect({ args: ["--path", bench.directory] });
  const waiting = octofs.call("shell", { command: "until [ -e go ]; do sleep 0.05; done" });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => octofs.call("shell", { command: `echo ${index}` })),
  );
  deepEqual(answers.map((one) => one.text), answers.map((_, index) => `${index}\n[exit code 0]`));
  const create = { command: "create", path: "go", content: "now\n" };
  equal((await octofs.call("text_editor", create)).isError, false);
  equal((await waiting).text, "(no output)\n[exit code 0]");
});

Deno.test("e2e shell: a cancelled request ends its processes", async () => {
  await using bench = await makeBench();
  await using octofs = await connect({ args: ["--path", bench.directory] });
  const cancel = new AbortController();
  const request = { name: "shell", arguments: { command: `${bench.sleeper} | ${bench.sleeper}` } };
  const running = octofs.client.callTool(request, undefined, { signal: cancel.signal });
  await until(async () => (await livingProcesses(bench.sleeper)).length >= 2);
  cancel.abort();
  await rejects(running);
  await until(async () => (await livingProcesses(bench.sleeper)).length === 0);
  equal((await octofs.call("shell", { command: "echo alive" })).text, "alive\n[exit code 0]");
});

Deno.test("e2e shell: nothing outlives the end of the session", async () => {
  await using bench = await makeBench();
  const octofs = await connect({ args: ["--path", bench.directory] });
  await octofs.call("shell", { command: `${bench.sleeper} >/dev/null 2>&1 & echo left` });
  await octofs.call("shell", { command: bench.sleeper, background: true });
  const running = octofs.call("shell", { command: bench.sleeper }).catch(() => {});
  await until(async () => (await livingProcesses(bench.sleeper)).length >= 3);
  await octofs[Symbol.asyncDispose]();
  await running;
  await until(async () => (await livingProcesses(bench.sleeper)).length === 0);
});

// Needs the npm registry, which a test run must not depend on.
const wantsNetwork = Deno.env.get("OCTOFS_NETWORK_TESTS") === "1";
if (!wantsNetwork) {
  console.error("e2e shell: OCTOFS_NETWORK_TESTS=1 also runs a package's own tests");
}

Deno.test({
  name: "e2e shell: the test suite of a real package, passing and failing",
  ignore: !wantsNetwork,
  async fn() {
    await using bench = await makeBench();
    const scripts = { test: "tape node_modules/minimist/test/*.js" };
    await Deno.writeTextFile(`${bench.directory}/package.json`, JSON.stringify({ scripts }));
    await using octofs = await connect({ args: ["--path", bench.directory] });
    const run = async (command: string) =>
      textOf(
        await octofs.client.callTool(
          { name: "shell", arguments: { command, timeout: 300 } },
          undefined,
          {
            timeout: 300_000,
          },
        ),
      );
    const installed = await run("npm install --no-audit --no-fund minimist@1.2.8 tape@5.9.0");
    match(installed.text, /added \d+ packages[^]*\[exit code 0\]$/);
    const passed = await run("npm test 2>&1 | tail -n 5");
    deepEqual(passed, {
      text: "# tests 153\n# pass  153\n\n# ok\n\n[exit code 0]",
      isError: false,
    });
    await octofs.call("text_editor", {
      command: "create",
      path: "node_modules/minimist/test/wrong.js",
      content:
        "require('tape')('wrong', (t) => { t.equal(require('../')(['-a']).a, 1); t.end(); });\n",
    });
    const failed = await run("npm test");
    equal(failed.isError, true);
    match(
      failed.text,
      /not ok 154 should be strictly equal\n[^]*# fail {2}1\n[^]*\[exit code 1\]$/,
    );
  },
});
