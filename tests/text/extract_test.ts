import assert from "node:assert/strict";
import { TextDocument } from "../../src/text/document.ts";
import { planExtract } from "../../src/text/extract.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { lineFingerprint } from "../../src/text/line_id.ts";
import { NOTHING_SHOWN } from "../support/batch_plan.ts";
import { extract, reference } from "../support/extract_plan.ts";

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
    const plan = extract(new TextDocument(source), new TextDocument(target), { from, to, after });
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
    const plan = extract(new TextDocument(source), new TextDocument("x\ny\n"), { from, to, after });
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
