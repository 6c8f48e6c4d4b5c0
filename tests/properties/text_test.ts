import assert from "node:assert/strict";
import fc from "../support/property.ts";
import {
  formatDocument,
  type LineEnding,
  parseDocument,
  TextDocument,
} from "../../src/text/document.ts";
import { LineChecker } from "../../src/text/id_check.ts";
import { applyLineEdits, invertHunks, type LineEdit } from "../../src/text/line_edit.ts";
import { formatLineId, hashLine, parseLineRef } from "../../src/text/line_id.ts";
import { ShownLines } from "../../src/text/shown_lines.ts";

// Pieces that splitters, decoders and encoders are known to trip over.
const BYTE_PIECES: readonly (readonly number[])[] = [
  [0x0a],
  [0x0d, 0x0a],
  [0x0d],
  [0x61],
  [0x7d],
  [0x09],
  [0xc3, 0xa9],
  [0xc3],
  [0xa9],
  [0xe6, 0x97, 0xa5],
  [0xe6, 0x97],
  [0xf0, 0x9f, 0x92, 0x99],
  [0xf0, 0x9f],
  [0x99],
  [0x95, 0x5c],
  [0xed, 0xb2, 0x99],
  [0xef, 0xbb, 0xbf],
  [0xe2, 0x80, 0xa8],
  [0xc2, 0x85],
  [0x0c],
  [0xff, 0xfe],
];

const eightBit = fc.tuple(
  fc.boolean(),
  fc.array(fc.constantFrom(...BYTE_PIECES), { maxLength: 40 }),
).map(([bom, pieces]) => Uint8Array.from([...bom ? [0xef, 0xbb, 0xbf] : [], ...pieces.flat()]))
  // Those two first bytes would make it UTF-16.
  .filter((bytes) => !(bytes[0] === 0xff && bytes[1] === 0xfe));

const UNITS = [0x0a, 0x0d, 0x61, 0xe9, 0xd83d, 0xdc99, 0xfeff, 0x2028, 0x0a0a, 0x0d0a, 0];

const sixteenBit = fc.tuple(
  fc.boolean(),
  fc.array(fc.constantFrom(...UNITS), { maxLength: 40 }),
).map(([littleEndian, units]) =>
  Uint8Array.from(
    [0xfeff, ...units].flatMap((unit) =>
      littleEndian ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff]
    ),
  )
);

const anyBytes = fc.oneof(eightBit, sixteenBit, fc.uint8Array({ maxLength: 64 }));

const documents = fc.oneof(eightBit, sixteenBit).map((bytes) => {
  const parsed = parseDocument(bytes);
  return parsed.kind === "text" ? parsed.document : new TextDocument("");
});

const newLine = fc.constantFrom("n1", "n2", "n3", "", "  }", "日本");

const BLANK = { text: "", ending: "\n" } as const;

/** Edits that do not overlap: gaps and lengths walked through the document. */
function editsOf(
  document: TextDocument,
  endings: readonly LineEnding[],
): fc.Arbitrary<LineEdit[]> {
  const step = fc.record({
    gap: fc.nat({ max: 3 }),
    length: fc.nat({ max: 3 }),
    lines: fc.array(
      fc.record({ text: newLine, ending: fc.constantFrom(...endings) }, {
        noNullPrototype: true,
      }).map((line) => line.text === "" && line.ending === "" ? BLANK : line),
      { maxLength: 3 },
    ),
  });
  return fc.array(step, { maxLength: 5 }).map((steps) => {
    const edits: LineEdit[] = [];
    let at = 0;
    for (const { gap, length, lines } of steps) {
      const start = Math.min(at + gap, document.lineCount);
      const end = Math.min(start + length, document.lineCount);
      edits.push({ start, end, lines });
      at = end;
    }
    return edits;
  });
}

const edited = documents.chain((document) =>
  fc.tuple(fc.constant(document), editsOf(document, ["\n", "\r\n", ""]))
);

