import assert from "node:assert/strict";
import { formatDocument, parseDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { extract } from "../support/extract_plan.ts";

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
