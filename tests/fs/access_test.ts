import assert from "node:assert/strict";
import { canonicalize, contains } from "../../src/fs/access.ts";
import type { FileSystem } from "../../src/fs/file_system.ts";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { temporaryDirectory } from "../support/octofs.ts";

const POSIX = { pathStyle: "posix" } as FileSystem;
const WINDOWS = { pathStyle: "windows" } as FileSystem;

const CONTAINED: readonly (readonly [FileSystem, string, string, boolean])[] = [
  [POSIX, "/srv/app", "/srv/app", true],
  [POSIX, "/srv/app", "/srv/app/x", true],
  [POSIX, "/srv/app", "/srv/app_secret/x", false],
  [POSIX, "/srv/app", "/srv/ap", false],
  [POSIX, "/srv/app", "/srv", false],
  [POSIX, "/srv/app/", "/srv/app/x", true],
  [POSIX, "/srv/app", "/SRV/APP/x", false],
  [POSIX, "/", "/etc/passwd", true],
  [POSIX, "/", "/", true],
  [WINDOWS, "C:\\work", "C:\\work\\x", true],
  [WINDOWS, "C:\\work", "c:\\WORK\\x", true],
  [WINDOWS, "C:\\work", "C:\\work2\\x", false],
  [WINDOWS, "C:\\work", "D:\\work\\x", false],
  [WINDOWS, "C:\\", "C:\\x", true],
  [WINDOWS, "\\\\server\\share", "\\\\server\\share\\x", true],
  [WINDOWS, "\\\\server\\share", "\\\\server\\share2\\x", false],
  [WINDOWS, "\\\\server\\share", "\\\\other\\share\\x", false],
];

for (const [fileSystem, directory, path, expected] of CONTAINED) {
  Deno.test(`${directory} ${expected ? "holds" : "does not hold"} ${path}`, () => {
    assert.equal(contains(fileSystem, { directory, path }), expected);
  });
}

interface CanonicalRow {
  readonly path: string;
  /** Where it leads, or the error. */
  readonly resolved: string;
  readonly exists?: boolean;
}

/** Below `R`, where `dir/file`, and links as `makeLinks` lays them. */
const CANONICAL: readonly CanonicalRow[] = [
  { path: "R/dir/file", resolved: "R/dir/file", exists: true },
  { path: "R/dir/../dir/./file", resolved: "R/dir/file", exists: true },
  { path: "R/to_dir/file", resolved: "R/dir/file", exists: true },
  { path: "R/to_file", resolved: "R/dir/file", exists: true },
  { path: "R/chain", resolved: "R/dir/file", exists: true },
  { path: "R/new/deep/file", resolved: "R/new/deep/file", exists: false },
  { path: "R/to_dir/new", resolved: "R/dir/new", exists: false },
  { path: "R/dangling", resolved: "O/gone", exists: false },
  { path: "R/dangling/below", resolved: "O/gone/below", exists: false },
  { path: "R/dangling_inside", resolved: "R/later", exists: false },
  { path: "R/dangling_chain", resolved: "O/gone", exists: false },
  { path: "R/out/new", resolved: "O/new", exists: false },
  { path: "R/out/new/deep", resolved: "O/new/deep", exists: false },
  { path: "R/dir/file/below", resolved: "not_directory" },
  { path: "R/loop", resolved: "link_loop" },
  { path: "R/loop/below", resolved: "link_loop" },
];

async function makeLinks(root: string, outside: string): Promise<void> {
  await Deno.mkdir(`${root}/dir`, { recursive: true });
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${root}/dir/file`, "");
  const links = {
    to_dir: "dir",
    to_file: "dir/file",
    chain: "to_file",
    dangling: `${outside}/gone`,
    dangling_inside: "later",
    dangling_chain: "dangling",
    out: outside,
    loop: "pool",
    pool: "loop",
  };
  for (const [name, target] of Object.entries(links)) await Deno.symlink(target, `${root}/${name}`);
}

const ignore = Deno.build.os === "windows";
const note = ignore ? " (skipped: making links needs a right on Windows)" : "";

for (const { path, resolved, exists } of CANONICAL) {
  Deno.test({ name: `${path} is really ${resolved}${note}`, ignore }, async () => {
    await using directory = await temporaryDirectory();
    const [root, outside] = [`${directory.path}/root`, `${directory.path}/outside`];
    await makeLinks(root, outside);
    const placed = (text: string) => text.replace(/^R(?=\/)/, root).replace(/^O(?=\/)/, outside);
    const canonical = canonicalize(new LocalFileSystem(), placed(path));
    if (exists === undefined) {
      await assert.rejects(canonical, { name: "FileSystemError", code: resolved });
    } else assert.deepEqual(await canonical, { path: placed(resolved), exists });
  });
}
