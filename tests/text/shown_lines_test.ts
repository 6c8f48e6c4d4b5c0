import assert from "node:assert/strict";
import { lineFingerprint } from "../../src/text/line_id.ts";
import { ShownLines } from "../../src/text/shown_lines.ts";

const line = (id: string, text: string) => ({ id, text });

Deno.test("the text shown last under an id counts", () => {
  const shown = new ShownLines();
  shown.remember("a", [line("1:aa", "old"), line("1:aa", "new")]);
  assert.equal(shown.fingerprint("a", "1:aa"), lineFingerprint("new"));
});

Deno.test("files do not share ids", () => {
  const shown = new ShownLines();
  shown.remember("a", [line("1:aa", "x")]);
  assert.equal(shown.fingerprint("b", "1:aa"), undefined);
  assert.equal(shown.fingerprint("a", "2:aa"), undefined);
});

Deno.test("one line may be remembered under two ids", () => {
  const shown = new ShownLines();
  shown.remember("a", [line("1:aa", "x")]);
  shown.remember("a", [line("1:bb", "y")]);
  assert.equal(shown.fingerprint("a", "1:aa"), lineFingerprint("x"));
  assert.equal(shown.fingerprint("a", "1:bb"), lineFingerprint("y"));
});

Deno.test("over capacity, the ids shown longest ago are forgotten first", () => {
  const shown = new ShownLines(3);
  shown.remember("a", [line("1:aa", "1"), line("2:aa", "2"), line("3:aa", "3")]);
  shown.remember("a", [line("1:aa", "1")]);
  shown.remember("a", [line("4:aa", "4")]);
  const remembered = ["1:aa", "2:aa", "3:aa", "4:aa"]
    .filter((id) => shown.fingerprint("a", id) !== undefined);
  assert.deepEqual(remembered, ["1:aa", "3:aa", "4:aa"]);
});

Deno.test("over capacity, the file used longest ago gives first", () => {
  const shown = new ShownLines(3);
  shown.remember("a", [line("1:aa", "1"), line("2:aa", "2")]);
  shown.remember("b", [line("1:bb", "1")]);
  shown.remember("a", [line("2:aa", "2")]);
  shown.remember("c", [line("1:cc", "1"), line("2:cc", "2")]);
  assert.equal(shown.fingerprint("b", "1:bb"), undefined);
  assert.equal(shown.fingerprint("a", "1:aa"), undefined);
  assert.equal(shown.fingerprint("a", "2:aa"), lineFingerprint("2"));
  assert.equal(shown.fingerprint("c", "1:cc"), lineFingerprint("1"));
});

Deno.test("more lines than the capacity in one go leave the last ones", () => {
  const shown = new ShownLines(2);
  shown.remember("a", Array.from({ length: 10 }, (_, index) => line(`${index + 1}:aa`, "x")));
  const kept = Array.from({ length: 10 }, (_, index) => `${index + 1}:aa`)
    .filter((id) => shown.fingerprint("a", id) !== undefined);
  assert.deepEqual(kept, ["9:aa", "10:aa"]);
});

Deno.test("remembering nothing is no error, also at capacity 0", () => {
  const shown = new ShownLines(0);
  shown.remember("a", []);
  shown.remember("a", [line("1:aa", "x")]);
  assert.equal(shown.fingerprint("a", "1:aa"), undefined);
});
