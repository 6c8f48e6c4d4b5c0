import assert from "node:assert/strict";
import { REQUIREMENTS } from "./requirements.ts";

/** The cases about viewing and editing files, by their numbers, and those of the protocol (I). */
const CASES = [
  ...[
    "01",
    "02",
    "03",
    "04",
    "06",
    "07",
    "08",
    "10",
    "14",
    "15",
    "17",
    "18",
    "19",
    "20",
    "23",
    "24",
  ],
  ...["25", "27", "28", "29", "30", "31", "32", "34", "36", "38", "40", "41", "42", "43", "45"],
  ...["47", "48", "49", "50", "51", "52", "54", "55", "56", "57", "59", "60", "61"],
  ...["63", "65", "67", "68", "71", "72", "73", "74"],
].map((number) => `R${number}`).concat(
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16].map((number) => `I${number}`),
);

Deno.test("every case from the field has its place in the table", () => {
  assert.deepEqual(Object.keys(REQUIREMENTS), CASES);
});

for (const [number, { words, proofs, reason }] of Object.entries(REQUIREMENTS)) {
  Deno.test(`case ${number} is proven or answered: ${words}`, () => {
    assert.ok(proofs.length > 0 || (reason ?? "") !== "", `${number} has no test and no reason`);
    for (const [file, name] of proofs) {
      const source = Deno.readTextFileSync(new URL(file, import.meta.url));
      assert.ok(source.includes(name), `${file} has no test "${name}"`);
    }
  });
}
