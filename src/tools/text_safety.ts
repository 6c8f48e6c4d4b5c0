// Owns: what text may not be written into a file, and what is written but worth a word.
// Must not know: which tool writes, how edits are found.

import type { Line, TextDocument } from "../text/document.ts";
import type { Hunk } from "../text/line_edit.ts";
import { formatLineId } from "../text/line_id.ts";
import { unsafeNewText } from "../text/unsafe_text.ts";
import { ToolError } from "./tool.ts";
import { nameCodePoint, nulMessage, unsafeTextMessage } from "./unsafe_messages.ts";

export function binaryMessage(
  display: string,
  file: { readonly reason: string; readonly size: number },
): string {
  return `${display} is a binary file (${file.reason}; ${
    file.size.toLocaleString("en-US")
  } bytes), ` +
    "so it is not edited as text. Nothing was written.";
}

/** Throws ToolError where a whole new content would be binary to every other program. */
export function refuseNul(field: string, text: string): void {
  const at = text.indexOf("\0");
  if (at === -1) return;
  const line = text.slice(0, at).split("\n").length;
  throw new ToolError(`Nothing was written. In line ${line}, ${nulMessage(field)}`);
}

/** The refusal of a text that would put the file's bytes in doubt, if there is one. */
export function refuseUnsafeText(
  document: TextDocument,
  text: { readonly field: string; readonly lines: readonly string[]; readonly display: string },
): ToolError | undefined {
  const { field, display } = text;
  const reason = unsafeNewText(document, text.lines.join("\n"));
  if (reason === undefined) return undefined;
  const message = unsafeTextMessage({ document, display, field, reason });
  return new ToolError(`Nothing was written. ${message}`);
}

/** What came into the file with an edit and was not there before: control characters, conflict markers. */
export function newTextHints(
  { hunks }: { readonly hunks: readonly Hunk[] },
): string[] {
  return [controlCharacterHint(hunks), conflictMarkerHint(hunks)]
    .filter((hint) => hint !== undefined);
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\u0001-\u0008\u000e-\u001f\u007f]/g;
const MARKER = /^(?:<{7}|>{7})(?: |$)/;
const MOST_NAMED = 5;

function controlCharacterHint(hunks: readonly Hunk[]): string | undefined {
  const before = new Set(hunks.flatMap(({ oldLines }) => oldLines.flatMap(controlCharacters)));
  const added = new Set(hunks.flatMap(({ newLines }) => newLines.flatMap(controlCharacters)));
  const names = [...added].filter((one) => !before.has(one)).slice(0, MOST_NAMED)
    .map((one) => nameCodePoint(one.codePointAt(0) ?? 0));
  if (names.length === 0) return undefined;
  return `The new text holds control characters (${names.join(", ")}); they were written as sent.`;
}

function controlCharacters({ text }: Line): string[] {
  return text.match(CONTROL) ?? [];
}

/** Lines that look like a leftover of another edit format; a file may hold them on purpose. */
function conflictMarkerHint(hunks: readonly Hunk[]): string | undefined {
  const isMarker = ({ text }: Line) => MARKER.test(text);
  if (hunks.some(({ oldLines }) => oldLines.some(isMarker))) return undefined;
  const ids = hunks.flatMap(({ newStart, newLines }) =>
    newLines.flatMap((line, index) =>
      isMarker(line) ? [formatLineId(newStart + index + 1, line.text)] : []
    )
  );
  if (ids.length === 0) return undefined;
  return `The new text brought conflict markers (<<<<<<< or >>>>>>>) at ${
    ids.slice(0, MOST_NAMED).join(", ")
  }; they were written as sent.`;
}
