// Owns: what holds for every replacement, on every rung, whatever the texts.
// Must not know: single cases; these are in tests/text.

import { deepEqual, equal } from "node:assert/strict";
import fc from "../support/property.ts";
import { formatDocument, parseDocument, TextDocument } from "../../src/text/document.ts";
import { foldLine } from "../../src/text/folded_text.ts";
import { hashLine } from "../../src/text/line_id.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { findReplacement } from "../../src/text/match.ts";
import type { MatchResult } from "../../src/text/match_result.ts";

const RUNS = { numRuns: 500 };

const piece = fc.constantFrom(
  "a",
  "b",
  "ab",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "$&",
  "\\n",
  "é",
  "“",
  "😀",
);
const smallText = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
const oldPiece = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));

const word = fc.constantFrom("if", "x", "foo()", "{", "}", "say “hi”", "it’s", "end");
const codeLine = fc.tuple(fc.nat(3), fc.array(word, { minLength: 1, maxLength: 3 }))
  .map(([level, words]) => ({ level, content: words.join(" ") }));
const codeLines = fc.array(codeLine, { minLength: 1, maxLength: 8 });

function fold(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function after(document: TextDocument, result: MatchResult): string {
  if (result.kind !== "found") throw new Error(result.kind);
  return applyLineEdits(document, result.edits).document.text;
}

Deno.test("an exact replacement is the splice that a reader would make", () => {
  fc.assert(
    fc.property(smallText, oldPiece, smallText, (file, oldText, newText) => {
      const view = fold(file);
      const at = view.indexOf(fold(oldText));
      const isOnly = at !== -1 && view.indexOf(fold(oldText), at + 1) === -1;
      const result = findReplacement(new TextDocument(file), {
        oldText,
        newText,
        replaceAll: false,
      });
      if (!isOnly || oldText === newText) {
        equal(result.kind === "found" && result.rung === "exact", false);
        return;
      }
      const expected = view.slice(0, at) + fold(newText) + view.slice(at + fold(oldText).length);
      if (result.kind === "no_change") equal(expected, view);
      else if (!endsNewRun(newText)) equal(fold(after(new TextDocument(file), result)), expected);
    }),
    RUNS,
  );
});

Deno.test("every match is replaced from left to right", () => {
  fc.assert(
    fc.property(smallText, oldPiece, smallText, (file, oldText, newText) => {
      const view = fold(file);
      const parts = view.split(fold(oldText));
      if (parts.length === 1 || oldText === newText || endsNewRun(newText)) return;
      const result = findReplacement(new TextDocument(file), {
        oldText,
        newText,
        replaceAll: true,
      });
      const expected = parts.join(fold(newText));
      if (result.kind === "no_change") equal(expected, view);
      else equal(fold(after(new TextDocument(file), result)), expected);
    }),
    RUNS,
  );
});

/** A lone `\r` that is written before a `\n` becomes part of an ending: true, but another view. */
function endsNewRun(newText: string): boolean {
  return /\r|^\n|\n$/.test(fold(newText)) || newText === "";
}

Deno.test("what stands before and after the lines of a match stays, byte for byte", () => {
  fc.assert(
    fc.property(
      smallText,
      oldPiece,
      smallText,
      fc.boolean(),
      (file, oldText, newText, replaceAll) => {
        const document = new TextDocument(file);
        const result = findReplacement(document, { oldText, newText, replaceAll });
        if (result.kind !== "found") return;
        checkOutside(document, result);
      },
    ),
    RUNS,
  );
});

function checkOutside(document: TextDocument, result: MatchResult) {
  if (result.kind !== "found") return;
  const text = after(document, result);
  const first = result.edits[0]?.start ?? 0;
  const last = result.edits.at(-1)?.end ?? 0;
  equal(text.startsWith(document.text.slice(0, document.lineStart(first))), true);
  equal(text.endsWith(document.text.slice(document.lineStart(last))), true);
  let done = 0;
  for (const edit of result.edits) {
    equal(edit.start >= done && edit.end >= edit.start, true);
    done = edit.end;
  }
}

/** Writes lines with a unit for each level, or with none at all. */
function write(lines: readonly { level: number; content: string }[], unit: string): string {
  return lines.map(({ level, content }) => unit.repeat(level) + content).join("\n");
}

Deno.test("a fuzzy match never changes a line outside its window", () => {
  const ending = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(
      codeLines,
      codeLines,
      codeLines,
      codeLines,
      ending,
      (above, window, below, sent, end) => {
        const lines = [...above, ...window, ...below];
        const document = new TextDocument(write(lines, "\t").replaceAll("\n", end));
        const oldText = write(window, "  ").replaceAll("“", '"').replaceAll("’", "'");
        const newText = write(sent, "  ");
        const result = findReplacement(document, { oldText, newText, replaceAll: false });
        if (result.kind !== "found") return;
        checkOutside(document, result);
        for (const edit of result.edits) {
          equal(edit.start >= above.length - 1 && edit.end <= above.length + window.length, true);
        }
      },
    ),
    RUNS,
  );
});

