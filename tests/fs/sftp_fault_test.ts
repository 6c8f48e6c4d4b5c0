// Owns: what a healthy server refuses: full and read-only disks, permissions, names; told apart from version 3's few codes.

import assert from "node:assert/strict";
import { writeAtomically } from "../../src/fs/atomic_write.ts";
import type { BytePipe } from "../../src/fs/sftp_channel.ts";
import { bytesOf, fails, withServer } from "../support/sftp_place.ts";
import { openProgram, openSftpServer, whyNoSftpServer } from "../support/sftp_server.ts";
import { sftpServerPath } from "../support/sshd.ts";

function testServer(
  name: string,
  fn: () => Promise<void>,
  skip: string | undefined = whyNoSftpServer,
): void {
  const reason = skip === undefined ? "" : ` (${skip})`;
  Deno.test({ name: `${name}${reason}`, ignore: skip !== undefined, fn });
}

/** A server in a mount namespace of its own, where `directory` is a small disk. */
function onSmallDisk(directory: string, ...afterwards: string[]): BytePipe {
  const steps = [
    `mount -t tmpfs -o size=256k,mode=777 tmpfs '${directory}'`,
    `printf old > '${directory}/file'`,
    ...afterwards,
    `exec '${sftpServerPath}'`,
  ];
  return openProgram("unshare", ["-rm", "sh", "-c", steps.join(" && ")]);
}

const whyNoSmallDisk = whyNoSftpServer ??
  (canMount() ? undefined : "skipped: no right to make a mount namespace on this machine");

