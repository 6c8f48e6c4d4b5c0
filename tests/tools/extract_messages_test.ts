import assert from "node:assert/strict";
import { parseDocument } from "../../src/text/document.ts";
import { extractFailureMessage } from "../../src/tools/extract_messages.ts";
import { extract } from "../support/extract_plan.ts";

const ABC = "a\nb\nc\n";

interface Row {
  readonly name: string;
  readonly source?: string;
  readonly target?: string;
  readonly from: string;
  readonly to?: string;
  readonly after: string;
  readonly message: string;
}

const ROWS: readonly Row[] = [
  {
    name: "a stale id alone is the block of every tool",
    from: "2:00",
    after: "0",
    message: `\
Stale line id "2:00" — the file changed since you viewed it. Current content around line 2:
1:ed|a
2:23|b
3:94|c
Retry with the fresh ids above, or run \`view\` with start: 1, end: 3 (or a wider range) to confirm before editing.`,
  },
  {
    name: "failures in two files are told apart",
    from: "7",
    after: "1:00",
    message: `\
No line was copied. Failed: from_start (in src/from.ts), append_line (in src/to.ts).
from_start 7 is outside src/from.ts, which has 3 lines. Retry with a line from 1 to 3, or a negative one that counts from the end.
---
Stale line id "1:00" — the file changed since you viewed it. Current content around line 1:
1:ed|a
Retry with the fresh ids above, or run \`view\` with start: 1, end: 1 (or a wider range) to confirm before editing.`,
  },
  {
    name: "an empty source",
    source: "",
    from: "1",
    after: "0",
    message:
      "from_start 1 is outside src/from.ts, which has no lines. There is nothing to copy; check the path.",
  },
  {
    name: "a place outside",
    from: "1",
    after: "2",
    message:
      "append_line 2 is outside src/to.ts, which has 1 line. Retry with append_line: -1 for the end of the file, or 0 for its start, or a line from 1 to 1.",
  },
  {
    name: "a place in an empty file",
    target: "",
    from: "1",
    after: "2",
    message:
      "append_line 2 is outside src/to.ts, which has no lines. Retry with append_line: -1 for the end of the file, or 0 for its start.",
  },
  {
    name: "a reversed range",
    from: "3",
    to: "1",
    after: "0",
    message:
      'from_start "3:94" comes after from_end "1:ed". Retry with from_start: "1:ed", from_end: "3:94".',
  },
  {
    name: "another encoding",
    source: "caf\xe9\n",
    target: "\xc3\xa9\n",
    from: "1",
    after: "0",
    message:
      "Line 1 of src/from.ts (not UTF-8, probably an 8-bit encoding) has characters that src/to.ts (UTF-8) cannot hold; nothing was written. " +
      "Copy the lines into a new file, or convert one of the files first.",
  },
];

/** One character is one byte. */
function documentOf(bytes: string) {
  const parsed = parseDocument(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  assert(parsed.kind === "text");
  return parsed.document;
}

for (const { name, source = ABC, target = "a\n", from, to, after, message } of ROWS) {
  Deno.test(`message of extract_lines: ${name}`, () => {
    const plan = extract(documentOf(source), documentOf(target), { from, to, after });
    assert(plan.kind === "failed", JSON.stringify(plan));
    const paths = { source: "src/from.ts", target: "src/to.ts" };
    assert.equal(extractFailureMessage(plan.failures, paths), message);
  });
}
