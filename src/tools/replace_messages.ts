// Owns: the words for a str_replace that wrote nothing.
// Must not know: how matches are found, files.

import type { TextDocument } from "../text/document.ts";
import { cutLine, formatLine } from "../text/excerpt.ts";
import { formatLineId } from "../text/line_id.ts";
import type { Advice, ClosestWindow, MatchResult } from "../text/match_result.ts";
import { differenceRow, nameCodePoint, unsafeTextMessage } from "./unsafe_messages.ts";

/** A replacement that was not made, and the document it was asked of. */
export interface FailedReplacement {
  readonly document: TextDocument;
  readonly display: string;
  readonly result: Exclude<MatchResult, { kind: "found" }>;
}

export interface ReplaceMessage {
  readonly text: string;
  /** 0-based lines that the text prints or names by id. */
  readonly lines: readonly number[];
}

const PREVIEW_LINES = 3;
const PREVIEW_LIMIT = 200;

export function replaceFailureMessage(
  { document, display, result }: FailedReplacement,
): ReplaceMessage {
  switch (result.kind) {
    case "ambiguous":
      return ambiguousMessage(document, result);
    case "missing":
      return missingMessage(document, result.advice);
    case "unsafe":
      return {
        text: `Nothing was written. ${
          unsafeTextMessage({ document, display, field: "new_text", reason: result.reason })
        }`,
        lines: [],
      };
    case "already_applied": {
      const id = idAt(document, result.start);
      const place = result.end - result.start > 1
        ? `${id} .. ${idAt(document, result.end - 1)}`
        : id;
      return {
        text:
          `Already applied at ${place}: \`new_text\` is there and \`old_text\` is not. Nothing was written.`,
        lines: [result.start],
      };
    }
    case "no_change":
      return {
        text: result.why === "equal_texts"
          ? "No change: `old_text` and `new_text` are equal. Nothing was written."
          : `No change: ${display} already reads like the result. Nothing was written.`,
        lines: [],
      };
    case "empty_old":
      return {
        text:
          "`old_text` is empty and the file is not, so there is no place to replace. Nothing was written. " +
          "To insert, use `batch_edit`:\n" +
          `at the start: batch_edit path=${
            JSON.stringify(display)
          } operations=[{"operation": "insert", "start": "0", "content": "…"}]\n` +
          `at the end: batch_edit path=${
            JSON.stringify(display)
          } operations=[{"operation": "insert", "start": "-1", "content": "…"}]`,
        lines: [],
      };
  }
}

function ambiguousMessage(
  document: TextDocument,
  result: Extract<MatchResult, { kind: "ambiguous" }>,
): ReplaceMessage {
  const rows = result.lines.map((line, index) => `${index + 1}. ${idAt(document, line)}`);
  const more = result.total > result.lines.length
    ? [`... and ${result.total - result.lines.length} more`]
    : [];
  return {
    text: [
      `Found ${result.total} matches for replacement text at:`,
      ...rows,
      ...more,
      "Add more surrounding context to make a unique match, pass `replace_all: true` to replace all " +
      `${result.total} occurrences, or use \`batch_edit\` with the specific line ids.`,
    ].join("\n"),
    lines: result.lines,
  };
}

function missingMessage(document: TextDocument, advice: Advice): ReplaceMessage {
  const rows = [
    "No match found; nothing was written. Pass raw text (real newlines and tabs, no escapes).",
  ];
  const lines: number[] = [];
  if (advice.newTextPresent !== undefined) {
    const ids = advice.newTextPresent.lines.slice(0, 3).map((line) => idAt(document, line)).join(
      ", ",
    );
    lines.push(...advice.newTextPresent.lines.slice(0, 3));
    rows.push(
      `\`new_text\` is already in the file at ${ids}, \`old_text\` is not: were they swapped, or is the edit done?`,
    );
  }
  if (advice.entityCandidate !== undefined) {
    const { change, oldText, line } = advice.entityCandidate;
    lines.push(line);
    rows.push(
      `With its HTML entities ${change}, \`old_text\` occurs once, at ${idAt(document, line)}. ` +
        `If that is meant, retry with old_text: ${
          JSON.stringify(cutLine(oldText, { limit: 300 }))
        }`,
    );
  }
  if (advice.windows.length > 0) rows.push("Closest matches:", "");
  advice.windows.forEach((window, index) => {
    rows.push(...windowRows(document, { window, rank: index + 1 }), "");
    for (
      let line = window.start;
      line < Math.min(window.end, window.start + PREVIEW_LINES);
      line++
    ) {
      lines.push(line);
    }
    lines.push(window.end - 1);
  });
  if (advice.firstDifference !== undefined) {
    rows.push(differenceRow(document, advice.firstDifference));
  }
  if (advice.repeated !== undefined) {
    const { codePoint, inFile, sent, line } = advice.repeated;
    rows.push(
      `${nameCodePoint(codePoint)} is repeated ${inFile} times in line ${idAt(document, line)}, ` +
        `${sent} times in \`old_text\`.`,
    );
  }
  if (advice.searchCut) {
    rows.push("The file is large, so only its most promising places were compared.");
  }
  rows.push(
    advice.windows.length > 0
      ? "Tip: use `batch_edit` with the line ids shown above, or fix the `old_text` content."
      : "Nothing similar is in the file. Tip: run `view` with content= to find the place, then use `batch_edit` with its line ids.",
  );
  return { text: rows.join("\n"), lines };
}

function windowRows(
  document: TextDocument,
  { window, rank }: { readonly window: ClosestWindow; readonly rank: number },
): string[] {
  const shown = Math.min(window.end, window.start + PREVIEW_LINES);
  const rows = [
    `  ${rank}. ${idAt(document, window.start)} .. ${idAt(document, window.end - 1)} ` +
    `(${window.percent}% similar, ${differenceWords(window.difference)})`,
  ];
  for (let line = window.start; line < shown; line++) {
    const text = document.lineText(line);
    rows.push(`     ${formatLine({ number: line + 1, text }, PREVIEW_LIMIT)}`);
  }
  const rest = window.end - shown;
  if (rest > 0) rows.push(`     ... (${rest} more ${rest === 1 ? "line" : "lines"})`);
  return rows;
}

function differenceWords(difference: ClosestWindow["difference"]): string {
  switch (difference) {
    case "whitespace":
      return "whitespace/indentation mismatch only";
    case "typography":
      return "quotes, dashes or special blanks differ only";
    case "letter_case":
      return "upper and lower case differ only";
    case "content":
      return "content differs";
  }
}

function idAt(document: TextDocument, line: number): string {
  return formatLineId(line + 1, document.lineText(line));
}
