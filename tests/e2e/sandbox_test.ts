import assert from "node:assert/strict";
import { type Connection, connectTo, temporaryDirectory } from "../support/octofs.ts";
import {
  bundle,
  sourcePath,
  type WayOfStarting,
  waysOfStarting,
} from "../support/ways_of_starting.ts";

const HOLE = sourcePath("tests/support/hole_main.ts");

/** Every tool that can name a file, aimed outside; `OUT` stands for the directory there. */
const ATTACKS: readonly { readonly tool: string; readonly args: Record<string, unknown> }[] = [
  { tool: "view", args: { path: "OUT/secret.txt" } },
  { tool: "view", args: { path: "OUT/secret.txt", start: 1, end: 1 } },
  { tool: "view", args: { path: "OUT/secret.txt", start: -1 } },
  { tool: "view", args: { path: "OUT" } },
  { tool: "view", args: { path: "OUT", content: "secret" } },
  { tool: "view", args: { path: "OUT", content: "s[e]cret", regex: true } },
  { tool: "text_editor", args: { command: "create", path: "OUT/new.txt", content: "new\n" } },
  { tool: "text_editor", args: { command: "create", path: "OUT/d/e/new.txt", content: "new\n" } },
  {
    tool: "text_editor",
    args: { command: "create", path: "OUT/secret.txt", content: "new\n", overwrite: true },
  },
  {
    tool: "text_editor",
    args: { command: "str_replace", path: "OUT/secret.txt", old_text: "secret", new_text: "new" },
  },
  { tool: "text_editor", args: { command: "delete", path: "OUT/secret.txt" } },
  {
    tool: "batch_edit",
    args: {
      path: "OUT/secret.txt",
      operations: [{ operation: "insert", start: 0, content: "new" }],
    },
  },
  {
    tool: "extract_lines",
    args: { from_path: "OUT/secret.txt", from_start: 1, append_path: "in.txt", append_line: -1 },
  },
  {
    tool: "extract_lines",
    args: { from_path: "in.txt", from_start: 1, append_path: "OUT/secret.txt", append_line: -1 },
  },
  { tool: "workdir", args: { path: "OUT" } },
];

/** Calls that must work, so that a server that refuses everything does not pass. */
async function assertInsideWorks(octofs: Connection): Promise<void> {
  assert.match((await octofs.call("view", { path: "in.txt" })).text, /^1:[0-9a-f]{2}\|inside$/m);
  assert.match((await octofs.call("view", { path: ".", content: "inside" })).text, /in\.txt:/);
  const edit = { command: "str_replace", path: "in.txt", old_text: "inside", new_text: "inside 2" };
  const edited = await octofs.call("text_editor", edit);
  assert.equal(edited.isError, false, edited.text);
  const made = { command: "create", path: "a/b/c.txt", content: "made\n" };
  assert.equal((await octofs.call("text_editor", made)).isError, false);
}

async function snapshot(directory: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, isFile } of Deno.readDir(directory)) {
    files[name] = isFile ? await Deno.readTextFile(`${directory}/${name}`) : "directory";
  }
  return files;
}

interface Arena extends AsyncDisposable {
  readonly root: string;
  readonly outside: string;
  readonly bundled: string;
}

async function arena(): Promise<Arena> {
  const directory = await temporaryDirectory();
  const [root, outside] = [`${directory.path}/root`, `${directory.path}/outside`];
  await Deno.mkdir(root);
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${root}/in.txt`, "inside\n");
  await Deno.writeTextFile(`${outside}/secret.txt`, "secret\n");
  const bundled = await bundle(HOLE, directory.path);
  return {
    root,
    outside,
    bundled,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

async function attack(octofs: Connection, outside: string): Promise<readonly string[]> {
  const succeeded: string[] = [];
  for (const { tool, args } of ATTACKS) {
    const aimed = JSON.parse(JSON.stringify(args).replaceAll("OUT", outside));
    const { isError, text } = await octofs.call(tool, aimed);
    if (!isError || /\|secret/.test(text)) succeeded.push(`${JSON.stringify(args)}: ${text}`);
    if (tool === "workdir") await octofs.call("workdir", { reset: true });
  }
  return succeeded;
}

async function assertHolds(way: WayOfStarting, place: Arena): Promise<void> {
  const before = await snapshot(place.outside);
  const program = way.program(place.root);
  await using octofs = await connectTo(program, {
    args: ["--path", place.root, "--require-sandbox"],
    cwd: place.root,
  });
  assert.match(octofs.client.getInstructions() ?? "", /Sandbox: two layers/);
  await assertInsideWorks(octofs);
  assert.deepEqual(await attack(octofs, place.outside), []);
  assert.deepEqual(await snapshot(place.outside), before);
  assert.match(await Deno.readTextFile(`${place.root}/in.txt`), /^inside 2\n$/);
}

Deno.test("layer two: holds by itself in every way of starting", async (test) => {
  await using place = await arena();
  const ways = waysOfStarting(HOLE, place.bundled);
  for (const way of ways.filter(({ confinement }) => confinement !== "none")) {
    await test.step(way.name, async () => {
      await Deno.writeTextFile(`${place.root}/in.txt`, "inside\n");
      await assertHolds(way, place);
    });
  }
});

Deno.test("layer two: holds in a worker, as the compiled binary starts it", async (test) => {
  await using place = await arena();
  for (const entry of [HOLE, place.bundled]) {
    await test.step(entry === HOLE ? "checkout" : "bundle", async () => {
      await Deno.writeTextFile(`${place.root}/in.txt`, "inside\n");
      const args = ["run", "-A", "--unstable-worker-options", entry, "--test-confinement=worker"];
      await assertHolds({
        name: "worker",
        confinement: "worker",
        program: () => ({ command: Deno.execPath(), args }),
      }, place);
    });
  }
});

Deno.test("layer two: holds for a program that came over the network", async () => {
  await using place = await arena();
  await using cache = await temporaryDirectory();
  const body = await Deno.readFile(place.bundled);
  const headers = { "content-type": "text/javascript" };
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(body, { headers }),
  );
  const host = `127.0.0.1:${server.addr.port}`;
  const args = ["run", "-A", `http://${host}/octofs.js`];
  // The cache is this test's own, and the program in it is all that an engine finds there.
  const before = await snapshot(place.outside);
  await using octofs = await connectTo({ command: Deno.execPath(), args }, {
    args: ["--path", place.root, "--require-sandbox"],
    env: { DENO_DIR: cache.path },
  });
  await assertInsideWorks(octofs);
  assert.deepEqual(await attack(octofs, place.outside), []);
  assert.deepEqual(await snapshot(place.outside), before);
});

Deno.test("layer two: without it the hole is open, so the tests above prove something", async () => {
  await using place = await arena();
  const [way] = waysOfStarting(HOLE, place.bundled).filter((one) => one.confinement === "none");
  assert.ok(way);
  await using octofs = await connectTo(way.program(place.root), {
    args: ["--path", place.root],
    cwd: place.root,
  });
  assert.match(octofs.client.getInstructions() ?? "", /one layer only/);
  assert.match(
    octofs.stderr(),
    /^octofs: warn: the Deno permission layer is not active: [^\n]*\n$/,
  );
  assert.match((await octofs.call("view", { path: `${place.outside}/secret.txt` })).text, /secret/);
});
