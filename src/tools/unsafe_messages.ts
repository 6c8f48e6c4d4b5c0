// Owns: the words for a text that would put the bytes of a file in doubt, with the way around it.
// Must not know: how matches are found, which tool writes.

import type { TextDocument } from "../text/document.ts";
import type { EncodingGuess } from "../text/encoding_guess.ts";
import { formatLineId } from "../text/line_id.ts";
import type { CodePointDifference, UnsafeReason } from "../text/match_result.ts";
import { shellQuote } from "./path_messages.ts";

export interface UnsafeText {
  readonly document: TextDocument;
  /** The path as the agent knows it. */
  readonly display: string;
  /** The argument that holds the text. */
  readonly field: string;
  readonly reason: UnsafeReason;
}

/** Why a text is not written, what was assumed, and what to send instead. */
export function unsafeTextMessage({ document, display, field, reason }: UnsafeText): string {
  switch (reason.why) {
    case "inside_character":
      return `The file is not valid UTF-8 (${
        multibyteName(reason.assumed)
      }), and the match in line ` +
        `${idAt(document, reason.line)} may begin or end inside a character of several bytes. ` +
        `Replace whole lines with \`batch_edit\`.${
          reason.assumed === "windows-1252" ? "" : roundTrip(reason.assumed, display)
        }`;
    case "not_representable":
      return `\`${field}\` holds ${nameCodePoint(reason.codePoint)}, but the file is not valid ` +
        `UTF-8: its encoding was assumed to be ${reason.assumed}, and octofs does not write into ` +
        `it by guess. Send ASCII only.${roundTrip(reason.assumed, display)}`;
    case "replacement_character": {
      const name = reason.inText === "old_text" ? "old_text" : field;
      return `\`${name}\` holds U+FFFD, which only stood for bytes of the file that could not be ` +
        `decoded (assumed encoding: ${reason.assumed}). Leave the lines with those bytes out of ` +
        `the edit.${roundTrip(reason.assumed, display)}`;
    }
    case "nul_character":
      return nulMessage(field);
    case "unaligned_typography": {
      const rows = reason.differences.map((difference) => differenceRow(document, difference));
      return "`old_text` matches but for quotes, dashes or special blanks, and the file's own characters cannot be " +
        `carried over to \`new_text\`.\n${rows.join("\n")}\nUse \`batch_edit\` with line id ` +
        `${idAt(document, reason.line)}, or send the file's characters.`;
    }
    case "unproven_line_ids":
      return "`old_text` carried line ids, and line " + (reason.newTextLine + 1) +
        " of `new_text` may carry one too, which cannot be proven. Send both texts without line ids.";
  }
}

/** A real NUL makes a text file binary to every other program: the spelling of an escape is handed over. */
export function nulMessage(field: string): string {
  return `\`${field}\` holds a real NUL character (U+0000), which would turn the file into a binary one. ` +
    "If an escape was meant, send it spelled out as source text: the six characters \\u0000 or the " +
    "four characters \\x00.";
}

/** First difference by code point: where in the file, and where in the text that was sent. */
export function differenceRow(document: TextDocument, difference: CodePointDifference): string {
  const { line, column, sentLine, inFile, sent } = difference;
  return `First difference: line ${idAt(document, line)} column ${column + 1} has ${
    nameCodePoint(inFile)
  }, \`old_text\` line ${sentLine + 1} has ${nameCodePoint(sent)}.`;
}

/** `U+2500 "─"`, or the end of the text. */
export function nameCodePoint(codePoint: number): string {
  if (codePoint < 0) return "its end";
  const hex = codePoint.toString(16).toUpperCase().padStart(4, "0");
  const visible = codePoint > 0x20 && codePoint !== 0x7f &&
    !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  return visible ? `U+${hex} ${JSON.stringify(String.fromCodePoint(codePoint))}` : `U+${hex}`;
}

/** Too few bytes look like Western text; where they may be half a character, that guess is no help. */
function multibyteName(assumed: EncodingGuess): string {
  return assumed === "windows-1252"
    ? "perhaps Shift_JIS, GBK or windows-1252"
    : `it looks like ${assumed}`;
}

/** Converting to UTF-8 and back, where the encoding can be named at all. */
function roundTrip(assumed: EncodingGuess, display: string): string {
  if (assumed === "utf-8 with stray bytes") return "";
  const file = shellQuote(display);
  const copy = shellQuote(`${display}.utf8`);
  const name = assumed.toUpperCase();
  return ` Or convert it: shell command=${
    JSON.stringify(`iconv -f ${name} -t UTF-8 ${file} > ${copy}`)
  }, edit ${display}.utf8, then shell command=${
    JSON.stringify(`iconv -f UTF-8 -t ${name} ${copy} > ${file}`)
  }.`;
}

function idAt(document: TextDocument, line: number): string {
  return formatLineId(line + 1, document.lineText(line));
}
