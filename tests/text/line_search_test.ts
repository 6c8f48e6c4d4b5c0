import assert from "node:assert/strict";
import fc from "../support/property.ts";
import {
  createLineMatcher,
  LINE_SEARCH_PARTS,
  type LineQuery,
  searchLines,
} from "../../src/text/line_search.ts";
import { literalSource } from "../../src/text/regex_reader.ts";
import { translateRegex } from "../../src/text/regex_syntax.ts";

function literal(text: string): LineQuery {
  if (!text.includes("\n")) return { kind: "literal", text };
  const source = literalSource(text);
  const sources = { ascii: source, unicode: source, spansLines: true, looksAround: false };
  return { kind: "regex", ...sources, needle: "" };
}

function regex(pattern: string): LineQuery {
  const translated = translateRegex(pattern);
  assert.equal(translated.kind, "regex", JSON.stringify(translated));
  if (translated.kind !== "regex") throw new Error("unreachable");
  return { kind: "regex", ...translated.sources };
}

/** Blocks as `1,2|5`: 1-based lines, a bar between blocks. */
function found(text: string, query: LineQuery, context = 0, maxMatches = 1000): string {
  const result = searchLines(text, createLineMatcher(query, false), { context, maxMatches });
  const blocks = result.blocks.map(({ firstLine, lines }) =>
    lines.map((_, index) => firstLine + index + 1).join(",")
  );
  return blocks.join("|") + (result.more ? "+" : "");
}

Deno.test("literal search finds the lines", () => {
  const rows: readonly (readonly [text: string, needle: string, lines: string])[] = [
    ["a\nb\nc\n", "b", "2"],
    ["a\nb\nc", "c", "3"],
    ["", "x", ""],
    ["\n\n", "x", ""],
    ["ab ab\nab", "ab", "1,2"],
    ["a.c\nabc", "a.c", "1"],
    ["$x\n$y", "$", "1,2"],
    ["x\r\ny\r\n", "y", "2"],
    ["x\ry\nz", "y", "1"],
    ["x\u2028y\nz", "y", "1"],
    ["a\nb\nc\nd", "b\nc", "2,3"],
    ["a\r\nb\r\nc", "a\nb", "1,2"],
    ["日本\n語", "語", "2"],
    ["-i\n->thread", "->thread", "2"],
  ];
  for (const [text, needle, lines] of rows) {
    assert.equal(found(text, literal(needle)), lines, JSON.stringify([text, needle]));
  }
});

Deno.test("a regular expression is tried line by line", () => {
  const rows: readonly (readonly [text: string, pattern: string, lines: string])[] = [
    ["foo\nbar", "^bar$", "2"],
    ["foo\r\nbar\r\n", "foo$", "1"],
    ["foo\nbar\n", "^$", ""],
    ["foo\n\nbar\n", "^$", "2"],
    ["\nfoo", "^$", "1"],
    ["a\nb", "a\\s*b", ""],
    ["a\nb", "a[^x]*b", ""],
    ["a\nb\na b", "a\\s*b", "3"],
    ["a\nb", "(?s)a.b", ""],
    ["a\nb", "a\\nb", "1,2"],
    ["a\r\nb", "a\\nb", "1,2"],
    ["Hello\nhello", "(?i)HELLO", "1,2"],
    ["Hello\nhello", "hello", "2"],
    ["ab\nAB", "(?i)a(?-i)B", "2"],
    ["xa\nxB\nxb", "a|(?i)b", "1,2,3"],
    ["cat\nconcat", "\\bcat", "1"],
    ["é cat\nécat", "\\bcat", "1"],
    ["x٣\nx3", "x\\d", "1,2"],
    ["naïve", "^\\w+$", "1"],
    ["a-b", "^[\\w-]+$", "1"],
    ["foo bar", "(?x) foo \\s bar # both", "1"],
    ["2024-01-02", "(?P<y>\\d{4})-(?P<m>\\d{2})", "1"],
    ["aXb", "[[:upper:]]", "1"],
    ["αβγ\nabc", "\\p{Greek}", "1"],
    ["αβγ\nabc", "\\pL{3}", "1,2"],
    ["αβγ\nabc", "\\P{Greek}", "2"],
    ["q]", "[]]", "1"],
    ["hello", "[a-z&&[^aeiou]]{2}", "1"],
    ["aeiou", "[a-z&&[^aeiou]]", ""],
    ["cd", "[a-d--[ab]]+", "1"],
    ["interface Foo {", "interface \\w+ {", "1"],
    ["a{2}", "a\\{2\\}", "1"],
    ["a.b", "\\Qa.b\\E", "1"],
    ["foobar\nfoobaz", "foo(?!bar)", "2"],
    ["foo\nbar", "foo(?!\\s*bar)", "1"],
    ["abab\nabba", "^(ab)\\1$", "1"],
    ["\u00e9", "\\x{e9}", "1"],
    ["foo.bar()", "foo\\.bar\\(\\)", "1"],
    ["a\tb", "a\\tb", "1"],
    ["x\ry", "x.y", "1"],
    ["foo", "\\Afoo\\z", "1"],
    ["the end", "\\<end\\>", "1"],
    ["a😀b", "a.b", "1"],
    ["aaa", "a**", "1"],
  ];
  for (const [text, pattern, lines] of rows) {
    assert.equal(found(text, regex(pattern)), lines, JSON.stringify([text, pattern]));
  }
});