function canMount(): boolean {
  try {
    const args = ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"];
    return new Deno.Command("unshare", { args, stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

testServer("a full disk: nothing changes and nothing is left over", async () => {
  await withServer(onSmallDisk, async (fileSystem, directory) => {
    const path = `${directory}/file`;
    const big = new Uint8Array(3_000_000);
    const info = await fileSystem.stat(path);
    await fails(
      writeAtomically({ fileSystem, path }, {
        bytes: big,
        expected: { bytes: bytesOf("old"), info },
      }),
      "no_space",
      /no space is left/,
    );
    await fails(fileSystem.overwrite(path, big), "no_space");
    assert.deepEqual(await fileSystem.readFile(path), bytesOf("old"));
    assert.deepEqual((await fileSystem.readDirectory(directory)).map((one) => one.name), ["file"]);
    await fileSystem.overwrite(path, bytesOf("there is room for this"));
  });
}, whyNoSmallDisk);

testServer("a disk without room for one more file", async () => {
  const open = (directory: string) =>
    onSmallDisk(directory, `mount -o remount,nr_inodes=2 '${directory}'`);
  await withServer(open, async (fileSystem, directory) => {
    await fails(fileSystem.writeNewFile(`${directory}/new`, bytesOf("x")), "no_space");
    await fails(fileSystem.makeDirectory(`${directory}/sub`), "no_space");
  });
}, whyNoSmallDisk);

testServer("a read-only disk", async () => {
  const open = (directory: string) => onSmallDisk(directory, `mount -o remount,ro '${directory}'`);
  await withServer(open, async (fileSystem, directory) => {
    const path = `${directory}/file`;
    await fails(fileSystem.writeNewFile(`${directory}/new`, bytesOf("x")), "read_only");
    await fails(fileSystem.overwrite(path, bytesOf("x")), "read_only");
    await fails(fileSystem.makeDirectory(`${directory}/sub`), "read_only");
    await fails(fileSystem.removeFile(path), "read_only");
    await fails(fileSystem.setMode(path, 0o600), "read_only");
    await fails(fileSystem.replace(path, `${directory}/to`), "read_only");
    assert.deepEqual(await fileSystem.readFile(path), bytesOf("old"));
  });
}, whyNoSmallDisk);

testServer("a server that only lends", async () => {
  await withServer(() => openSftpServer("-R"), async (fileSystem, directory) => {
    const path = `${directory}/file`;
    await Deno.writeTextFile(path, "old");
    await fails(fileSystem.writeNewFile(`${directory}/new`, bytesOf("x")), "permission_denied");
    await fails(fileSystem.overwrite(path, bytesOf("x")), "permission_denied");
    await fails(fileSystem.removeFile(path), "permission_denied");
    await fails(fileSystem.replace(path, `${directory}/to`), "permission_denied");
    await fails(fileSystem.makeDirectory(`${directory}/sub`), "permission_denied");
    assert.deepEqual(await fileSystem.readFile(path), bytesOf("old"));
  });
});

/** As root every door is open, so the server runs as nobody. */
function asNobody(): BytePipe {
  const args = ["--reuid=65534", "--regid=65534", "--clear-groups", sftpServerPath ?? ""];
  return Deno.uid() === 0 ? openProgram("setpriv", args) : openSftpServer();
}

testServer("closed files and directories", async () => {
  await withServer(asNobody, async (fileSystem, directory) => {
    await Deno.chmod(directory, 0o755);
    await Deno.writeTextFile(`${directory}/secret`, "old");
    await Deno.chmod(`${directory}/secret`, 0o000);
    await Deno.mkdir(`${directory}/closed/below`, { recursive: true });
    await Deno.chmod(`${directory}/closed`, 0o000);
    if (Deno.uid() !== 0) await Deno.chmod(directory, 0o555);
    try {
      await fails(
        fileSystem.readFile(`${directory}/secret`),
        "permission_denied",
        /permission denied/,
      );
      await fails(fileSystem.overwrite(`${directory}/secret`, bytesOf("x")), "permission_denied");
      await fails(fileSystem.writeNewFile(`${directory}/new`, bytesOf("x")), "permission_denied");
      await fails(fileSystem.makeDirectory(`${directory}/sub`), "permission_denied");
      await fails(fileSystem.readDirectory(`${directory}/closed`), "permission_denied");
      await fails(fileSystem.stat(`${directory}/closed/below`), "permission_denied");
      await fails(fileSystem.realPath(`${directory}/closed/below`), "permission_denied");
      assert.equal(await fileSystem.realPath(`${directory}/closed`), `${directory}/closed`);
    } finally {
      await Deno.chmod(directory, 0o755);
      await Deno.chmod(`${directory}/closed`, 0o755);
    }
  });
});

testServer("names that no system takes", async () => {
  await withServer(() => openSftpServer(), async (fileSystem, directory) => {
    const long = `${directory}/${"x".repeat(256)}`;
    await fails(fileSystem.stat(long), "name_too_long");
    await fails(fileSystem.realPath(long), "name_too_long");
    await fails(fileSystem.readFile(long), "name_too_long");
    await fails(fileSystem.writeNewFile(long, bytesOf("x")), "name_too_long");
    await fails(fileSystem.stat(`${directory}${"/x".repeat(2100)}`), "name_too_long");
    await fails(fileSystem.stat(`${directory}/a\0b`), "invalid_path");
    await fails(fileSystem.stat(`${directory}/\ud800`), "invalid_path");
    await fails(fileSystem.stat(`${directory}/\udc00`), "invalid_path");
  });
});

testServer("names that are not UTF-8 keep their bytes", async () => {
  await withServer(() => openSftpServer(), async (fileSystem, directory) => {
    // "caf\xe9" in Latin-1; printf makes it, for Deno's own names are always UTF-8.
    const args = [
      "-c",
      `cd '${directory}' && printf latin > "$(printf 'caf\\351 \\377\\342\\202')"`,
    ];
    assert.ok(new Deno.Command("sh", { args }).outputSync().success);
    const [entry] = await fileSystem.readDirectory(directory);
    const name = "caf\udce9 \udcff\udce2\udc82";
    assert.equal(entry?.name, name);
    assert.deepEqual(await fileSystem.readFile(`${directory}/${name}`), bytesOf("latin"));
    assert.equal(await fileSystem.realPath(`${directory}/${name}`), `${directory}/${name}`);
    await fileSystem.replace(`${directory}/${name}`, `${directory}/${name}2`);
    await fileSystem.removeFile(`${directory}/${name}2`);
    assert.deepEqual(await fileSystem.readDirectory(directory), []);
  });
});

testServer("hard links are counted, which version 3 has no attribute for", async () => {
  await withServer(() => openSftpServer(), async (fileSystem, directory) => {
    for (let index = 0; index < 250; index++) {
      await Deno.writeTextFile(`${directory}/filler-${index}`, "");
    }
    await Deno.writeTextFile(`${directory}/one`, "old");
    await Deno.link(`${directory}/one`, `${directory}/two`);
    assert.equal(await fileSystem.linkCount(`${directory}/one`), 2);
    assert.equal(await fileSystem.linkCount(`${directory}/filler-7`), 1);
    assert.equal(await fileSystem.linkCount(`${directory}/none`), undefined);
    const path = `${directory}/one`;
    const expected = { bytes: bytesOf("old"), info: await fileSystem.stat(path) };
    const result = await writeAtomically(
      { fileSystem, path },
      { bytes: bytesOf("new"), expected },
    );
    assert.deepEqual(result, { kind: "in_place", reason: "hard_links" });
    assert.equal(await Deno.readTextFile(`${directory}/two`), "new");
  });
});

testServer("files that the kernel makes up, and links to nowhere", async () => {
  await withServer(() => openSftpServer(), async (fileSystem, directory) => {
    const status = new TextDecoder().decode(await fileSystem.readFile("/proc/self/status"));
    assert.match(status, /^Name:\s+sftp-server/);
    const part = await fileSystem.readFile("/proc/self/status", { offset: 6, length: 11 });
    assert.equal(new TextDecoder().decode(part), "sftp-server");
    await Deno.symlink("loop", `${directory}/loop`);
    await fails(fileSystem.realPath(`${directory}/loop`), "link_loop");
    await fails(fileSystem.readFile(`${directory}/loop`), "missing");
  });
}, Deno.build.os === "linux" ? whyNoSftpServer : "skipped: needs /proc");
