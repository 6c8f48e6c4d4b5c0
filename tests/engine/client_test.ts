import assert from "node:assert/strict";
import type { CallResult } from "../../src/engine/engine.ts";
import { EngineClient } from "../../src/engine/client.ts";
import type { EngineLink, FromEngine, ToEngine } from "../../src/engine/messages.ts";
import type { EnginePlan } from "../../src/engine/plan.ts";
import { createLogger } from "../../src/logger.ts";
import type { PermissionReport } from "../../src/sandbox_report.ts";

const REPORT = {} as PermissionReport;

/** One life of an engine that says what the test lets it say. */
class FakeEngine implements EngineLink {
  readonly received: ToEngine[] = [];
  onMessage: (message: FromEngine) => void = () => {};
  isKilled = false;
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;

  constructor(readonly answers: (message: ToEngine, engine: FakeEngine) => void) {}

  send(message: ToEngine): void {
    this.received.push(message);
    this.answers(message, this);
  }

  kill(): void {
    this.isKilled = true;
    this.end();
  }

  end(): void {
    this.#end.resolve();
  }
}

function result(text: string): CallResult {
  return { content: [{ type: "text", text }], isError: false };
}

/** A client over fakes, each made by the next of `lives`; the last one is used again and again. */
function makeClient(lives: readonly ((message: ToEngine, engine: FakeEngine) => void)[]) {
  const engines: FakeEngine[] = [];
  const log: string[] = [];
  const client = new EngineClient({
    plan: {} as EnginePlan,
    start: () => {
      const answers = lives[Math.min(engines.length, lives.length - 1)];
      const engine = new FakeEngine(answers ?? (() => {}));
      engines.push(engine);
      return engine;
    },
    accept: () => {},
    logger: createLogger("error", (line) => log.push(line)),
    pingLimit: 20,
  });
  return { client, engines, log };
}

function works(message: ToEngine, engine: FakeEngine): void {
  if (message.kind === "open") engine.onMessage({ kind: "opened", report: REPORT });
  if (message.kind === "ping") engine.onMessage({ kind: "pong" });
  if (message.kind === "close") engine.end();
  if (message.kind === "call") {
    engine.onMessage({ kind: "result", id: message.id, result: result(message.call.name) });
  }
}

function opensOnly(message: ToEngine, engine: FakeEngine): void {
  if (message.kind === "open") engine.onMessage({ kind: "opened", report: REPORT });
}

const CALL = { name: "view", arguments: {} };
const quiet = () => ({ signal: new AbortController().signal, progress: () => {} });
const textOf = ({ content: [part] }: CallResult) => part?.type === "text" ? part.text : "";

Deno.test("engine client: answers go to their calls, whatever their order", async () => {
  const { client, engines } = makeClient([opensOnly]);
  await client.open();
  const first = client.call(CALL, quiet());
  const second = client.call(CALL, quiet());
  await Promise.resolve();
  const [engine] = engines;
  engine?.onMessage({ kind: "result", id: 2, result: result("two") });
  engine?.onMessage({ kind: "result", id: 1, result: result("one") });
  engine?.onMessage({ kind: "result", id: 9, result: result("nobody's") });
  assert.deepEqual([textOf(await first), textOf(await second)], ["one", "two"]);
});

Deno.test("engine client: progress reaches the call while it runs", async () => {
  const { client } = makeClient([(message, engine) => {
    opensOnly(message, engine);
    if (message.kind !== "call") return;
    engine.onMessage({ kind: "progress", id: message.id, message: "half" });
    engine.onMessage({ kind: "result", id: message.id, result: result("done") });
  }]);
  const heard: string[] = [];
  await client.call(CALL, { ...quiet(), progress: (message) => heard.push(message) });
  assert.deepEqual(heard, ["half"]);
});

Deno.test("engine client: a call of an engine that ends is answered, and the next starts another", async () => {
  const { client, engines, log } = makeClient([opensOnly, works]);
  await client.open();
  const call = client.call(CALL, quiet());
  await Promise.resolve();
  engines[0]?.end();
  const answer = await call;
  assert.equal(answer.isError, true);
  assert.match(textOf(answer), /ended unexpectedly.*look at the file/);
  assert.match(log.join("\n"), /ended unexpectedly/);
  assert.equal(textOf(await client.call(CALL, quiet())), "view");
  assert.equal(engines.length, 2);
});

Deno.test("engine client: a cancelled call is cancelled in the engine", async () => {
  const { client, engines } = makeClient([(message, engine) => {
    if (message.kind !== "call") works(message, engine);
    if (message.kind !== "cancel") return;
    engine.onMessage({ kind: "result", id: message.id, result: result("cancelled") });
  }]);
  await client.open();
  const cancel = new AbortController();
  const call = client.call(CALL, { ...quiet(), signal: cancel.signal });
  await Promise.resolve();
  cancel.abort();
  assert.equal(textOf(await call), "cancelled");
  assert.equal(engines[0]?.isKilled, false);
});

Deno.test("engine client: a stuck engine is ended once a call of it is cancelled", async () => {
  const { client, engines } = makeClient([opensOnly, works]);
  await client.open();
  const cancel = new AbortController();
  const call = client.call(CALL, { ...quiet(), signal: cancel.signal });
  const other = client.call(CALL, quiet());
  await Promise.resolve();
  cancel.abort();
  assert.match(textOf(await call), /did not answer any more/);
  assert.equal((await other).isError, true);
  assert.equal(engines[0]?.isKilled, true);
  assert.equal(textOf(await client.call(CALL, quiet())), "view");
});

Deno.test("engine client: one that may do too much is ended and gets no call", async () => {
  const engine = new FakeEngine(works);
  const client = new EngineClient({
    plan: {} as EnginePlan,
    start: () => engine,
    accept: () => {
      throw new Error("too much");
    },
    logger: createLogger("error", () => {}),
  });
  await assert.rejects(client.call(CALL, quiet()), /too much/);
  assert.equal(engine.isKilled, true);
  assert.equal(engine.received.some(({ kind }) => kind === "call"), false);
});

Deno.test("engine client: one that refuses its plan says why", async () => {
  const { client } = makeClient([(message, engine) => {
    if (message.kind !== "open") return;
    engine.onMessage({ kind: "refused", message: "--path x does not exist", isUsage: true });
  }]);
  await assert.rejects(client.open(), { name: "RootError", message: "--path x does not exist" });
});

Deno.test("engine client: one that ends before it opens is an error, not a wait", async () => {
  const { client } = makeClient([(_message, engine) => engine.end()]);
  await assert.rejects(client.open(), /ended before/);
});

Deno.test("engine client: closing tells the engine and waits for it", async () => {
  const { client, engines } = makeClient([works]);
  await client.open();
  await client.close();
  assert.equal(engines[0]?.received.at(-1)?.kind, "close");
  assert.equal(engines[0]?.isKilled, false);
});
