// Owns: a batch of operations against one document: verified edits, or every failure at once.
// Must not know: files, the words of an answer, how edits are applied.

import type { BatchOperation, Bound, ParsedOperation, ShapeFailure } from "./batch_operation.ts";
import type { TextDocument } from "./document.ts";
import { type Duplicate, findDuplicates, isExemptFromGuard } from "./duplicate_lines.ts";
import type { NumberedLine } from "./excerpt.ts";
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
import { stripPastedIds } from "./pasted_ids.ts";

/** Where an operation works, with the ids to name it by; `start` equals `end` for a position. */
export interface OperationPlace {
  readonly operation: number;
  readonly verb: BatchOperation["operation"];
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** Id of the first line, or the anchor: an id, `0` or `-1`. */
  readonly startId: string;
  readonly endId: string;
}

/** Why a batch was not applied; `operation` is the 0-based place in the call. */
export type BatchFailure =
  | ShapeFailure
  | {
    readonly kind: "line";
    readonly operation: number;
    readonly bound: Bound;
    readonly check: StaleId | PastedTextDiffers;
  }
  | {
    readonly kind: "plain_number";
    readonly operation: number;
    readonly verb: BatchOperation["operation"];
    readonly bound: Bound;
    readonly value: number;
    /** The line at that number now, if there is one. */
    readonly line: NumberedLine | undefined;
    readonly lineCount: number;
  }
  | {
    readonly kind: "reversed_range";
    readonly operation: number;
    readonly startId: string;
    readonly endId: string;
  }
  | {
    readonly kind: "delete_with_content";
    readonly operation: number;
    readonly place: OperationPlace;
  }
  | {
    /** `first` comes before `operation` in the call. */
    readonly kind: "overlap" | "same_anchor" | "insert_inside_range";
    readonly operation: number;
    readonly first: OperationPlace;
    readonly second: OperationPlace;
  }
  | {
    readonly kind: "duplicate";
    readonly operation: number;
    readonly place: OperationPlace;
    readonly duplicate: Duplicate;
  };

/** What an agent should know about a batch that is applied. */
export type BatchNote =
  | { readonly kind: "ids_stripped" | "ids_unproven"; readonly operation: number }
  | {
    readonly kind: "anchor_repeated";
    readonly operation: number;
    readonly anchorId: string;
    /** The repeated line where it stands after the batch. */
    readonly repeated: NumberedLine;
  };

export type BatchResult =
  | {
    readonly kind: "edits";
    /** In file order. */
    readonly edits: readonly LineEdit[];
    readonly notes: readonly BatchNote[];
  }
  | { readonly kind: "failed"; readonly failures: readonly BatchFailure[] };

interface Resolved extends OperationPlace {
  readonly lines: readonly string[];
  /** The line an insert is anchored to, if it is anchored to one. */
  readonly anchor: number | undefined;
}

/** Verifies every operation against the document now and turns them into edits that apply at once. */
export function planBatch(
  document: TextDocument,
  operations: readonly ParsedOperation[],
  shown: ShownIds,
): BatchResult {
  const resolver = new OperationResolver(new LineChecker(document, shown));
  const resolved = operations.flatMap((operation) => resolver.resolve(operation) ?? []);
  const failures = [
    ...resolver.failures,
    ...findConflicts(resolved),
    ...resolved.flatMap((one) => duplicatesOf(document, one, resolved)),
  ];
  if (failures.length > 0) return { kind: "failed", failures: inCallOrder(failures) };
  const ordered = [...resolved]
    .sort((left, right) => left.start - right.start || left.end - right.end);
  const edits = ordered.map(({ start, end, lines }) => ({
    start,
    end,
    lines: withEndings(document, { start, end }, lines),
  }));
  return {
    kind: "edits",
    edits,
    notes: [...resolver.notes, ...repeatedAnchors(document, ordered)],
  };
}

class OperationResolver {
  readonly failures: BatchFailure[] = [];
  readonly notes: BatchNote[] = [];
  readonly #document: TextDocument;

  constructor(readonly checker: LineChecker) {
    this.#document = checker.document;
  }

  resolve(parsed: ParsedOperation): Resolved | undefined {
    return parsed.kind === "insert" ? this.#insert(parsed) : this.#range(parsed);
  }

  #insert(parsed: Extract<ParsedOperation, { kind: "insert" }>): Resolved | undefined {
    const lines = this.#contentOf(parsed);
    const { operation, start } = parsed;
    const common = { operation, verb: parsed.kind, lines } as const;
    if (start.kind === "number" && (start.value === 0 || start.value === -1)) {
      const position = start.value === 0 ? 0 : this.#document.lineCount;
      const startId = String(start.value);
      return {
        ...common,
        start: position,
        end: position,
        startId,
        endId: startId,
        anchor: undefined,
      };
    }
    const anchor = this.#line(start, { operation, verb: "insert", bound: "start" });
    if (anchor === undefined) return undefined;
    const startId = lineIdAt(this.#document, anchor);
    return { ...common, start: anchor + 1, end: anchor + 1, startId, endId: startId, anchor };
  }

