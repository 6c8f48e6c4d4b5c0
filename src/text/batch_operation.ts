// Owns: what a batch operation may look like, before any file is read: bounds parsed, shape failures.
// Must not know: documents, whether an id holds, words.

import { splitLines } from "./document.ts";
import { type LineRef, parseLineRef } from "./line_id.ts";

/** One operation as an agent sent it; absent and undefined mean the same. */
export interface BatchOperation {
  readonly operation: "insert" | "replace" | "delete";
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly content?: string | undefined;
  /** Names in the call that no operation has: one of them may have been meant as a bound. */
  readonly unknown?: readonly string[] | undefined;
}

export type Bound = "start" | "end";

/** `operation` is the 0-based place in the call; `lines` have no endings. */
export type ParsedOperation =
  | {
    readonly kind: "insert";
    readonly operation: number;
    readonly start: LineRef;
    readonly lines: readonly string[];
  }
  | {
    readonly kind: "replace" | "delete";
    readonly operation: number;
    readonly start: LineRef;
    readonly end: LineRef;
    /** Of a delete: what was sent although nothing is needed. */
    readonly lines: readonly string[];
  };

/** What is wrong with an operation whatever the file holds. */
export type ShapeFailure =
  | { readonly kind: "no_operations" }
  | { readonly kind: "too_many_operations"; readonly count: number; readonly most: number }
  | {
    readonly kind: "unknown_field";
    readonly operation: number;
    readonly names: readonly string[];
  }
  | {
    readonly kind: "missing_start";
    readonly operation: number;
    readonly verb: BatchOperation["operation"];
  }
  | {
    readonly kind: "malformed_bound";
    readonly operation: number;
    readonly bound: Bound;
    readonly raw: string;
  }
  | { readonly kind: "missing_content"; readonly operation: number; readonly verb: string }
  | { readonly kind: "empty_insert"; readonly operation: number }
  | {
    readonly kind: "insert_with_end";
    readonly operation: number;
    readonly start: string;
    readonly end: string;
  };

export type ParsedOperations =
  | { readonly kind: "operations"; readonly operations: readonly ParsedOperation[] }
  | { readonly kind: "failed"; readonly failures: readonly ShapeFailure[] };

export const MOST_OPERATIONS = 50;

/** Parses a batch's operations, or says everything that is wrong with their shape. */
export function parseOperations(operations: readonly BatchOperation[]): ParsedOperations {
  if (operations.length === 0) return { kind: "failed", failures: [{ kind: "no_operations" }] };
  if (operations.length > MOST_OPERATIONS) {
    const count = operations.length;
    const failure = { kind: "too_many_operations", count, most: MOST_OPERATIONS } as const;
    return { kind: "failed", failures: [failure] };
  }
  const parsed = operations.map(parseOperation);
  const failures = parsed.flatMap((one) => Array.isArray(one) ? one : []);
  if (failures.length > 0) return { kind: "failed", failures };
  return {
    kind: "operations",
    operations: parsed.flatMap((one) => isOperation(one) ? [one] : []),
  };
}

/** The lines of an operation's content: one trailing newline is not a further line. */
export function contentLines(content: string): string[] {
  // A byte order mark is the file's, never a line's: sent along, it would end up doubled.
  const text = content.startsWith("\ufeff") ? content.slice(1) : content;
  return splitLines(text).map((line) => line.text);
}

function isOperation(one: ParsedOperation | readonly ShapeFailure[]): one is ParsedOperation {
  return !Array.isArray(one);
}

function parseOperation(
  raw: BatchOperation,
  operation: number,
): ParsedOperation | readonly ShapeFailure[] {
  const failures: ShapeFailure[] = [];
  if (raw.unknown !== undefined && raw.unknown.length > 0) {
    failures.push({ kind: "unknown_field", operation, names: raw.unknown });
  }
  const start = parseBound(raw.start, { operation, bound: "start", failures });
  const end = parseBound(raw.end, { operation, bound: "end", failures });
  if (isAbsent(raw.start)) {
    failures.push({ kind: "missing_start", operation, verb: raw.operation });
  }
  failures.push(...contentFailures(raw, operation));
  if (raw.operation === "insert" && start && end && !sameRef(start, end)) {
    failures.push({
      kind: "insert_with_end",
      operation,
      start: String(raw.start).trim(),
      end: String(raw.end).trim(),
    });
  }
  if (failures.length > 0 || start === undefined) return failures;
  const lines = contentLines(raw.content ?? "");
  if (raw.operation === "insert") return { kind: "insert", operation, start, lines };
  return { kind: raw.operation, operation, start, end: end ?? start, lines };
}

function parseBound(
  raw: string | number | undefined,
  context: {
    readonly operation: number;
    readonly bound: Bound;
    readonly failures: ShapeFailure[];
  },
): LineRef | undefined {
  if (isAbsent(raw)) return undefined;
  const { operation, bound, failures } = context;
  const parsed = parseLineRef(String(raw));
  if (parsed.kind !== "malformed") return parsed;
  failures.push({ kind: "malformed_bound", operation, bound, raw: parsed.raw });
  return undefined;
}

function contentFailures(raw: BatchOperation, operation: number): ShapeFailure[] {
  if (raw.operation === "delete") return [];
  if (raw.content === undefined) {
    return [{ kind: "missing_content", operation, verb: raw.operation }];
  }
  const isEmptyInsert = raw.operation === "insert" && contentLines(raw.content).length === 0;
  return isEmptyInsert ? [{ kind: "empty_insert", operation }] : [];
}

/** Some clients fill an optional field with an empty text. */
function isAbsent(raw: string | number | undefined): raw is undefined {
  return raw === undefined || (typeof raw === "string" && raw.trim() === "");
}

function sameRef(left: LineRef, right: LineRef): boolean {
  if (left.kind === "number") return right.kind === "number" && left.value === right.value;
  return right.kind === "id" && left.line === right.line && left.hash === right.hash;
}
