import assert from "node:assert/strict";
import {
  formatLineId,
  hashLine,
  lineFingerprint,
  type ParsedLineRef,
  parseLineRef,
} from "../../src/text/line_id.ts";

// The first eight are the contract's; the others were computed by another program (Python).
const KNOWN_HASHES: readonly (readonly [text: string, hash: string, why: string])[] = [
  ["fn main() {", "92", "contract"],
  ["}", "14", "contract"],
  ["", "c5", "contract"],
  ["\t", "4c", "contract"],
  ["hello world", "c6", "contract"],
  ["café", "9a", "contract"],
  ["日本語", "64", "contract"],
  ["😀", "0f", "contract"],
  [" ", "d9", "a blank"],
  ["a\rb", "40", "a lone carriage return is data"],
  ["\u2028", "26", "a line separator is data"],
  ["\u0085", "09", "first two-byte characters"],
  ["\u07ff", "82", "last two-byte character"],
  ["\u0800", "fa", "first three-byte character"],
  ["\uffff", "fb", "last three-byte character"],
  ["\u{10000}", "46", "first four-byte character"],
  ["\u{10ffff}", "06", "last character"],
  ["x".repeat(1000), "32", "long"],
  ["\udc99", "f4", "the byte 99 of a file that is not UTF-8"],
  ["caf\udce9", "f9", "Latin-1 é as one byte"],
  ["é\udc80", "2a", "valid characters beside a stray byte"],
];

for (const [text, hash, why] of KNOWN_HASHES) {
  Deno.test(`hash of ${JSON.stringify(text).slice(0, 20)} is ${hash}: ${why}`, () => {
    assert.equal(hashLine(text), hash);
    assert.equal(formatLineId(7, text), `7:${hash}`);
  });
}

const id = (line: number, hash: string, pastedText?: string): ParsedLineRef =>
  pastedText === undefined ? { kind: "id", line, hash } : { kind: "id", line, hash, pastedText };
const number = (value: number): ParsedLineRef => ({ kind: "number", value });
const malformed = (raw: string): ParsedLineRef => ({ kind: "malformed", raw });

const REFERENCES: readonly (readonly [raw: string, parsed: ParsedLineRef])[] = [
  ["12:a3", id(12, "a3")],
  [" 12:a3\n", id(12, "a3")],
  ["12 : a3", id(12, "a3")],
  ["12:A3", id(12, "a3")],
  ["[12:a3]", id(12, "a3")],
  ["(12:a3)", id(12, "a3")],
  ["{12:a3}", id(12, "a3")],
  ["<12:a3>", id(12, "a3")],
  ["`12:a3`", id(12, "a3")],
  ['"12:a3"', id(12, "a3")],
  ["L12:a3", id(12, "a3")],
  ["l12:a3", id(12, "a3")],
  ["line 12:a3", id(12, "a3")],
  ["[L12:A3]", id(12, "a3")],
  ["+12:a3", id(12, "a3")],
  ["012:a3", id(12, "a3")],
  ["1:00", id(1, "00")],
  ["12:a3|", id(12, "a3", "")],
  ["12:a3|  code(a | b);", id(12, "a3", "  code(a | b);")],
  ["12:a3|code\n", id(12, "a3", "code")],
  ["12:a3|code\r\n", id(12, "a3", "code")],
  ["+12:a3|code", id(12, "a3", "code")],
  ["0", number(0)],
  ["-1", number(-1)],
  ["+3", number(3)],
  [" 42 ", number(42)],
  ["[42]", number(42)],
  ["L42", number(42)],
  ["", malformed("")],
  ["12:", malformed("12:")],
  ["12:a", malformed("12:a")],
  ["12:a3f", malformed("12:a3f")],
  ["12:g0", malformed("12:g0")],
  ["0:c5", malformed("0:c5")],
  ["-12:a3", malformed("-12:a3")],
  ["1 2:a3", malformed("1 2:a3")],
  ["1 2", malformed("1 2")],
  ["1[2]", malformed("1[2]")],
  ["1.5", malformed("1.5")],
  ["1e3", malformed("1e3")],
  ["NaN", malformed("NaN")],
  ["12|code", malformed("12|code")],
  ["10:a3-15:c2", malformed("10:a3-15:c2")],
  ["10:a3 15:c2", malformed("10:a3 15:c2")],
  ["9999999999999999:a3", malformed("9999999999999999:a3")],
  ["end", malformed("end")],
];

for (const [raw, parsed] of REFERENCES) {
  Deno.test(`parseLineRef ${JSON.stringify(raw)} is ${JSON.stringify(parsed)}`, () => {
    assert.deepEqual(parseLineRef(raw), parsed);
  });
}

Deno.test("fingerprints tell lines apart that share a hash", () => {
  const fingerprints = new Set<number>();
  const count = 20_000;
  for (let value = 0; value < count; value++) {
    fingerprints.add(lineFingerprint(`let x = ${value};`));
  }
  assert.equal(fingerprints.size, count);
  assert.equal(lineFingerprint("let x = 0;"), lineFingerprint("let x = 0;"));
});
