// Owns: proof of what is said after a miss: closest windows, the first difference, candidates.
// Must not know: how the words are made.

import { deepEqual, equal } from "node:assert/strict";
import type { Advice } from "../../src/text/match_result.ts";
import { documentOf, replace, testAnswers } from "../support/replace_rows.ts";

const SERVER = [
  "fn handle(req: Request) -> Response {",
  '    let auth = req.headers.get("Authorization");',
  "    match validate(auth) {",
  "        Ok(user) => respond(user),",
  "    }",
  "}",
  "",
  "fn other() {",
  '    println!("nothing like it");',
  "}",
  "",
].join("\n");

function adviceOn(file: string, oldText: string, newText = "zzz"): Advice {
  const result = replace(documentOf(file), { oldText, newText });
  if (result.kind !== "missing") throw new Error(`not missing: ${JSON.stringify(result)}`);
  return result.advice;
}

/** name, file, old text, first window as [start, end, difference]. */
const WINDOWS: readonly (readonly [string, string, string, readonly [number, number, string]])[] = [
  [
    "one word differs",
    SERVER,
    '    let auth = req.header.get("Authorization");\n    match validate(auth) {',
    [1, 3, "content"],
  ],
  ["single line, typo", SERVER, "        Ok(usr) => respond(user),", [3, 4, "content"]],
  ["case", SERVER, "FN OTHER() {", [7, 8, "letter_case"]],
  ["part of a line, other blanks", "a\nlet x = f(a,  b, c);\nz\n", "f(a, b,  c)", [
    1,
    2,
    "whitespace",
  ]],
  ["a blank line too many", "one();\ntwo();\nz\n", "one();\n\ntwo();", [0, 2, "whitespace"]],
  ["a line that was wrapped", "z\ncall(first,\n     second);\n", "call(first, second);", [
    1,
    3,
    "whitespace",
  ]],
  [
    "a line left out in the middle",
    SERVER,
    SERVER.split("\n").toSpliced(2, 1).slice(0, 5).join("\n"),
    [0, 5, "content"],
  ],
  ["old text longer than the file", "alpha beta\ngamma\n", "alpha beta\ngamma\ndelta", [
    0,
    2,
    "content",
  ]],
  ["part of a line, other quotes", "she said “hi” to all\nz\n", 'she said "hi" to', [
    0,
    1,
    "typography",
  ]],
  [
    "part of a long line",
    `a\n${"word ".repeat(60)}She said that the house is green.\n`,
    "said that the horse is",
    [1, 2, "content"],
  ],
  [
    "part of a line of 1.6 MB",
    `${"var a=b(c,d);".repeat(120_000)}function quux(){return 1}${"e=f;".repeat(9_000)}\n`,
    "function quux(){ret 1}",
    [0, 1, "content"],
  ],
  ["other blanks in two places", "x = f(a,  bcde);\ny = f(a,   bcde);\n", "f(a, bcde)", [
    0,
    1,
    "content",
  ]],
  ["accents", "x\nle café est fermé\n", "le cafe est ferme", [1, 2, "content"]],
];

for (const [name, file, oldText, [start, end, difference]] of WINDOWS) {
  Deno.test(`closest: ${name}`, () => {
    const window = adviceOn(file, oldText).windows[0];
    deepEqual([window?.start, window?.end, window?.difference], [start, end, difference]);
  });
}

Deno.test("closest: three at most, none overlapping, best first", () => {
  const file = ["count = 10", "count = 20", "x", "count = 30", "y", "count = 45"].join("\n");
  const { windows } = adviceOn(file, "count = 44");
  deepEqual(windows.map((window) => window.start), [5, 0, 1]);
  deepEqual(windows.map((window) => window.percent), [90, 80, 80]);
});

Deno.test("closest: nothing below 40 %", () => {
  deepEqual(adviceOn("abc\ndef\n", "uvwxyz").windows, []);
});

Deno.test("closest: never 100 %", () => {
  equal(adviceOn("a b, c\nx = f(y,\n  z)\n", "x = f(y, z)").windows[0]?.percent, 91);
});

Deno.test("closest: an empty file has none", () => {
  deepEqual(adviceOn("", "abc"), { windows: [], searchCut: false });
});

/** name, file, old text, [line, column, sent line, in file, sent] of the first difference. */
const DIFFERENCES: readonly (readonly [string, string, string, readonly number[]])[] = [
  ["a letter", "let a = 1;\nlet bc = 2;\n", "let a = 1;\nlet bd = 2;", [1, 5, 1, 0x63, 0x64]],
  ["indentation does not count", "\tlet bc = 2;\n", "    let bd = 2;", [0, 6, 0, 0x63, 0x64]],
  ["a Cyrillic letter", "paste = cut\n", "p\u0430ste = cut", [0, 1, 0, 0x61, 0x430]],
  ["the line goes on", "let a = 1; // one\n", "let b = 1;\n", [0, 4, 0, 0x61, 0x62]],
  ["the line ends", "let a = 1\nz\n", "let a = 1;", [0, 9, 0, -1, 0x3b]],
  ["one blank more", "let abc = 1; // one\n", "let  abc = 1;", [0, 4, 0, 0x61, 0x20]],
  [
    "in the middle of a long line",
    `${"word ".repeat(60)}She said that the house is green.\n`,
    "said that the horse is",
    [0, 320, 0, 0x75, 0x72],
  ],
  [
    "quotes in the middle of a long line",
    `${"word ".repeat(60)}She said “no” to him.\n`,
    'said "no" to',
    [0, 309, 0, 0x201c, 0x22],
  ],
  ["a line break that is none", "call(first,\n  second);\n", "call(first, second);", [
    0,
    11,
    0,
    -1,
    0x20,
  ]],
  ["an astral character", "it is 😀 here\n", "it is 😁 here", [0, 6, 0, 0x1f600, 0x1f601]],
  ["composed and decomposed", "café au lait\n", "cafe\u0301 au lait", [0, 3, 0, 0xe9, 0x65]],
];

