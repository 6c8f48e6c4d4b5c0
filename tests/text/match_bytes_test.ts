// Owns: proof that files which are not valid UTF-8 are edited as far as that is safe, and no further.
// Must not know: how a match is found.
//
// The bytes are what Python's codecs make of the texts named beside them.

import { deepEqual, equal } from "node:assert/strict";
import { guessEncoding } from "../../src/text/encoding_guess.ts";
import { bytesAfter, documentOf, replace } from "../support/replace_rows.ts";

const SHIFT_JIS = "2f2f20955c8ea60a636f6e73742061203d20313b0a"; // "// 表示\nconst a = 1;\n"
const KANA = "2f2f2082b182ea82cd83658358836782c582b70a636f6e73742061203d20313b0a"; // "// これはテストです\n…"
const KATAKANA = "2f2f20835c0a780a"; // "// ソ\nx\n"
const GBK = "2f2f20d6d0cec4d7a2cacd0a636f6e73742061203d20313b0a"; // "// 中文注释\nconst a = 1;\n"
const LONG_GBK = "2f2f20b6c1c8a1c5e4d6c3cec4bcfea3acb7b5bbd8bde1b9fb0a696e7420613b0a"; // "// 读取配置文件，返回结果\n…"
const EUC_JP = "2f2f20a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b90a696e7420613b0a"; // "// これはテストです\nint a;\n"
const LATIN = "2f2f20636166e92c2064e96ae02076750a696e7420613b0a"; // "// café, déjà vu\nint a;\n"
const QUOTED = "9371756f74656494209620746578740a"; // "“quoted” – text\n"
const STRAY = "c3a9c3a8c3a00a78990a7a0a"; // "éèà\nx", byte 99, "\nz\n"
const GB18030 = "208139ee390a"; // " 㐀\n", a character whose second and last bytes are digits

const fromHex = (hex: string) => Uint8Array.fromHex(hex);
const ascii = (text: string) => new TextEncoder().encode(text).toHex();

const GUESSES: readonly (readonly [string, string, string])[] = [
  ["kanji", SHIFT_JIS, "shift_jis"],
  ["kana", KANA, "shift_jis"],
  ["Chinese", GBK, "gbk"],
  ["more Chinese", LONG_GBK, "gbk"],
  ["kana in EUC", EUC_JP, "euc-jp"],
  ["accents", LATIN, "windows-1252"],
  ["curly quotes", QUOTED, "windows-1252"],
  ["one stray byte", "610a990a", "windows-1252"],
  ["UTF-8 with a stray byte", STRAY, "utf-8 with stray bytes"],
];

for (const [name, hex, expected] of GUESSES) {
  Deno.test(`encoding guess: ${name}`, () => {
    equal(guessEncoding(documentOf(fromHex(hex))), expected);
  });
}

/** name, file, old text, new text, file afterwards; all bytes in hex. */
const EDITED: readonly (readonly [string, string, string, string, string])[] = [
  ["a line far from the byte", "610a990a", "a", "b", "620a990a"],
  ["ASCII beside Shift-JIS", SHIFT_JIS, "a = 1", "a = 2", SHIFT_JIS.replace("31", "32")],
  ["ASCII beside GBK", GBK, "a = 1", "bb = 1", GBK.replace("61203d", "6262203d")],
  ["a blank after a high byte", LATIN, ", d", "; d", LATIN.replace("2c", "3b")],
  ["whitespace rung", "990a0961203d20310a", "    a = 1", "    a = 2", "990a0961203d20320a"],
  ["a stray byte and letters beyond ASCII", STRAY, "z", "é", "c3a9c3a8c3a00a78990ac3a90a"],
  ["letters beyond ASCII that are matched", STRAY, "èà", "ö", "c3a9c3b60a78990a7a0a"],
  ["CRLF", "610d0a990d0a", "a", "b\nc", "620d0a630d0a990d0a"],
];

for (const [name, hex, oldText, newText, expected] of EDITED) {
  Deno.test(`not UTF-8, edited: ${name}`, () => {
    const document = documentOf(fromHex(hex));
    equal(bytesAfter(document, replace(document, { oldText, newText })).toHex(), expected);
  });
}

const STOPPED: readonly (readonly [string, string, string, string, Record<string, unknown>])[] = [
  [
    "a backslash that is half of a kanji",
    SHIFT_JIS,
    "\\",
    "/",
    { why: "inside_character", line: 0, assumed: "shift_jis" },
  ],
  ["half of a katakana", KATAKANA, "\\\nx", "y", {
    why: "inside_character",
    line: 0,
    assumed: "shift_jis",
  }],
  ["a digit inside GB18030", GB18030, "9\n", "8\n", {
    why: "inside_character",
    line: 0,
    assumed: "windows-1252",
  }],
  ["a letter after a high byte", LATIN, "j", "J", {
    why: "inside_character",
    line: 0,
    assumed: "windows-1252",
  }],
  [
    "a letter that may be half a character",
    `${STRAY}9961`,
    "a",
    "b",
    { why: "inside_character", line: 3, assumed: "utf-8 with stray bytes" },
  ],
  ["new text beyond ASCII", LATIN, "int", "ínt", {
    why: "not_representable",
    codePoint: 0xed,
    assumed: "windows-1252",
  }],
  ["new text beyond ASCII, GBK", GBK, "const", "常量", {
    why: "not_representable",
    codePoint: 0x5e38,
    assumed: "gbk",
  }],
  ["U+FFFD in new text", LATIN, "int", "\ufffd", {
    why: "replacement_character",
    inText: "new_text",
    assumed: "windows-1252",
  }],
  ["U+FFFD in old text", LATIN, "caf\ufffd", "x", {
    why: "replacement_character",
    inText: "old_text",
    assumed: "windows-1252",
  }],
  ["U+FFFD in new text, stray byte", STRAY, "z", "\ufffd", {
    why: "replacement_character",
    inText: "new_text",
    assumed: "utf-8 with stray bytes",
  }],
];

for (const [name, hex, oldText, newText, expected] of STOPPED) {
  Deno.test(`not UTF-8, stopped: ${name}`, () => {
    const result = replace(documentOf(fromHex(hex)), { oldText, newText });
    equal(result.kind, "unsafe");
    deepEqual(result.kind === "unsafe" && result.reason, expected);
  });
}

Deno.test("not UTF-8, stopped: one of all matches is half a character", () => {
  const document = documentOf(fromHex(`5c0a${SHIFT_JIS}`));
  const result = replace(document, { oldText: "\\", newText: "/", replaceAll: true });
  equal(result.kind, "unsafe");
});

Deno.test("not UTF-8, stopped: a half character counts where matches are counted", () => {
  const document = documentOf(fromHex(`5c0a${SHIFT_JIS}`));
  equal(replace(document, { oldText: "\\", newText: "/" }).kind, "ambiguous");
});

Deno.test("UTF-16 is edited in its own form", () => {
  for (
    const [hex, expected] of [["fffe61000a00", "fffe3dd800de0a00"], [
      "feff0061000a",
      "feffd83dde00000a",
    ]]
  ) {
    const document = documentOf(fromHex(hex ?? ""));
    const after = bytesAfter(document, replace(document, { oldText: "a", newText: "😀" }));
    equal(after.toHex(), expected);
  }
});

Deno.test("U+FFFD that stands in the file may be matched and written", () => {
  const document = documentOf(fromHex(`efbfbd0a${ascii("x")}`));
  equal(
    bytesAfter(document, replace(document, { oldText: "\ufffd", newText: "\ufffd!" })).toHex(),
    "efbfbd210a78",
  );
});
