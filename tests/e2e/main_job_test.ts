// The loop of an agent over stdio on a large real file: every call is made of what the answers before
// it printed, never of what the test knows about the file.

import assert from "node:assert/strict";
import { type Answer, connect, temporaryDirectory } from "../support/octofs.ts";
import { typescriptCompiler } from "../support/typescript_compiler.ts";

interface ShownLine {
  readonly id: string;
  readonly text: string;
}

/** The lines of an answer that an agent may target: context and added ones, not removed ones. */
function shownLines(answer: Answer): ShownLine[] {
  return answer.text.split("\n").flatMap((row) => {
    const match = /^\+?(\d+:[0-9a-f]{2})\|(.*)$/.exec(row);
    return match ? [{ id: match[1] ?? "", text: match[2] ?? "" }] : [];
  });
}

function addedLines(answer: Answer): ShownLine[] {
  const added = answer.text.split("\n").filter((row) => row.startsWith("+")).join("\n");
  return shownLines({ ...answer, text: added });
}

Deno.test("view, edit by id, edit by the answer's ids, by text, stale id, undo, on a real file", async () => {
  const bytes = await typescriptCompiler();
  if (!(bytes instanceof Uint8Array)) {
    console.log(`skipped: typescript could not be fetched (${bytes.unavailable})`);
    return;
  }
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/_tsc.js`;
  await Deno.writeFile(path, bytes);
  await using octofs = await connect({ args: ["--path", directory.path] });
  const succeed = async (name: string, args: Record<string, unknown>): Promise<Answer> => {
    const answer = await octofs.call(name, args);
    assert.equal(answer.isError, false, answer.text);
    return answer;
  };

  const found = await succeed("view", { path: "_tsc.js", content: "function createScanner(" });
  const start = Number(shownLines(found)[0]?.id.split(":")[0]);
  const viewed = shownLines(await succeed("view", { path: "_tsc.js", start, end: start + 30 }));
  assert.equal(viewed.length, 31);

  // Two places at once, the later one first.
  const [first, , , fourth] = viewed;
  const edited = await succeed("batch_edit", {
    path: "_tsc.js",
    operations: [
      { operation: "insert", start: fourth?.id, content: "    // inserted below" },
      { operation: "replace", start: first?.id, content: `// marked\n${first?.text}` },
    ],
  });
  const added = addedLines(edited);
  assert.deepEqual(added.map(({ text }) => text), ["// marked", "    // inserted below"]);

  const again = await succeed("batch_edit", {
    path: "_tsc.js",
    operations: added.map(({ id, text }) => ({
      operation: "replace",
      start: id,
      content: text.replace("//", "// again:"),
    })),
  });
  assert.deepEqual(
    addedLines(again).map(({ text }) => text),
    ["// again: marked", "    // again: inserted below"],
  );

  // The file is indented by spaces; a model that sends tabs means the same lines.
  const body = viewed.filter(({ text }) => /^ {2,}\S/.test(text)).slice(8, 11);
  const withTabs = (text: string) =>
    text.replace(/^ +/, (blanks) => "\t".repeat(blanks.length / 2));
  const replaced = await succeed("text_editor", {
    command: "str_replace",
    path: "_tsc.js",
    old_text: body.map(({ text }) => withTabs(text)).join("\n"),
    new_text: body.map(({ text }) => `${withTabs(text)} // seen`).join("\n"),
  });
  assert.deepEqual(
    addedLines(replaced).map(({ text }) => text),
    body.map(({ text }) => `${text} // seen`),
  );

  // The ids of the first view are old by now; the answer to a stale one is enough for the next call.
  const last = viewed.at(-1);
  const stale = await octofs.call("batch_edit", {
    path: "_tsc.js",
    operations: [{ operation: "replace", start: last?.id, content: "// last" }],
  });
  assert.equal(stale.isError, true);
  assert.match(stale.text, /^Stale line id "/);
  const moved = /is now at: (\d+:[0-9a-f]{2})/.exec(stale.text)?.[1];
  const landed = await succeed("batch_edit", {
    path: "_tsc.js",
    operations: [{ operation: "replace", start: moved, content: "// last" }],
  });
  assert.ok(landed.text.includes(`-${moved}|${last?.text}\n`), landed.text);

  for (let edit = 0; edit < 4; edit++) {
    await succeed("text_editor", { command: "undo_edit", path: "_tsc.js" });
  }
  assert.deepEqual(await Deno.readFile(path), bytes);
});
