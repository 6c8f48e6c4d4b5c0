// Owns: proof of the rungs that splice text inside lines: exact and escaped.
// Must not know: the fuzzy rungs.

import { deepEqual } from "node:assert/strict";
import { TextDocument } from "../../src/text/document.ts";
import { testAnswers, testReplaced } from "../support/replace_rows.ts";
import { spanEdits } from "../../src/text/span_edit.ts";

testReplaced([
  ["a piece of a line", "one two three\n", "two", "2", "one 2 three\n"],
  ["a whole line, no newline", "a\nb\nc\n", "b", "B", "a\nB\nc\n"],
  ["a whole line with newline", "a\nb\nc\n", "b\n", "B\n", "a\nB\nc\n"],
  ["newline dropped joins lines", "a\nb\nc\n", "b\n", "B", "a\nBc\n"],
  ["deleted line", "a\nb\nc\n", "b\n", "", "a\nc\n"],
  ["deleted text leaves the line", "a\nb\nc\n", "b", "", "a\n\nc\n"],
  ["deleted newline joins", "ab\ncd", "\n", "", "abcd"],
  ["lines added", "a\nb\n", "a", "a\nx\ny", "a\nx\ny\nb\n"],
  ["multi-line block", "a\nb\nc\nd\n", "b\nc", "B", "a\nB\nd\n"],
  ["whole file", "a\nb\n", "a\nb\n", "x\n", "x\n"],
  ["whole file to nothing", "a\nb\n", "a\nb\n", "", ""],
  ["missing final newline stays missing", "a\nb", "b", "B", "a\nB"],
  ["new text may bring a final newline", "a\nb", "b", "B\n", "a\nB\n"],
  ["match takes the final newline away", "a\nb\n", "b\n", "B", "a\nB"],
  ["append after the last line", "a\nb", "b", "b\nc", "a\nb\nc"],
  ["last line deleted with the newline before it", "a\nb", "\nb", "", "a"],
  [
    "dollar signs",
    'log("done");\n',
    'log("done");',
    'log("$& $$ $1 $` $\'");',
    'log("$& $$ $1 $` $\'");\n',
  ],
  [
    "backslash n in new text stays two characters",
    'print("x")\n',
    'print("x")',
    'print("a\\nb")',
    'print("a\\nb")\n',
  ],
  ["windows path in new text", "p = 1\n", "1", "C:\\Users\\name\\t", "p = C:\\Users\\name\\t\n"],
  ["escapes that stand in the file", 's = "a\\nb"\n', '"a\\nb"', '"c\\nd"', 's = "c\\nd"\n'],
  [
    "backslash before a real newline",
    "#define X \\\n  1\n",
    "X \\\n  1",
    "Y \\\n  2",
    "#define Y \\\n  2\n",
  ],
  ["entities are text", "A &lt; B &amp; C\n", "&lt;", "&gt;", "A &gt; B &amp; C\n"],
  [
    "conflict markers are text",
    "a\n",
    "a",
    "<<<<<<< HEAD\na\n=======\n>>>>>>> x",
    "<<<<<<< HEAD\na\n=======\n>>>>>>> x\n",
  ],
  ["CRLF file, LF old", "a\r\nb\r\nc\r\n", "a\nb", "A\nB", "A\r\nB\r\nc\r\n"],
  ["CRLF file, CRLF old", "a\r\nb\r\nc\r\n", "a\r\nb\r\n", "A\r\nB\r\n", "A\r\nB\r\nc\r\n"],
  ["LF file, CRLF old and new", "a\nb\nc\n", "a\r\nb", "A\r\nx\r\nB", "A\nx\nB\nc\n"],
  ["CRLF file, lines added", "a\r\nb\r\n", "b", "b\nc\nd", "a\r\nb\r\nc\r\nd\r\n"],
  [
    "CRLF file is not re-indented",
    "if x {\r\n    a\r\n}\r\n",
    "if x {\n    a\n}",
    "if x {\n                a\n}",
    "if x {\r\n                a\r\n}\r\n",
  ],
  ["mixed endings: others stay", "a\r\nb\nc", "c", "C", "a\r\nb\nC"],
  [
    "mixed endings: each line keeps its own",
    "a\r\nb\nc\r\nd\n",
    "a\nb\nc",
    "A\nB\nC",
    "A\r\nB\nC\r\nd\n",
  ],
  [
    "mixed endings: kept lines keep theirs",
    "a\r\nb\nc\r\nd\n",
    "a\nb\nc",
    "a\nx\ny\nc",
    "a\r\nx\ny\nc\r\nd\n",
  ],
  ["mixed endings: an added line takes its neighbour's", "a\r\nb\n", "a", "a\nx", "a\r\nx\r\nb\n"],
  [
    "mixed endings: kept lines below too",
    "a\r\nb\nc\r\n",
    "a\nb\nc",
    "q\nr\nb\nc",
    "q\nr\r\nb\nc\r\n",
  ],
  ["joined lines take the ending that is left", "a\r\nb\nc\r\n", "a\nb", "ab", "ab\nc\r\n"],
  ["CRLF file without final newline", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
  [
    "lone CR is data",
    "alpha\nbeta\rprogress\ngamma\n",
    "gamma",
    "GAMMA",
    "alpha\nbeta\rprogress\nGAMMA\n",
  ],
  ["lone CR in old and new text", "beta\rprogress\n", "a\rp", "a\rP", "beta\rProgress\n"],
  ["CR before CRLF is data", "a\r\r\nb\n", "b", "c", "a\r\r\nc\n"],
  ["line separators of Unicode are data", "a\u2028b\u0085c\n", "b", "B", "a\u2028B\u0085c\n"],
  ["mark at the file's start stays", "\ufeffhello\nx\n", "hello", "bye", "\ufeffbye\nx\n"],
  [
    "mark in old text is not needed",
    "\ufeffhello\nx\n",
    "\ufeffhello\nx",
    "\ufeffbye\nx",
    "\ufeffbye\nx\n",
  ],
  ["mark in new text is not doubled", "\ufeffhello\n", "hello", "\ufeffbye", "\ufeffbye\n"],
  ["a second mark stays", "\ufeff\ufeffa\n", "a", "b", "\ufeff\ufeffb\n"],
  ["astral characters", "a 😀 b\n", "😀", "😁😂", "a 😁😂 b\n"],
  ["identical text beside it stays", "ab ab2\n", "ab2", "x", "ab x\n"],
  ["blank lines only", "a\n\n\n\nb\n", "\n\n\n\n", "\n", "a\nb\n"],
  ["spaces only", "a\n  \nb\n", "  ", "", "a\n\nb\n"],
  ["an empty file is filled", "", "", "x\r\ny", "x\r\ny"],
  ["a file of nothing but a mark is filled", "\ufeff", "", "x\n", "\ufeffx\n"],
], { rung: "exact" });

testReplaced([
  ["every match", "a b a\na\n", "a", "x", "x b x\nx\n"],
  ["one line, many", "aaaa\n", "aa", "b", "bb\n"],
  ["overlapping ones left to right", "aXaXa\n", "aXa", "b", "bXa\n"],
  ["new text holds the old", "a\na\n", "a", "aa", "aa\naa\n"],
  ["adjacent lines that vanish", "a\na\nb\n", "a\n", "", "b\n"],
  ["matches that join lines", "a\nb\na\nb\nc\n", "a\n", "-", "-b\n-b\nc\n"],
  ["matches over line ends", "a\nba\nba\nb\n", "a\nb", "x", "xxx\n"],
  ["only one", "a\nb\n", "b", "c", "a\nc\n"],
  ["dollar signs", "a a\n", "a", "$&$$", "$&$$ $&$$\n"],
  ["CRLF", "a\r\nb\na\r\nb\n", "a\nb", "x\ny", "x\r\ny\nx\r\ny\n"],
], { rung: "exact", replaceAll: true });

testReplaced([
  ["escaped newline", "a\nb\n", "a\\nb", "a\\nc", "a\nc\n"],
  ["escaped tab", "\tfoo()\n", "\\tfoo()", "\\tbar()", "\tbar()\n"],
  ["escaped quotes", 'say("x")\n', 'say(\\"x\\")', 'say(\\"y\\")', 'say("y")\n'],
  ["escaped apostrophe", "it's\n", "it\\'s", "it\\'ll", "it'll\n"],
  ["doubled backslash", "a\\d\n", "a\\\\d", "a\\\\w", "a\\w\n"],
  [
    "one level only",
    'print("a\\nb")\n',
    'print(\\"a\\\\nb\\")',
    'print(\\"c\\\\nd\\")',
    'print("c\\nd")\n',
  ],
  ["other escapes stay", "a\tb\n", "a\\tb", "a\\tb\\x41\\0", "a\tb\\x41\\0\n"],
  ["backslash before a real newline stays", "a\tb\n", "a\\tb", "a\\\nb", "a\\\nb\n"],
  ["CRLF file", "a\r\nb\r\n", "a\\nb", "x\\ny", "x\r\ny\r\n"],
], { rung: "escaped" });

testAnswers("exact stops", [
  ["two matches", "a\nb\na\n", "a", "x", {
    kind: "ambiguous",
    rung: "exact",
    lines: [0, 2],
    total: 2,
  }],
  ["three lines alike", "x\nx\nx\n", "x", "y", { kind: "ambiguous", lines: [0, 1, 2], total: 3 }],
  ["overlapping matches", "aXaXa\n", "aXa", "b", { kind: "ambiguous", lines: [0, 0], total: 2 }],
  ["two after folding CRLF", "a\r\nb\na\nb\n", "a\nb", "x", {
    kind: "ambiguous",
    lines: [0, 2],
    total: 2,
  }],
  ["more than twenty", "x\n".repeat(30), "x", "y", {
    kind: "ambiguous",
    total: 30,
    lines: Array.from({ length: 20 }, (_, i) => i),
  }],
  ["two escaped matches", "a\tb\na\tb\n", "a\\tb", "x", {
    kind: "ambiguous",
    rung: "escaped",
    total: 2,
  }],
  ["equal texts", "a\n", "a", "a", { kind: "no_change", why: "equal_texts" }],
  ["equal texts that are not there", "a\n", "zzz", "zzz", {
    kind: "no_change",
    why: "equal_texts",
  }],
  ["texts equal but for CRLF", "a\nb\n", "a\r\nb", "a\nb", {
    kind: "no_change",
    why: "equal_result",
  }],
  ["empty old text", "abc\n", "", "X", { kind: "empty_old" }],
  ["empty texts", "abc\n", "", "", { kind: "empty_old" }],
  ["nothing into an empty file", "", "", "", { kind: "no_change" }],
  ["NUL", "abc\n", "b", "\0", { kind: "unsafe", rung: "exact", reason: { why: "nul_character" } }],
  ["six characters that name a NUL", "abc\n", "b", "\\u0000", { kind: "found" }],
  ["old text with a real newline is not unescaped", "a\tb\nc\n", "a\\tb\nc", "x", {
    kind: "missing",
  }],
]);

testAnswers("empty old text stops too", [
  ["with replace_all", "abc\n", "", "X", { kind: "empty_old" }],
], { replaceAll: true });

testAnswers("exact tells", [
  ["one line", "a\nb\n", "a", "x", { kind: "found", multiline: false, places: 1, notes: [] }],
  ["a line with its newline is one", "a\nb\n", "a\n", "x\n", { multiline: false }],
  ["several lines", "a\nb\n", "a\nb", "x", { multiline: true }],
  ["the same call made twice", "a\nb\nc\n", "a", "a\nb", { notes: ["inside_new_text"] }],
  ["the same call made twice, CRLF", "a\r\nb\r\nc\r\n", "a", "a\nb", {
    notes: ["inside_new_text"],
  }],
  ["an insert that was not made yet", "a\nc\n", "a", "a\nb", { notes: [] }],
  ["ids in new text", "a\nb\n", "a", "4:92|fn main() {\n5:14|}", {
    notes: ["new_text_has_line_ids"],
  }],
  ["times in new text", "a\nb\n", "a", "12:30|started", { notes: [] }],
  ["a mark that was dropped", "a\n", "a", "\ufeffb", { notes: ["byte_order_mark_dropped"] }],
]);

Deno.test("spans that touch one line are one edit", () => {
  const document = new TextDocument("aXbXc\nd\nXe\n");
  const edits = spanEdits(document, [{ start: 1, end: 2 }, { start: 3, end: 4 }, {
    start: 8,
    end: 9,
  }], "-");
  deepEqual(edits, [
    { start: 0, end: 1, lines: [{ text: "a-b-c", ending: "\n" }] },
    { start: 2, end: 3, lines: [{ text: "-e", ending: "\n" }] },
  ]);
});

Deno.test("a deleted line is an edit of that line alone", () => {
  const document = new TextDocument("a\nb\nc\n");
  deepEqual(spanEdits(document, [{ start: 2, end: 4 }], ""), [{ start: 1, end: 2, lines: [] }]);
});
