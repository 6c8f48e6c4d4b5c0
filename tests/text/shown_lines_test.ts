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

Deno.test("over capacity, the answers given longest ago are forgotten first", () => {
  // An id counts for 16 units, its text "x" for one.
  const shown = new ShownLines(34);
  shown.remember("a", [line("1:aa", "x")]);
  shown.remember("b", [line("2:aa", "x")]);
  shown.remember("a", [line("3:aa", "x")]);
  assert.equal(shown.fingerprint("a", "1:aa"), undefined);
  assert.equal(shown.fingerprint("b", "2:aa"), lineFingerprint("x"));
  assert.equal(shown.fingerprint("a", "3:aa"), lineFingerprint("x"));
});

Deno.test("an id is no other id that ends like it", () => {
  const shown = new ShownLines();
  shown.remember("a", [line("12:aa", "x"), line("2:aa", "y")]);
  assert.equal(shown.fingerprint("a", "2:aa"), lineFingerprint("y"));
  assert.equal(shown.fingerprint("a", "12:aa"), lineFingerprint("x"));
});

Deno.test("an empty text is remembered", () => {
  const shown = new ShownLines();
  shown.remember("a", [line("1:c5", ""), line("2:c5", "")]);
  assert.equal(shown.fingerprint("a", "2:c5"), lineFingerprint(""));
});

Deno.test("remembering nothing is no error, also at capacity 0", () => {
  const shown = new ShownLines(0);
  shown.remember("a", []);
  shown.remember("a", [line("1:aa", "x")]);
  assert.equal(shown.fingerprint("a", "1:aa"), undefined);
});
