// Owns: a short way to write copies of lines in tables.
// Must not know: what becomes of a plan.

import assert from "node:assert/strict";
import type { TextDocument } from "../../src/text/document.ts";
import { type ExtractResult, planExtract } from "../../src/text/extract.ts";
import { type LineRef, parseLineRef } from "../../src/text/line_id.ts";
import { NOTHING_SHOWN } from "./batch_plan.ts";

export function reference(raw: string): LineRef {
  const ref = parseLineRef(raw);
  assert(ref.kind !== "malformed");
  return ref;
}

export function extract(
  source: TextDocument,
  target: TextDocument,
  { from, to, after }: {
    readonly from: string;
    readonly to?: string | undefined;
    readonly after: string;
  },
): ExtractResult {
  return planExtract(
    {
      fromStart: reference(from),
      fromEnd: to === undefined ? undefined : reference(to),
      appendLine: reference(after),
    },
    {
      source: { document: source, shown: NOTHING_SHOWN },
      target: { document: target, shown: NOTHING_SHOWN },
    },
  );
}
