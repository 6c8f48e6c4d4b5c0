// Owns: the hints for a str_replace that was made.
// Must not know: how matches are found, the words of failures.

import type { FoundReplacement } from "../text/match_result.ts";

/** What an agent should know about a replacement that was made. */
export function replaceHints(found: FoundReplacement): string[] {
  const hints: string[] = [];
  const reindented = found.notes.includes("reindented")
    ? " Indentation was auto-adjusted to match the file."
    : "";
  switch (found.rung) {
    case "exact":
      break;
    case "escaped":
      hints.push(
        "`old_text` matched after reading its backslash escapes (\\n, \\t, …) once; `new_text` was read the " +
          "same way. Pass raw text.",
      );
      break;
    case "pasted_ids":
      hints.push(
        "Pasted line ids were removed from `old_text` and `new_text`. Pass the text without them.",
      );
      break;
    case "whitespace":
      hints.push(`Replaced via fuzzy match (whitespace-normalized).${reindented}`);
      break;
    case "typography":
      hints.push(
        "Replaced via fuzzy match (quotes, dashes and special blanks folded); the file's own characters " +
          `were kept.${reindented}`,
      );
      break;
  }
  if (found.rung === "exact" && found.multiline) {
    hints.push(
      "For a change of several lines, `batch_edit` with line ids is cheaper than repeating old text.",
    );
  }
  for (const note of found.notes) {
    if (note === "inside_new_text") {
      hints.push(
        "The match lay inside a copy of `new_text`: if this call was made before, it is now applied twice (undo_edit takes it back).",
      );
    } else if (note === "new_text_has_line_ids") {
      hints.push(
        "Every line of `new_text` begins with a line id and was written as it is; if that was not intended, undo_edit and send it without the ids.",
      );
    } else if (note === "byte_order_mark_dropped") {
      hints.push(
        "A byte order mark at the start of `new_text` was left out; the file keeps its own.",
      );
    }
  }
  return hints;
}