Deno.test("blocks merge when they touch", () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}.`).join("\n");
  const rows: readonly (readonly [pattern: string, context: number, lines: string])[] = [
    ["line (5|9)\\.", 0, "5|9"],
    ["line (5|6)\\.", 0, "5,6"],
    ["line (5|9)\\.", 1, "4,5,6|8,9,10"],
    ["line (5|8)\\.", 1, "4,5,6,7,8,9"],
    ["line 1\\.", 2, "1,2,3"],
    ["line 20\\.", 3, "17,18,19,20"],
    ["line 20\\.", 100, Array.from({ length: 20 }, (_, index) => index + 1).join()],
  ];
  for (const [pattern, context, lines] of rows) {
    assert.equal(found(text, regex(pattern), context), lines, pattern);
  }
});

Deno.test("more is said only when a further match exists", () => {
  assert.equal(found("x\nx\nx\n", literal("x"), 0, 3), "1,2,3");
  assert.equal(found("x\nx\nx\nx", literal("x"), 0, 3), "1,2,3+");
});

Deno.test("a malformed regular expression names its position", () => {
  const rows: readonly (readonly [pattern: string, position: number, reason: RegExp])[] = [
    ["foo(", 4, /unclosed group/],
    ["foo)", 4, /unopened group/],
    ["a[b", 2, /unclosed class/],
    ["*a", 1, /nothing to repeat/],
    ["a|+b", 3, /nothing to repeat/],
    ["a\\", 2, /ends the pattern/],
    ["\\y", 1, /unknown escape/],
    ["[z-a]", 2, /reversed/],
    ["a{3,2}", 2, /reversed/],
    ["\\p{Nope}", 1, /unknown property/],
    ["(?>a)", 1, /unknown kind/],
    ["(?q)a", 2, /flag/],
    ["\\2(a)", 1, /no group/],
    ["[[:nope:]]", 2, /unknown class/],
    ["(".repeat(300), 201, /too deep/],
  ];
  for (const [pattern, position, reason] of rows) {
    const result = translateRegex(pattern);
    assert.equal(result.kind, "malformed", pattern);
    if (result.kind !== "malformed") continue;
    assert.match(result.reason, reason, pattern);
    assert.equal(result.position, position, pattern);
  }
});

Deno.test("any string is translated or refused, never a crash", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (pattern) => {
    translateRegex(pattern);
  }));
  const pieces = ["a", "(", ")", "[", "]", "^", "-", "\\", "{", "}", "2", ",", "*", "?", "|", "&&"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      translateRegex(parts.join(""));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("literal search agrees with a split into lines", () => {
  const text = fc.array(fc.constantFrom("a", "b", "ab", "\n", "\r\n", "\r", "é"), {
    maxLength: 40,
  });
  fc.assert(fc.property(text, fc.constantFrom("a", "ab", "é", "bb"), (parts, needle) => {
    const whole = parts.join("");
    const lines = whole.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const expected = lines.flatMap((line, index) => line.includes(needle) ? [index + 1] : []);
    const actual = found(whole, literal(needle)).split(/[|,]/).filter(Boolean).map(Number);
    assert.deepEqual(actual, expected);
  }));
});

Deno.test("the parts work as source text alone", () => {
  const source = LINE_SEARCH_PARTS.map((part) => `const ${part.name} = ${part};`).join("\n");
  const run = new Function(
    `${source}
    return searchLines("one\\ntwo\\n", createLineMatcher({ kind: "literal", text: "two" }, true),
      { context: 1, maxMatches: 9 });`,
  );
  assert.deepEqual(run(), {
    blocks: [{ firstLine: 0, lines: [{ text: "one" }, { text: "two", column: 0 }] }],
    matchedLines: 1,
    more: false,
  });
});
