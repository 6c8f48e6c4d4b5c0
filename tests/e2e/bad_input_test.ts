// Every argument of every tool with every kind of wrong value, over stdio: one clear error that names
// the field, nothing changed on the disk, and the server goes on.

import assert from "node:assert/strict";
import { diskState } from "../support/disk_state.ts";
import { lineId } from "../support/line_ids.ts";
import { connect, type Connection, temporaryDirectory } from "../support/octofs.ts";

interface Property {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly properties: { readonly [name: string]: Property } };
}

/** A call of good shape that changes nothing, so that only the value under test is wrong. */
const GOOD: { readonly [tool: string]: Record<string, unknown> } = {
  view: { path: "a.txt" },
  text_editor: { command: "str_replace", path: "a.txt", old_text: "nowhere at all", new_text: "x" },
  batch_edit: { path: "a.txt", operations: [{ operation: "delete", start: "1:00" }] },
  extract_lines: {
    from_path: "a.txt",
    from_start: "1:00",
    append_path: "a.txt",
    append_line: "1:00",
  },
  shell: { command: "true" },
  workdir: {},
};

const ODD_TEXTS = ["", " ", "\0", "a\0b", "half \ud83d", "\udc00", "\\", "../..", "\u202ex"];
const NUMBERS = [0, -1, 1.5, 1e308, 2 ** 60];
const ANYTHING: readonly unknown[] = [
  null,
  true,
  false,
  {},
  { a: 1 },
  [],
  [null],
  [[]],
  ...NUMBERS,
  ...ODD_TEXTS,
];

/** True for what no reading of the field can make sense of: then the answer must say so. */
function mustFail(value: unknown, { type }: Property, name: string): boolean {
  if (typeof value === "string" && !value.isWellFormed()) return true;
  switch (type) {
    case "string":
      return typeof value === "object" && value !== null && name !== "content";
    case "integer":
      return value === true || value === 1.5 || (typeof value === "object" && value !== null);
    case "boolean":
      return value === -1 || value === 1.5 || (typeof value === "object" && value !== null);
    case "array":
      return typeof value === "number" || value === true;
    default:
      return false;
  }
}

async function propertiesOf(
  { client }: Connection,
): Promise<readonly (readonly [string, string, Property])[]> {
  const { tools } = await client.listTools();
  return tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties ?? {}).map(([property, schema]) =>
      [name, property, schema as unknown as Property] as const
    )
  );
}

