// Owns: one write, or the return of a file, by the program's own means, in a process that may have another user.
// Must not know: what is tested.

import { writeAtomically } from "../../src/fs/atomic_write.ts";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { LocalFileSystem } from "../../src/fs/local.ts";

const [path = "", text = "", kind = "edit"] = Deno.args;
const fileSystem = new LocalFileSystem();
try {
  const expected = { bytes: await fileSystem.readFile(path), info: await fileSystem.stat(path) };
  const bytes = new TextEncoder().encode(text);
  const { mode, uid, gid } = expected.info;
  if (kind === "return") await fileSystem.removeFile(path);
  const request = kind === "return"
    ? { bytes, expected: undefined, mode, uid, gid }
    : { bytes, expected };
  const result = await writeAtomically({ fileSystem, path }, request);
  console.log(result.kind === "in_place" ? `${result.kind} ${result.reason}` : result.kind);
} catch (error) {
  console.log(error instanceof FileSystemError ? error.code : `unexpected: ${error}`);
}
