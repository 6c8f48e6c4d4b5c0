// Owns: that a translated pattern finds the lines that grep finds.
// Must not know: options and paths of grep.

import { deepEqual } from "node:assert/strict";
import { type PatternSyntax, toViewSearch } from "../../src/shell/grep_pattern.ts";
import { REGEX_FLAGS } from "../../src/text/regex_class.ts";
import { translateRegex } from "../../src/text/regex_syntax.ts";

const LINES = [
  "foo",
  "foo bar",
  "a.b",
  "axb",
  "a|b",
  "a(b)",
  "ab",
  "aab",
  "a+b",
  "a*b",
  "x{2}",
  "xx",
  "[x]",
  "a\\b",
  "$5",
  "^x",
  "word_1 next",
  "UPPER",
  "tab\there",
  "",
  " ",
  "foobar",
  "café",
];

const ROWS: readonly (readonly [syntax: PatternSyntax, flag: string, pattern: string])[] = [
  ["basic", "-G", "foo"],
  ["basic", "-G", "a.b"],
  ["basic", "-G", "a\\.b"],
  ["basic", "-G", "a|b"],
  ["basic", "-G", "a\\|b"],
  ["basic", "-G", "a(b)"],
  ["basic", "-G", "a\\(b\\|x\\)b"],
  ["basic", "-G", "a+b"],
  ["basic", "-G", "a\\+b"],
  ["basic", "-G", "a\\?b"],
  ["basic", "-G", "a*b"],
  ["basic", "-G", "*b"],
  ["basic", "-G", "a\\*b"],
  ["basic", "-G", "x{2}"],
  ["basic", "-G", "x\\{2\\}"],
  ["basic", "-G", "[[]x"],
  ["basic", "-G", "[]x]"],
  ["basic", "-G", "^foo$"],
  ["basic", "-G", "^$"],
  ["basic", "-G", "\\<foo\\>"],
  ["basic", "-G", "\\bfoo\\b"],
  ["basic", "-G", "[[:upper:]]"],
  ["basic", "-G", "[[:space:]]"],
  ["basic", "-G", "[[:alnum:]_]\\{5,\\}"],
  ["basic", "-G", "foo\nUPPER"],
  ["extended", "-E", "a|b"],
  ["extended", "-E", "a(x|b)b?"],
  ["extended", "-E", "a+b"],
  ["extended", "-E", "a\\+b"],
  ["extended", "-E", "a\\|b"],
  ["extended", "-E", "x{2}"],
  ["extended", "-E", "^(foo|UPPER)"],
  ["extended", "-E", "[[:digit:]]+"],
  ["fixed", "-F", "a.b"],
  ["fixed", "-F", "a*b"],
  ["fixed", "-F", "a\\b"],
  ["fixed", "-F", "$5"],
];

const DECORATIONS: readonly (readonly [flags: readonly string[], set: object])[] = [
  [[], {}],
  [["-i"], { ignoreCase: true }],
  [["-w"], { wholeWord: true }],
  [["-x"], { wholeLine: true }],
];

async function grep(args: readonly string[]): Promise<string[]> {
  const child = new Deno.Command("grep", {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    env: { LC_ALL: "C.UTF-8" },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(LINES.map((line) => `${line}\n`).join("")));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1);
}

function find(pattern: string, options: Parameters<typeof toViewSearch>[1]): string[] {
  const search = toViewSearch([pattern], options);
  if (search === undefined) return LINES;
  if (!search.regex) return LINES.filter((line) => line.includes(search.content));
  const translated = translateRegex(search.content);
  if (translated.kind === "malformed") throw new Error(`${search.content}: ${translated.reason}`);
  const regex = new RegExp(translated.sources.unicode, REGEX_FLAGS);
  return LINES.filter((line) => regex.test(line));
}

Deno.test("grep pattern: the translated search finds what grep finds", async () => {
  for (const [syntax, flag, pattern] of ROWS) {
    for (const [flags, set] of DECORATIONS) {
      const options = { syntax, ignoreCase: false, wholeWord: false, wholeLine: false, ...set };
      const expected = await grep([flag, ...flags, "-e", pattern]);
      deepEqual(find(pattern, options), expected, `grep ${flag} ${flags} ${pattern}`);
    }
  }
});
