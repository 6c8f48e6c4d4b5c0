// Owns: short ways to write batch operations in tables, and to plan them against a text.
// Must not know: what becomes of a plan.

import assert from "node:assert/strict";
import { type BatchResult, planBatch } from "../../src/text/batch.ts";
import { type BatchOperation, parseOperations } from "../../src/text/batch_operation.ts";
import { TextDocument } from "../../src/text/document.ts";
import type { ShownIds } from "../../src/text/id_check.ts";

/** Hashes: "a" ed, "b" 23, "c" 94, "d" ba, "e" 2e, "" c5. */
export const FIVE = "a\nb\nc\nd\ne\n";
export const NOTHING_SHOWN: ShownIds = { fingerprint: () => undefined };

export function insert(start: string | number, content: string): BatchOperation {
  return { operation: "insert", start, content };
}

export function replace(start: string, end: string | undefined, content: string): BatchOperation {
  return { operation: "replace", start, end, content };
}

export function remove(start: string, end?: string, content?: string): BatchOperation {
  return { operation: "delete", start, end, content };
}

export function plan(
  text: string,
  operations: readonly BatchOperation[],
  shown: ShownIds = NOTHING_SHOWN,
): { readonly document: TextDocument; readonly result: BatchResult } {
  const document = new TextDocument(text);
  const parsed = parseOperations(operations);
  assert(parsed.kind === "operations", JSON.stringify(parsed));
  return { document, result: planBatch(document, parsed.operations, shown) };
}
