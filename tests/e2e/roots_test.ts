import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { connect, type Connection, temporaryDirectory } from "../support/octofs.ts";
import { RawServer } from "../support/raw_program.ts";

async function reported(octofs: Connection): Promise<{ root: string; allowed: string }> {
  const { text } = await octofs.call("workdir", {});
  return {
    root: /^Project root: (.*)$/m.exec(text)?.[1] ?? text,
    allowed: /^Allowed directories: (.*)$/m.exec(text)?.[1] ?? text,
  };
}

async function makeDirectories(parent: string, ...names: string[]): Promise<string[]> {
  const paths = names.map((name) => `${parent}/${name}`);
  for (const path of paths) await Deno.mkdir(path, { recursive: true });
  return paths;
}

function uri(path: string): string {
  return pathToFileURL(path).href;
}

Deno.test("roots: --path wins over the roots of the client", async () => {
  await using directory = await temporaryDirectory();
  const [named = "", root = ""] = await makeDirectories(directory.path, "named", "root");
  await using octofs = await connect({ args: ["--path", named], roots: [uri(root)] });
  assert.deepEqual(await reported(octofs), { root: named, allowed: named });
});

Deno.test("roots: a relative --path starts from the current directory", async () => {
  await using directory = await temporaryDirectory();
  const [named = ""] = await makeDirectories(directory.path, "named");
  await using octofs = await connect({ args: ["--path", "named"], cwd: directory.path });
  assert.equal((await reported(octofs)).root, named);
});

Deno.test("roots: without --path and without roots, the current directory", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({ cwd: directory.path });
  assert.deepEqual(await reported(octofs), { root: directory.path, allowed: directory.path });
});

Deno.test("roots: the first is the project, the rest are allowed, all of them decoded", async () => {
  await using directory = await temporaryDirectory();
  const [first = "", second = "", cwd = ""] = await makeDirectories(
    directory.path,
    "a b, ü & 100%",
    "second",
    "cwd",
  );
  await Deno.writeTextFile(`${first}/inside.txt`, "found\n");
  await using octofs = await connect({ roots: [uri(first), uri(second)], cwd });
  assert.deepEqual(await reported(octofs), { root: first, allowed: `${first}, ${second}` });
  assert.match((await octofs.call("view", { path: "inside.txt" })).text, /\|found$/);
  const create = { command: "create", path: `${second}/new.txt`, content: "x\n" };
  assert.equal((await octofs.call("text_editor", create)).isError, false);
  const outside = await octofs.call("view", { path: cwd });
  assert.match(outside.text, /is outside the directories/);
});

const OTHER_URIS = ["https://example.com/x", "vscode-remote://host/home", "ssh://host/home", ""];

Deno.test("roots: those that are no file:// URIs are passed over", async () => {
  await using directory = await temporaryDirectory();
  const [root = ""] = await makeDirectories(directory.path, "root");
  await using octofs = await connect({ roots: [...OTHER_URIS, uri(root)] });
  assert.deepEqual(await reported(octofs), { root, allowed: root });
});

for (const roots of [[], OTHER_URIS]) {
  Deno.test(`roots: ${roots.length} that do not count leave the current directory`, async () => {
    await using directory = await temporaryDirectory();
    await using octofs = await connect({ roots, cwd: directory.path });
    assert.equal((await reported(octofs)).root, directory.path);
  });
}

Deno.test("roots: --allow and --allow-read hold beside the roots of the client", async () => {
  await using directory = await temporaryDirectory();
  const [root = "", more = "", readable = ""] = await makeDirectories(
    directory.path,
    "root",
    "more",
    "readable",
  );
  await Deno.writeTextFile(`${readable}/r.txt`, "r\n");
  const args = ["--allow", more, "--allow-read", readable];
  await using octofs = await connect({ args, roots: [uri(root)] });
  const write = (path: string) =>
    octofs.call("text_editor", { command: "create", path, content: "x\n" });
  assert.equal((await write(`${more}/new.txt`)).isError, false);
  assert.equal((await octofs.call("view", { path: `${readable}/r.txt` })).isError, false);
  const refused = await write(`${readable}/new.txt`);
  assert.equal(refused.isError, true);
  assert.match(refused.text, /outside the directories that may be written/);
  assert.match((await reported(octofs)).allowed, /readable \(read only\)/);
});

Deno.test("roots: a first root that does not exist is named in every answer", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({ roots: [uri(`${directory.path}/gone`)] });
  const answer = await octofs.call("workdir", {}).catch((error) => ({ text: String(error) }));
  assert.match(answer.text, /a root of the client .*gone does not exist/);
});

Deno.test("roots: a further root that does not exist is left out, with a word on stderr", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({
    roots: [uri(directory.path), uri(`${directory.path}/gone`)],
  });
  assert.deepEqual(await reported(octofs), { root: directory.path, allowed: directory.path });
  assert.match(octofs.stderr(), /gone does not exist/);
});

Deno.test("roots: when they change, the new ones count and the old ones do not", async () => {
  await using directory = await temporaryDirectory();
  const [first = "", second = ""] = await makeDirectories(directory.path, "first", "second");
  const roots = [uri(first)];
  await using octofs = await connect({ roots });
  assert.equal((await reported(octofs)).root, first);
  roots[0] = uri(second);
  await octofs.client.sendRootsListChanged();
  assert.deepEqual(await reported(octofs), { root: second, allowed: second });
  assert.match((await octofs.call("view", { path: first })).text, /is outside the directories/);
});

Deno.test("roots: with --path a change of the client's roots changes nothing", async () => {
  await using directory = await temporaryDirectory();
  const [named = "", root = ""] = await makeDirectories(directory.path, "named", "root");
  await using octofs = await connect({ args: ["--path", named], roots: [uri(root)] });
  await octofs.client.sendRootsListChanged();
  assert.equal((await reported(octofs)).root, named);
});

Deno.test("roots: a client that declares none is never asked for them", async () => {
  await using directory = await temporaryDirectory();
  await using server = new RawServer([], { cwd: directory.path });
  await server.initialize();
  await server.request(1, "tools/call", { name: "workdir", arguments: {} });
  assert.equal(server.lines.some((line) => line.includes("roots/list")), false);
});

Deno.test("roots: a client that refuses to name them gets the current directory", async () => {
  await using directory = await temporaryDirectory();
  await using server = new RawServer([], { cwd: directory.path });
  await server.initialize({ capabilities: { roots: {} } });
  const asked = await server.receive(({ method }) => method === "roots/list");
  await server.send({ id: asked.id, error: { code: -32601, message: "no" } });
  const answer = await server.request(1, "tools/call", { name: "workdir", arguments: {} });
  assert.ok(JSON.stringify(answer.result).includes(`Project root: ${directory.path}`));
});

Deno.test("roots: nothing is answered about files before the client has named them", async () => {
  await using directory = await temporaryDirectory();
  const [root = "", cwd = ""] = await makeDirectories(directory.path, "root", "cwd");
  await using server = new RawServer([], { cwd });
  await server.initialize({ capabilities: { roots: {} } });
  const asked = await server.receive(({ method }) => method === "roots/list");
  await server.send({ id: 1, method: "tools/call", params: { name: "workdir", arguments: {} } });
  await server.request(2, "ping", {});
  assert.equal(server.lines.some((line) => line.includes('"id":1,')), false);
  await server.send({ id: asked.id, result: { roots: [{ uri: uri(root) }] } });
  const answer = await server.receive(({ id, method }) => id === 1 && method === undefined);
  assert.ok(JSON.stringify(answer.result).includes(`Project root: ${root}`));
});
