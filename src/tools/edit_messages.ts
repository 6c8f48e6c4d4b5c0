// Owns: the words for edits by line id that were not applied: functions of facts, each ending with the next call.
// Must not know: how ids are checked or operations planned, files, the protocol.

import type { BatchFailure, BatchNote } from "../text/batch.ts";
import type { BatchOperation, ShapeFailure } from "../text/batch_operation.ts";
import type { Duplicate } from "../text/duplicate_lines.ts";
import { cutLine, formatLine, type NumberedLine } from "../text/excerpt.ts";
import type { PastedTextDiffers, StaleId } from "../text/id_check.ts";
import { formatLineId } from "../text/line_id.ts";
import type { OperationPlace } from "../text/resolve_operation.ts";

type FailureOf<Kind extends BatchFailure["kind"]> = Extract<BatchFailure, { kind: Kind }>;

const QUOTED_LIMIT = 200;

/** The whole answer to a batch that was not applied; `operationCount` is the number that were sent. */
export function batchFailureMessage(
  failures: readonly BatchFailure[],
  operationCount: number,
): string {
  const blocks = [...new Set(failures.map(failureMessage))];
  const [only = ""] = blocks;
  const isWholeCall = failures.every((failure) => !("operation" in failure));
  if (isWholeCall || (operationCount === 1 && blocks.length === 1)) return only;
  const failed = [...new Set(failures.map(failureName))].join(", ");
  return `No operation was applied. Failed: ${failed}.\n${blocks.join("\n---\n")}`;
}

/** The stale id block: what stands there now, where its line may be, and what to send. */
export function staleIdMessage(stale: StaleId): string {
  const first = stale.excerpt[0];
  const last = stale.excerpt.at(-1);
  if (!first || !last) {
    return `Stale line id "${stale.id}" — the file changed since you viewed it and is now empty.\n` +
      "To put text into it, insert with start: 0.";
  }
  const around = stale.line <= stale.lineCount
    ? `. Current content around line ${stale.line}:`
    : ` and now ends at line ${stale.lineCount}. Current content around line ${stale.lineCount}:`;
  const candidates = stale.candidates.map(lineId).join(", ");
  return [
    `Stale line id "${stale.id}" — the file changed since you viewed it${around}`,
    ...stale.excerpt.map((line) => formatLine(line)),
    ...candidates === "" ? [] : [
      `Content matching hash ${stale.hash} is now at: ${candidates} (your target may have moved).`,
    ],
    `Retry with the fresh ids above, or run \`view\` with start: ${first.number}, end: ${last.number} ` +
    "(or a wider range) to confirm before editing.",
  ].join("\n");
}

export function pastedTextMessage(differs: PastedTextDiffers): string {
  const line = differs.id.split(":")[0] ?? "";
  return [
    `Line id "${differs.id}" came with text that is not the text of line ${line}. ` +
    `Current content around line ${line}:`,
    ...differs.excerpt.map((shown) => formatLine(shown)),
    `Retry with the id alone, "${differs.id}", if line ${line} above is the one you mean.`,
  ].join("\n");
}

/** Lines whose text the messages print, or is known to the agent: the ids are good for the next call. */
export function linesShownBy(
  failures: readonly BatchFailure[],
): { readonly id: string; readonly text: string }[] {
  const lines = failures.flatMap((failure): readonly NumberedLine[] => {
    switch (failure.kind) {
      case "line":
        return linesShownByCheck(failure.check);
      case "plain_number":
        return failure.line === undefined ? [] : [failure.line];
      case "duplicate":
        return failure.duplicate.kind === "block" ? [] : [failure.duplicate.line];
      default:
        return [];
    }
  });
  return lines.map((line) => ({ id: lineId(line), text: line.text }));
}

/** A candidate's text is not printed, but one with the text that was shown before is no news to the agent. */
export function linesShownByCheck(check: StaleId | PastedTextDiffers): readonly NumberedLine[] {
  if (check.kind === "pasted_text_differs" || !check.remembered) return check.excerpt;
  return [...check.candidates, ...check.excerpt];
}

