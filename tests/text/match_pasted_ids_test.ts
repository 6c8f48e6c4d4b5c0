// Owns: proof of the rung for texts pasted with line ids or numbers.
// Must not know: the other rungs.
//
// Hashes below are the known answers of the contract: "fn main() {" 92, "}" 14, "" c5, "hello world" c6.

import { testAnswers, testReplaced } from "../support/replace_rows.ts";

const FILE = "x\nfn main() {\nhello world\n\n}\n";
const TWICE = "}\na\n}\nb\n}\n";

testReplaced([
  ["one line", FILE, "3:c6|hello world", "3:c6|bye", "x\nfn main() {\nbye\n\n}\n"],
  ["new text without ids", FILE, "3:c6|hello world", "bye", "x\nfn main() {\nbye\n\n}\n"],
  [
    "several lines, a blank one with its id",
    FILE,
    "2:92|fn main() {\n3:c6|hello world\n4:c5|\n5:14|}\n",
    "2:92|fn main() {\n5:14|}\n",
    "x\nfn main() {\n}\n",
  ],
  ["a blank line without its id", FILE, "3:c6|hello world\n\n5:14|}", "}", "x\nfn main() {\n}\n"],
  [
    "blank before the id",
    FILE,
    "     3:c6|hello world",
    "     3:c6|bye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  ["capital digits", FILE, "3:C6|hello world", "bye", "x\nfn main() {\nbye\n\n}\n"],
  [
    "added lines of a diff",
    FILE,
    "+3:c6|hello world\n 4:c5|",
    "+3:c6|bye",
    "x\nfn main() {\nbye\n}\n",
  ],
  [
    "ids that have moved on",
    FILE,
    "13:c6|hello world\n14:c5|",
    "13:c6|bye\n14:c5|",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  ["the id names one of several equal lines", TWICE, "3:14|}", "3:14|)", "}\na\n)\nb\n}\n"],
  [
    "made-up ids beside proven ones",
    FILE,
    "3:c6|hello world",
    "3:c6|hello world\n4:00|more",
    "x\nfn main() {\nhello world\nmore\n\n}\n",
  ],
  [
    "lines without ids beside proven ones",
    FILE,
    "3:c6|hello world",
    "3:c6|hello world\nmore",
    "x\nfn main() {\nhello world\nmore\n\n}\n",
  ],
  [
    "a new hash for the changed line",
    FILE,
    "3:c6|hello world",
    "3:00|bye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  ["one level only", "5:14|}\n", "1:d0|5:14|}", "1:d0|5:14|)", "5:14|)\n"],
  [
    "numbers and bars",
    FILE,
    "2|fn main() {\n3|hello world",
    "2|fn main() {\n3|bye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  [
    "numbers as cat prints them",
    FILE,
    "     2\tfn main() {\n     3\thello world",
    "     2\tfn main() {\n     3\tbye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  [
    "numbers and arrows",
    FILE,
    "     3→hello world\n     4→\n     5→}",
    "     3→bye\n     4→\n     5→}",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  [
    "numbers and colons",
    FILE,
    "2:fn main() {\n3:hello world",
    "fn main() {\nbye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  ["one number at its own line", FILE, "3: hello world", "3: bye", "x\nfn main() {\nbye\n\n}\n"],
  [
    "numbers that have moved on",
    FILE,
    "12|fn main() {\n13|hello world",
    "12|fn main() {\n13|bye",
    "x\nfn main() {\nbye\n\n}\n",
  ],
  [
    "with other indentation",
    "f\n\ta\n\t\tb\n",
    "2|    a\n3|        b",
    "2|    a\n3|        c\n4|            d",
    "f\n\ta\n\t\tc\n\t\t\td\n",
  ],
  ["CRLF file", "x\r\nhello world\r\n", "2:c6|hello world", "2:c6|bye", "x\r\nbye\r\n"],
  ["deleted", FILE, "3:c6|hello world\n4:c5|", "", "x\nfn main() {\n}\n"],
  [
    "an exact text is not re-indented",
    "a\n    b {\n      c\n",
    "2|    b {\n3|      c",
    "2|    b {\n3|            d",
    "a\n    b {\n            d\n",
  ],
], { rung: "pasted_ids" });

testReplaced([
  ["every place", TWICE, "3:14|}", "3:14|)", ")\na\n)\nb\n)\n"],
], { rung: "pasted_ids", replaceAll: true });

testReplaced([
  [
    "ids that stand in the file",
    "see 3:c6|hello world\n",
    "3:c6|hello world",
    "3:c6|bye",
    "see 3:c6|bye\n",
  ],
  [
    "a time that stands in the file",
    "12:30 started\n",
    "12:30 started",
    "12:31 started",
    "12:31 started\n",
  ],
  ["ports", "- 8080:80\n", "8080:80", "9090:80", "- 9090:80\n"],
  ["a table", "1|a\n2|b\n", "1|a\n2|b", "1|a\n2|c", "1|a\n2|c\n"],
  ["new text that looks like ids", "a\n", "a", "3:c6|hello world", "3:c6|hello world\n"],
], { rung: "exact" });

testAnswers("pasted ids stop", [
  ["equal lines, and an id that names none", TWICE, "9:14|}", "x", {
    kind: "ambiguous",
    rung: "pasted_ids",
    lines: [0, 2, 4],
    total: 3,
  }],
  ["a hash that is not its line's", FILE, "3:c7|hello world", "x", { kind: "missing" }],
  ["a hash that is another line's", FILE, "3:92|hello world", "x", { kind: "missing" }],
  ["one line without an id", FILE, "2:92|fn main() {\nhello world", "x", { kind: "missing" }],
  ["lines that are not together", FILE, "2:92|fn main() {\n5:14|}", "x", { kind: "missing" }],
  ["new text with ids that none proves", FILE, "3:c6|hello world", "7:aa|more", {
    kind: "unsafe",
    rung: "pasted_ids",
    reason: { why: "unproven_line_ids", newTextLine: 0 },
  }],
  ["a time", "started\n", "12:30 started", "x", { kind: "missing" }],
  ["a number before one line that is elsewhere", "x\nstarted\n", "12|started", "y", {
    kind: "missing",
  }],
  ["numbers that do not rise by one", FILE, "2|fn main() {\n4|hello world", "x", {
    kind: "missing",
  }],
  [
    "new text whose only id is not proven",
    FILE,
    "3:c6|hello world",
    "bye\n7:aa|more",
    { kind: "unsafe", rung: "pasted_ids", reason: { why: "unproven_line_ids", newTextLine: 1 } },
  ],
]);

testAnswers("pasted ids tell", [
  ["places", FILE, "3:c6|hello world", "3:c6|bye", { places: 1, multiline: false, notes: [] }],
]);
