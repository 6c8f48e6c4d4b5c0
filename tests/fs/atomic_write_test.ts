// Writing on the disk of this machine as someone who is not root: what the rights of a file allow.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "../support/octofs.ts";

const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;
const reason = IS_ROOT && Deno.build.os === "linux"
  ? undefined
  : "only root may become someone else";

const SCRIPT = fileURLToPath(new URL("../support/write_once.ts", import.meta.url));

/** Writes `text` over `path`, or brings it back, as user 12345; the answer is what the write said. */
async function writeAsOther(
  path: string,
  text: string,
  kind: "edit" | "return" = "edit",
): Promise<string> {
  const other = ["--reuid=12345", "--regid=12345", "--clear-groups"];
  const deno = [
    "run",
    "--allow-all",
    "--no-check",
    "--no-config",
    "--no-lock",
    SCRIPT,
    path,
    text,
    kind,
  ];
  const { stdout, stderr } = await new Deno.Command("setpriv", {
    args: [...other, Deno.execPath(), ...deno],
    env: { HOME: "/nonexistent", DENO_DIR: "/nonexistent", NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout).trim() || decoder.decode(stderr);
}

/** directory mode, file mode and owner, what is said, what the file holds then. */
type Row = readonly [name: string, setUp: (directory: string) => void, says: string, after: string];

const ROWS: readonly Row[] = [
  [
    "a file of one's own is replaced",
    (directory) => {
      Deno.chownSync(directory, 12345, 12345);
      Deno.chownSync(`${directory}/a`, 12345, 12345);
    },
    "replaced",
    "new",
  ],
  [
    "in a directory that is closed the file is written in place",
    (directory) => {
      Deno.chmodSync(directory, 0o755);
      Deno.chownSync(`${directory}/a`, 12345, 12345);
    },
    "in_place closed_directory",
    "new",
  ],
  [
    "what neither directory nor file allows is refused",
    (directory) => {
      Deno.chmodSync(directory, 0o755);
      Deno.chmodSync(`${directory}/a`, 0o644);
    },
    "permission_denied",
    "old",
  ],
  [
    "a read-only file of one's own is refused",
    (directory) => {
      Deno.chownSync(directory, 12345, 12345);
      Deno.chownSync(`${directory}/a`, 12345, 12345);
      Deno.chmodSync(`${directory}/a`, 0o444);
    },
    "read_only",
    "old",
  ],
];

for (const [name, setUp, says, after] of ROWS) {
  if (reason !== undefined) console.log(`rights: ${name}: not run: ${reason}`);
  Deno.test({
    name: `rights: ${name}`,
    ignore: reason !== undefined,
    async fn() {
      await using directory = await temporaryDirectory();
      Deno.chmodSync(directory.path, 0o755);
      Deno.writeTextFileSync(`${directory.path}/a`, "old");
      setUp(directory.path);
      assert.equal(await writeAsOther(`${directory.path}/a`, "new"), says);
      assert.equal(Deno.readTextFileSync(`${directory.path}/a`), after);
      assert.deepEqual([...Deno.readDirSync(directory.path)].map((entry) => entry.name), ["a"]);
    },
  });
}

for (const kind of ["edit", "return"] as const) {
  Deno.test({
    name: `rights: the ${kind} of a file of someone else never makes setuid one's own`,
    ignore: reason !== undefined,
    async fn() {
      await using directory = await temporaryDirectory();
      const path = `${directory.path}/a`;
      Deno.chownSync(directory.path, 12345, 12345);
      Deno.chmodSync(directory.path, 0o755);
      Deno.writeTextFileSync(path, "old");
      Deno.chownSync(path, 0, 0);
      Deno.chmodSync(path, 0o4666);
      const said = await writeAsOther(path, "new", kind);
      assert.equal(said, kind === "edit" ? "in_place closed_directory" : "replaced");
      const { mode, uid } = Deno.statSync(path);
      assert.equal(Deno.readTextFileSync(path), "new");
      assert.equal(uid, kind === "edit" ? 0 : 12345);
      assert.equal((mode ?? 0) & 0o7777, 0o666);
    },
  });
}
