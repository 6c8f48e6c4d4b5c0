// Owns: the words for lines that could not be copied, each ending with the next call.
// Must not know: how the copy is planned, files, the protocol.

import type { ExtractArgument, ExtractFailure } from "../text/extract.ts";
import type { EncodingName } from "../text/encoding.ts";
import { formatLineId } from "../text/line_id.ts";
import { linesShownByCheck, pastedTextMessage, staleIdMessage } from "./edit_messages.ts";

/** The whole answer to a copy that was not made; `source` and `target` are the paths as shown. */
export function extractFailureMessage(
  failures: readonly ExtractFailure[],
  paths: { readonly source: string; readonly target: string },
): string {
  const blocks = failures.map((failure) => failureMessage(failure, paths)).join("\n---\n");
  if (failures.length === 1) return blocks;
  const names = failures.map((failure) =>
    failure.kind === "line"
      ? `${failure.argument} (in ${pathOf(failure.argument, paths)})`
      : "the range"
  );
  return `No line was copied. Failed: ${names.join(", ")}.\n${blocks}`;
}

function pathOf(
  argument: ExtractArgument,
  paths: { readonly source: string; readonly target: string },
): string {
  return argument === "append_line" ? paths.target : paths.source;
}

function failureMessage(
  failure: ExtractFailure,
  paths: { readonly source: string; readonly target: string },
): string {
  switch (failure.kind) {
    case "line":
      return lineMessage(failure, pathOf(failure.argument, paths));
    case "reversed_range":
      return `from_start "${failure.startId}" comes after from_end "${failure.endId}". Retry with ` +
        `from_start: "${failure.endId}", from_end: "${failure.startId}".`;
    case "unencodable":
      return `Line ${failure.lineNumber} of ${paths.source} (${encodingName(failure.from)}) has ` +
        `characters that ${paths.target} (${encodingName(failure.to)}) cannot hold; nothing was ` +
        "written. Copy the lines into a new file, or convert one of the files first.";
  }
}

function lineMessage(
  { argument, check }: Extract<ExtractFailure, { kind: "line" }>,
  path: string,
): string {
  switch (check.kind) {
    case "stale":
      return staleIdMessage(check);
    case "pasted_text_differs":
      return pastedTextMessage(check);
    case "out_of_range": {
      const { value, lineCount } = check;
      const has = lineCount === 0
        ? "has no lines"
        : lineCount === 1
        ? "has 1 line"
        : `has ${lineCount} lines`;
      return `${argument} ${value} is outside ${path}, which ${has}. ${
        rangeAdvice(argument, lineCount)
      }`;
    }
  }
}

function rangeAdvice(argument: ExtractArgument, lineCount: number): string {
  if (argument === "append_line") {
    return "Retry with append_line: -1 for the end of the file, or 0 for its start" +
      (lineCount === 0 ? "." : `, or a line from 1 to ${lineCount}.`);
  }
  return lineCount === 0
    ? "There is nothing to copy; check the path."
    : `Retry with a line from 1 to ${lineCount}, or a negative one that counts from the end.`;
}

function encodingName(encoding: EncodingName): string {
  switch (encoding) {
    case "utf-8":
      return "UTF-8";
    case "utf-16le":
      return "UTF-16LE";
    case "utf-16be":
      return "UTF-16BE";
    case "unknown-8bit":
      return "not UTF-8, probably an 8-bit encoding";
  }
}

/** Lines that the message prints, by the file they are of: their ids are good for the next call. */
export function linesShownByExtract(failures: readonly ExtractFailure[]): readonly {
  readonly side: "source" | "target";
  readonly lines: readonly { readonly id: string; readonly text: string }[];
}[] {
  return failures.flatMap((failure) => {
    if (failure.kind !== "line" || failure.check.kind === "out_of_range") return [];
    const lines = linesShownByCheck(failure.check)
      .map(({ number, text }) => ({ id: formatLineId(number, text), text }));
    return [{ side: failure.argument === "append_line" ? "target" : "source", lines }];
  });
}
