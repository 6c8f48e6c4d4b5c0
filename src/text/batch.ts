// Owns: a batch of operations against one document: verified edits, or every failure at once.
// Must not know: files, the words of an answer, how edits are applied.

import type { ParsedOperation, ShapeFailure } from "./batch_operation.ts";
import type { TextDocument } from "./document.ts";
import { type Duplicate, findDuplicates, isExemptFromGuard } from "./duplicate_lines.ts";
import type { NumberedLine } from "./excerpt.ts";
import { LineChecker, type ShownIds } from "./id_check.ts";
import { type LineEdit, withEndings } from "./line_edit.ts";
import {
  type OperationPlace,
  OperationResolver,
  type PastedIdsNote,
  type ResolvedOperation,
  type ResolveFailure,
} from "./resolve_operation.ts";

/** Why a batch was not applied; `operation` is the 0-based place in the call. */
export type BatchFailure =
  | ShapeFailure
  | ResolveFailure
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
  | PastedIdsNote
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

function findConflicts(resolved: readonly ResolvedOperation[]): BatchFailure[] {
  return resolved.flatMap((second, index) =>
    resolved.slice(0, index).flatMap((first) => {
      const kind = conflictOf(first, second);
      return kind === undefined ? [] : [{ kind, operation: second.operation, first, second }];
    })
  );
}

function conflictOf(
  first: ResolvedOperation,
  second: ResolvedOperation,
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
  one: ResolvedOperation,
  all: readonly ResolvedOperation[],
): BatchFailure[] {
  const isReplaced = (index: number) =>
    all.some((other) => other !== one && other.start <= index && index < other.end);
  const { operation } = one;
  return findDuplicates(document, one, isReplaced)
    .map((duplicate) => ({ kind: "duplicate", operation, place: one, duplicate }));
}

function repeatedAnchors(
  document: TextDocument,
  ordered: readonly ResolvedOperation[],
): BatchNote[] {
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
