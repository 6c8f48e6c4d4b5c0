// Owns: one call of extract_lines: the source read, the target planned and written under its lock.
// Must not know: how ranges are checked and endings adapted, how files are written.

import { type CurrentFile, readDisk } from "../fs/disk_file.ts";
import { FileSystemError } from "../fs/file_system.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { TextDocument } from "../text/document.ts";
import { cutPrefix } from "../text/excerpt.ts";
import { type ExtractRequest, planExtract } from "../text/extract.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { type LineRef, parseLineRef } from "../text/line_id.ts";
import { answerEdit } from "./edit_answer.ts";
import { extractFailureMessage, linesShownByExtract } from "./extract_messages.ts";
import { binaryMessage } from "./text_safety.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export interface ExtractCall {
  readonly from_path: string;
  readonly from_start: string;
  readonly from_end?: string | undefined;
  readonly append_path: string;
  readonly append_line: string;
}

/** Copies lines of one file into another. Throws ToolError. */
export async function copyLines(input: ExtractCall, context: ToolContext): Promise<ToolOutput> {
  for (const name of ["from_path", "append_path"] as const) {
    if (input[name].trim() === "") {
      throw new ToolError(`\`${name}\` is empty. Send a file's path.`);
    }
  }
  const request: ExtractRequest = {
    fromStart: readRef("from_start", input.from_start),
    fromEnd: input.from_end === undefined || input.from_end.trim() === ""
      ? undefined
      : readRef("from_end", input.from_end),
    appendLine: readRef("append_line", input.append_line),
  };
  const { workspace, shown } = context;
  const from = await workspace.resolve(input.from_path, { purpose: "read", expect: "existing" });
  const into = await workspace.resolve(input.append_path, { purpose: "write", expect: "any" });
  const read = await readSource(from);
  const outcome = await context.editor.edit<() => ToolError>(into, (current) => {
    const document = targetDocument(current, into.display);
    if (document instanceof ToolError) return { kind: "stop", stop: () => document };
    const target = { document, shown: shown.of(into.key) };
    // Of one file there is one content: the one that is there while it is locked.
    const isSame = from.key === into.key;
    const source = { document: isSame ? document : read, shown: shown.of(from.key) };
    const planned = planExtract(request, { source, target });
    if (planned.kind === "failed") {
      const { failures } = planned;
      return {
        kind: "stop",
        stop: () => {
          for (const { side, lines } of linesShownByExtract(failures)) {
            shown.remember(side === "source" ? from.key : into.key, lines);
          }
          const names = { source: from.display, target: into.display };
          return new ToolError(extractFailureMessage(failures, names), from.hints);
        },
      };
    }
    return { kind: "write", ...applyLineEdits(planned.target, [planned.edit]) };
  });
  if (outcome.kind === "stopped") throw outcome.stop();
  return answerEdit({ target: into, ...outcome }, context, from.hints);
}

function readRef(name: string, raw: string): LineRef {
  const ref = parseLineRef(raw);
  if (ref.kind !== "malformed") return ref;
  throw new ToolError(
    `\`${name}\` is ${
      JSON.stringify(cutPrefix(raw, 80))
    }, which is neither a line number nor a line id. ` +
      'Send a number such as 12 or an id such as "12:a3".',
  );
}

async function readSource(from: ResolvedPath): Promise<TextDocument> {
  const { current } = await readDisk(from);
  switch (current.kind) {
    case "text":
      return current.document;
    case "absent":
      throw new FileSystemError("missing", from.path);
    case "binary":
      throw new ToolError(binaryMessage(from.display, current));
  }
}

function targetDocument(current: CurrentFile, display: string): TextDocument | ToolError {
  switch (current.kind) {
    case "text":
      return current.document;
    case "absent":
      return new TextDocument("");
    case "binary":
      return new ToolError(binaryMessage(display, current));
  }
}
