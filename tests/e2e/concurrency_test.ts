// Edits of one file at the same time: every one that was reported as done is in the file.

import assert from "node:assert/strict";
import { connect, temporaryDirectory } from "../support/octofs.ts";

Deno.test("20 edits of one file at once, half of them through a symbolic link, are all kept", async () => {
  await using directory = await temporaryDirectory();
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index};`);
  await Deno.writeTextFile(`${directory.path}/file.txt`, lines.join("\n") + "\n");
  await Deno.symlink("file.txt", `${directory.path}/link.txt`);
  await using octofs = await connect({ args: ["--path", directory.path] });
  const answers = await Promise.all(lines.map((line, index) =>
    octofs.call("text_editor", {
      command: "str_replace",
      path: index % 2 === 0 ? "file.txt" : "link.txt",
      old_text: line,
      new_text: `edited ${index};`,
    })
  ));
  assert.deepEqual(answers.filter(({ isError }) => isError), []);
  assert.equal(
    await Deno.readTextFile(`${directory.path}/file.txt`),
    lines.map((_, index) => `edited ${index};\n`).join(""),
  );
  assert.equal((await Deno.lstat(`${directory.path}/link.txt`)).isSymlink, true);
});
