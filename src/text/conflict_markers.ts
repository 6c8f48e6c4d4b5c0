// Owns: spotting conflict markers that an edit brought into a file, as left over from another dialect.
// Must not know: why the edit was made, words. Nothing is ever held back because of them.

import type { TextDocument } from "./document.ts";
import type { Hunk } from "./line_edit.ts";

/** `=======` is left out: it underlines a heading in Markdown. */
const MARKER = /^(?:<{7}|>{7})(?:\s|$)/;

/** Lines (0-based, of the document after `hunks`) that are conflict markers the file did not have before. */
export function findNewConflictMarkers(
  before: TextDocument | undefined,
  hunks: readonly Hunk[],
): number[] {
  return hunks.flatMap((hunk) =>
    hunk.newLines.flatMap((line, offset) => {
      const isNew = MARKER.test(line.text) && !before?.text.includes(line.text);
      return isNew ? [hunk.newStart + offset] : [];
    })
  );
}