for (const [name, file, oldText, expected] of DIFFERENCES) {
  Deno.test(`first difference: ${name}`, () => {
    const found = adviceOn(file, oldText).firstDifference;
    deepEqual(
      [found?.line, found?.column, found?.sentLine, found?.inFile, found?.sent],
      expected,
    );
  });
}

Deno.test("a repeated character with both counts", () => {
  const file = `x\n// ${"─".repeat(37)}\ny\n`;
  deepEqual(adviceOn(file, `//  ${"─".repeat(32)} end`).repeated, {
    codePoint: 0x2500,
    inFile: 37,
    sent: 32,
    line: 1,
  });
});

Deno.test("a repeated character, more sent than there are", () => {
  const file = `x\n${"=".repeat(37)}\ny\n`;
  deepEqual(adviceOn(file, "=".repeat(40)).repeated, {
    codePoint: 0x3d,
    inFile: 37,
    sent: 40,
    line: 1,
  });
});

/** name, file, old text, candidate as [change, old text, line] or undefined. */
const ENTITIES: readonly (readonly [string, string, string, readonly unknown[] | undefined])[] = [
  ["sent encoded", "x\nif (a < b && c) {\n", "if (a &lt; b &amp;&amp; c) {", [
    "decoded",
    "if (a < b && c) {",
    1,
  ]],
  ["sent decoded", "x\n<p>a &amp; b</p>\n", "<p>a & b</p>", undefined],
  ["sent decoded, all of it", "x\nA &lt; B &amp; C\n", "A < B & C", [
    "encoded",
    "A &lt; B &amp; C",
    1,
  ]],
  ["apostrophes", "x\nit's\n", "it&#39;s", ["decoded", "it's", 1]],
  ["hexadecimal", "x\nit's\n", "it&#x27;s", ["decoded", "it's", 1]],
  ["quotes encoded", "say(&quot;x&quot;)\n", 'say("x")', ["encoded", "say(&quot;x&quot;)", 0]],
  ["twice", "a < b\na < b\n", "a &lt; b", undefined],
  ["one level only", "a &lt; b\n", "a &amp;lt; b", ["decoded", "a &lt; b", 0]],
];

for (const [name, file, oldText, expected] of ENTITIES) {
  Deno.test(`entities: ${name}`, () => {
    const found = adviceOn(file, oldText).entityCandidate;
    deepEqual(found && [found.change, found.oldText, found.line], expected);
  });
}

testAnswers("already applied", [
  ["a value", "a\ntimeout = 60\nb\n", "timeout = 30", "timeout = 60", {
    kind: "already_applied",
    start: 1,
    end: 2,
    likely: true,
  }],
  ["several lines", "a\nb\nc\nd\n", "b\nx\nc", "b\nc", {
    kind: "already_applied",
    start: 1,
    end: 3,
  }],
  ["CRLF", "a\r\none two\r\nc\r\n", "one one\nc", "one two\nc", {
    kind: "already_applied",
    start: 1,
    end: 3,
  }],
  ["part of a line", "let x = compute(a, b);\n", "compute(a, c)", "compute(a, b)", {
    kind: "already_applied",
    start: 0,
    end: 1,
  }],
  ["re-indented when it was applied", "f\n\tnew_call(x)\n", "    old_call(x)", "    new_call(x)", {
    kind: "already_applied",
    start: 1,
    end: 2,
  }],
  [
    "a whole line that has nothing of the old one",
    "x\nconst answer = forty + two;\n",
    "qqq\nwww",
    "const answer = forty + two;",
    { kind: "already_applied", start: 1, end: 2, likely: false },
  ],
  ["new text twice", "timeout = 60\ntimeout = 60\n", "timeout = 30", "timeout = 60", {
    kind: "missing",
  }],
  ["a short line, nothing like the old one anywhere", "one\nbeta\n", "alpha", "beta", {
    kind: "already_applied",
    start: 1,
    end: 2,
  }],
  ["a short line, but the old one may be another", "one\nbeta\nalpho\n", "alpha", "beta", {
    kind: "missing",
  }],
  ["a short part of a line", "x = beta + 1\n", "alpha", "beta", { kind: "missing" }],
  ["a short one that has nothing of the old one", "a\nx\n", "something else", "x", {
    kind: "missing",
  }],
  ["brackets only", "a\n}\n", "})", "}", { kind: "missing" }],
  ["nothing", "a\nb\n", "c", "", { kind: "missing" }],
  [
    "the old text is there but for line breaks",
    "call(first,\n  second);\nnew_call();\n",
    "call(first, second);",
    "new_call();",
    { kind: "missing" },
  ],
]);

Deno.test("new text that is present is told when nothing is certain", () => {
  deepEqual(
    adviceOn("timeout = 60\nx\ntimeout = 60\n", "timeout = 30", "timeout = 60").newTextPresent,
    {
      lines: [0, 2],
      total: 2,
    },
  );
  equal(adviceOn("a\n", "b", "c").newTextPresent, undefined);
});

Deno.test("a short new text that is everywhere is not worth telling", () => {
  equal(adviceOn("x = 1; x = 2;\n".repeat(9), "something else", "x").newTextPresent, undefined);
});

testAnswers("already applied everywhere", [
  ["several lines", "timeout = 60\nx\ntimeout = 60\n", "timeout = 30", "timeout = 60", {
    kind: "already_applied",
    start: 0,
    end: 1,
  }],
], { replaceAll: true });
