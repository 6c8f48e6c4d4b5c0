import assert from "node:assert/strict";
import type { FieldSchema } from "../../src/tools/arguments.ts";
import { publishSchema } from "../../src/tools/arguments.ts";
import { readArguments } from "../../src/tools/read_arguments.ts";

const FIELDS = {
  path: { type: "string", description: "A path.", aliases: ["file_path", "file"] },
  content: { type: "string", description: "A text.", optional: true, accepts: "json" },
  text: { type: "string", description: "A text.", optional: true },
  mode: { type: "string", description: "A choice.", optional: true, enum: ["one", "two"] },
  count: { type: "integer", description: "A number.", optional: true, minimum: 0, maximum: 9 },
  flag: { type: "boolean", description: "A flag.", optional: true },
  items: {
    type: "array",
    description: "A list.",
    optional: true,
    maxItems: 2,
    items: {
      verb: { type: "string", description: "A verb.", enum: ["go", "stop"] },
      start: { type: "string", description: "A bound.", optional: true, aliases: ["line"] },
    },
  },
} as const satisfies FieldSchema;

function read(raw: unknown) {
  return readArguments(FIELDS as FieldSchema, raw);
}

type InputRow = readonly [name: string, raw: unknown, input: Record<string, unknown>];

const ACCEPTED: readonly InputRow[] = [
  ["text as it is", { path: "a" }, { path: "a" }],
  ["another name", { file_path: "a" }, { path: "a" }],
  ["canonical name wins", { file: "b", path: "a" }, { path: "a" }],
  ["canonical name is null", { path: null, file: "b" }, { path: "b" }],
  ["null for an absent optional", { path: "a", text: null, count: null, flag: null, items: null }, {
    path: "a",
  }],
  ["empty text for an absent number or flag", { path: "a", count: "", flag: " " }, { path: "a" }],
  ["empty text is a text", { path: "a", text: "" }, { path: "a", text: "" }],
  ["number for a text", { path: 12 }, { path: "12" }],
  ["false for a text", { path: "a", text: false }, { path: "a", text: "false" }],
  ["JSON text stays a text", { path: "a", text: '{"a":1}' }, { path: "a", text: '{"a":1}' }],
  ["JSON text of a content stays as sent", { path: "a", content: '{"a": 1.0}' }, {
    path: "a",
    content: '{"a": 1.0}',
  }],
  ["object for a content", { path: "a", content: { b: [1] } }, {
    path: "a",
    content: '{\n  "b": [\n    1\n  ]\n}\n',
  }],
  ["array for a content", { path: "a", content: [] }, { path: "a", content: "[]\n" }],
  ["number for a content", { path: "a", content: 5 }, { path: "a", content: "5\n" }],
  ["boolean for a content", { path: "a", content: false }, { path: "a", content: "false\n" }],
  ["whole number as text", { path: "a", count: "7" }, { path: "a", count: 7 }],
  ["signed number as text", { path: "a", count: " +7 " }, { path: "a", count: 7 }],
  ["whole number with a fraction of zero", { path: "a", count: "7.0" }, { path: "a", count: 7 }],
  ["zero", { path: "a", count: 0 }, { path: "a", count: 0 }],
  ["false as text", { path: "a", flag: "false" }, { path: "a", flag: false }],
  ["true as text in capitals", { path: "a", flag: "TRUE" }, { path: "a", flag: true }],
  ["0 and 1 for a flag", { path: "a", flag: 0 }, { path: "a", flag: false }],
  ["choice with blanks and capitals", { path: "a", mode: " Two " }, { path: "a", mode: "two" }],
  ["array as JSON text", { path: "a", items: '[{"verb":"go"}]' }, {
    path: "a",
    items: [{ verb: "go" }],
  }],
  ["items as JSON text", { path: "a", items: ['{"verb":"go"}'] }, {
    path: "a",
    items: [{ verb: "go" }],
  }],
  ["one item without brackets", { path: "a", items: { verb: "go" } }, {
    path: "a",
    items: [{ verb: "go" }],
  }],
  ["one item without brackets as JSON text", { path: "a", items: '{"verb":"stop","line":3}' }, {
    path: "a",
    items: [{ verb: "stop", start: "3" }],
  }],
  ["unknown number in an item may be a bound", { path: "a", items: [{ verb: "go", until: 5 }] }, {
    path: "a",
    items: [{ verb: "go", unknown: ["until"] }],
  }],
  ["unknown id in an item may be a bound", { path: "a", items: [{ verb: "go", to: "5:a3" }] }, {
    path: "a",
    items: [{ verb: "go", unknown: ["to"] }],
  }],
  ["unknown range in an item", { path: "a", items: [{ verb: "go", range: "5:a3-7:b1" }] }, {
    path: "a",
    items: [{ verb: "go", unknown: ["range"] }],
  }],
  ["unknown list in an item", { path: "a", items: [{ verb: "go", lines: [5, 7] }] }, {
    path: "a",
    items: [{ verb: "go", unknown: ["lines"] }],
  }],
  ["unknown range in words", { path: "a", items: [{ verb: "go", range: "L5 to L7" }] }, {
    path: "a",
    items: [{ verb: "go", unknown: ["range"] }],
  }],
  ["unknown remark in an item", { path: "a", items: [{ verb: "go", why: "at 12:30 sharp" }] }, {
    path: "a",
    items: [{ verb: "go" }],
  }],
  ["unknown words in an item", { path: "a", items: [{ verb: "go", why: "it is old" }] }, {
    path: "a",
    items: [{ verb: "go" }],
  }],
  ["a pair of surrogates", { path: "😀" }, { path: "😀" }],
  ["a name of Object.prototype", { path: "a", toString: 1, constructor: 2 }, { path: "a" }],
];

