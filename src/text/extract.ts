// Owns: copying lines of one document into another as an edit of it: bounds, place, endings, encoding.
// Must not know: files, the words of an answer, how edits are applied.

import { type Line, TextDocument } from "./document.ts";
import type { EncodingName } from "./encoding.ts";
import {
  LineChecker,
  lineIdAt,
  type OutOfRange,
  type PastedTextDiffers,
  type ShownIds,
  type StaleId,
} from "./id_check.ts";
import { type LineEdit, withEndings } from "./line_edit.ts";
import type { LineRef } from "./line_id.ts";

export interface ExtractRequest {
  readonly fromStart: LineRef;
  /** Absent: the one line `fromStart`; a missing bound never widens a write. */
  readonly fromEnd: LineRef | undefined;
  /** `0` start, `-1` end, else after that line. */
  readonly appendLine: LineRef;
}

/** A document and what was shown of its file. */
export interface KnownDocument {
  readonly document: TextDocument;
  readonly shown: ShownIds;
}

export type ExtractArgument = "from_start" | "from_end" | "append_line";

export type ExtractFailure =
  | {
    readonly kind: "line";
    readonly argument: ExtractArgument;
    readonly check: StaleId | PastedTextDiffers | OutOfRange;
  }
  | { readonly kind: "reversed_range"; readonly startId: string; readonly endId: string }
  /** The lines have characters or bytes that the target's encoding cannot hold. */
  | {
    readonly kind: "unencodable";
    readonly from: EncodingName;
    readonly to: EncodingName;
    /** 1-based, of the source. */
    readonly lineNumber: number;
  };

export type ExtractResult =
  | {
    readonly kind: "edit";
    /** The target to apply the edit to; where it had no encoding of its own yet, it has the source's. */
    readonly target: TextDocument;
    readonly edit: LineEdit;
  }
  | { readonly kind: "failed"; readonly failures: readonly ExtractFailure[] };

/** Plans the copy; a target that does not exist yet is an empty document. */
export function planExtract(
  request: ExtractRequest,
  { source, target }: { readonly source: KnownDocument; readonly target: KnownDocument },
): ExtractResult {
  const failures: ExtractFailure[] = [];
  const range = findRange(request, source, failures);
  const position = findPosition(request.appendLine, target, failures);
  if (range === undefined || position === undefined) return { kind: "failed", failures };
  const lines = source.document.lines(range.start, range.end);
  const form = formFor(lines, source.document, target.document);
  if (typeof form === "number") {
    const from = source.document.form.encoding;
    const to = target.document.form.encoding;
    const lineNumber = range.start + form + 1;
    return { kind: "failed", failures: [{ kind: "unencodable", from, to, lineNumber }] };
  }
  const copied = target.document.lineCount === 0
    // A file without lines has no ending of its own: the copied lines keep theirs.
    ? lines
    : withEndings(target.document, { start: position, end: position }, lines.map((l) => l.text));
  return {
    kind: "edit",
    target: new TextDocument(target.document.text, form),
    edit: { start: position, end: position, lines: copied },
  };
}

function findRange(
  { fromStart, fromEnd }: ExtractRequest,
  { document, shown }: KnownDocument,
  failures: ExtractFailure[],
): { readonly start: number; readonly end: number } | undefined {
  const checker = new LineChecker(document, shown);
  const check = (argument: ExtractArgument, ref: LineRef): number | undefined => {
    const checked = checker.check(ref);
    if (checked.kind === "ok") return checked.index;
    failures.push({ kind: "line", argument, check: checked });
    return undefined;
  };
  const start = check("from_start", fromStart);
  const last = fromEnd === undefined ? start : check("from_end", fromEnd);
  if (start === undefined || last === undefined) return undefined;
  if (start <= last) return { start, end: last + 1 };
  failures.push({
    kind: "reversed_range",
    startId: lineIdAt(document, start),
    endId: lineIdAt(document, last),
  });
  return undefined;
}

function findPosition(
  ref: LineRef,
  { document, shown }: KnownDocument,
  failures: ExtractFailure[],
): number | undefined {
  const { lineCount } = document;
  if (ref.kind === "number" && ref.value === 0) return 0;
  if (ref.kind === "number" && ref.value === -1) return lineCount;
  const isFurtherNegative = ref.kind === "number" && ref.value < 0;
  const check = isFurtherNegative
    ? { kind: "out_of_range", value: ref.value, lineCount } as const
    : new LineChecker(document, shown).check(ref);
  if (check.kind === "ok") return check.index + 1;
  failures.push({ kind: "line", argument: "append_line", check });
  return undefined;
}

const ONLY_ASCII = /^[\0-\x7f]*$/;

/** The form that holds target and lines without changing a byte of either, or the line that has none. */
function formFor(
  lines: readonly Line[],
  source: TextDocument,
  target: TextDocument,
): TextDocument["form"] | number {
  const from = source.form.encoding;
  const to = target.form;
  if (from === to.encoding) return to;
  const isNew = target.text === "" && !to.bom;
  if (isNew && from !== "utf-8") return { encoding: from, bom: from !== "unknown-8bit" };
  // A NUL is a character of UTF-16 like any other, and makes every other file binary.
  const isWide = to.encoding === "utf-16le" || to.encoding === "utf-16be";
  const fits = ({ text }: Line) =>
    (to.encoding === "unknown-8bit" ? ONLY_ASCII.test(text) : text.isWellFormed()) &&
    (isWide || !text.includes("\0"));
  const unfit = lines.findIndex((line) => !fits(line));
  if (unfit === -1) return to;
  // Text of ASCII only is the same in every 8-bit encoding, so it takes the bytes as they are.
  const takesBytes = from === "unknown-8bit" && to.encoding === "utf-8" && !to.bom &&
    ONLY_ASCII.test(target.text);
  return takesBytes ? { encoding: "unknown-8bit", bom: false } : unfit;
}
