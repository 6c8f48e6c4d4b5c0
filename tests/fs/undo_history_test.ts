import assert from "node:assert/strict";
import { invertEntry, type UndoEntry, UndoHistory } from "../../src/fs/undo_history.ts";

function entry(before: number, after: number): UndoEntry {
  const snapshot = (size: number) => ({ bytes: new Uint8Array(size), mode: 0o644 });
  return { before: snapshot(before), after: snapshot(after), places: [] };
}

Deno.test("history: the last edit comes first, then the last undo", () => {
  const history = new UndoHistory();
  const [first, second] = [entry(1, 2), entry(2, 3)];
  history.record("a", first);
  history.record("a", second);
  assert.deepEqual(history.next("a"), { entry: second, reverses: "edit" });
  history.complete("a", invertEntry(second));
  assert.deepEqual(history.next("a"), { entry: first, reverses: "edit" });
  assert.equal(history.levelsLeft("a"), 1);
  history.complete("a", invertEntry(first));
  assert.deepEqual(history.next("a"), { entry: invertEntry(first), reverses: "undo" });
  assert.equal(history.levelsLeft("a"), 0);
});

Deno.test("history: a new edit forgets what was undone", () => {
  const history = new UndoHistory();
  history.record("a", entry(1, 2));
  history.complete("a", invertEntry(entry(1, 2)));
  const newer = entry(1, 5);
  history.record("a", newer);
  history.complete("a", invertEntry(newer));
  assert.deepEqual(history.next("a"), { entry: invertEntry(newer), reverses: "undo" });
});

Deno.test("history: files do not share levels", () => {
  const history = new UndoHistory({ levels: 2, bytes: 1_000 });
  for (let count = 0; count < 5; count++) history.record("a", entry(1, 1));
  history.record("b", entry(1, 1));
  assert.equal(history.levelsLeft("a"), 2);
  assert.equal(history.levelsLeft("b"), 1);
  assert.equal(history.next("c"), undefined);
});

Deno.test("history: over the bound the file edited longest ago is forgotten first", () => {
  const history = new UndoHistory({ levels: 10, bytes: 100 });
  history.record("a", entry(20, 20));
  history.record("b", entry(20, 20));
  history.record("a", entry(5, 5));
  history.record("c", entry(20, 20));
  assert.equal(history.levelsLeft("b"), 0);
  assert.equal(history.levelsLeft("a"), 2);
  assert.equal(history.levelsLeft("c"), 1);
});

Deno.test("history: an entry over the bound alone is refused, and the file's history with it", () => {
  const history = new UndoHistory({ levels: 10, bytes: 100 });
  assert.equal(history.record("a", entry(10, 10)), true);
  assert.equal(history.record("a", entry(60, 60)), false);
  assert.equal(history.next("a"), undefined);
  assert.equal(history.record("b", entry(50, 50)), true, "what was refused takes no room");
});
