// Owns: the times of the ladder on files of the sizes that agents meet, found and not found.
// Must not know: what the answers say.
//
// Prints milliseconds, the median of several rounds, and the ratio to splitting the same text into
// lines in the same run: times alone say nothing on a shared machine.
//
// Run: deno run -A tests/bench/match_bench.ts

import { TextDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { findReplacement } from "../../src/text/match.ts";
import type { ReplaceRequest } from "../../src/text/match_result.ts";

/** Lines of about 60 characters, none equal to another. */
function sourceText(lines: number, ending = "\n"): string {
  const words = ["request", "client", "handler", "buffer", "index", "session", "token", "offset"];
  let seed = 7;
  const next = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed >>> 8;
  };
  const word = () => words[next() % words.length] ?? "";
  return Array.from(
    { length: lines },
    (_, index) =>
      `${" ".repeat(4 * (next() % 4))}let ${word()}_${index} = ${word()}.${word()}(${word()}, ${
        next() % 100
      });`,
  ).join(ending) + ending;
}

/** As decoded from a file: one flat string, not the parts it was made of. */
function flat(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function block(text: string, start: number, count: number): string {
  return text.split(/\r?\n/).slice(start, start + count).join("\n");
}

const small = sourceText(800);
const large = sourceText(20_000);
const largeCrlf = sourceText(20_000, "\r\n");
const manyLines = sourceText(100_000);
const oneLine = sourceText(26_000).replaceAll("\n", " ");
const largeBlock = block(large, 15_000, 20);
const misquoted = largeBlock.replace(/\w+_15010/, "wrong_name").replace("let", "const");
const reindented = largeBlock.replaceAll(/^ +/gm, (blanks) => "\t".repeat(blanks.length / 4));

interface Case {
  readonly name: string;
  readonly text: string;
  readonly request: Partial<ReplaceRequest>;
}

const CASES: readonly Case[] = [
  { name: "found, 20,000 lines", text: large, request: { oldText: block(large, 15_000, 1) } },
  { name: "found, 20 lines of 20,000", text: large, request: { oldText: largeBlock } },
  { name: "found, 20,000 lines CRLF", text: largeCrlf, request: { oldText: largeBlock } },
  {
    name: "replaced 100,000 times",
    text: "a b\n".repeat(100_000),
    request: { oldText: "a", replaceAll: true },
  },
  {
    name: "replaced 400,000 times in one line",
    text: "a,".repeat(400_000),
    request: { oldText: "a", replaceAll: true },
  },
  { name: "whitespace, 20 lines of 20,000", text: large, request: { oldText: reindented } },
  {
    name: "missed, 20 lines of 800",
    text: small,
    request: { oldText: block(small, 400, 20).replace("let", "const") },
  },
  { name: "missed, 20 lines of 20,000", text: large, request: { oldText: misquoted } },
  {
    name: "missed, 1 line of 20,000",
    text: large,
    request: { oldText: "let client_9 = wrong.call(1);" },
  },
  {
    name: "missed, 20 lines of 20,000, typography",
    text: `“${large}`,
    request: { oldText: misquoted },
  },
  { name: "missed, 20 lines, one line of 1.6 MB", text: oneLine, request: { oldText: misquoted } },
  {
    name: "missed, line of 1.6 MB, the same but one",
    text: oneLine,
    request: { oldText: oneLine.replace("_13000", "_x") },
  },
  { name: "missed, 20 lines of 100,000", text: manyLines, request: { oldText: misquoted } },
  {
    name: "missed, 2,000 lines of 100,000",
    text: manyLines,
    request: { oldText: block(manyLines, 9_000, 2_000).replace("let", "x") },
  },
  {
    name: "missed, equal lines, 100,000",
    text: "    a();\n".repeat(100_000),
    request: { oldText: `${"a();\n".repeat(1_000)}b();` },
  },
];

const ROUNDS = 9;

function median(work: (document: TextDocument) => void, text: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const document = new TextDocument(flat(text));
    const start = performance.now();
    work(document);
    return performance.now() - start;
  });
  return times.sort((left, right) => left - right)[ROUNDS >> 1] ?? 0;
}

for (const { name, text, request } of CASES) {
  const asked = { oldText: "", newText: "new", replaceAll: false, ...request };
  const split = median((document) => document.text.split("\n"), text);
  const found = median((document) => {
    const result = findReplacement(document, asked);
    if (result.kind === "found") applyLineEdits(document, result.edits);
  }, text);
  const ratio = (found / Math.max(0.01, split)).toFixed(1);
  console.log(`${name.padEnd(44)} ${found.toFixed(2).padStart(9)} ms ${ratio.padStart(9)}x`);
}
