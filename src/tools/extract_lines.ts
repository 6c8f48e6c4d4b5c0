// Owns: the extract_lines tool: copying lines of one file into another, byte for byte.
// Must not know: how ranges are checked and endings adapted, how files are written.

import type { CurrentFile } from "../fs/disk_file.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { parseDocument, TextDocument } from "../text/document.ts";
import { type ExtractRequest, planExtract } from "../text/extract.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { type LineRef, parseLineRef } from "../text/line_id.ts";
import { answerEdit } from "./edit_answer.ts";
import { extractFailureMessage, linesShownByExtract } from "./extract_messages.ts";
import { binaryMessage } from "./text_safety.ts";
import { defineTool, type ToolContext, ToolError } from "./tool.ts";

export const extractLinesTool = defineTool({
  name: "extract_lines",
  title: "Copy lines into a file",
  description:
    "Copies lines of one file byte for byte into a new or existing file, so that code is moved without " +
    "being retyped. Lines are numbers or ids; ids are verified. Answers with the diff in the target.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  fields: {
    from_path: {
      type: "string",
      description: "File to copy from.",
      aliases: ["source", "source_path", "path"],
    },
    from_start: {
      type: "string",
      description: "First line: number or id.",
      aliases: ["start", "start_line"],
    },
    from_end: {
      type: "string",
      description: "Last line, inclusive; without it one line is copied.",
      optional: true,
      aliases: ["end", "end_line"],
    },
    append_path: {
      type: "string",
      description: "File to copy into; it is created when missing.",
      aliases: ["target", "target_path", "to_path"],
    },
    append_line: {
      type: "string",
      description:
        "Where: `0` start of the file, `-1` end, or the line (number or id) to copy after.",
    },
  },
  async run(input, context) {
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
    const source = { document: await readSource(from, context), shown: shown.of(from.key) };
    const outcome = await context.editor.edit<() => ToolError>(into, (current) => {
      const document = targetDocument(current, into.display);
      if (document instanceof ToolError) return { kind: "stop", stop: () => document };
      const target = { document, shown: shown.of(into.key) };
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
  },
});

function readRef(name: string, raw: string): LineRef {
  const ref = parseLineRef(raw);
  if (ref.kind !== "malformed") return ref;
  throw new ToolError(
    `\`${name}\` is ${
      JSON.stringify(raw.slice(0, 80))
    }, which is neither a line number nor a line id. ` +
      'Send a number such as 12 or an id such as "12:a3".',
  );
}

async function readSource(from: ResolvedPath, { signal }: ToolContext): Promise<TextDocument> {
  const { fileSystem, path, info, display } = from;
  if (info?.kind === "directory") {
    throw new ToolError(`${display} is a directory; name a file in it.`);
  }
  if (info?.kind !== "file") {
    throw new ToolError(`${display} is not a regular file, so it is not opened.`);
  }
  const parsed = parseDocument(await fileSystem.readFile(path, { signal }));
  if (parsed.kind === "text") return parsed.document;
  throw new ToolError(binaryMessage(display, { reason: parsed.reason, size: info.size }));
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
