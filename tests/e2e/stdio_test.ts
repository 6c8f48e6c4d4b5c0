import assert from "node:assert/strict";
import { connect, temporaryDirectory } from "../support/octofs.ts";
import { type Message, processesMarked, RawServer } from "../support/raw_program.ts";
import { SUPPORTED_PROTOCOL_VERSIONS } from "../support/sdk_types.ts";

/** A first answer may take a whole start of the runtime on a busy machine. */
function isAnswerTo(id: number): (message: Message) => boolean {
  return (message) => message.id === id && message.method === undefined;
}

for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
  Deno.test(`protocol: version ${version} is negotiated`, async () => {
    await using directory = await temporaryDirectory();
    await using server = new RawServer(["--path", directory.path]);
    const answer = await server.initialize({ version });
    assert.equal(answer.result?.["protocolVersion"], version);
  });
}

Deno.test("protocol: an unknown version is answered with one that the server speaks", async () => {
  await using directory = await temporaryDirectory();
  await using server = new RawServer(["--path", directory.path]);
  const answer = await server.initialize({ version: "1999-01-01" });
  const chosen = String(answer.result?.["protocolVersion"]);
  assert.ok((SUPPORTED_PROTOCOL_VERSIONS as readonly string[]).includes(chosen), chosen);
});

const ODD_INPUTS: readonly { readonly name: string; readonly text: string }[] = [
  { name: "a line that is no JSON", text: "hello there\n" },
  { name: "a truncated message", text: '{"jsonrpc":"2.0","id":7,"method":"tools/call","par\n' },
  { name: "an empty line", text: "\n" },
  { name: "a Windows line ending", text: '{"jsonrpc":"2.0","method":"notifications/other"}\r\n' },
  { name: "JSON that is no message", text: '[1, 2]\n"text"\nnull\n{"jsonrpc":"2.0"}\n' },
  { name: "an answer to nothing", text: '{"jsonrpc":"2.0","id":99,"result":{}}\n' },
  { name: "bytes that are no text", text: "\u0000\u0001\ufffd\n" },
];

for (const { name, text } of ODD_INPUTS) {
  Deno.test(`stdio: ${name} does no harm`, async () => {
    await using directory = await temporaryDirectory();
    await Deno.writeTextFile(`${directory.path}/a.txt`, "one\n");
    await using server = new RawServer(["--path", directory.path]);
    await server.initialize();
    await server.send(text);
    const list = await server.request(1, "tools/list", {});
    assert.ok(Array.isArray(list.result?.["tools"]));
    const call = { name: "view", arguments: { path: "a.txt" } };
    const viewed = await server.request(2, "tools/call", call);
    assert.match(JSON.stringify(viewed.result), /1:[0-9a-f]{2}\|one/);
    await server.endInput();
    assert.equal((await server.child.status).code, 0);
    await server.stdoutEnded;
    for (const line of server.lines) assert.equal(JSON.parse(line).jsonrpc, "2.0", line);
  });
}

Deno.test("stdio: unknown methods and tools are answered, and the server lives on", async () => {
  await using directory = await temporaryDirectory();
  await using server = new RawServer(["--path", directory.path]);
  await server.initialize();
  const unknown = await server.request(1, "no/such/method", {});
  assert.equal(unknown.error?.code, -32601);
  const call = { name: "cat", arguments: {} };
  const noTool = await server.request(2, "tools/call", call);
  assert.equal(noTool.result?.["isError"], true);
  assert.match(JSON.stringify(noTool.result), /no tool \\"cat\\".*view/);
});