/** The hint for something an agent should know about a batch that was applied. */
export function batchNoteMessage(note: BatchNote): string {
  const name = `operation ${note.operation + 1}`;
  switch (note.kind) {
    case "ids_stripped":
      return `Line ids that were pasted into the content of ${name} were left out.`;
    case "ids_unproven":
      return `Every line of the content of ${name} begins like a line id, but not with the id of ` +
        "that text, so it was written as it is. If ids were meant, send the content without them.";
    case "anchor_repeated": {
      const id = lineId(note.repeated);
      return `The first line that ${name} inserted repeats its anchor "${note.anchorId}". ` +
        `If that was not intended, delete "${id}".`;
    }
  }
}

function failureName(failure: BatchFailure): string {
  if ("first" in failure) {
    return `operations ${failure.first.operation + 1} and ${failure.second.operation + 1}`;
  }
  if (!("operation" in failure)) return "the call";
  const name = `operation ${failure.operation + 1}`;
  return failure.kind === "line" ? `${name} (${failure.bound} "${failure.check.id}")` : name;
}

function failureMessage(failure: BatchFailure): string {
  switch (failure.kind) {
    case "line":
      return failure.check.kind === "stale"
        ? staleIdMessage(failure.check)
        : pastedTextMessage(failure.check);
    case "plain_number":
      return plainNumberMessage(failure);
    case "reversed_range":
      return `${operationName(failure)}: start "${failure.startId}" comes after end ` +
        `"${failure.endId}". Retry with start: "${failure.endId}", end: "${failure.startId}".`;
    case "delete_with_content":
      return `${
        operationName(failure)
      }: a delete takes no content, but text came with it that is ` +
        `not in ${rangeOf(failure.place)}. Retry as a replace of ${
          rangeOf(failure.place)
        } if the ` +
        "text is to take their place, else without content.";
    case "overlap":
    case "same_anchor":
    case "insert_inside_range":
      return conflictMessage(failure);
    case "duplicate":
      return duplicateMessage(failure.place, failure.duplicate);
    default:
      return shapeMessage(failure);
  }
}

function shapeMessage(failure: ShapeFailure): string {
  switch (failure.kind) {
    case "no_operations":
      return "operations is empty, so there is nothing to do. Send at least one operation, like " +
        '{"operation": "replace", "start": "12:a3", "end": "14:0f", "content": "…"}.';
    case "too_many_operations":
      return `${failure.count} operations are more than the ${failure.most} one call may hold; ` +
        `nothing was applied. Send the first ${failure.most} in one call, then the rest with the ` +
        "ids from its answer.";
    case "unknown_field":
      return `${operationName(failure)}: ${
        failure.names.map((name) => `"${name}"`).join(", ")
      } is ` +
        "not a field of an operation. Retry with operation, start, end and content: the first line " +
        "of the range is start, its last line is end.";
    case "missing_start":
      return `${operationName(failure)}: start is missing. ${startAdvice(failure.verb)}`;
    case "malformed_bound":
      return `${operationName(failure)}: ${failure.bound} ${malformedAdvice(failure)}`;
    case "missing_content":
      return `${operationName(failure)}: content is missing; the call was probably cut. Send the ` +
        `${failure.verb} again with its content, a long one in parts` +
        (failure.verb === "replace" ? '; to delete the lines, send content: "".' : ".");
    case "empty_insert":
      return `${
        operationName(failure)
      }: content is empty, so there is nothing to insert. For one ` +
        'empty line send content: "\\n".';
    case "insert_with_end":
      return `${
        operationName(failure)
      }: an insert has one anchor, but start is "${failure.start}" ` +
        `and end is "${failure.end}". Send start alone to insert after that line, or ` +
        'operation: "replace" to change the range.';
  }
}

function operationName({ operation }: { readonly operation: number }): string {
  return `Operation ${operation + 1}`;
}

function startAdvice(verb: BatchOperation["operation"]): string {
  return verb === "insert"
    ? 'Send the id of the line to insert after, like "12:a3", or 0 for the start of the file, ' +
      "-1 for its end."
    : `Send the id of the first line to ${verb}, like "12:a3"; \`view\` prints the ids.`;
}

function malformedAdvice({ raw, bound }: FailureOf<"malformed_bound">): string {
  const shown = `"${cutLine(raw, { limit: QUOTED_LIMIT })}" is not a line id.`;
  const ids = raw.slice(0, QUOTED_LIMIT).match(/\d+:[0-9a-f]{2}(?![0-9a-z])/gi) ?? [];
  if (ids.length === 2) {
    return `${shown} Retry with two fields, start: "${ids[0]}" and end: "${ids[1]}".`;
  }
  return `${shown} Retry with ${bound} as \`view\` prints it, the line number and two hex digits: ` +
    '"12:a3".';
}