for (const [name, raw, input] of ACCEPTED) {
  Deno.test(`accepted: ${name}`, () => {
    const result = read(raw);
    assert.equal(result.kind, "ok", JSON.stringify(result));
    assert.deepEqual(result.kind === "ok" && { ...result.input }, input);
  });
}

type HintRow = readonly [name: string, raw: unknown, hint: RegExp];

const HINTED: readonly HintRow[] = [
  ["unknown argument", { path: "a", limit: 5 }, /`limit` was ignored; known are `path`, `content`/],
  ["unknown words in an item", {
    path: "a",
    items: [{ verb: "go", why: "it is old" }],
  }, /`items\[0\]\.why` was ignored; known are `verb`, `start`/],
  ["two names with two values", { path: "a", file: "b" }, /`file` .* `path` was used/],
  ["content that was parsed", { path: "a", content: {} }, /`content` arrived as JSON data/],
  ["content that was a number", { path: "a", content: 1 }, /`content` arrived as JSON data/],
  ["many unknown arguments", {
    path: "a",
    ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1])),
  }, /`x19` and 480 more was ignored/],
];

for (const [name, raw, hint] of HINTED) {
  Deno.test(`hint: ${name}`, () => {
    const result = read(raw);
    const text = result.kind === "ok" ? result.hints.join("\n") : result.message;
    assert.match(text, hint);
    assert.ok(text.length < 2_000, "a hint stays short");
  });
}

Deno.test("two names with one value give no hint", () => {
  assert.deepEqual(read({ path: "a", file: "a" }), { kind: "ok", input: { path: "a" }, hints: [] });
});

const LONG = "x".repeat(10_000_000);

type FaultRow = readonly [name: string, raw: unknown, ...message: RegExp[]];

