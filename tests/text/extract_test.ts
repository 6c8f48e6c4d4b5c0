import assert from "node:assert/strict";
import { formatDocument, parseDocument, TextDocument } from "../../src/text/document.ts";
import { planExtract } from "../../src/text/extract.ts";
import type { ShownIds } from "../../src/text/id_check.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { lineFingerprint, type LineRef, parseLineRef } from "../../src/text/line_id.ts";

const NOTHING_SHOWN: ShownIds = { fingerprint: () => undefined };

function reference(raw: string): LineRef {
  const ref = parseLineRef(raw);
  assert(ref.kind !== "malformed");
  return ref;
}

function extract(
  source: TextDocument,
  target: TextDocument,
  { from, to, after }: { readonly from: string; readonly to?: string; readonly after: string },
) {
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

interface CopyRow {
  readonly name: string;
  readonly source?: string;
  readonly target: string;
  readonly from: string;
  readonly to?: string;
  readonly after: string;
  readonly result: string;
}

// Hashes: "a" ed, "b" 23, "c" 94, "x" 32, "y" not needed.
const COPIES: readonly CopyRow[] = [
  { name: "one line without an end", target: "x\n", from: "2", after: "-1", result: "x\nb\n" },
  { name: "a range", target: "x\n", from: "1", to: "2", after: "-1", result: "x\na\nb\n" },
  { name: "ids", target: "x\n", from: "2:23", to: "3:94", after: "0", result: "b\nc\nx\n" },
  { name: "to the last line", target: "x\n", from: "2", to: "-1", after: "0", result: "b\nc\nx\n" },
  { name: "after a line", target: "x\ny\n", from: "1", after: "1", result: "x\na\ny\n" },
  {
    name: "after the last line by its number",
    target: "x\ny\n",
    from: "1",
    after: "2",
    result: "x\ny\na\n",
  },
  { name: "after an id", target: "a\nb\n", from: "3", after: "1:ed", result: "a\nc\nb\n" },
  { name: "into an empty file", target: "", from: "1", to: "3", after: "0", result: "a\nb\nc\n" },
  { name: "at the end of an empty file", target: "", from: "1", after: "-1", result: "a\n" },
  {
    name: "LF to CRLF",
    target: "x\r\n",
    from: "1",
    to: "2",
    after: "-1",
    result: "x\r\na\r\nb\r\n",
  },
  {
    name: "CRLF to LF",
    source: "a\r\nb\r\n",
    target: "x\n",
    from: "1",
    to: "2",
    after: "-1",
    result: "x\na\nb\n",
  },
  {
    name: "a new file keeps CRLF",
    source: "a\r\nb\r\n",
    target: "",
    from: "1",
    to: "2",
    after: "0",
    result: "a\r\nb\r\n",
  },
  {
    name: "a new file keeps mixed endings",
    source: "a\r\nb\nc",
    target: "",
    from: "1",
    to: "3",
    after: "0",
    result: "a\r\nb\nc",
  },
  {
    name: "an unended line into the middle",
    source: "a\nb",
    target: "x\ny\n",
    from: "2",
    after: "1",
    result: "x\nb\ny\n",
  },
  {
    name: "an unended line to the end",
    source: "a\nb",
    target: "x\n",
    from: "2",
    after: "-1",
    result: "x\nb\n",
  },
  {
    name: "after a target without final newline",
    target: "x",
    from: "1",
    after: "-1",
    result: "x\na",
  },
  {
    name: "after its last line by number",
    target: "x",
    from: "1",
    to: "2",
    after: "1",
    result: "x\na\nb",
  },
  {
    name: "tabs, blanks and carriage returns",
    source: "\t a \rb\n",
    target: "x\n",
    from: "1",
    after: "-1",
    result: "x\n\t a \rb\n",
  },
  {
    name: "empty lines",
    source: "\n\n",
    target: "x\n",
    from: "1",
    to: "2",
    after: "0",
    result: "\n\nx\n",
  },
];

for (const { name, source = "a\nb\nc\n", target, from, to, after, result } of COPIES) {
  Deno.test(`extract: ${name}`, () => {
    const range = to === undefined ? { from, after } : { from, to, after };
    const plan = extract(new TextDocument(source), new TextDocument(target), range);
    assert(plan.kind === "edit", JSON.stringify(plan));
    assert.equal(applyLineEdits(plan.target, [plan.edit]).document.text, result);
  });
}

interface FailureRow {
  readonly name: string;
  readonly source?: string;
  readonly from: string;
  readonly to?: string;
  readonly after: string;
  readonly failures: readonly string[];
}

const FAILURES: readonly FailureRow[] = [
  { name: "a stale start", from: "2:00", after: "0", failures: ["from_start stale"] },
  { name: "a stale end", from: "1", to: "2:00", after: "0", failures: ["from_end stale"] },
  { name: "a stale place", from: "1", after: "1:00", failures: ["append_line stale"] },
  {
    name: "all stale",
    from: "1:00",
    to: "2:00",
    after: "1:00",
    failures: ["from_start stale", "from_end stale", "append_line stale"],
  },
  {
    name: "pasted text differs",
    from: "2:23|x",
    after: "0",
    failures: ["from_start pasted_text_differs"],
  },
  { name: "line 0", from: "0", after: "0", failures: ["from_start out_of_range"] },
  {
    name: "a line after the end",
    from: "1",
    to: "4",
    after: "0",
    failures: ["from_end out_of_range"],
  },
  { name: "too far from the end", from: "-4", after: "0", failures: ["from_start out_of_range"] },
  {
    name: "an empty source",
    source: "",
    from: "1",
    after: "0",
    failures: ["from_start out_of_range"],
  },
  { name: "a place after the end", from: "1", after: "3", failures: ["append_line out_of_range"] },
  {
    name: "a place counted from the end",
    from: "1",
    after: "-2",
    failures: ["append_line out_of_range"],
  },
  {
    name: "a reversed range",
    from: "3",
    to: "1",
    after: "0",
    failures: ["reversed_range 3:94 1:ed"],
  },
];

for (const { name, source = "a\nb\nc\n", from, to, after, failures } of FAILURES) {
  Deno.test(`extract stops: ${name}`, () => {
    const range = to === undefined ? { from, after } : { from, to, after };
    const plan = extract(new TextDocument(source), new TextDocument("x\ny\n"), range);
    assert(plan.kind === "failed");
    const words = plan.failures.map((failure) => {
      if (failure.kind === "line") return `${failure.argument} ${failure.check.kind}`;
      return failure.kind === "reversed_range"
        ? `reversed_range ${failure.startId} ${failure.endId}`
        : failure.kind;
    });
    assert.deepEqual(words, failures);
  });
}

Deno.test("extract stops: the source line is not the text that was shown", () => {
  const source = {
    document: new TextDocument("let x = 272;\n"),
    shown: { fingerprint: () => lineFingerprint("let x = 0;") },
  };
  const target = { document: new TextDocument(""), shown: NOTHING_SHOWN };
  const plan = planExtract(
    { fromStart: reference("1:ce"), fromEnd: undefined, appendLine: reference("0") },
    { source, target },
  );
  assert.equal(plan.kind, "failed");
});

const LATIN1_LINE = [0x63, 0xe9, 0x0a]; // cé in Latin-1

interface ByteRow {
  readonly name: string;
  readonly source: readonly number[];
  readonly target: readonly number[];
  /** Absent: the copy must stop. */
  readonly result?: readonly number[];
}

const BYTES: readonly ByteRow[] = [
  {
    name: "bytes that are no UTF-8 into a new file",
    source: LATIN1_LINE,
    target: [],
    result: LATIN1_LINE,
  },
  {
    name: "bytes that are no UTF-8 into an ASCII file",
    source: LATIN1_LINE,
    target: [0x78, 0x0a],
    result: [...LATIN1_LINE, 0x78, 0x0a],
  },
  {
    name: "between two files that are no UTF-8",
    source: LATIN1_LINE,
    target: [0xfc, 0x0a],
    result: [...LATIN1_LINE, 0xfc, 0x0a],
  },
  {
    name: "bytes that are no UTF-8 into a UTF-8 file",
    source: LATIN1_LINE,
    target: [0xc3, 0xa9, 0x0a],
  },
  {
    name: "bytes that are no UTF-8 into UTF-8 with a mark",
    source: LATIN1_LINE,
    target: [0xef, 0xbb, 0xbf, 0x0a],
  },
  {
    name: "bytes that are no UTF-8 into UTF-16",
    source: LATIN1_LINE,
    target: [0xff, 0xfe, 0x78, 0, 0x0a, 0],
  },
  { name: "UTF-8 into a file that is no UTF-8", source: [0xc3, 0xa9, 0x0a], target: [0xfc, 0x0a] },
  {
    name: "ASCII into a file that is no UTF-8",
    source: [0x61, 0x0a],
    target: [0xfc, 0x0a],
    result: [0x61, 0x0a, 0xfc, 0x0a],
  },
  {
    name: "UTF-8 into UTF-16",
    source: [0xc3, 0xa9, 0x0a],
    target: [0xfe, 0xff, 0, 0x78, 0, 0x0a],
    result: [0xfe, 0xff, 0, 0xe9, 0, 0x0a, 0, 0x78, 0, 0x0a],
  },
  {
    name: "UTF-16 into UTF-8",
    source: [0xff, 0xfe, 0xe9, 0, 0x0a, 0],
    target: [0x78, 0x0a],
    result: [0xc3, 0xa9, 0x0a, 0x78, 0x0a],
  },
  {
    name: "UTF-16 into a new file keeps its encoding",
    source: [0xff, 0xfe, 0xe9, 0, 0x0a, 0],
    target: [],
    result: [0xff, 0xfe, 0xe9, 0, 0x0a, 0],
  },
  {
    name: "a lone surrogate of UTF-16 into UTF-8",
    source: [0xff, 0xfe, 0, 0xd8, 0x0a, 0],
    target: [0x78, 0x0a],
  },
  {
    name: "the mark of the source is no part of its lines",
    source: [0xef, 0xbb, 0xbf, 0x61, 0x0a],
    target: [],
    result: [0x61, 0x0a],
  },
  {
    name: "the mark of the target stays at its start",
    source: [0x61, 0x0a],
    target: [0xef, 0xbb, 0xbf, 0x78, 0x0a],
    result: [0xef, 0xbb, 0xbf, 0x61, 0x0a, 0x78, 0x0a],
  },
];

for (const { name, source, target, result } of BYTES) {
  Deno.test(`extract bytes: ${name}${result ? "" : " stops"}`, () => {
    const [from, to] = [source, target].map((bytes) => parseDocument(Uint8Array.from(bytes)));
    assert(from?.kind === "text" && to?.kind === "text");
    const plan = extract(from.document, to.document, { from: "1", after: "0" });
    if (result === undefined) {
      assert(plan.kind === "failed");
      assert.deepEqual(plan.failures.map((failure) => failure.kind), ["unencodable"]);
      return;
    }
    assert(plan.kind === "edit", JSON.stringify(plan));
    const { document } = applyLineEdits(plan.target, [plan.edit]);
    assert.deepEqual([...formatDocument(document)], result);
  });
}