async function openServer() {
  const directory = await temporaryDirectory();
  Deno.writeTextFileSync(`${directory.path}/a.txt`, "one\ntwo\n");
  const octofs = await connect({ args: ["--path", directory.path] });
  return {
    root: directory.path,
    octofs,
    async [Symbol.asyncDispose]() {
      await octofs[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function describe(tool: string, name: string, value: unknown): string {
  return `${tool} ${name}=${(JSON.stringify(value) ?? "undefined").slice(0, 60)}`;
}

Deno.test("every argument with every kind of value", async () => {
  await using server = await openServer();
  const { octofs, root } = server;
  const before = diskState(root);
  for (const [tool, name, property] of await propertiesOf(octofs)) {
    for (const value of ANYTHING) {
      const what = describe(tool, name, value);
      const answer = await octofs.call(tool, { ...GOOD[tool], [name]: value });
      assert.ok(answer.text.isWellFormed(), what);
      assert.doesNotMatch(answer.text, /Internal error|undefined|\[object Object\]|NaN/, what);
      assert.ok(answer.text.length < 20_000, what);
      if (mustFail(value, property, name)) {
        assert.equal(answer.isError, true, `${what}: ${answer.text}`);
        assert.ok(answer.text.includes(`\`${name}`), `${what} is not named: ${answer.text}`);
      }
    }
  }
  assert.deepEqual(diskState(root), before);
});

Deno.test("every field of an operation with every kind of value", async () => {
  await using server = await openServer();
  const { octofs, root } = server;
  const before = diskState(root);
  const good = { operation: "replace", start: lineId(1, "one"), content: "one" };
  for (const name of ["operation", "start", "end", "content"]) {
    for (const value of ANYTHING) {
      // What these ask for is a change: of the line's text, or to take it away.
      if (
        name === "content" &&
        !(typeof value === "object" || mustFail(value, { type: "string" }, ""))
      ) {
        continue;
      }
      const what = describe("batch_edit", `operations[0].${name}`, value);
      const operations = [{ ...good, [name]: value }];
      const answer = await octofs.call("batch_edit", { path: "a.txt", operations });
      const isHarmless = answer.isError || answer.text.startsWith("No change");
      assert.ok(isHarmless, `${what}: ${answer.text}`);
      assert.ok(answer.text.length < 5_000, what);
      if (mustFail(value, { type: "string" }, "")) {
        assert.ok(answer.text.includes(`\`operations[0].${name}`), `${what}: ${answer.text}`);
      }
    }
  }
  assert.deepEqual(diskState(root), before);
});

Deno.test("every argument with ten megabytes", async () => {
  await using server = await openServer();
  const { octofs, root } = server;
  const large = "x".repeat(10_000_000);
  const before = diskState(root);
  for (const [tool, name] of await propertiesOf(octofs)) {
    // What a command line may hold is not octofs's to say.
    if (tool === "shell" && name === "command") continue;
    const what = describe(tool, name, large);
    const answer = await octofs.call(tool, { ...GOOD[tool], [name]: large });
    assert.doesNotMatch(answer.text, /Internal error/, what);
    assert.ok(answer.text.length < 100_000, what);
  }
  assert.deepEqual(diskState(root), before);
});

Deno.test("each argument missing, alone and all together", async () => {
  await using server = await openServer();
  const { octofs, root } = server;
  const before = diskState(root);
  const { tools } = await octofs.client.listTools();
  for (const { name: tool, inputSchema } of tools) {
    const required = inputSchema.required ?? [];
    for (const name of required) {
      const { [name]: _, ...rest } = GOOD[tool] ?? {};
      const answer = await octofs.call(tool, rest);
      assert.equal(answer.isError, true, `${tool} without ${name}`);
      assert.ok(answer.text.includes(`\`${name}\` is missing`), answer.text);
    }
    const empty = await octofs.call(tool, {});
    assert.equal(empty.isError, required.length > 0);
    for (const name of required) {
      assert.ok(empty.text.includes(`\`${name}\` is missing`), empty.text);
    }
    // Without the field itself, as the protocol allows.
    const absent = await octofs.client.callTool({ name: tool });
    assert.equal(absent["isError"] === true, required.length > 0);
  }
  assert.deepEqual(diskState(root), before);
});

const MALFORMED_IDS = [
  ...["1", "1:", ":6b", "6b", "1:6", "1:6bb", "1:zz", "0:6b", "-1:6b", "1.0:6b", "1:6b:2", "1;6b"],
  ...[
    "one",
    "1 :: 6b",
    "1:6b-2:3b",
    "1:6b..2:3b",
    "9999999999999999:6b",
    "1:６b",
    "１:6b",
    "1:6b\n2:3b",
  ],
  ...["NaN", "Infinity", "1e3:6b", "0x1:6b", "{}", "[]", "null", "1 2:6b", "1:6b|another text"],
];

Deno.test("ids of every malformed kind", async () => {
  await using server = await openServer();
  const { octofs, root } = server;
  const before = diskState(root);
  for (const id of MALFORMED_IDS) {
    for (const bound of ["start", "end"]) {
      const good = { operation: "delete", start: lineId(1, "one"), end: lineId(1, "one") };
      const operations = [{ ...good, [bound]: id }];
      const answer = await octofs.call("batch_edit", { path: "a.txt", operations });
      assert.equal(answer.isError, true, `${bound} ${id}: ${answer.text}`);
      assert.match(answer.text, /Operation 1|Line id "1:6b" came with text/, `${bound} ${id}`);
      assert.match(answer.text, /Retry|view/, `${bound} ${id}: ${answer.text}`);
    }
  }
  assert.deepEqual(diskState(root), before);
});
