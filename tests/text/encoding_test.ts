import assert from "node:assert/strict";
import { decodeBytes, encodeText, isEscapedByte } from "../../src/text/encoding.ts";

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(
    hex.split(" ").filter((byte) => byte !== ""),
    (byte) => parseInt(byte, 16),
  );
}

const TEXTS: readonly (readonly [
  name: string,
  hex: string,
  text: string,
  encoding: string,
  bom: boolean,
])[] = [
  ["empty", "", "", "utf-8", false],
  ["ASCII", "61 0a", "a\n", "utf-8", false],
  ["UTF-8", "63 c3 a9 f0 9f 98 80", "cé😀", "utf-8", false],
  ["a byte order mark alone", "ef bb bf", "", "utf-8", true],
  ["UTF-8 with a mark", "ef bb bf 61", "a", "utf-8", true],
  ["a mark in the middle is data", "61 ef bb bf", "a\ufeff", "utf-8", false],
  ["cp1252 ™", "61 0a 99 0a", "a\n\udc99\n", "unknown-8bit", false],
  ["Latin-1 é before ASCII", "e9 61", "\udce9a", "unknown-8bit", false],
  ["Shift-JIS with a backslash inside a character", "95 5c", "\udc95\\", "unknown-8bit", false],
  ["a mark before bytes that are not UTF-8", "ef bb bf 99", "\udc99", "unknown-8bit", true],
  ["valid and invalid side by side", "c3 a9 c3 0a", "é\udcc3\n", "unknown-8bit", false],
  ["overlong slash", "c0 af", "\udcc0\udcaf", "unknown-8bit", false],
  ["overlong in three bytes", "e0 9f bf", "\udce0\udc9f\udcbf", "unknown-8bit", false],
  ["a surrogate in UTF-8", "ed b2 99", "\udced\udcb2\udc99", "unknown-8bit", false],
  ["beyond U+10FFFF", "f4 90 80 80", "\udcf4\udc90\udc80\udc80", "unknown-8bit", false],
  ["cut at the end", "61 e2 82", "a\udce2\udc82", "unknown-8bit", false],
  ["UTF-16LE", "ff fe 61 00 0a 00", "a\n", "utf-16le", true],
  ["UTF-16BE", "fe ff 00 61 00 0a", "a\n", "utf-16be", true],
  ["UTF-16LE mark alone", "ff fe", "", "utf-16le", true],
  ["UTF-16LE pair", "ff fe 3d d8 00 de", "😀", "utf-16le", true],
  ["UTF-16LE with a lone surrogate", "ff fe 00 d8 61 00", "\ud800a", "utf-16le", true],
  ["UTF-16BE with a NUL character", "fe ff 00 00", "\0", "utf-16be", true],
];

for (const [name, hex, text, encoding, bom] of TEXTS) {
  Deno.test(`${name}: decoded as ${encoding} and back`, () => {
    const bytes = bytesOf(hex);
    assert.deepEqual(decodeBytes(bytes), { kind: "text", text, encoding, bom });
    const form = { encoding, bom } as Parameters<typeof encodeText>[1];
    assert.deepEqual(encodeText(text, form), bytes);
  });
}

const BINARIES: readonly (readonly [name: string, hex: string])[] = [
  ["a NUL byte", "61 00 62"],
  ["UTF-16 without a mark", "2f 00 2f 00"],
  ["UTF-32LE", "ff fe 00 00 61 00 00 00"],
  ["UTF-32BE", "00 00 fe ff 00 00 00 61"],
  ["UTF-16LE cut inside a unit", "ff fe 61"],
];

for (const [name, hex] of BINARIES) {
  Deno.test(`${name} is binary`, () => {
    assert.equal(decodeBytes(bytesOf(hex)).kind, "binary");
  });
}

Deno.test("a file longer than one chunk of UTF-16 units comes back", () => {
  const text = "x😀".repeat(10_000);
  const bytes = encodeText(text, { encoding: "utf-16be", bom: true });
  assert.deepEqual(decodeBytes(bytes), { kind: "text", text, encoding: "utf-16be", bom: true });
});

Deno.test("a view into a larger buffer is decoded from its own start", () => {
  const bytes = bytesOf("00 00 ff fe 61 00").subarray(2);
  assert.deepEqual(decodeBytes(bytes), {
    kind: "text",
    text: "a",
    encoding: "utf-16le",
    bom: true,
  });
});

Deno.test("in a file that is not UTF-8 a real pair is no escaped byte", () => {
  // U+1F499 is D83D DC99: its second half looks like the escape of byte 99.
  const bytes = bytesOf("f0 9f 92 99 99");
  const decoded = decodeBytes(bytes);
  assert(decoded.kind === "text");
  assert.equal(decoded.text, "\ud83d\udc99\udc99");
  assert.deepEqual(encodeText(decoded.text, decoded), bytes);
});

Deno.test("escaped bytes are exactly those of 80 to ff", () => {
  assert.deepEqual([0xdc7f, 0xdc80, 0xdcff, 0xdd00].map(isEscapedByte), [false, true, true, false]);
});
