import assert from "node:assert/strict";
import { requiredLiteral } from "../../src/text/regex_literal.ts";
import { createLineMatcher, searchLines } from "../../src/text/line_search.ts";
import { translateRegex } from "../../src/text/regex_syntax.ts";
import fc from "../support/property.ts";

Deno.test("what every match of an expression holds", () => {
  const rows: readonly (readonly [pattern: string, literal: string])[] = [
    ["abc", "abc"],
    ["\\bzqx[a-z]+_un", "zqx"],
    ["a+bcd", "bcd"],
    ["abc*de", "ab"],
    ["ab+c", "ab"],
    ["ab+?c", "ab"],
    ["abc+??de", "ab"],
    ["abc+?*de", "ab"],
    ["abc++de", "ab"],
    ["abc+{0}de", "ab"],
    ["abc?de", "ab"],
    ["ab{2}c", "a"],
    ["ab{,2}cd", "cd"],
    ["foo {", "foo {"],
    ["import .* from", "import "],
    ["^export (async )?function", "function"],
    ["console\\.log\\(", "console.log("],
    ["(?:foo|bar)baz", "baz"],
    ["(?P<name>foo)ba", "ba"],
    ["(?<name>foo)ba", "ba"],
    ["x(?=yy)z", "x"],
    ["[]a]bc", "bc"],
    ["[^]a]bc", "bc"],
    ["[\\]a]bc", "bc"],
    ["(a[)]b)cd", "cd"],
    ["(\\))cd", "cd"],
    ["\\d+px", "px"],
    ["grün", "gr"],
    // Alternatives, flags and what is not plain: nothing is sure.
    ["foo|bar", ""],
    ["(?i)foo", ""],
    ["(?i:foo)bar", ""],
    ["(?x) a b", ""],
    ["[[:alpha:]]bc", ""],
    ["a\\x41b", ""],
    ["a\\u{41}b", ""],
    ["\\p{L}ab", ""],
    ["\\Qa|b\\E", ""],
    ["(a)\\1bc", ""],
    ["a?", ""],
    ["", ""],
  ];
  for (const [pattern, literal] of rows) {
    assert.equal(requiredLiteral(pattern), literal, pattern);
  }
});

Deno.test("no text that an expression matches is without its literal", () => {
  const piece = fc.constantFrom(
    ..."abc .^$|".split(""),
    ..."a? b* c+ ?? * ? + +? a{2} b{,3} c{0} (a) (b|c) (?:ab)? (?i) (?i:a) [ab] [^a]+ \\b \\d \\. \\( \\x61 {a} ] }"
      .split(" "),
  );
  const text = fc.array(fc.constantFrom(..."abcABC.({}] 1\n".split("")), { maxLength: 30 });
  let matched = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, chars) => {
      const pattern = pieces.join("");
      const translated = translateRegex(pattern);
      if (translated.kind === "malformed") return;
      const query = { kind: "regex", ...translated.sources } as const;
      const whole = chars.join("");
      const found = searchLines(whole, createLineMatcher(query, true), {
        context: 0,
        maxMatches: 1,
      });
      if (found.matchedLines === 0) return;
      matched++;
      assert.ok(whole.includes(requiredLiteral(pattern)), JSON.stringify([pattern, whole]));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(matched > 1_000, `only ${matched} cases had a match`);
});
