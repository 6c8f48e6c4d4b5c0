import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { TextDocument } from "../../src/text/document.ts";
import { applyLineEdits } from "../../src/text/line_edit.ts";

const text = fc.array(fc.constantFrom("a", "b\r", "", "\u2028", "é"), { maxLength: 12 })
  .chain((lines) =>
    fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 12, maxLength: 12 }).map(
      (endings) => lines.map((line, index) => line + endings[index]).join(""),
    )
  )
  .chain((whole) => fc.boolean().map((cut) => cut ? whole.replace(/\r?\n$/, "") : whole));

Deno.test("the line starts of an edited document are those of its text", () => {
  fc.assert(fc.property(
    text,
    fc.nat(12),
    fc.nat(3),
    fc.array(fc.constantFrom("x", "", "yy"), { maxLength: 3 }),
    (before, from, length, texts) => {
      const document = new TextDocument(before);
      const start = Math.min(from, document.lineCount);
      const end = Math.min(start + length, document.lineCount);
      const lines = texts.map((one) => ({ text: one, ending: "\n" as const }));
      const after = applyLineEdits(document, [{ start, end, lines }]).document;
      assert.deepEqual([...after.lineStarts()], [...new TextDocument(after.text).lineStarts()]);
    },
  ));
});
