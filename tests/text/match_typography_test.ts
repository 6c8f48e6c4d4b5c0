// Owns: proof of the typography rung: the file's own characters stay.
// Must not know: the other rungs.

import { testAnswers, testReplaced } from "../support/replace_rows.ts";

testReplaced([
  [
    "curly quotes around a changed word",
    "He said “hi” now\n",
    'He said "hi" now',
    'He said "bye" now',
    "He said “bye” now\n",
  ],
  ["curly apostrophe", "it’s a test\n", "it's a test", "it's the test", "it’s the test\n"],
  ["en dash", "pages 1–5 only\n", "pages 1-5 only", "pages 1-5 and 7-9", "pages 1–5 and 7-9\n"],
  ["em dash", "yes — no\n", "yes - no", "yes - maybe", "yes — maybe\n"],
  ["minus sign", "x = −1\n", "x = -1", "x = -1 + 2", "x = −1 + 2\n"],
  ["no-break space", "10\u00a0km far\n", "10 km far", "10 km near", "10\u00a0km near\n"],
  ["ideographic space", "名前\u3000値\n", "名前 値", "名前 数", "名前\u3000数\n"],
  ["zero-width space", "foo\u200bbar baz\n", "foobar baz", "foobar qux", "foo\u200bbar qux\n"],
  [
    "soft hyphen",
    "long\u00adword here\n",
    "longword here",
    "longword there",
    "long\u00adword there\n",
  ],
  ["mark inside the text", "a\ufeffb c\n", "ab c", "ab d", "a\ufeffb d\n"],
  ["ellipsis", "wait… now\n", "wait... now", "wait... later", "wait… later\n"],
  [
    "curly quotes sent, straight in the file",
    'say "a" now\n',
    "say “a” now",
    "say “b” now",
    'say "b" now\n',
  ],
  ["added quotes stay as they are sent", "say “a”\n", 'say "a"', 'say "a" or', "say “a” or\n"],
  [
    "a new pair of quotes after the file's",
    "say “a”\n",
    'say "a"',
    'say "a" and "b"',
    'say “a” and "b"\n',
  ],
  ["unchanged lines stay", "“a”\nb\n", '"a"\nb', '"a"\nc', "“a”\nc\n"],
  ["line put in between", "“a”\n“b”\n", '"a"\n"b"', '"a"\nx\n"b"', "“a”\nx\n“b”\n"],
  ["line deleted", "“a”\n“b”\nc\n", '"a"\n"b"\nc', '"a"\nc', "“a”\nc\n"],
  ["lines joined", "it’s\nmine\n", "it's\nmine", "it's mine", "it’s mine\n"],
  ["line split", "“a” and “b”\nc\n", '"a" and "b"\nc', '"a"\nand "b"\nc', "“a”\nand “b”\nc\n"],
  [
    "with other indentation",
    "\tsay “a”\n\t\tb\n",
    '    say "a"\n        b',
    '    say "c"\n        if d\n            b',
    "\tsay “c”\n\t\tif d\n\t\t\tb\n",
  ],
  ["CRLF", "it’s\r\nb\r\n", "it's\nb", "it's\nc", "it’s\r\nc\r\n"],
  ["all gone", "“a”\nb\n", '"a"', "", "b\n"],
  ["all new", "“a”\nb\n", '"a"', "x", "x\nb\n"],
  ["dollar signs", "it’s $1\n", "it's $1", "it's $& $$", "it’s $& $$\n"],
], { rung: "typography" });

testReplaced([
  ["each with its own characters", "it’s\n\tit‘s\n", "it's", "it's x", "it’s x\n\tit‘s x\n"],
], { rung: "typography", replaceAll: true });

testAnswers("typography stops", [
  ["two windows", "it’s\nx\nit‘s\n", "it's", "y", {
    kind: "ambiguous",
    rung: "typography",
    lines: [0, 2],
    total: 2,
  }],
  [
    "quotes that move past each other",
    "“a” b 'c'\n",
    `"a" b 'c'`,
    `'c' b "a"`,
    {
      kind: "unsafe",
      rung: "typography",
      reason: {
        why: "unaligned_typography",
        line: 0,
        differences: [
          { line: 0, column: 0, sentLine: 0, inFile: 0x201c, sent: 0x22 },
          { line: 0, column: 2, sentLine: 0, inFile: 0x201d, sent: 0x22 },
        ],
      },
    },
  ],
  ["an ellipsis that cannot be split", "wait.… now\n", "wait.... now", "wait.... later", {
    kind: "unsafe",
    rung: "typography",
  }],
  ["part of a line", "she said “hi” now\n", 'said "hi"', "x", { kind: "missing" }],
  ["backtick is no quote", "it`s\n", "it's", "x", { kind: "missing" }],
  ["accents", "café\n", "cafe", "x", { kind: "missing" }],
  ["nothing new", "it’s\n", "it's", "it’s", { kind: "no_change", why: "equal_result" }],
]);