Deno.test("property: any bytes come back from parse and format", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const parsed = parseDocument(bytes);
      if (parsed.kind === "text") assert.deepEqual(formatDocument(parsed.document), bytes);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("property: lines put together are the text", () => {
  fc.assert(fc.property(documents, (document) => {
    const lines = document.lines();
    assert.equal(lines.map((line) => line.text + line.ending).join(""), document.text);
    assert(lines.every((line) => !line.text.includes("\n")));
    assert(lines.slice(0, -1).every((line) => line.ending !== ""));
    lines.forEach((_, index) => assert.equal(document.lineAt(document.lineStart(index)), index));
  }));
});

/** Lines of a UTF-8 or 8-bit file as raw bytes, endings included, found without the code under test. */
function byteLines(bytes: Uint8Array): number[][] {
  const lines: number[][] = [];
  let current: number[] = [];
  for (const byte of bytes) {
    current.push(byte);
    if (byte !== 0x0a) continue;
    lines.push(current);
    current = [];
  }
  return current.length > 0 ? [...lines, current] : lines;
}

Deno.test("property: an edit is a splice of bytes, everything else stays", () => {
  const eightBitEdits = eightBit.chain((bytes) => {
    const parsed = parseDocument(bytes);
    assert(parsed.kind === "text");
    return fc.tuple(
      fc.constant(bytes),
      fc.constant(parsed.document),
      editsOf(parsed.document, ["\n", "\r\n"]),
    );
  });
  fc.assert(
    fc.property(eightBitEdits, ([bytes, document, edits]) => {
      const isUnended = document.text !== "" && !document.text.endsWith("\n");
      // What is added after an unended last line changes that line's ending: another property.
      fc.pre(!isUnended || edits.every((edit) => edit.end < document.lineCount));
      const mark = document.form.bom ? 3 : 0;
      const lines = byteLines(bytes.subarray(mark));
      for (const edit of [...edits].reverse()) {
        const added = edit.lines.map((
          line,
        ) => [...new TextEncoder().encode(line.text + line.ending)]);
        lines.splice(edit.start, edit.end - edit.start, ...added);
      }
      const result = formatDocument(applyLineEdits(document, edits).document);
      assert.deepEqual([...result], [...bytes.subarray(0, mark), ...lines.flat()]);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("property: lines added after an unended last line are lines of their own", () => {
  fc.assert(
    fc.property(edited, ([document, edits]) => {
      // There the `\r` and the newline that is added become one ending.
      fc.pre(!document.text.endsWith("\r"));
      const texts = document.lines().map((line) => line.text);
      for (const edit of [...edits].reverse()) {
        texts.splice(edit.start, edit.end - edit.start, ...edit.lines.map((line) => line.text));
      }
      const applied = applyLineEdits(document, edits);
      assert.deepEqual(applied.document.lines().map((line) => line.text), texts);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("property: the inverse of the hunks restores the document", () => {
  fc.assert(
    fc.property(edited, ([document, edits]) => {
      const applied = applyLineEdits(document, edits);
      const restored = applyLineEdits(applied.document, invertHunks(applied.hunks));
      assert.equal(restored.document.text, document.text);
      assert.deepEqual(formatDocument(restored.document), formatDocument(document));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("property: every hunk's lines stand where it says, before and after", () => {
  fc.assert(
    fc.property(edited, ([document, edits]) => {
      const applied = applyLineEdits(document, edits);
      let oldEnd = 0;
      for (const { oldStart, oldLines, newStart, newLines } of applied.hunks) {
        assert(oldStart >= oldEnd);
        oldEnd = oldStart + oldLines.length;
        assert.deepEqual(document.lines(oldStart, oldEnd), oldLines);
        assert.deepEqual(applied.document.lines(newStart, newStart + newLines.length), newLines);
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("property: the ids of a document hold, any other hash does not", () => {
  fc.assert(fc.property(documents, (document) => {
    const shown = new ShownLines();
    const ids = document.lines().map(({ text }, index) => ({
      id: formatLineId(index + 1, text),
      text,
    }));
    shown.remember("file", ids);
    const checker = new LineChecker(document, shown.of("file"));
    ids.forEach(({ id, text }, index) => {
      const ref = parseLineRef(id);
      assert(ref.kind === "id");
      assert.deepEqual(checker.check(ref), { kind: "ok", index });
      const other = hashLine(text) === "00" ? "01" : "00";
      assert.equal(checker.check({ ...ref, hash: other }).kind, "stale");
    });
  }));
});
