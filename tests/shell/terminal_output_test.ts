// Owns: what a person would have seen for what a program printed.
// Must not know: processes, size limits.

import { deepEqual, equal } from "node:assert/strict";
import fc from "../support/property.ts";
import { renderTerminal } from "../../src/shell/terminal_output.ts";

type Row = readonly [printed: string, seen: string];

const ROWS: { readonly [group: string]: readonly Row[] } = {
  "plain text stays": [
    ["", ""],
    ["a", "a"],
    ["a\n", "a\n"],
    ["a\n\nb\n", "a\n\nb\n"],
    ["a\tb  \n", "a\tb  \n"],
    ["日本語 😀 é\n", "日本語 😀 é\n"],
    ["\ufeffa\n", "\ufeffa\n"],
  ],
  "colours and styles": [
    ["\x1b[31mred\x1b[0m\n", "red\n"],
    ["\x1b[1;38;5;208mx\x1b[m", "x"],
    ["\x1b[38:2::10:20:30mx\x1b[m", "x"],
    ["\x1b[32m✓\x1b[39m ok\n", "✓ ok\n"],
    ["a\x9b31mb", "ab"],
    ["\x1b[?25lspin\x1b[?25h\n", "spin\n"],
    ["\x1b[>4;2mx", "x"],
    ["\x1b(Bx\x1b)0y", "xy"],
    ["\x1b=x\x1b>", "x"],
    ["\x1b#8x", "x"],
    ["a\x0eb\x0fc", "abc"],
  ],
  "strings up to their end, whatever they hold": [
    ["\x1b]0;title\x07x", "x"],
    ["\x1b]0;C:\\a b\x07x", "x"],
    ["\x1b]0;a b\x1b\\x", "x"],
    ["\x1b]0;a\nb\x07x", "x"],
    ["\x9d0;t\x9cx", "x"],
    ["\x1b]8;;http://x/y?a=b\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1bPq#0;2;0\x1b\\x", "x"],
    ["\x1b_payload\x1b\\x", "x"],
    ["\x1b^payload\x1b\\x", "x"],
    ["\x1b]0;never ended\nnext\n", "\nnext\n"],
    ["\x1b]0;broken off\x1b[31mred\n", "red\n"],
    ["\x1b]0;日本\x07x", "x"],
  ],
  "broken off at the end": [
    ["a\x1b", "a"],
    ["a\x1b[", "a"],
    ["a\x1b[31", "a"],
    ["a\x1b]0;t", "a"],
    ["a\x1b(", "a"],
    ["a\r", "a"],
    ["a\b", "a"],
  ],
  "frames of one line": [
    ["10%\r20%\r100%\n", "100%\n"],
    ["10%\r20%\r100%", "100%"],
    ["\r10%\r20%\n", "20%\n"],
    ["long text here\rdone\n", "done\n"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["a\r\r\nb\n", "a\nb\n"],
    ["50%\r\x1b[Kdone\n", "done\n"],
    ["50%\x1b[2K\rdone\n", "done\n"],
    ["50%\r   \rdone\n", "done\n"],
    ["50%\r   \r\nnext\n", "\nnext\n"],
    ["50%\r\x1b[K\nnext\n", "\nnext\n"],
    ["a 1%\ra 2%\nb 1%\rb 2%\n", "a 2%\nb 2%\n"],
    ["Starting\r\x1b[20C[ OK ]\n", "Starting            [ OK ]\n"],
    ["abcdef\x1b[3Gx\n", "abxdef\n"],
    ["abcdef\x1b[2Dx\n", "abcdxf\n"],
    ["abc\x1b[1K\n", "\n"],
  ],
  "backspaces": [
    ["abc\b\bX\n", "aXc\n"],
    ["a\ba\n", "a\n"],
    ["_\bN_\bA\n", "NA\n"],
    ["|\b/\b-\b\\\bdone\n", "done\n"],
    ["x|\b \b\n", "x\n"],
    ["\b\ba\n", "a\n"],
    ["😀\bx\n", "x\n"],
    ["a😀\bé\n", "aé\n"],
    ["50%\b\b\b100%\n", "100%\n"],
  ],
  "several lines redrawn": [
    ["one\ntwo\n\x1b[2A\x1b[KONE\n\x1b[KTWO\n", "ONE\nTWO\n"],
    ["a 1\nb 1\n\x1b[2Fa 2\nb 2\n", "a 2\nb 2\n"],
    ["a\nb\nc\n\x1b[2A\x1b[J", "a\n"],
    ["a\n\x1b[9Ab\n", "b\n"],
    ["\x1b7one\x1b8two\n", "two\n"],
    ["\x1b[sone\x1b[utwo\n", "two\n"],
    ["a\x1b[1Bb\n", "ab\n"],
    ["a\n\x1bMb", "b\n"],
  ],
  "a cleared screen keeps what was seen before": [
    ["error\n\x1b[2J\x1b[Hok\n", "error\nok\n"],
    ["error\n\x1b[H\x1b[2Jok\n", "error\nok\n"],
    ["error\n\x1bcok\n", "error\nok\n"],
    ["error\n\x1b[2J\x1b[3J\x1b[Hok\n", "error\nok\n"],
    ["error\n\x1b[?1049hfull\x1b[?1049lok\n", "error\nfull\nok\n"],
    ["\x1b[2J\x1b[2;3Hx", "\n  x"],
  ],
  "other control characters do not show": [
    ["a\0b", "ab"],
    ["ding\x07\n", "ding\n"],
    ["a\x7fb", "ab"],
    ["a\x85b", "ab"],
    ["a\vb\fc", "a\nb\nc"],
    ["a\x18b\x1ac", "abc"],
  ],
  "repeats are counted": [
    ["a\na\n", "a\na\n"],
    ["a\na\na\n", "a\n[previous line repeated 2 more times]\n"],
    ["a\n".repeat(1000), "a\n[previous line repeated 999 more times]\n"],
    ["a\nb\na\n", "a\nb\na\n"],
    ["x\na\na\na\na\ny", "x\na\n[previous line repeated 3 more times]\ny"],
    ["a\na\na", "a\n[previous line repeated 2 more times]"],
    ["\n\n\n\n", "\n[previous line repeated 3 more times]\n"],
    ["\x1b[32ma\x1b[0m\na\n1\ra\n", "a\n[previous line repeated 2 more times]\n"],
    ["a \na\na\n", "a \na\na\n"],
  ],
};

for (const [group, rows] of Object.entries(ROWS)) {
  Deno.test(`terminal output: ${group}`, () => {
    deepEqual(rows.map(([printed]) => [printed, renderTerminal(printed)]), rows);
  });
}

Deno.test("terminal output: whatever is printed, nothing that controls a terminal is left", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "\x1b[",
      "\x1b]",
      "\x1b",
      "\r",
      "\b",
      "\n",
      "\x9b",
      "\x07",
      "\x1b\\",
      "A",
      "2J",
      "K",
      "3;4H",
      "m",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const seen = renderTerminal(parts.join(""));
      // deno-lint-ignore no-control-regex
      equal(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(seen), false);
      equal(seen.isWellFormed(), true);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("terminal output: text without control characters stays as it is", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(fc.uniqueArray(line, { maxLength: 20 }), (lines) => {
      const text = lines.join("\n");
      // deno-lint-ignore no-control-regex
      fc.pre(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text));
      equal(renderTerminal(text), text);
    }),
  );
});

// What would take hours if it took time by the square of its length shows as a test that does not end.
Deno.test("terminal output: a megabyte made to be slow ends", () => {
  const hostile: readonly string[] = [
    "x".repeat(500_000) + "\bx".repeat(250_000),
    "\rframe 12345".repeat(80_000),
    "\x1b[2J\x1b[99Hx".repeat(90_000),
    "\n\x1b[999Cx".repeat(110_000),
    "\x1b]".repeat(500_000),
    "\x9d".repeat(1_000_000),
    "\x1b[".repeat(500_000),
    "\x1b[" + "1".repeat(1_000_000),
    "a\n\x1b[1A".repeat(200_000),
    "a\x1b7\n\x1b8".repeat(150_000),
  ];
  for (const text of hostile) {
    equal(renderTerminal(text).length < 40_000_000, true);
  }
});
