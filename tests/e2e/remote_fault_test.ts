// Owns: the whole program on an ssh host that confines, refuses, drops and dies.

import assert from "node:assert/strict";
import { type Answer, connect, type Connection, temporaryDirectory } from "../support/octofs.ts";
import { until } from "../support/processes.ts";
import { processesMarked, RawServer, runProgram } from "../support/raw_program.ts";
import { LOOPBACK, pathWithSsh, testSsh, withSshd } from "../support/ssh_login.ts";
import type { Sshd } from "../support/sshd.ts";

interface Scene {
  readonly sshd: Sshd;
  /** `ssh://…` of the host, without a path. */
  readonly host: string;
  /** A directory on the host; the host is this machine. */
  readonly directory: string;
  readonly env: Record<string, string>;
}

function testRemote(name: string, run: (scene: Scene) => Promise<void>): void {
  testSsh(name, async () => {
    await withSshd({}, async (sshd) => {
      await using directory = await temporaryDirectory();
      const env = { PATH: await pathWithSsh(sshd) };
      const host = `ssh://${LOOPBACK}:${sshd.port}`;
      await run({ sshd, host, directory: directory.path, env });
    });
  });
}

function fails(answer: Answer, text: RegExp): void {
  assert.equal(answer.isError, true, answer.text);
  assert.match(answer.text, text);
}

function works(answer: Answer, text: RegExp): void {
  assert.equal(answer.isError, false, answer.text);
  assert.match(answer.text, text);
}

const edit = (octofs: Connection, path: string, old_text: string, new_text: string) =>
  octofs.call("text_editor", { command: "str_replace", path, old_text, new_text });

testRemote("a remote root confines: no way up, out, or through a link", async (scene) => {
  const { host, directory, env } = scene;
  const root = `${directory}/root`;
  await Deno.mkdir(`${root}/sub`, { recursive: true });
  await Deno.writeTextFile(`${directory}/outside.txt`, "secret\n");
  await Deno.symlink(`${directory}/outside.txt`, `${root}/leak`);
  await Deno.symlink("..", `${root}/up`);
  await Deno.symlink(`${directory}/not-yet`, `${root}/dangling`);
  await Deno.symlink("sub", `${root}/inside`);
  await using octofs = await connect({ args: ["--path", `${host}${root}`], env });
  const outside = [
    "../outside.txt",
    "leak",
    "up/outside.txt",
    "sub/../../outside.txt",
    `${directory}/outside.txt`,
    `${host}${directory}/outside.txt`,
    `${host}${root}/../outside.txt`,
    `${root}x/file`,
    "/etc/passwd",
    "~",
  ];
  for (const path of outside) {
    fails(await octofs.call("view", { path }), /outside the directories/);
    fails(
      await octofs.call("text_editor", { command: "create", path, content: "x", overwrite: true }),
      /outside the directories/,
    );
  }
  fails(
    await octofs.call("text_editor", { command: "create", path: "dangling", content: "x" }),
    /outside the directories/,
  );
  fails(
    await octofs.call("extract_lines", {
      from_path: "leak",
      from_start: 1,
      append_path: "x",
      append_line: -1,
    }),
    /outside the directories/,
  );
  assert.equal(await Deno.readTextFile(`${directory}/outside.txt`), "secret\n");
  works(
    await octofs.call("text_editor", { command: "create", path: "inside/new.txt", content: "x" }),
    /Created/,
  );
  assert.equal(await Deno.readTextFile(`${root}/sub/new.txt`), "x");
});

