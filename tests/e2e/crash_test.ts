// SIGKILL at any moment of an edit: the file is the old one or the new one, whole.

import assert from "node:assert/strict";
import { temporaryDirectory } from "../support/octofs.ts";
import { RawServer } from "../support/raw_program.ts";

const ROUNDS = 12;
const LINES = 20_000;

Deno.test({
  name: "a server killed in a loop of edits leaves old or new content, never less",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using directory = await temporaryDirectory();
    const path = `${directory.path}/file.txt`;
    const content = (word: string) => `${word} ${"x".repeat(60)}\n`.repeat(LINES);
    let inFile = "old";
    await Deno.writeTextFile(path, content(inFile));
    let interrupted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await using server = new RawServer(["--path", directory.path]);
      await server.initialize();
      await server.request(1, "tools/call", { name: "workdir", arguments: {} });
      const next = inFile === "old" ? "new" : "old";
      const edit = {
        command: "str_replace",
        path: "file.txt",
        old_text: inFile,
        new_text: next,
        replace_all: true,
      };
      await server.send({
        id: 2,
        method: "tools/call",
        params: { name: "text_editor", arguments: edit },
      });
      // Spread over the time that an edit takes, from before its first byte to after its last.
      await new Promise((resolve) => setTimeout(resolve, round * 12));
      const answered = server.lines.some((line) => line.includes('"id":2'));
      await killGroup(server.child.pid);
      await server.child.status;
      if (!answered) interrupted++;
      const text = await Deno.readTextFile(path);
      const word = text.startsWith("old") ? "old" : "new";
      assert.equal(
        text,
        content(word),
        `round ${round}: the file is neither the old nor the new one`,
      );
      inFile = word;
    }
    assert.ok(interrupted > 0, "no round was interrupted, so nothing was tested");
  },
});

/** Kills a process and, first, every process that it started. */
async function killGroup(pid: number): Promise<void> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "pid=", "--ppid", String(pid)] })
    .output();
  const children = new TextDecoder().decode(stdout).split(/\s+/).filter((one) => one !== "");
  for (const child of [...children.map(Number), pid]) {
    try {
      Deno.kill(child, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}
