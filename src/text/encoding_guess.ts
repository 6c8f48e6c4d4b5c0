// Owns: what a file that is not valid UTF-8 probably is.
// Must not know: edits, words.
//
// A guess is good for a message, never for decoding: what it gets wrong must not cost a byte.

import type { TextDocument } from "./document.ts";
import { encodeText, isEscapedByte } from "./encoding.ts";

export type EncodingGuess =
  | "utf-8 with stray bytes"
  | "windows-1252"
  | "shift_jis"
  | "gbk"
  | "euc-jp";

/** Bytes of lines with high bytes that a guess looks at. */
const SAMPLE_LENGTH = 32_768;

/** The likely encoding of a document of the form `unknown-8bit`. */
export function guessEncoding(document: TextDocument): EncodingGuess {
  const sample = sampleText(document);
  let valid = 0;
  let escaped = 0;
  for (const character of sample) {
    const code = character.codePointAt(0) ?? 0;
    if (isEscapedByte(code)) escaped++;
    else if (code >= 0x80) valid++;
  }
  if (valid > escaped) return "utf-8 with stray bytes";
  return guessLegacy(encodeText(sample, { encoding: "unknown-8bit", bom: false }));
}

/** Lines that are not ASCII: whole ones, so that no character is cut. */
function sampleText(document: TextDocument): string {
  const { text } = document;
  const parts: string[] = [];
  let length = 0;
  const notAscii = /[^\0-\x7f]/g;
  for (
    let found = notAscii.exec(text);
    found && length < SAMPLE_LENGTH;
    found = notAscii.exec(text)
  ) {
    const start = text.lastIndexOf("\n", found.index) + 1;
    const newline = text.indexOf("\n", found.index);
    const end = newline === -1 ? text.length : newline + 1;
    parts.push(text.slice(start, end));
    length += end - start;
    notAscii.lastIndex = end;
  }
  return parts.join("");
}

function guessLegacy(bytes: Uint8Array): EncodingGuess {
  const high = bytes.filter((byte) => byte >= 0x80);
  const adjacent = adjacentShare(bytes, high.length);
  // First bytes of kanji in Shift-JIS; in the other encodings they are rare or not letters.
  const low = high.filter((byte) => byte < 0xa0).length / Math.max(1, high.length);
  const eucJp = describe(bytes, "euc-jp");
  const shiftJis = describe(bytes, "shift_jis");
  const gbk = describe(bytes, "gbk");
  // Chinese text has next to no kana; without them these bytes say nothing about Japanese.
  if (eucJp && eucJp.kana >= 0.1 && adjacent >= 0.8) return "euc-jp";
  if (shiftJis && shiftJis.kana >= 0.1 && shiftJis.halfWidth < 0.3) return "shift_jis";
  if (shiftJis && low >= 0.3 && adjacent >= 0.3) return "shift_jis";
  if (gbk && adjacent >= 0.6) return "gbk";
  return "windows-1252";
}

/** Share of high bytes beside another one: Western letters with accents stand alone. */
function adjacentShare(bytes: Uint8Array, highCount: number): number {
  const isHigh = (index: number) => (bytes[index] ?? 0) >= 0x80;
  const adjacent = bytes.filter((_, index) =>
    isHigh(index) && (isHigh(index - 1) || isHigh(index + 1))
  );
  return adjacent.length / Math.max(1, highCount);
}

/** Shares of kana and of half-width katakana among the characters, if the bytes can be decoded. */
function describe(
  bytes: Uint8Array,
  label: "euc-jp" | "shift_jis" | "gbk",
): { readonly kana: number; readonly halfWidth: number } | undefined {
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const all = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  if (all === 0) return undefined;
  const kana = text.match(/[\u3041-\u30ff]/g)?.length ?? 0;
  const halfWidth = text.match(/[\uff61-\uff9f]/g)?.length ?? 0;
  return { kana: kana / all, halfWidth: halfWidth / all };
}
