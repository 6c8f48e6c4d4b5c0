// Owns: the FileSystem suite over this machine's disk.

import { LocalFileSystem } from "../../src/fs/local.ts";
import { testFileSystem } from "./file_system_contract.ts";

testFileSystem("local", {
  withPlace: async (use) => {
    const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-contract-" }));
    try {
      await use({
        fileSystem: new LocalFileSystem(),
        directory,
        link: (target, path) => Deno.symlink(target, path),
      });
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
});
