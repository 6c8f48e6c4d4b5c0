// Owns: the ladder of `str_replace`: its rungs in order, the one loop over them, and what stops a match.
// Must not know: how a rung finds its match, files, words.

import { guessEncoding } from "./encoding_guess.ts";
import { splitLines, type TextDocument } from "./document.ts";
import type { LineEdit } from "./line_edit.ts";
import { findEscaped } from "./match_escaped.ts";
import { findExact } from "./match_exact.ts";
import { findFolded } from "./match_folded.ts";
import { textLines } from "./match_lines.ts";
import { findPastedIds } from "./match_pasted_ids.ts";
import { hasTypography } from "./folded_text.ts";
import { stripPastedIds } from "./pasted_ids.ts";
import type {
  Candidates,
  FoundNote,
  MatchResult,
  Plan,
  ReplaceRequest,
  Rung,
} from "./match_result.ts";
import { adviseOnMiss } from "./replacement_advice.ts";
import { holdsReplacementCharacter, unsafeNewText } from "./unsafe_text.ts";

interface Strategy {
  readonly rung: Rung;
  readonly find: (document: TextDocument, request: ReplaceRequest) => Candidates | undefined;
}

/** Strictest first: a later rung is asked only when no earlier one found anything. */
const LADDER: readonly Strategy[] = [
  { rung: "exact", find: findExact },
  { rung: "escaped", find: findEscaped },
  { rung: "pasted_ids", find: findPastedIds },
  {
    rung: "whitespace",
    find: (document, request) => findFolded(document, request, "whitespace"),
  },
  {
    rung: "typography",
    find: (document, request) =>
      hasTypography(request.oldText) || hasTypography(document.text)
        ? findFolded(document, request, "typography")
        : undefined,
  },
];

const BYTE_ORDER_MARK = "\ufeff";

/**
 * Finds what `request` asks to replace and plans the edits. With `replaceAll` every match of the
 * first rung that has any is replaced, left to right without overlap; a match on a fuzzy rung is
 * then re-indented by itself.
 */
export function findReplacement(document: TextDocument, request: ReplaceRequest): MatchResult {
  const asked = withoutByteOrderMark(document, request);
  if (asked.oldText === "") return fillEmpty(document, asked.newText);
  if (asked.oldText === asked.newText) return { kind: "no_change", why: "equal_texts" };
  for (const { rung, find } of LADDER) {
    const candidates = find(document, asked);
    if (candidates === undefined) continue;
    if (candidates.total > 1 && !asked.replaceAll) {
      return { kind: "ambiguous", rung, lines: candidates.lines, total: candidates.total };
    }
    return finish(document, asked, { rung, plan: candidates.plan() });
  }
  if (holdsReplacementCharacter(document, asked.oldText)) {
    const reason = {
      why: "replacement_character",
      inText: "old_text",
      assumed: guessEncoding(document),
    } as const;
    return { kind: "unsafe", rung: "exact", reason };
  }
  return adviseOnMiss(document, asked);
}

/** An empty file is filled exactly as asked; in any other an empty text is everywhere. */
function fillEmpty(document: TextDocument, newText: string): MatchResult {
  if (document.lineCount > 0) return { kind: "empty_old" };
  const reason = unsafeNewText(document, newText);
  if (reason) return { kind: "unsafe", rung: "exact", reason };
  const { edits, notes } = dropByteOrderMark(document, [
    { start: 0, end: 0, lines: splitLines(newText) },
  ]);
  if (edits[0]?.lines.length === 0) return { kind: "no_change", why: "equal_result" };
  return { kind: "found", rung: "exact", edits, places: 1, multiline: false, notes };
}

function finish(
  document: TextDocument,
  { oldText, newText }: ReplaceRequest,
  { rung, plan }: { readonly rung: Rung; readonly plan: Plan },
): MatchResult {
  if (plan.kind === "unsafe") return { kind: "unsafe", rung, reason: plan.reason };
  const { edits: planned, notes } = dropByteOrderMark(document, plan.edits);
  const edits = planned.filter((edit) => changesDocument(document, edit));
  if (edits.length === 0) return { kind: "no_change", why: "equal_result" };
  const reason = unsafeNewText(document, newText);
  if (reason) return { kind: "unsafe", rung, reason };
  const isVerbatim = rung === "exact" || rung === "escaped";
  const carriesIds = isVerbatim && stripPastedIds(textLines(newText), document).kind === "stripped";
  return {
    kind: "found",
    rung,
    edits,
    places: plan.places,
    multiline: textLines(oldText).length > 1,
    notes: [
      ...plan.notes,
      ...carriesIds ? ["new_text_has_line_ids" as const] : [],
      ...notes,
    ],
  };
}

function changesDocument(document: TextDocument, { start, end, lines }: LineEdit): boolean {
  if (lines.length !== end - start) return true;
  return lines.some((line, offset) => {
    const own = document.line(start + offset);
    return own.text !== line.text || own.ending !== line.ending;
  });
}

/** The mark that a view hides may be sent all the same. */
function withoutByteOrderMark(document: TextDocument, request: ReplaceRequest): ReplaceRequest {
  const { oldText, newText } = request;
  if (!oldText.startsWith(BYTE_ORDER_MARK) || document.text.includes(BYTE_ORDER_MARK)) {
    return request;
  }
  const isInBoth = newText.startsWith(BYTE_ORDER_MARK);
  return { ...request, oldText: oldText.slice(1), newText: isInBoth ? newText.slice(1) : newText };
}

/** A mark written at the very start would be the file's own, or a second one. */
function dropByteOrderMark(
  document: TextDocument,
  edits: readonly LineEdit[],
): { readonly edits: readonly LineEdit[]; readonly notes: readonly FoundNote[] } {
  const [first, ...others] = edits;
  const line = first?.lines[0];
  const isNew = first?.start === 0 && !document.text.startsWith(BYTE_ORDER_MARK);
  if (!isNew || !line?.text.startsWith(BYTE_ORDER_MARK)) return { edits, notes: [] };
  const lines = [{ ...line, text: line.text.slice(1) }, ...first.lines.slice(1)];
  return { edits: [{ ...first, lines }, ...others], notes: ["byte_order_mark_dropped"] };
}