Deno.test("stdio: requests that are piped in are answered before the process ends", async () => {
  await using directory = await temporaryDirectory();
  await using server = new RawServer(["--path", directory.path]);
  const clientInfo = { name: "octofs-tests", version: "0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const requests = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { jsonrpc: "2.0", id: 3, method: "ping" },
  ];
  await server.send(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  await server.endInput();
  assert.equal((await server.child.status).code, 0, server.stderr);
  await server.stdoutEnded;
  assert.deepEqual(server.lines.map((line) => JSON.parse(line).id), [1, 2, 3]);
});

interface Ending {
  readonly name: string;
  readonly end: (server: RawServer) => Promise<void> | void;
}

const ENDINGS: readonly Ending[] = [
  { name: "the end of stdin", end: (server) => server.endInput() },
  { name: "SIGTERM", end: (server) => server.child.kill("SIGTERM") },
  { name: "SIGINT", end: (server) => server.child.kill("SIGINT") },
];

for (const { name, end } of ENDINGS) {
  const ignore = Deno.build.os === "windows" && name !== "the end of stdin";
  const title = `stdio: ${name} ends the process with exit code 0`;
  Deno.test({ name: `${title}, idle`, ignore }, async () => {
    await using directory = await temporaryDirectory();
    await using server = new RawServer(["--path", directory.path]);
    await server.initialize();
    await end(server);
    assert.equal((await server.child.status).code, 0, server.stderr);
  });

  Deno.test({ name: `${title}, before the handshake`, ignore }, async () => {
    await using directory = await temporaryDirectory();
    await using server = new RawServer(["--path", directory.path], {
      env: { OCTOFS_LOG: "debug" },
    });
    // Signals count from the moment at which the server listens for them.
    await server.request(1, "ping", {});
    await end(server);
    assert.equal((await server.child.status).code, 0, server.stderr);
  });

  Deno.test({ name: `${title}, and leaves no temporary file of a write`, ignore }, async () => {
    await using directory = await temporaryDirectory();
    await using server = new RawServer(["--path", directory.path]);
    await server.initialize();
    const content = "0123456789abcdef".repeat(40_000);
    await server.request(1, "tools/call", { name: "workdir", arguments: {} });
    for (let id = 2; id < 12; id++) {
      const call = { command: "create", path: `big${id}.txt`, content };
      await server.send({
        id,
        method: "tools/call",
        params: { name: "text_editor", arguments: call },
      });
    }
    await server.receive(isAnswerTo(2));
    await end(server);
    assert.equal((await server.child.status).code, 0, server.stderr);
    for await (const entry of Deno.readDir(directory.path)) {
      assert.match(entry.name, /^big\d+\.txt$/);
      const { size } = await Deno.stat(`${directory.path}/${entry.name}`);
      assert.equal(size, content.length, "a file is whole or absent");
    }
  });
}

const noProcesses = Deno.build.os === "linux"
  ? undefined
  : "skipped: counts processes through /proc";

for (const { name, end } of ENDINGS) {
  Deno.test({
    name: `stdio: ${name} ends what the shell started${noProcesses ? ` (${noProcesses})` : ""}`,
    ignore: noProcesses !== undefined,
  }, async () => {
    await using directory = await temporaryDirectory();
    const mark = `octofs-mark-${crypto.randomUUID()}`;
    await using server = new RawServer(["--path", directory.path], {
      env: { OCTOFS_TEST_MARK: mark },
    });
    await server.initialize();
    const command = "sleep 301 & sh -c 'sleep 302; true' & echo started > started; wait";
    await server.send({
      id: 1,
      method: "tools/call",
      params: { name: "shell", arguments: { command } },
    });
    const refused = server.receive(isAnswerTo(1)).then((answer) => {
      throw new Error(`the command ended early: ${JSON.stringify(answer)}`);
    });
    await Promise.race([appears(`${directory.path}/started`), refused]);
    refused.catch(() => {});
    const background = { command: "sleep 303", background: true };
    await server.request(2, "tools/call", { name: "shell", arguments: background });
    await end(server);
    assert.equal((await server.child.status).code, 0, server.stderr);
    assert.deepEqual(await processesMarked(mark), []);
  });
}

Deno.test("schemas: every property has one plain type, every array typed items", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({ args: ["--path", directory.path] });
  const { tools } = await octofs.client.listTools();
  assert.ok(tools.length >= 5);
  for (const tool of tools) {
    assert.equal(typeof tool.title, "string");
    for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
      assert.equal(typeof (tool.annotations as Record<string, unknown>)[hint], "boolean", hint);
    }
    assertPlain(tool.inputSchema as Record<string, unknown>, tool.name);
  }
});

const PLAIN_TYPES = ["string", "integer", "number", "boolean", "array", "object"];
const PLAIN_KEYS = [
  ...["type", "description", "properties", "required", "items", "enum", "$schema"],
  ...["minimum", "maximum", "minItems", "maxItems", "additionalProperties"],
];

function assertPlain(schema: Record<string, unknown>, where: string): void {
  assert.ok(PLAIN_TYPES.includes(String(schema["type"])), `${where}: type ${schema["type"]}`);
  assert.equal(typeof schema["type"], "string", where);
  for (const key of Object.keys(schema)) {
    assert.ok(PLAIN_KEYS.includes(key), `${where}: ${key}`);
  }
  if ("additionalProperties" in schema) {
    assert.equal(typeof schema["additionalProperties"], "boolean", where);
  }
  if (schema["type"] === "array") {
    assertPlain(schema["items"] as Record<string, unknown>, `${where}[]`);
  }
  if (schema["type"] === "object") {
    const properties = schema["properties"] as Record<string, Record<string, unknown>>;
    const required = (schema["required"] ?? []) as string[];
    assert.ok(Array.isArray(required), where);
    for (const name of required) assert.ok(name in properties, `${where}.${name}`);
    for (const [name, property] of Object.entries(properties)) {
      assertPlain(property, `${where}.${name}`);
    }
  }
}

async function appears(path: string): Promise<void> {
  for (;;) {
    try {
      await Deno.stat(path);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