const REFUSED: readonly FaultRow[] = [
  ["no arguments", undefined, /`path` is missing \(got no arguments at all\)\. Send it: A path\./],
  ["null for the arguments", null, /Arguments must be an object, not null/],
  ["array for the arguments", [1], /Arguments must be an object, not an array of 1/],
  ["text for the arguments", "path", /Arguments must be an object, not the text "path"/],
  ["missing argument names what came", { text: "b" }, /`path` is missing \(got `text`\)/],
  ["null for a required text", { path: null }, /`path` must be text .* not null/],
  ["object for a text", { path: {} }, /`path` must be text .* not an object/],
  ["array for a text", { path: [] }, /`path` must be text .* not an array of 0/],
  ["fault under another name", { file: {} }, /`path` \(sent as `file`\) must be text/],
  ["lines as an array", { path: "a", text: ["b", "c"] }, /one string.* not an array of 2/],
  ["fraction", { path: "a", count: "1.5" }, /`count` must be an integer, not the text "1\.5"/],
  ["fraction as a number", { path: "a", count: 1.5 }, /`count` must be an integer, .* 1\.5/],
  ["word for a number", { path: "a", count: "many" }, /`count` must be an integer/],
  ["number out of bounds", { path: "a", count: 10 }, /`count` must be from 0 to 9, not 10/],
  ["number beyond exactness", { path: "a", count: 2 ** 60 }, /`count` must be an integer/],
  ["array for a number", { path: "a", count: [1] }, /`count` must be an integer, not an array/],
  ["true for a number", { path: "a", count: true }, /`count` must be an integer, .* true/],
  ["word for a flag", { path: "a", flag: "yes" }, /`flag` must be true or false, .* "yes"/],
  ["number for a flag", { path: "a", flag: 2 }, /`flag` must be true or false, .* 2/],
  ["object for a flag", { path: "a", flag: {} }, /`flag` must be true or false, not an object/],
  [
    "unknown choice",
    { path: "a", mode: "three" },
    /`mode` must be one of "one", "two", .* "three"/,
  ],
  ["text for an array", { path: "a", items: "go" }, /`items` must be an array .* "go"/],
  ["cut JSON for an array", { path: "a", items: '[{"verb":"go"}' }, /not complete JSON/],
  ["number for an array", { path: "a", items: 5 }, /`items` must be an array of objects, .* 5/],
  ["too many items", { path: "a", items: [{}, {}, {}] }, /`items` holds 3 items; at most 2/],
  ["null for an item", { path: "a", items: [null] }, /`items\[0\]` must be an object, not null/],
  ["text for an item", { path: "a", items: ["go"] }, /`items\[0\]` must be an object, .* "go"/],
  ["array for an item", { path: "a", items: [[]] }, /`items\[0\]` must be an object, not an array/],
  ["missing field of an item", { path: "a", items: [{ verb: "go" }, {}] }, /`items\[1\]\.verb`/],
  ["every fault at once", { count: "x", items: [{}] }, /`path`/, /`count`/, /`items\[0\]\.verb`/],
  ["half a pair in a text", { path: "a\ud83d" }, /`path` holds half a character.*U\+D83D.* 1\b/],
  ["other half of a pair", { path: "a", text: "ab\ude00c" }, /`text` holds half.*U\+DE00.* 2\b/],
  ["halves in the wrong order", { path: "\ude00\ud83d" }, /`path` holds half.*U\+DE00.* offset 0/],
  ["half a pair in an item", { path: "a", items: [{ verb: "go", start: "\udc80" }] }, /U\+DC80/],
  ["half a pair in a choice", { path: "a", mode: "one\ud800" }, /`mode` holds half a character/],
  ["10 MB for a number", { path: "a", count: LONG }, /`count` must be an integer, .*x…"/],
  ["10 MB for an array", { path: "a", items: `[${LONG}` }, /`items` must be an array/],
  ["10 MB as a name", { [LONG]: 1 }, /`path` is missing \(got `x{40}…`\)/],
];

for (const [name, raw, ...messages] of REFUSED) {
  Deno.test(`refused: ${name}`, () => {
    const result = read(raw);
    assert.equal(result.kind, "error", JSON.stringify(result).slice(0, 300));
    const text = result.kind === "error" ? result.message : "";
    for (const message of messages) assert.match(text, message);
    assert.ok(text.length < 2_000, "a message stays short");
    assert.ok(text.isWellFormed());
  });
}

Deno.test("the published schema has one single type everywhere", () => {
  const schema = publishSchema(FIELDS);
  assert.deepEqual(schema.required, ["path"]);
  assert.deepEqual(schema.properties["items"], {
    type: "array",
    description: "A list.",
    items: {
      type: "object",
      properties: {
        verb: { type: "string", description: "A verb.", enum: ["go", "stop"] },
        start: { type: "string", description: "A bound." },
      },
      required: ["verb"],
    },
  });
});
