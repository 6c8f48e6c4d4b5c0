// Owns: what a healthy server refuses: full and read-only disks, permissions, names; told apart from version 3's few codes.

import assert from "node:assert/strict";
import { writeAtomically } from "../../src/fs/atomic_write.ts";
import { FileSystemError, type FileSystemErrorCode } from "../../src/fs/file_system.ts";
import { SftpFileSystem } from "../../src/fs/sftp.ts";
import { type BytePipe, SftpChannel } from "../../src/fs/sftp_channel.ts";
import { fakeServer, packet, status, version } from "../support/fake_sftp_server.ts";
import { openProgram, openSftpServer, whyNoSftpServer } from "../support/sftp_server.ts";
import { sftpServerPath } from "../support/sshd.ts";

const TIMES = { handshakeMilliseconds: 10_000, silenceMilliseconds: 10_000 };

function testServer(
  name: string,
  fn: () => Promise<void>,
  skip: string | undefined = whyNoSftpServer,
): void {
  const reason = skip === undefined ? "" : ` (${skip})`;
  Deno.test({ name: `${name}${reason}`, ignore: skip !== undefined, fn });
}

/** A file system over a pipe, and an empty directory of this machine. */
async function withServer(
  open: (directory: string) => BytePipe,
  use: (fileSystem: SftpFileSystem, directory: string) => Promise<void>,
): Promise<void> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-fault-" }));
  const fileSystem = new SftpFileSystem(
    "ssh://test",
    () => SftpChannel.open(open(directory), TIMES),
  );
  try {
    await use(fileSystem, directory);
  } finally {
    await fileSystem.close();
    await Deno.remove(directory, { recursive: true });
  }
}

async function fails(work: Promise<unknown>, code: FileSystemErrorCode, message = /./) {
  const error = await work.then(() => undefined, (reason) => reason);
  assert.ok(error instanceof FileSystemError, `expected ${code}, got ${error}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

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

Deno.test("a server cannot lead the reader out of a directory by its names", async () => {
  const names = ["ok", "../../etc/passwd", "/etc/passwd", "a/b", "..", ".", "", "nul\0"];
  let listed = false;
  const open = () =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 11) client.send(packet(102, id, "h"));
      else if (type === 4) client.send(status(id, 0));
      else if (listed) client.send(status(id, 1));
      else {
        listed = true;
        client.send(packet(104, id, names.length, ...names.flatMap((name) => [name, "", 0])));
      }
    });
  await withServer(open, async (fileSystem) => {
    const entries = await fileSystem.readDirectory("/");
    assert.deepEqual(entries.map((entry) => entry.name), ["ok"]);
  });
});

Deno.test("a server cannot claim more bytes than were asked for, or a size beyond memory", async () => {
  const serve = (size: Uint8Array, data: number) =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 3) client.send(packet(102, id, "h"));
      else if (type === 5) client.send(packet(103, id, new Uint8Array(data)));
      else if (type === 8) client.send(attributesWithSize(id, size));
      else client.send(status(id, 0));
    });
  const huge = Uint8Array.of(0x7f, 0, 0, 0, 0, 0, 0, 0);
  await withServer(() => serve(huge, 10), async (fileSystem) => {
    await fails(fileSystem.readFile("/a"), "too_large");
  });
  await withServer(() => serve(new Uint8Array(8), 11), async (fileSystem) => {
    await fails(fileSystem.readFile("/a", { length: 10 }), "connection_failed", /11 bytes/);
  });
  await withServer(() => serve(new Uint8Array(8), 0), async (fileSystem) => {
    await fails(fileSystem.readFile("/a"), "connection_failed", /0 bytes/);
  });
});

Deno.test("codes of later versions are understood", async () => {
  const rows: readonly (readonly [number, FileSystemErrorCode])[] = [
    [2, "missing"],
    [3, "permission_denied"],
    [4, "failed"],
    [7, "connection_failed"],
    [8, "unsupported"],
    [11, "exists"],
    [12, "read_only"],
    [14, "no_space"],
    [15, "no_space"],
    [19, "not_directory"],
    [21, "link_loop"],
    [99, "failed"],
  ];
  for (const [code, expected] of rows) {
    const open = () =>
      fakeServer(({ type, id }, client) => {
        client.send(type === 1 ? version() : packet(101, id, code, "server's words", ""));
      });
    await withServer(open, async (fileSystem) => {
      await fails(fileSystem.stat("/a"), expected);
    });
  }
});

Deno.test("a read that is cancelled ends at once, and the next one works", async () => {
  const controller = new AbortController();
  let asked = 0;
  const open = () =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 3) client.send(packet(102, id, "h"));
      else if (type === 5 && asked++ === 0) controller.abort();
      else if (type === 5) client.send(packet(103, id, "late"));
      else if (type === 8) {
        client.send(attributesWithSize(id, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 4)));
      } else client.send(status(id, 0));
    });
  await withServer(open, async (fileSystem) => {
    await fails(fileSystem.readFile("/a", { signal: controller.signal }), "cancelled");
    assert.deepEqual(await fileSystem.readFile("/a"), bytesOf("late"));
  });
});

function attributesWithSize(id: number, size: Uint8Array): Uint8Array {
  const body = packet(105, id, 1);
  const whole = new Uint8Array([...body, ...size]);
  new DataView(whole.buffer).setUint32(0, whole.length - 4);
  return whole;
}
