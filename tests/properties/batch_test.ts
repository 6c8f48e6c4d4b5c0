import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { planBatch } from "../../src/text/batch.ts";
import { type BatchOperation, parseOperations } from "../../src/text/batch_operation.ts";
import { TextDocument } from "../../src/text/document.ts";
import { planExtract } from "../../src/text/extract.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";
import { formatLineId, hashLine } from "../../src/text/line_id.ts";
import { ShownLines } from "../../src/text/shown_lines.ts";

const plainLine = fc.constantFrom<string>("a", "b", "}", "", "\t", "x\ry", "é", "let x = 0;");

interface ModelOperation {
  readonly verb: "insert" | "replace" | "delete";
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly closed: boolean;
}

/** Operations on lines apart from each other, so that only the ids decide where they land. */
function operationsOf(lineCount: number): fc.Arbitrary<readonly ModelOperation[]> {
  const step = fc.record({
    verb: fc.constantFrom("insert" as const, "replace" as const, "delete" as const),
    gap: fc.nat({ max: 2 }),
    length: fc.integer({ min: 1, max: 3 }),
    lines: fc.array(fc.constantFrom("new 1", "new 2", "new 3", "new 4"), {
      minLength: 1,
      maxLength: 3,
    }),
    closed: fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => {
    const operations: ModelOperation[] = [];
    let free = 0;
    for (const { verb, gap, length, lines, closed } of steps) {
      const start = free + gap;
      const end = Math.min(start + length, lineCount);
      if (start >= lineCount) break;
      // An insert is anchored to line `start`, which no other operation touches.
      const range = verb === "insert" ? { start: start + 1, end: start + 1 } : { start, end };
      operations.push({ verb, ...range, lines: verb === "delete" ? [] : lines, closed });
      free = verb === "insert" ? start + 1 : end;
    }
    return operations;
  });
}

const batches = fc.tuple(fc.array(plainLine, { minLength: 1, maxLength: 20 }), fc.boolean())
  .chain(([lines, crlf]) =>
    fc.tuple(
      fc.constant(lines),
      fc.constant(crlf ? "\r\n" : "\n"),
      operationsOf(lines.length).chain((operations) =>
        fc.shuffledSubarray([...operations], { minLength: operations.length })
      ),
    )
  );

Deno.test("property: a batch is the splices a person would make, in whatever order it comes", () => {
  fc.assert(
    fc.property(batches, ([lines, ending, operations]) => {
      const document = new TextDocument(lines.map((line) => line + ending).join(""));
      const id = (index: number) => formatLineId(index + 1, lines[index] ?? "");
      const calls = operations.map((
        { verb, start, end, lines: added, closed },
      ): BatchOperation => ({
        operation: verb,
        start: id(verb === "insert" ? start - 1 : start),
        ...verb === "insert" || end === start + 1 ? {} : { end: id(end - 1) },
        ...verb === "delete" ? {} : { content: added.join("\n") + (closed ? "\n" : "") },
      }));
      const parsed = parseOperations(calls);
      assert(parsed.kind !== "failed" || calls.length === 0);
      if (parsed.kind === "failed") return;
      const planned = planBatch(document, parsed.operations, new ShownLines().of("file"));
      assert(planned.kind === "edits", JSON.stringify(planned));
      const expected: string[] = [...lines];
      const fromTheEnd = [...operations].sort((left, right) =>
        right.start - left.start || right.end - left.end
      );
      for (const { start, end, lines: added } of fromTheEnd) {
        expected.splice(start, end - start, ...added);
      }
      const { document: after } = applyLineEdits(document, planned.edits);
      assert.equal(after.text, expected.map((line) => line + ending).join(""));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("property: one stale id among good ones stops a batch", () => {
  fc.assert(fc.property(batches, fc.nat(), ([lines, ending, operations], pick) => {
    fc.pre(operations.length > 0);
    const document = new TextDocument(lines.map((line) => line + ending).join(""));
    const spoilt = pick % operations.length;
    const calls = operations.map(({ verb, start }, index): BatchOperation => {
      const line = verb === "insert" ? start - 1 : start;
      const hash = hashLine(lines[line] ?? "");
      const wrong = hash === "00" ? "01" : "00";
      return {
        operation: verb,
        start: `${line + 1}:${index === spoilt ? wrong : hash}`,
        ...verb === "delete" ? {} : { content: "new" },
      };
    });
    const parsed = parseOperations(calls);
    assert(parsed.kind === "operations");
    const planned = planBatch(document, parsed.operations, new ShownLines().of("file"));
    assert(planned.kind === "failed");
    const [failure] = planned.failures;
    assert(failure?.kind === "line" && failure.operation === spoilt);
  }));
});

Deno.test("property: extracted lines are the same lines in the target, the rest of it stays", () => {
  const sources = fc.array(plainLine, { minLength: 1, maxLength: 8 });
  const targets = fc.array(plainLine, { maxLength: 8 });
  const cases = fc.tuple(
    sources,
    targets,
    fc.nat(),
    fc.nat(),
    fc.nat(),
    fc.boolean(),
    fc.boolean(),
  );
  fc.assert(fc.property(cases, ([source, target, from, length, after, crlf, unended]) => {
    const ending = crlf ? "\r\n" : "\n";
    const text = target.map((line) => line + ending).join("");
    // A last line that is empty and unended is no line at all.
    const cut = unended && target.at(-1) !== "" ? text.slice(0, text.length - ending.length) : text;
    const start = from % source.length;
    const end = Math.min(source.length, start + 1 + (length % 3));
    const position = after % (target.length + 1);
    const nothing = { fingerprint: () => undefined };
    const plan = planExtract({
      fromStart: { kind: "number", value: start + 1 },
      fromEnd: { kind: "number", value: end },
      appendLine: { kind: "number", value: position },
    }, {
      source: { document: new TextDocument(source.join("\n") + "\n"), shown: nothing },
      target: { document: new TextDocument(cut), shown: nothing },
    });
    assert(plan.kind === "edit");
    const expected = [...target];
    expected.splice(position, 0, ...source.slice(start, end));
    const lines = applyLineEdits(plan.target, [plan.edit]).document.lines();
    assert.deepEqual(lines.map((line) => line.text), expected);
    const habit = target.length === 0 ? "\n" : ending;
    // An unended only line shows no habit.
    if (cut.includes("\n") || !unended) {
      assert(lines.slice(0, -1).every((line) => line.ending === habit));
    }
  }));
});
