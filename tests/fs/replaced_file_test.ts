// Owns: reading a file that another program keeps replacing, as formatters and other editors do.

import assert from "node:assert/strict";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { temporaryDirectory } from "../support/octofs.ts";

/** Runs in a thread: puts a new file in the place of the old one, as fast as it can. */
const REPLACER = `
onmessage = ({ data: { path, stop } }) => {
  const flag = new Int32Array(stop);
  let replaced = 0;
  while (Atomics.load(flag, 0) === 0) {
    Deno.writeTextFileSync(path + ".new", "whole\\n");
    Deno.renameSync(path + ".new", path);
    replaced++;
    for (let spin = 0; spin < 1_000_000; spin++);
  }
  postMessage(replaced);
};`;

Deno.test("a file that is replaced while it is opened is read all the same", async () => {
  await using directory = await temporaryDirectory();
  const path = `${await Deno.realPath(directory.path)}/file.txt`;
  await Deno.writeTextFile(path, "whole\n");
  const url = URL.createObjectURL(new Blob([REPLACER], { type: "text/javascript" }));
  const replacer = new Worker(url, { type: "module" });
  const stop = new SharedArrayBuffer(4);
  replacer.postMessage({ path, stop });
  const fileSystem = new LocalFileSystem();
  const failures: string[] = [];
  for (let attempt = 0; attempt < 4_000; attempt++) {
    const bytes = await fileSystem.readFile(path).catch((error) =>
      void failures.push(error.message)
    );
    if (bytes) assert.equal(new TextDecoder().decode(bytes), "whole\n");
    if (attempt % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const ended = new Promise<number>((resolve) => {
    replacer.onmessage = ({ data }) => resolve(data);
  });
  Atomics.store(new Int32Array(stop), 0, 1);
  console.log(`replaced ${await ended} times, ${failures.length} of 4000 reads failed`);
  replacer.terminate();
  URL.revokeObjectURL(url);
  assert.deepEqual(failures, []);
});
