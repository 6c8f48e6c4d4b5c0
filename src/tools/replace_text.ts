// Owns: the str_replace command: climb the ladder under the lock, answer with the diff or the advice.
// Must not know: how text is matched, the words of failures.

import type { ResolvedPath } from "../fs/workspace.ts";
import { TextDocument } from "../text/document.ts";
import { applyLineEdits } from "../text/line_edit.ts";
import { formatLineId } from "../text/line_id.ts";
import { findReplacement } from "../text/match.ts";
import type { FoundReplacement, MatchResult } from "../text/match_result.ts";
import { answerEdit } from "./edit_answer.ts";
import { replaceHints } from "./replace_hints.ts";
import { replaceFailureMessage } from "./replace_messages.ts";
import { binaryMessage, newTextHints } from "./text_safety.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

export interface ReplaceInput {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

type Stop =
  | {
    readonly kind: "unmatched";
    readonly document: TextDocument;
    readonly result: Exclude<MatchResult, FoundReplacement>;
  }
  | { readonly kind: "absent" }
  | { readonly kind: "binary"; readonly reason: string; readonly size: number };

/** New text that has little in common with the old one is this edit's result only if it was made here. */
function settled(
  result: Exclude<MatchResult, FoundReplacement>,
  { input, target, context }: {
    readonly input: ReplaceInput;
    readonly target: ResolvedPath;
    readonly context: ToolContext;
  },
): Exclude<MatchResult, FoundReplacement> {
  if (result.kind !== "already_applied" || result.likely) return result;
  if (context.editor.hasReplaced(target.key, input)) return result;
  return { kind: "missing", advice: result.advice };
}

export async function replaceText(input: ReplaceInput, context: ToolContext): Promise<ToolOutput> {
  const { path, oldText } = input;
  // An empty old text on a missing file asks for a new one.
  const expect = oldText === "" ? "any" : "existing";
  const target = await context.workspace.resolve(path, { purpose: "write", expect });
  let found: FoundReplacement | undefined;
  const outcome = await context.editor.edit<Stop>(target, (current) => {
    if (current.kind === "binary") return { kind: "stop", stop: current };
    if (current.kind === "absent" && oldText !== "") {
      return { kind: "stop", stop: { kind: "absent" } };
    }
    const document = current.kind === "text" ? current.document : new TextDocument("");
    const result = findReplacement(document, input);
    if (result.kind !== "found") {
      return { kind: "stop", stop: { kind: "unmatched", document, result } };
    }
    const applied = applyLineEdits(document, result.edits);
    if (applied.hunks.length === 0) {
      const unchanged = { kind: "no_change", why: "equal_result" } as const;
      return { kind: "stop", stop: { kind: "unmatched", document, result: unchanged } };
    }
    found = result;
    return { kind: "write", ...applied };
  });
  if (outcome.kind === "written") {
    return answerEdit({ target, ...outcome }, context, [
      ...found ? replaceHints(found) : [],
      ...newTextHints(outcome),
    ]);
  }
  const { stop } = outcome;
  switch (stop.kind) {
    case "absent":
      throw new ToolError(
        `${target.display} does not exist. Create it with command="create".`,
        target.hints,
      );
    case "binary":
      throw new ToolError(binaryMessage(target.display, stop), target.hints);
    case "unmatched": {
      const { document } = stop;
      const result = settled(stop.result, { input, target, context });
      const message = replaceFailureMessage({ document, display: target.display, result });
      context.shown.remember(
        target.key,
        message.lines.map((line) => {
          const text = document.lineText(line);
          return { id: formatLineId(line + 1, text), text };
        }),
      );
      // Asking for what is already so is no failure.
      const harmless = result.kind === "already_applied" || result.kind === "no_change";
      if (harmless) return textOutput(message.text, target.hints);
      throw new ToolError(message.text, target.hints);
    }
  }
}