Deno.test("levels sent in spaces come out in tabs, each line as deep as it was sent", () => {
  const unit = fc.constantFrom("  ", "    ");
  fc.assert(
    fc.property(codeLines, codeLines, unit, (window, sent, spaces) => {
      const levels = new Set(window.map((line) => line.level));
      // Without two levels in the old text, or the outermost one, nothing says how wide one is.
      fc.pre(levels.size > 1 && !window.some((line) => line.content.includes("“")));
      const document = new TextDocument(`start\n${write(window, "\t")}\nstop\n`);
      const oldText = write(window, spaces);
      const result = findReplacement(document, {
        oldText,
        newText: write(sent, spaces),
        replaceAll: false,
      });
      if (result.kind !== "found" || result.rung !== "whitespace") return;
      equal(after(document, result), `start\n${write(sent, "\t")}\nstop\n`);
    }),
    RUNS,
  );
});

Deno.test("an old text that is quoted right and repeated as the new one changes nothing", () => {
  fc.assert(
    fc.property(codeLines, fc.constantFrom("", "  ", "    "), (window, unit) => {
      const document = new TextDocument(`${write(window, "\t")}\n`);
      const oldText = write(window, unit).replaceAll("“", '"');
      const result = findReplacement(document, {
        oldText,
        newText: `${oldText}\n`,
        replaceAll: false,
      });
      if (result.kind === "found" && result.rung !== "exact") {
        equal(after(document, result), document.text);
      }
    }),
    RUNS,
  );
});

Deno.test("a window of the fuzzy rungs agrees with what was sent, line for line", () => {
  fc.assert(
    fc.property(codeLines, codeLines, (file, sent) => {
      const document = new TextDocument(write(file, "\t"));
      const oldText = write(sent, "  ");
      const result = findReplacement(document, { oldText, newText: "new", replaceAll: false });
      if (result.kind !== "found" || result.rung === "exact") return;
      const edit = result.edits[0];
      const old = document.lines(edit?.start ?? 0, edit?.end ?? 0);
      deepEqual(
        old.map((line) => foldLine(line.text, "typography")),
        sent.map((line) => foldLine(line.content, "typography")),
      );
    }),
    RUNS,
  );
});

Deno.test("texts pasted with their ids are replaced like the texts themselves", () => {
  fc.assert(
    fc.property(codeLines, codeLines, codeLines, (above, window, sent) => {
      const text = `${write([...above, ...window], "\t")}\n`;
      const document = new TextDocument(text);
      const pasted = window.map(({ level, content }, index) => {
        const line = "\t".repeat(level) + content;
        return `${above.length + index + 1}:${hashLine(line)}|${line}`;
      }).join("\n");
      const newText = write(sent, "\t");
      const result = findReplacement(document, { oldText: pasted, newText, replaceAll: false });
      const expected = `${write(above, "\t")}\n${newText}\n`;
      if (result.kind === "no_change") equal(expected, text);
      else equal(after(document, result), expected);
    }),
    RUNS,
  );
});

Deno.test("one word changed in a line leaves every other character of the file as it is", () => {
  const words = fc.array(fc.constantFrom("“a”", "it’s", "1–2", "x…", "b\u00a0c", "d", "e\u200bf"), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(words, words, (before, behind) => {
      const line = (word: string) => [...before, word, ...behind].join(" ");
      const document = new TextDocument(`${line("old")}\n`);
      const request = {
        oldText: plain(line("old")),
        newText: plain(line("new")),
        replaceAll: false,
      };
      equal(after(document, findReplacement(document, request)), `${line("new")}\n`);
    }),
    RUNS,
  );
});

function plain(text: string): string {
  return text.replace(/[“”]/g, '"').replaceAll("’", "'").replaceAll("–", "-").replaceAll("…", "...")
    .replaceAll("\u00a0", " ").replaceAll("\u200b", "");
}

Deno.test("bytes of any file, whatever they are, stay where an edit does not reach", () => {
  const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => array.map((byte) => byte || 10));
  fc.assert(
    fc.property(bytes, bytes, (head, tail) => {
      const [old, fresh] = [
        new TextEncoder().encode("\nMARK\n"),
        new TextEncoder().encode("\nnew\nM\n"),
      ];
      const parsed = parseDocument(Uint8Array.of(...head, ...old, ...tail));
      if (parsed.kind !== "text" || parsed.document.form.encoding.startsWith("utf-16")) return;
      const { document } = parsed;
      const result = findReplacement(document, {
        oldText: "MARK",
        newText: "new\nM",
        replaceAll: false,
      });
      if (result.kind !== "found") throw new Error(result.kind);
      const written = formatDocument(applyLineEdits(document, result.edits).document);
      deepEqual(fold(latin(written)), fold(latin(Uint8Array.of(...head, ...fresh, ...tail))));
    }),
    RUNS,
  );
});

/** Bytes as characters, one by one. */
function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
