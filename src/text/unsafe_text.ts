// Owns: which edits would put the bytes of a file in doubt, above all of one that is not valid UTF-8.
// Must not know: how matches are found, words.

import type { TextDocument } from "./document.ts";
import { isEscapedByte } from "./encoding.ts";
import { guessEncoding } from "./encoding_guess.ts";
import type { UnsafeReason } from "./match_result.ts";

/**
 * Why a match may not begin or end at `offset`: in the encodings of East Asia the second byte of a
 * character can be ASCII from `0` on, so after a byte that is not ASCII the next one may belong to it.
 */
export function unsafeBoundary(document: TextDocument, offset: number): UnsafeReason | undefined {
  if (document.form.encoding !== "unknown-8bit") return undefined;
  const before = document.text.charCodeAt(offset - 1);
  const after = document.text.charCodeAt(offset);
  if (!(before >= 0x80) || !(after >= 0x30)) return undefined;
  const assumed = guessEncoding(document);
  if (assumed === "utf-8 with stray bytes" && !isEscapedByte(before)) return undefined;
  return { why: "inside_character", line: document.lineAt(offset), assumed };
}

/** Why `newText` cannot be written into the document without doubt about its bytes. */
export function unsafeNewText(document: TextDocument, newText: string): UnsafeReason | undefined {
  if (newText.includes("\0") && !document.text.includes("\0")) return { why: "nul_character" };
  if (document.form.encoding !== "unknown-8bit") return undefined;
  const codePoint = firstNonAscii(newText);
  if (codePoint === undefined) return undefined;
  const assumed = guessEncoding(document);
  if (newText.includes("\ufffd") && !document.text.includes("\ufffd")) {
    return { why: "replacement_character", inText: "new_text", assumed };
  }
  if (assumed === "utf-8 with stray bytes") return undefined;
  return { why: "not_representable", codePoint, assumed };
}

/** True when `oldText` holds U+FFFD for bytes that a view could not show. */
export function holdsReplacementCharacter(document: TextDocument, oldText: string): boolean {
  return document.form.encoding === "unknown-8bit" && oldText.includes("\ufffd");
}

function firstNonAscii(text: string): number | undefined {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0x80) return text.codePointAt(index);
  }
  return undefined;
}