function plainNumberMessage(failure: FailureOf<"plain_number">): string {
  const { verb, bound, value, line, lineCount } = failure;
  const rule = verb === "insert"
    ? `an insert is anchored to a line id; only 0 (start of the file) and -1 (its end) are plain`
    : `${verb} takes line ids, so that a line that moved is not changed by mistake`;
  const start = `${operationName(failure)}: ${bound} ${value} is a plain number, but ${rule}.`;
  if (line === undefined) {
    const length = lineCount === 1 ? "1 line" : `${lineCount} lines`;
    return `${start} The file has ${length}; run \`view\` to see their ids.`;
  }
  return `${start} Line ${line.number} is now:\n${formatLine(line)}\n` +
    `Retry with ${bound}: "${lineId(line)}" if that is the line you mean.`;
}

function conflictMessage(
  { kind, first, second }: FailureOf<"overlap" | "same_anchor" | "insert_inside_range">,
): string {
  const names = `Operations ${first.operation + 1} and ${second.operation + 1}`;
  switch (kind) {
    case "overlap": {
      const startId = first.start <= second.start ? first.startId : second.startId;
      const endId = first.end >= second.end ? first.endId : second.endId;
      return `${names} overlap: ${first.verb} ${rangeOf(first)} and ${second.verb} ` +
        `${rangeOf(second)}. Retry with one replace of "${startId}"-"${endId}", or with ranges ` +
        "that share no line.";
    }
    case "same_anchor":
      return `${names} insert at the same place (${anchorOf(first)}). Retry with one insert that ` +
        "has both contents in the order you want.";
    case "insert_inside_range": {
      const [insert, range] = first.verb === "insert" ? [first, second] : [second, first];
      return `Operation ${insert.operation + 1} inserts ${
        anchorOf(insert)
      }, a line that operation ` +
        `${range.operation + 1} takes away (${range.verb} ${rangeOf(range)}). Retry with one ` +
        `replace of ${rangeOf(range)} whose content has the inserted lines where you want them.`;
    }
  }
}

function duplicateMessage(place: OperationPlace, duplicate: Duplicate): string {
  const name = `operation ${place.operation + 1}`;
  if (duplicate.kind === "block") {
    const range = `"${lineId(duplicate.first)}"-"${lineId(duplicate.last)}"`;
    return `Duplicate lines detected in ${name}: the lines to insert ${
      anchorOf(place)
    } are already ` +
      `there, at ${range}. Nothing is left to do if an earlier call inserted them; to have them ` +
      `twice, replace "${lineId(duplicate.last)}" with that line and the new ones.`;
  }
  const id = lineId(duplicate.line);
  const quoted = `${id}: "${cutLine(duplicate.line.text, { limit: QUOTED_LIMIT })}".`;
  if (duplicate.kind === "next_line") {
    return `Duplicate line detected in ${name}: content's last line matches ${id} (just after the ` +
      `place of the insert, ${anchorOf(place)}).\n${quoted} Do NOT include surrounding unchanged ` +
      `lines — only provide the lines to insert ${anchorOf(place)}. To have the line twice, ` +
      `replace "${id}" with both copies.`;
  }
  const range = `"${place.startId}"-"${place.endId}"`;
  const [which, side] = duplicate.kind === "before_range" ? ["first", "before"] : ["last", "after"];
  return `Duplicate line detected in ${name}: content's ${which} line matches ${id} (just ${side} ` +
    `the replacement range ${range}).\n${quoted} Do NOT include surrounding unchanged lines — only ` +
    `provide the lines that replace ${range}.`;
}

function rangeOf({ startId, endId }: OperationPlace): string {
  return startId === endId ? `"${startId}"` : `"${startId}"-"${endId}"`;
}

function anchorOf({ startId }: OperationPlace): string {
  if (startId === "0") return "at the start of the file";
  return startId === "-1" ? "at the end of the file" : `after "${startId}"`;
}

function lineId({ number, text }: NumberedLine): string {
  return formatLineId(number, text);
}
