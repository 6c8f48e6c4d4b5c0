// Owns: the FileSystem suite over the in-memory twin, so that the twin can stand in for the others.

import { MemoryFileSystem } from "../support/memory_file_system.ts";
import { testFileSystem } from "./file_system_contract.ts";

testFileSystem("memory", {
  withPlace: async (use) => {
    const fileSystem = new MemoryFileSystem();
    await fileSystem.makeDirectory("/project");
    await use({
      fileSystem,
      directory: "/project",
      link: (target, path) => Promise.resolve(fileSystem.putLink(target, path)),
    });
  },
});
