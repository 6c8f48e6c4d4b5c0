import assert from "node:assert/strict";
import { connect, type Connection, temporaryDirectory } from "../support/octofs.ts";

const skipped = Deno.build.os !== "linux"
  ? "skipped: finds the engine's process through /proc"
  : Deno.env.get("OCTOFS_PROGRAM")?.includes('"run"') === false
  ? "skipped: the engine of this program is a thread"
  : undefined;

/** The process that the front of this connection started as its engine. */
async function enginePid(octofs: Connection): Promise<number> {
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === octofs.pid && !stat.includes(") Z ")) return Number(name);
  }
  throw new Error("no engine");
}

function engineTest(name: string, run: () => Promise<void>): void {
  Deno.test({
    name: `engine: ${name}${skipped ? ` (${skipped})` : ""}`,
    ignore: skipped !== undefined,
    fn: run,
  });
}

engineTest("one that is killed while idle is started anew by the next call", async () => {
  await using directory = await temporaryDirectory();
  await Deno.writeTextFile(`${directory.path}/a.txt`, "one\n");
  await using octofs = await connect({ args: ["--path", directory.path] });
  assert.match((await octofs.call("view", { path: "a.txt" })).text, /\|one/);
  const first = await enginePid(octofs);
  Deno.kill(first, "SIGKILL");
  // The front may hear of the end only after it has sent a call; that call says so.
  let answer = await octofs.call("view", { path: "a.txt" });
  if (answer.isError) answer = await octofs.call("view", { path: "a.txt" });
  assert.match(answer.text, /\|one/);
  assert.notEqual(await enginePid(octofs), first);
});

engineTest("a call of one that is killed is answered, and the session goes on", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({ args: ["--path", directory.path] });
  await octofs.call("workdir", {});
  const call = octofs.call("shell", { command: "echo $$ > pid; exec sleep 300" });
  while (await Deno.readTextFile(`${directory.path}/pid`).catch(() => "") === "") {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  Deno.kill(await enginePid(octofs), "SIGKILL");
  const answer = await call;
  assert.equal(answer.isError, true);
  assert.match(answer.text, /ended unexpectedly/);
  const made = { command: "create", path: "a.txt", content: "made\n" };
  assert.equal((await octofs.call("text_editor", made)).isError, false);
  // Nothing can end what a killed engine had started, except whoever sees it.
  Deno.kill(Number(await Deno.readTextFile(`${directory.path}/pid`)), "SIGKILL");
});

Deno.test("ignore rules from outside the root are obeyed inside it", async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/repository/packages/one`;
  await Deno.mkdir(root, { recursive: true });
  await Deno.mkdir(`${directory.path}/repository/.git/info`, { recursive: true });
  await Deno.mkdir(`${directory.path}/config/git`, { recursive: true });
  await Deno.writeTextFile(`${directory.path}/repository/.gitignore`, "*.log\n");
  await Deno.writeTextFile(`${directory.path}/repository/.git/info/exclude`, "*.tmp\n");
  await Deno.writeTextFile(`${directory.path}/config/git/ignore`, "*.bak\n");
  for (const name of ["a.ts", "a.log", "a.tmp", "a.bak"]) {
    await Deno.writeTextFile(`${root}/${name}`, "x\n");
  }
  await using octofs = await connect({
    args: ["--path", root],
    env: { XDG_CONFIG_HOME: `${directory.path}/config` },
  });
  const { text } = await octofs.call("view", { path: "." });
  assert.deepEqual(text.match(/a\.\w+/g), ["a.ts"], text);
});
