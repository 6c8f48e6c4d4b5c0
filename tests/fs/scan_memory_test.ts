import assert from "node:assert/strict";
import { ScanMemory } from "../../src/fs/scan_memory.ts";
import type { LineQuery } from "../../src/text/line_search.ts";

const literal = (text: string): LineQuery => ({ kind: "literal", text });

Deno.test("a miss is known for the query and for every longer text that holds it", () => {
  const memory = new ScanMemory();
  memory.rememberMiss("/a", "s1", memory.queryBit(literal("needle")));
  const rows: readonly (readonly [query: LineQuery, known: boolean])[] = [
    [literal("needle"), true],
    [literal("needles"), true],
    [literal("a needle b"), true],
    [literal("needl"), false],
    [literal("Needle"), false],
    [
      {
        kind: "regex",
        ascii: "needle",
        unicode: "needle",
        spansLines: false,
        looksAround: false,
        needle: "",
      },
      false,
    ],
  ];
  for (const [query, known] of rows) {
    const signature = memory.missSignature("/a", memory.queriesCovering(query));
    assert.equal(signature, known ? "s1" : undefined, JSON.stringify(query));
  }
  assert.equal(memory.missSignature("/b", memory.queriesCovering(literal("needle"))), undefined);
});

Deno.test("a new state of a file forgets what was known of the old one", () => {
  const memory = new ScanMemory();
  const bit = memory.queryBit(literal("x"));
  memory.rememberMiss("/a", "s1", bit);
  memory.rememberMeasure("/a", "s2", { kind: "text", lines: 1, bytes: 2 });
  assert.equal(memory.missSignature("/a", bit), undefined);
  assert.equal(memory.measureSignature("/a"), "s2");
  memory.rememberMiss("/a", "s2", bit);
  assert.equal(memory.missSignature("/a", bit), "s2");
  assert.deepEqual(memory.measure("/a"), { kind: "text", lines: 1, bytes: 2 });
});

Deno.test("a state that is too young is not remembered", () => {
  const memory = new ScanMemory();
  const bit = memory.queryBit(literal("x"));
  memory.rememberMiss("/a", "", bit);
  memory.rememberDirectory("/d", { signature: "", names: "a/b", kinds: "ff" });
  assert.equal(memory.missSignature("/a", bit), undefined);
  assert.equal(memory.directorySignature("/d"), undefined);
});

Deno.test("a query that is forgotten takes its misses with it", () => {
  const memory = new ScanMemory();
  memory.rememberMiss("/a", "s1", memory.queryBit(literal("first")));
  for (let index = 0; index < 29; index++) memory.queryBit(literal(`other ${index}`));
  assert.equal(memory.missSignature("/a", memory.queriesCovering(literal("first"))), "s1");
  memory.queryBit(literal("one more"));
  assert.equal(memory.queriesCovering(literal("first")), 0);
  const oneMore = memory.queriesCovering(literal("one more"));
  assert.equal(memory.missSignature("/a", oneMore), undefined);
});

Deno.test("the memory is bounded, the oldest goes first", () => {
  const memory = new ScanMemory(10);
  const bit = memory.queryBit(literal("x"));
  for (let index = 0; index < 25; index++) {
    memory.rememberMiss(`/f${index}`, "s", bit);
    memory.rememberDirectory(`/d${index}`, { signature: "s", names: "a/b", kinds: "ff" });
  }
  assert.equal(memory.missSignature("/f14", bit), undefined);
  assert.equal(memory.missSignature("/f15", bit), "s");
  assert.equal(memory.directorySignature("/d19"), undefined);
  assert.equal(memory.directorySignature("/d20"), "s");
  const listing = { kind: "listed", names: ["a", "b"], kinds: "ff", state: "s" };
  assert.deepEqual(memory.listing("/d24"), listing);
});
