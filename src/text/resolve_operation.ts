// Owns: one parsed operation against the document: its place and its lines, or why it has none.
// Must not know: the other operations of a batch, words, files.

import type { BatchOperation, Bound, ParsedOperation } from "./batch_operation.ts";
import type { TextDocument } from "./document.ts";
import type { NumberedLine } from "./excerpt.ts";
import {
  type LineChecker,
  lineIdAt,
  type OutOfRange,
  type PastedTextDiffers,
  type StaleId,
} from "./id_check.ts";
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

export interface ResolvedOperation extends OperationPlace {
  /** Without endings. */
  readonly lines: readonly string[];
  /** The line an insert is anchored to, 0-based, if it is anchored to one. */
  readonly anchor: number | undefined;
}

/** Why an operation has no place in the document; `operation` is its 0-based place in the call. */
export type ResolveFailure =
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
  };

/** `ids_unproven`: every line begins like an id, and was kept as it is. */
export interface PastedIdsNote {
  readonly kind: "ids_stripped" | "ids_unproven";
  readonly operation: number;
}

/** Resolves operations one by one, gathering what is wrong with them and what is worth a word. */
export class OperationResolver {
  readonly failures: ResolveFailure[] = [];
  readonly notes: PastedIdsNote[] = [];
  readonly #document: TextDocument;

  constructor(readonly checker: LineChecker) {
    this.#document = checker.document;
  }

  resolve(parsed: ParsedOperation): ResolvedOperation | undefined {
    return parsed.kind === "insert" ? this.#insert(parsed) : this.#range(parsed);
  }

  #insert(parsed: Extract<ParsedOperation, { kind: "insert" }>): ResolvedOperation | undefined {
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

  #range(
    parsed: Extract<ParsedOperation, { kind: "replace" | "delete" }>,
  ): ResolvedOperation | undefined {
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
