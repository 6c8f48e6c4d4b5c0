// Owns: the create command: exactly `content`, never over a file that has some unless told so.
// Must not know: how files are written.

import { splitLines, TextDocument } from "../text/document.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { answerEdit, countLines } from "./edit_answer.ts";
import { newTextHints, refuseNul } from "./text_safety.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export interface CreateInput {
  readonly path: string;
  readonly content: string;
  readonly overwrite: boolean;
}

type Stop = { readonly kind: "exists"; readonly what: string } | { readonly kind: "unchanged" };

export async function createFile(input: CreateInput, context: ToolContext): Promise<ToolOutput> {
  const { path, content, overwrite } = input;
  const target = await context.workspace.resolve(path, { purpose: "write", expect: "any" });
  refuseNul("content", content);
  if (/[\\/]$/.test(path) && target.info === undefined) {
    throw new ToolError(
      `${JSON.stringify(path)} names a directory; name the file to create in it.`,
    );
  }
  const formHints: string[] = [];
  const outcome = await context.editor.edit<Stop>(target, (current) => {
    if (current.kind === "binary" && !overwrite) {
      return {
        kind: "stop",
        stop: { kind: "exists", what: `${current.size.toLocaleString("en-US")} bytes, binary` },
      };
    }
    const before = current.kind === "text" ? current.document : new TextDocument("");
    if (before.text !== "" && !overwrite) {
      if (before.text === content) return { kind: "stop", stop: { kind: "unchanged" } };
      return { kind: "stop", stop: { kind: "exists", what: countLines(before.lineCount) } };
    }
    formHints.length = 0;
    const after = inFormOf(before, { content, hints: formHints });
    if (current.kind === "text" && before.text === after.text) {
      return { kind: "stop", stop: { kind: "unchanged" } };
    }
    const whole = { start: 0, end: before.lineCount, lines: after.lines() };
    return { kind: "write", document: after, hunks: applyLineEdits(before, [whole]).hunks };
  });
  if (outcome.kind === "stopped") {
    if (outcome.stop.kind === "unchanged") {
      return textOutput(
        `No change: ${target.display} already has this content. Nothing was written.`,
        [...target.hints, ...formHints],
      );
    }
    throw new ToolError(
      `${target.display} exists already (${outcome.stop.what}); nothing was written. To change a part of it use ` +
        "str_replace or batch_edit; to replace it whole send overwrite: true (undo_edit takes it back).",
      target.hints,
    );
  }
  const { before, after } = outcome;
  const headline = before === undefined || before.text === ""
    ? `Created ${target.display} (${countLines(after.lineCount)}).`
    : `Replaced ${countLines(before.lineCount)} with ${after.lineCount} in ${target.display}.`;
  const hints = [...formHints, ...newTextHints(outcome)];
  return answerEdit({ target, ...outcome, headline }, context, hints);
}

/** Line endings, byte order mark and encoding of the file that is replaced stay; a new file is `content` alone. */
function inFormOf(
  before: TextDocument,
  { content, hints }: { readonly content: string; readonly hints: string[] },
): TextDocument {
  const startsWithMark = content.startsWith("\ufeff");
  const text = startsWithMark ? content.slice(1) : content;
  const bom = startsWithMark || before.form.bom;
  if (before.form.bom && !startsWithMark) hints.push("The file's byte order mark was kept.");
  // What the old bytes meant was a guess; the new content is known.
  const encoding = before.form.encoding === "unknown-8bit" ? "utf-8" : before.form.encoding;
  if (encoding !== before.form.encoding) {
    hints.push("The file was not valid UTF-8; the new content was written as UTF-8.");
  }
  const wasCrlf = before.lineCount > 0 && before.lines().every((line) => line.ending !== "\n") &&
    before.text.includes("\r\n");
  if (!wasCrlf || text.includes("\r\n") || !text.includes("\n")) {
    return new TextDocument(text, { encoding, bom });
  }
  hints.push("The file's CRLF line endings were kept.");
  const lines = splitLines(text).map((line) => line.text + (line.ending === "" ? "" : "\r\n"));
  return new TextDocument(lines.join(""), { encoding, bom });
}