testRemote(
  "a remote working directory: relative paths, home, and a shell that says no",
  async (scene) => {
    const { host, directory, env, sshd } = scene;
    await Deno.writeTextFile(`${directory}/a.txt`, "one\n");
    await using local = await temporaryDirectory();
    await using octofs = await connect({ args: ["--path", local.path], env });
    works(await octofs.call("view", { path: `${host}/~` }), /./);
    works(await octofs.call("workdir", { path: `${host}${directory}` }), /ssh:\/\//);
    works(await octofs.call("view", { path: "a.txt" }), /1:6b\|one/);
    works(await edit(octofs, "a.txt", "one", "two"), /\+1:3b\|two/);
    fails(await octofs.call("shell", { command: "pwd" }), /this machine only/);
    works(await octofs.call("workdir", { reset: true }), /Working directory/);
    works(await octofs.call("shell", { command: "pwd" }), new RegExp(local.path));
    // Other spellings of one destination reach the same file.
    works(
      await octofs.call("view", {
        path: `sftp://${sshd.user}@${LOOPBACK}:${sshd.port}${directory}/a.txt`,
      }),
      /1:3b\|two/,
    );
  },
);

testRemote("connections that die between calls and in the middle of one", async (scene) => {
  const { host, directory, env, sshd } = scene;
  await Deno.writeTextFile(`${directory}/a.txt`, "one\n");
  // Few long lines and a small change: it is the transfer that is to last.
  const large = `${`${"0123456789abcdef".repeat(10_000)}\n`.repeat(150)}needle\n`;
  await Deno.writeTextFile(`${directory}/large.txt`, large);
  await using octofs = await connect({ args: ["--path", `${host}${directory}`], env });
  works(await octofs.call("view", { path: "a.txt" }), /one/);
  await sshd.dropConnections();
  works(await edit(octofs, "a.txt", "one", "two"), /\+1:3b\|two/);

  const editing = edit(octofs, "large.txt", "needle", "thread");
  editing.catch(() => {});
  await until(() => [...Deno.readDirSync(directory)].some(({ name }) => name.endsWith(".tmp")));
  await sshd.dropConnections();
  const answer = await editing;
  const content = await Deno.readTextFile(`${directory}/large.txt`);
  assert.equal(content, answer.isError ? large : large.replace("needle", "thread"));
  if (answer.isError) assert.match(answer.text, /the connection was closed/);

  works(await octofs.call("view", { path: "a.txt" }), /two/);
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["a.txt", "large.txt"]);

  await sshd.pause();
  fails(
    await octofs.call("view", { path: "a.txt" }),
    /nothing listens on that port.*For the user/s,
  );
  fails(await octofs.call("view", { path: ".", content: "two" }), /nothing listens on that port/);
  fails(await edit(octofs, "a.txt", "two", "three"), /nothing listens on that port/);
  await sshd.resume();
  works(await edit(octofs, "a.txt", "two", "three"), /three/);
  works(await octofs.call("text_editor", { command: "undo_edit", path: "a.txt" }), /two/);
  assert.equal(await Deno.readTextFile(`${directory}/a.txt`), "two\n");
});

testRemote(
  "what ssh refuses is told through every tool, and options cannot be smuggled in",
  async (scene) => {
    const { host, directory, env, sshd } = scene;
    await using octofs = await connect({ args: ["--path", directory], env });
    await Deno.writeTextFile(sshd.knownHostsFile, "");
    const unknown = /host key is not known here.*run `ssh -p \d+ 127\.0\.0\.1`/s;
    fails(await octofs.call("view", { path: `${host}/etc` }), unknown);
    fails(await octofs.call("workdir", { path: `${host}/etc` }), unknown);
    fails(await edit(octofs, `${host}${directory}/x`, "a", "b"), unknown);
    const planted = `${directory}/planted`;
    const injections = [
      `ssh://-oProxyCommand=touch%20${encodeURIComponent(planted)}/x`,
      `ssh://-oProxyCommand=touch\t${planted}/x`,
      `ssh://a%20-oProxyCommand=x@${LOOPBACK}/x`,
      `ssh://x%40-oProxyCommand=x/x`,
      `ssh://[-oProxyCommand=x]/x`,
      "ssh://$(id)/x",
    ];
    for (const path of injections) {
      fails(await octofs.call("view", { path }), /cannot be used: the (user|host) of an ssh path/);
    }
    await assert.rejects(Deno.lstat(planted), Deno.errors.NotFound);
  },
);

testRemote(
  "the command line works on a remote path, and a root that cannot be reached is one line",
  async (scene) => {
    const { host, directory, env, sshd } = scene;
    await Deno.writeTextFile(`${directory}/a.txt`, "one\n");
    const args = (path: string) => ["call", "view", JSON.stringify({ path })];
    const viewed = await runProgram(args(`${host}${directory}/a.txt`), { env });
    assert.deepEqual([viewed.code, viewed.stdout, viewed.stderr], [0, "1:6b|one\n", ""]);
    const rooted = await runProgram([...args("a.txt"), "--path", `${host}${directory}`], { env });
    assert.deepEqual([rooted.code, rooted.stdout, rooted.stderr], [0, "1:6b|one\n", ""]);
    const missing = await runProgram(args(`${host}${directory}/none`), { env });
    assert.equal(missing.code, 1);
    await sshd.pause();
    const unreachable = await runProgram(
      [...args("a.txt"), "--path", `${host}${directory}`],
      { env },
    );
    assert.equal(unreachable.code, 2);
    assert.match(unreachable.stderr, /^octofs: .*nothing listens[^\n]*\n$/);
  },
);

testRemote("nothing is left running, whichever way the server ends", async (scene) => {
  const { host, directory, env } = scene;
  await Deno.writeTextFile(`${directory}/a.txt`, "one\n");
  for (const how of ["end of input", "SIGTERM", "SIGKILL"] as const) {
    const mark = `octofs-mark-${crypto.randomUUID()}`;
    await using server = new RawServer(["--path", `${host}${directory}`], {
      env: { ...env, OCTOFS_TEST_MARK: mark },
    });
    await server.initialize();
    const call = { name: "view", arguments: { path: "a.txt" } };
    const viewed = await server.request(1, "tools/call", call);
    assert.match(JSON.stringify(viewed.result), /1:6b\|one/);
    assert.ok((await processesMarked(mark)).length > 1, "the server and its ssh");
    if (how === "end of input") await server.endInput();
    else server.child.kill(how);
    await server.child.status;
    await until(async () => (await processesMarked(mark)).length === 0);
  }
});