  #range(parsed: Extract<ParsedOperation, { kind: "replace" | "delete" }>): Resolved | undefined {
    const { operation, kind: verb } = parsed;
    const first = this.#line(parsed.start, { operation, verb, bound: "start" });
    // A range of one line has the same reference twice: one failure is enough.
    const last = parsed.end === parsed.start
      ? first
      : this.#line(parsed.end, { operation, verb, bound: "end" });
    if (first === undefined || last === undefined) return undefined;
    const startId = lineIdAt(this.#document, first);
    const endId = lineIdAt(this.#document, last);
    if (last < first) {
      this.failures.push({ kind: "reversed_range", operation, startId, endId });
      return undefined;
    }
    const place = { operation, verb, start: first, end: last + 1, startId, endId };
    const lines = this.#contentOf(parsed);
    if (verb === "replace") return { ...place, lines, anchor: undefined };
    if (lines.length > 0 && !this.#isTextOf(place, lines)) {
      this.failures.push({ kind: "delete_with_content", operation, place });
    }
    return { ...place, lines: [], anchor: undefined };
  }

  #line(
    ref: LineRef,
    asked: {
      readonly operation: number;
      readonly verb: BatchOperation["operation"];
      readonly bound: Bound;
    },
  ): number | undefined {
    const check = this.checker.check(ref);
    if (ref.kind === "number") {
      const line = check.kind === "ok"
        ? { number: check.index + 1, text: this.#document.lineText(check.index) }
        : undefined;
      const { lineCount } = this.#document;
      this.failures.push({ kind: "plain_number", ...asked, value: ref.value, line, lineCount });
      return undefined;
    }
    if (check.kind === "ok") return check.index;
    const { operation, bound } = asked;
    if (!isOutOfRange(check)) this.failures.push({ kind: "line", operation, bound, check });
    return undefined;
  }

  #contentOf({ operation, kind, lines }: ParsedOperation): readonly string[] {
    const pasted = stripPastedIds(lines, this.#document);
    if (pasted.kind === "none") return lines;
    if (kind === "delete") return pasted.kind === "stripped" ? pasted.lines : lines;
    if (pasted.kind === "unproven") {
      this.notes.push({ kind: "ids_unproven", operation });
      return lines;
    }
    this.notes.push({ kind: "ids_stripped", operation });
    return pasted.lines;
  }

  /** An agent may send the lines to delete along; anything else it would lose. */
  #isTextOf(place: OperationPlace, lines: readonly string[]): boolean {
    const current = this.#document.lines(place.start, place.end);
    return current.length === lines.length &&
      current.every((line, index) => line.text.trim() === lines[index]?.trim());
  }
}

/** An id after the last line is stale; only a number can be out of range. */
function isOutOfRange(check: StaleId | PastedTextDiffers | OutOfRange): check is OutOfRange {
  return check.kind === "out_of_range";
}

function findConflicts(resolved: readonly Resolved[]): BatchFailure[] {
  return resolved.flatMap((second, index) =>
    resolved.slice(0, index).flatMap((first) => {
      const kind = conflictOf(first, second);
      return kind === undefined ? [] : [{ kind, operation: second.operation, first, second }];
    })
  );
}

function conflictOf(
  first: Resolved,
  second: Resolved,
): "overlap" | "same_anchor" | "insert_inside_range" | undefined {
  const inserts = [first, second].filter(({ verb }) => verb === "insert");
  if (inserts.length === 2) return first.start === second.start ? "same_anchor" : undefined;
  if (inserts.length === 0) {
    return first.start < second.end && second.start < first.end ? "overlap" : undefined;
  }
  const [insert, range] = first.verb === "insert" ? [first, second] : [second, first];
  // The last line of a range counts as inside: whether the agent meant the old line or what takes
  // its place cannot be told. `0` and `-1` are anchored to no line.
  const { anchor } = insert;
  const isInside = anchor !== undefined && range.start <= anchor && anchor < range.end;
  return isInside ? "insert_inside_range" : undefined;
}

function duplicatesOf(
  document: TextDocument,
  one: Resolved,
  all: readonly Resolved[],
): BatchFailure[] {
  const isReplaced = (index: number) =>
    all.some((other) => other !== one && other.start <= index && index < other.end);
  const { operation } = one;
  return findDuplicates(document, one, isReplaced)
    .map((duplicate) => ({ kind: "duplicate", operation, place: one, duplicate }));
}

function repeatedAnchors(document: TextDocument, ordered: readonly Resolved[]): BatchNote[] {
  const notes: BatchNote[] = [];
  let shift = 0;
  for (const { operation, anchor, lines, start, end, startId } of ordered) {
    const text = anchor === undefined ? undefined : document.lineText(anchor);
    if (text !== undefined && text === lines[0] && !isExemptFromGuard(text)) {
      const repeated = { number: start + shift + 1, text };
      notes.push({ kind: "anchor_repeated", operation, anchorId: startId, repeated });
    }
    shift += lines.length - (end - start);
  }
  return notes;
}

/** Failures of the whole call come first; sorting keeps the order found within an operation. */
function inCallOrder(failures: readonly BatchFailure[]): BatchFailure[] {
  const place = (failure: BatchFailure) => "operation" in failure ? failure.operation : -1;
  return [...failures].sort((left, right) => place(left) - place(right));
}
