// Owns: what text may not be written into a file: NUL, characters that the file's encoding lacks.
// Must not know: which tool writes, how edits are found.

import type { Line, TextDocument } from "../text/document.ts";
import { formatLineId } from "../text/line_id.ts";
import { ToolError } from "./tool.ts";

export function binaryMessage(
  display: string,
  file: { readonly reason: string; readonly size: number },
): string {
  return `${display} is a binary file (${file.reason}; ${
    file.size.toLocaleString("en-US")
  } bytes), ` +
    "so it is not edited as text. Nothing was written.";
}

/** A real NUL would make a text file binary to every other tool: the call that spells it is handed over. */
export function refuseNul(field: string, text: string): void {
  const at = text.indexOf("\0");
  if (at === -1) return;
  const line = text.slice(0, at).split("\n").length;
  throw new ToolError(
    `\`${field}\` holds a real NUL character (U+0000) in its line ${line}; nothing was written, since it would ` +
      "turn the file into a binary one. If an escape was meant, send it spelled out as source text, " +
      "for example the six characters \\u0000 or the four characters \\x00.",
  );
}

/** Other control characters are written, but named. */
export function controlCharacterHint(text: string): string | undefined {
  // deno-lint-ignore no-control-regex
  const found = text.match(/[\u0001-\u0008\u000e-\u001f\u007f]/g);
  if (found === null) return undefined;
  const names = [...new Set(found)].slice(0, 5).map((one) =>
    `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
  );
  return `The new text holds control characters (${
    names.join(", ")
  }); they were written as they are.`;
}

/** New lines for a file that is not valid UTF-8 must be ASCII: its encoding is a guess. */
export function refuseUnwritable(
  document: TextDocument,
  lines: readonly Line[],
): ToolError | undefined {
  const nul = lines.find((line) => line.text.includes("\0"));
  if (nul !== undefined) {
    return new ToolError(
      "The new text holds a real NUL character (U+0000); nothing was written. If an escape was meant, send it " +
        "spelled out as source text, for example the six characters \\u0000.",
    );
  }
  if (document.form.encoding !== "unknown-8bit") return undefined;
  const known = new Set(document.lines().map((line) => line.text));
  // deno-lint-ignore no-control-regex
  const foreign = lines.find((line) => /[^\u0000-\u007f]/.test(line.text) && !known.has(line.text));
  if (foreign === undefined) return undefined;
  return new ToolError(
    `The file is not valid UTF-8, and the new line ${formatLineId(0, foreign.text).slice(2)}|${
      foreign.text.slice(0, 80)
    } holds characters beyond ASCII.`,
  );
}
