// Owns: running a table of replacements, one row a line.
// Must not know: what the rows prove.

import { deepEqual, equal } from "node:assert/strict";
import { formatDocument, parseDocument, type TextDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { findReplacement } from "../../src/text/match.ts";
import type { MatchResult, Rung } from "../../src/text/match_result.ts";

/** name, file, old text, new text, file afterwards. */
export type ReplaceRow = readonly [string, string, string, string, string];

export interface RowOptions {
  readonly rung: Rung;
  readonly replaceAll?: boolean;
}

/** Tests that each row is replaced on the rung named, through bytes and back. */
export function testReplaced(rows: readonly ReplaceRow[], options: RowOptions): void {
  for (const [name, file, oldText, newText, expected] of rows) {
    Deno.test(`${options.rung}: ${name}`, () => {
      const document = documentOf(file);
      const result = replace(document, { oldText, newText, ...options });
      equal(result.kind === "found" ? result.rung : result.kind, options.rung);
      equal(contentAfter(document, result), expected);
    });
  }
}

/** name, file, old text, new text, facts that the answer must have. */
export type AnswerRow = readonly [
  string,
  string,
  string,
  string,
  Readonly<Record<string, unknown>>,
];

/** Tests the facts of answers; facts that a row does not name are free. */
export function testAnswers(
  title: string,
  rows: readonly AnswerRow[],
  options: { readonly replaceAll?: boolean } = {},
): void {
  for (const [name, file, oldText, newText, facts] of rows) {
    Deno.test(`${title}: ${name}`, () => {
      const result = replace(documentOf(file), { oldText, newText, ...options });
      const found: Record<string, unknown> = { ...result };
      deepEqual(Object.fromEntries(Object.keys(facts).map((key) => [key, found[key]])), facts);
    });
  }
}

export function documentOf(file: string | Uint8Array): TextDocument {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const parsed = parseDocument(bytes);
  if (parsed.kind === "binary") throw new Error(parsed.reason);
  return parsed.document;
}

export function replace(
  document: TextDocument,
  { oldText, newText, replaceAll = false }: {
    readonly oldText: string;
    readonly newText: string;
    readonly replaceAll?: boolean;
  },
): MatchResult {
  return findReplacement(document, { oldText, newText, replaceAll });
}

/** The file's text after the edits, as its bytes say; a byte order mark shows as U+FEFF. */
export function contentAfter(document: TextDocument, result: MatchResult): string {
  if (result.kind !== "found") throw new Error(`not found: ${JSON.stringify(result)}`);
  const bytes = bytesAfter(document, result);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function bytesAfter(document: TextDocument, result: MatchResult): Uint8Array {
  if (result.kind !== "found") throw new Error(`not found: ${JSON.stringify(result)}`);
  return formatDocument(applyLineEdits(document, result.edits).document);
}
