// Owns: what every FileSystem promises, as one suite to be run over each implementation.
// Must not know: which implementation it runs over.

import assert from "node:assert/strict";
import {
  type FileSystem,
  FileSystemError,
  type FileSystemErrorCode,
  type ReadOptions,
} from "../../src/fs/file_system.ts";

/** A file system and an empty directory in it. */
export interface TestPlace {
  readonly fileSystem: FileSystem;
  /** Canonical path of an existing empty directory. */
  readonly directory: string;
  /** Makes a symbolic link, which octofs itself never does. */
  link(target: string, path: string): Promise<void>;
}

export interface ContractOptions {
  /** Gives `use` a place of its own and cleans up after it. */
  readonly withPlace: (use: (place: TestPlace) => Promise<void>) => Promise<void>;
  /** Why it cannot run here. */
  readonly skip?: string | undefined;
}

type Case = (place: TestPlace) => Promise<void>;

/** Registers one test a promise. */
export function testFileSystem(name: string, options: ContractOptions): void {
  for (const [promise, run] of Object.entries(CASES)) {
    const reason = options.skip === undefined ? "" : ` (${options.skip})`;
    Deno.test({
      name: `${name}: ${promise}${reason}`,
      ignore: options.skip !== undefined,
      fn: () => options.withPlace(run),
    });
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function rejectsWith(
  work: Promise<unknown>,
  codes: FileSystemErrorCode | readonly FileSystemErrorCode[],
): Promise<void> {
  const error = await work.then(() => undefined, (reason) => reason);
  assert.ok(error instanceof FileSystemError, `expected a FileSystemError, got ${error}`);
  assert.ok([codes].flat().includes(error.code), `expected ${codes}, got ${error.code}: ${error}`);
}

/** Bytes without a pattern, the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 42;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

const ODD_NAMES = [
  "a b",
  " lead and trail ",
  "-rf",
  "--",
  "~",
  "'single' \"double\" `tick`",
  "$(touch x); rm -rf *",
  "back\\slash",
  "new\nline",
  "tab\tand\u0001control",
  "ünïcödé 日本語 😀",
  "e\u0301 decomposed",
  "\u2028 separator",
  "%41%2f",
  "...",
  "x".repeat(255),
];

const READ_ROWS: readonly (readonly [ReadOptions, string])[] = [
  [{}, "0123456789"],
  [{ offset: 0, length: 4 }, "0123"],
  [{ offset: 3, length: 4 }, "3456"],
  [{ offset: 8, length: 10 }, "89"],
  [{ offset: 10, length: 5 }, ""],
  [{ offset: 50, length: 5 }, ""],
  [{ offset: 4 }, "456789"],
  [{ offset: 4, length: 0 }, ""],
  [{ length: 1e12 }, "0123456789"],
];

const CASES: { readonly [promise: string]: Case } = {
  "reads whole files and ranges": async ({ fileSystem, directory }) => {
    const path = `${directory}/digits`;
    await fileSystem.writeNewFile(path, bytesOf("0123456789"));
    for (const [options, expected] of READ_ROWS) {
      const read = textOf(await fileSystem.readFile(path, options));
      assert.equal(read, expected, JSON.stringify(options));
    }
    await fileSystem.writeNewFile(`${directory}/empty`, new Uint8Array());
    assert.equal((await fileSystem.readFile(`${directory}/empty`)).length, 0);
  },

  "reading names what is wrong": async ({ fileSystem, directory }) => {
    await rejectsWith(fileSystem.readFile(`${directory}/none`), "missing");
    await rejectsWith(fileSystem.readFile(`${directory}/none/x`), "missing");
    await rejectsWith(fileSystem.readFile(directory), "is_directory");
    await rejectsWith(fileSystem.readFile(directory, { offset: 0, length: 5 }), "is_directory");
    const signal = AbortSignal.abort();
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("x"));
    await rejectsWith(fileSystem.readFile(`${directory}/file`, { signal }), "cancelled");
    await rejectsWith(
      fileSystem.readFile(`${directory}/file`, { signal, offset: 0, length: 1 }),
      "cancelled",
    );
  },

  "moves large files byte for byte": async ({ fileSystem, directory }) => {
    const path = `${directory}/large`;
    const bytes = noise(5_000_001);
    await fileSystem.writeNewFile(path, bytes);
    assert.deepEqual(await fileSystem.readFile(path), bytes);
    const part = await fileSystem.readFile(path, { offset: 1_234_567, length: 2_000_003 });
    assert.deepEqual(part, bytes.slice(1_234_567, 3_234_570));
    const end = await fileSystem.readFile(path, { offset: 4_999_990, length: 100 });
    assert.deepEqual(end, bytes.slice(4_999_990));
  },

  "a new file has exactly its bytes and mode": async ({ fileSystem, directory }) => {
    for (const mode of [0o644, 0o600, 0o755, 0o666, 0o444, 0o4755]) {
      const path = `${directory}/mode-${mode.toString(8)}`;
      await fileSystem.writeNewFile(path, bytesOf("#!\r\n\0"), { mode });
      const info = await fileSystem.stat(path);
      assert.equal(info.mode, mode, mode.toString(8));
      assert.equal(info.size, 5);
      assert.equal(info.kind, "file");
    }
  },

  "a new file never takes the place of anything": async ({ fileSystem, directory, link }) => {
    const path = `${directory}/taken`;
    await fileSystem.writeNewFile(path, bytesOf("old"));
    await rejectsWith(fileSystem.writeNewFile(path, bytesOf("new")), "exists");
    assert.equal(textOf(await fileSystem.readFile(path)), "old");
    await link("nowhere", `${directory}/dangling`);
    await rejectsWith(fileSystem.writeNewFile(`${directory}/dangling`, bytesOf("new")), "exists");
    await rejectsWith(fileSystem.stat(`${directory}/nowhere`), "missing");
    await rejectsWith(fileSystem.writeNewFile(`${directory}/no/parent`, bytesOf("x")), "missing");
    await rejectsWith(fileSystem.writeNewFile(directory, bytesOf("x")), "exists");
  },

  "overwrites in place, shorter and longer": async ({ fileSystem, directory }) => {
    const path = `${directory}/file`;
    await fileSystem.writeNewFile(path, bytesOf("0123456789"), { mode: 0o640 });
    const before = await fileSystem.stat(path);
    for (const text of ["abc", "abc", "a much longer text than before", "", "again"]) {
      await fileSystem.overwrite(path, bytesOf(text));
      assert.equal(textOf(await fileSystem.readFile(path)), text);
    }
    const after = await fileSystem.stat(path);
    assert.equal(after.mode, 0o640);
    assert.equal(after.inode, before.inode);
    await rejectsWith(fileSystem.overwrite(`${directory}/none`, bytesOf("x")), "missing");
    await rejectsWith(fileSystem.overwrite(directory, bytesOf("x")), "is_directory");
  },

  "overwriting goes through a link and keeps it": async ({ fileSystem, directory, link }) => {
    await fileSystem.writeNewFile(`${directory}/target`, bytesOf("old"));
    await link("target", `${directory}/link`);
    await fileSystem.overwrite(`${directory}/link`, bytesOf("new"));
    assert.equal(textOf(await fileSystem.readFile(`${directory}/target`)), "new");
    assert.equal((await fileSystem.linkStat(`${directory}/link`)).kind, "symlink");
  },

  "replaces in one step": async ({ fileSystem, directory }) => {
    const [from, to] = [`${directory}/from`, `${directory}/to`];
    await fileSystem.writeNewFile(to, bytesOf("old"), { mode: 0o600 });
    await fileSystem.writeNewFile(from, bytesOf("new"), { mode: 0o755 });
    await fileSystem.replace(from, to);
    assert.equal(textOf(await fileSystem.readFile(to)), "new");
    assert.equal((await fileSystem.stat(to)).mode, 0o755);
    await rejectsWith(fileSystem.stat(from), "missing");
    // Also where nothing is to be replaced.
    await fileSystem.replace(to, from);
    assert.equal(textOf(await fileSystem.readFile(from)), "new");
    await rejectsWith(fileSystem.replace(`${directory}/none`, from), "missing");
    assert.equal(textOf(await fileSystem.readFile(from)), "new");
    const names = (await fileSystem.readDirectory(directory)).map((entry) => entry.name);
    assert.deepEqual(names, ["from"]);
  },

  "removes files and links, never directories": async ({ fileSystem, directory, link }) => {
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("x"));
    await link("file", `${directory}/link`);
    await link(".", `${directory}/here`);
    await fileSystem.removeFile(`${directory}/link`);
    await fileSystem.removeFile(`${directory}/here`);
    assert.equal(textOf(await fileSystem.readFile(`${directory}/file`)), "x");
    await fileSystem.removeFile(`${directory}/file`);
    await rejectsWith(fileSystem.removeFile(`${directory}/file`), "missing");
    await fileSystem.makeDirectory(`${directory}/empty`);
    await rejectsWith(fileSystem.removeFile(`${directory}/empty`), "is_directory");
    assert.equal((await fileSystem.stat(`${directory}/empty`)).kind, "directory");
  },

  "sets modes": async ({ fileSystem, directory }) => {
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("x"));
    for (const mode of [0o600, 0o755, 0o1644]) {
      await fileSystem.setMode(`${directory}/file`, mode);
      assert.equal((await fileSystem.stat(`${directory}/file`)).mode, mode);
    }
    await rejectsWith(fileSystem.setMode(`${directory}/none`, 0o600), "missing");
  },

  "makes directories with their parents": async ({ fileSystem, directory }) => {
    await fileSystem.makeDirectory(`${directory}/a/b/c`);
    await fileSystem.makeDirectory(`${directory}/a/b/c`);
    await fileSystem.makeDirectory(`${directory}/a`);
    assert.equal((await fileSystem.stat(`${directory}/a/b/c`)).kind, "directory");
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("x"));
    await rejectsWith(fileSystem.makeDirectory(`${directory}/file`), ["exists", "not_directory"]);
    await rejectsWith(
      fileSystem.makeDirectory(`${directory}/file/below`),
      ["exists", "not_directory"],
    );
    // Many at once, as parallel calls do.
    await Promise.all(
      Array.from({ length: 8 }, () => fileSystem.makeDirectory(`${directory}/x/y/z`)),
    );
  },

  "tells kinds apart, following links or not": async ({ fileSystem, directory, link }) => {
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("12345"));
    await link("file", `${directory}/link`);
    await link(directory, `${directory}/up`);
    await link("nothing", `${directory}/dangling`);
    const rows = [
      ["file", "file", "file"],
      ["link", "file", "symlink"],
      ["up", "directory", "symlink"],
      ["up/up/link", "file", "symlink"],
      [".", "directory", "directory"],
    ] as const;
    for (const [name, followed, itself] of rows) {
      assert.equal((await fileSystem.stat(`${directory}/${name}`)).kind, followed, name);
      assert.equal((await fileSystem.linkStat(`${directory}/${name}`)).kind, itself, name);
    }
    assert.equal((await fileSystem.stat(`${directory}/link`)).size, 5);
    await rejectsWith(fileSystem.stat(`${directory}/dangling`), "missing");
    assert.equal((await fileSystem.linkStat(`${directory}/dangling`)).kind, "symlink");
    assert.equal(await fileSystem.readLink(`${directory}/dangling`), "nothing");
    assert.equal(await fileSystem.readLink(`${directory}/up`), directory);
    await rejectsWith(fileSystem.readLink(`${directory}/none`), "missing");
    await rejectsWith(fileSystem.readLink(`${directory}/file`), ["invalid_path", "failed"]);
    await rejectsWith(fileSystem.linkStat(`${directory}/file/x`), ["missing", "not_directory"]);
  },

  "resolves every link of a path": async ({ fileSystem, directory, link }) => {
    await fileSystem.makeDirectory(`${directory}/real/deep`);
    await fileSystem.writeNewFile(`${directory}/real/deep/file`, bytesOf("x"));
    await link("real", `${directory}/one`);
    await link(`${directory}/one/deep`, `${directory}/two`);
    await link("../../two/file", `${directory}/real/deep/three`);
    await link("a", `${directory}/b`);
    await link("b", `${directory}/a`);
    await link("real/none", `${directory}/dangling`);
    const rows = [
      ["real/deep/file", "real/deep/file"],
      ["one/deep/file", "real/deep/file"],
      ["two", "real/deep"],
      ["two/three", "real/deep/file"],
      ["two/../deep/file", "real/deep/file"],
      ["one/../real/./deep//file", "real/deep/file"],
    ] as const;
    for (const [path, expected] of rows) {
      assert.equal(await fileSystem.realPath(`${directory}/${path}`), `${directory}/${expected}`);
    }
    assert.equal(await fileSystem.realPath("/"), "/");
    assert.equal(await fileSystem.realPath("/.."), "/");
    await rejectsWith(fileSystem.realPath(`${directory}/none`), "missing");
    await rejectsWith(fileSystem.realPath(`${directory}/none/../real`), "missing");
    await rejectsWith(fileSystem.realPath(`${directory}/dangling`), "missing");
    await rejectsWith(fileSystem.realPath(`${directory}/a`), "link_loop");
    await rejectsWith(fileSystem.realPath(`${directory}/real/deep/file/x`), "not_directory");
  },

  "lists directories": async ({ fileSystem, directory, link }) => {
    await fileSystem.makeDirectory(`${directory}/sub`);
    await fileSystem.writeNewFile(`${directory}/.hidden`, bytesOf("12"));
    await fileSystem.writeNewFile(`${directory}/file`, bytesOf("1"), { mode: 0o640 });
    await link("sub", `${directory}/link`);
    const entries = await fileSystem.readDirectory(directory);
    const kinds = Object.fromEntries(entries.map((entry) => [entry.name, entry.kind]));
    assert.deepEqual(kinds, { sub: "directory", ".hidden": "file", file: "file", link: "symlink" });
    for (const { name, kind, info } of entries) {
      if (info === undefined) continue;
      const expected = await fileSystem.linkStat(`${directory}/${name}`);
      assert.equal(info.kind, kind);
      assert.deepEqual([info.size, info.mode], [expected.size, expected.mode]);
      assert.equal(Math.trunc(info.modified / 1000), Math.trunc(expected.modified / 1000));
    }
    assert.deepEqual(await fileSystem.readDirectory(`${directory}/sub`), []);
    assert.deepEqual(await fileSystem.readDirectory(`${directory}/link`), []);
    await rejectsWith(fileSystem.readDirectory(`${directory}/none`), "missing");
    await rejectsWith(fileSystem.readDirectory(`${directory}/file`), "not_directory");
  },

  "lists large directories whole": async ({ fileSystem, directory }) => {
    const names = Array.from({ length: 500 }, (_, index) => `file-${index}`).sort();
    await Promise.all(
      names.map((name) => fileSystem.writeNewFile(`${directory}/${name}`, bytesOf(name))),
    );
    const listed = (await fileSystem.readDirectory(directory)).map((entry) => entry.name).sort();
    assert.deepEqual(listed, names);
    const contents = await Promise.all(
      names.map((name) => fileSystem.readFile(`${directory}/${name}`)),
    );
    assert.deepEqual(contents.map(textOf), names);
  },

  "takes any name literally": async ({ fileSystem, directory }) => {
    for (const name of ODD_NAMES) {
      const path = `${directory}/${name}`;
      await fileSystem.writeNewFile(path, bytesOf(name));
      assert.equal(textOf(await fileSystem.readFile(path)), name);
      assert.equal(await fileSystem.realPath(path), path);
    }
    const listed = (await fileSystem.readDirectory(directory)).map((entry) => entry.name);
    assert.deepEqual(listed.sort(), [...ODD_NAMES].sort());
    for (const name of ODD_NAMES) {
      await fileSystem.replace(`${directory}/${name}`, `${directory}/moved`);
      await fileSystem.removeFile(`${directory}/moved`);
    }
    assert.deepEqual(await fileSystem.readDirectory(directory), []);
  },
};
