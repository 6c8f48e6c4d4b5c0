// Owns: connections that drop at any byte of any operation: old or new, never a mix, and the next call works.

import assert from "node:assert/strict";
import { writeAtomically } from "../../src/fs/atomic_write.ts";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { SftpFileSystem } from "../../src/fs/sftp.ts";
import { SftpChannel } from "../../src/fs/sftp_channel.ts";
import { SshPool } from "../../src/fs/ssh_pool.ts";
import { cutPipe, type CutPoint } from "../support/cut_pipe.ts";
import { openSftpServer, whyNoSftpServer } from "../support/sftp_server.ts";
import { LOOPBACK, testSsh, withSshd } from "../support/ssh_login.ts";

const TIMES = { handshakeMilliseconds: 20_000, silenceMilliseconds: 20_000 };
const POOR_SERVER = ["-P", "posix-rename,fsync,statvfs,limits"];

const OLD = "old content\n".repeat(12);
const NEW = "the new content\r\n".repeat(15);

/** One way to change the file `file` of a directory from OLD to NEW. */
type Change = (fileSystem: SftpFileSystem, path: string) => Promise<unknown>;

const CHANGES: { readonly [name: string]: Change } = {
  "an atomic edit": async (fileSystem, path) => {
    const info = await fileSystem.stat(path);
    const expected = { bytes: bytesOf(OLD), info };
    await writeAtomically({ fileSystem, path }, { bytes: bytesOf(NEW), expected });
  },
  "an edit in place": (fileSystem, path) => fileSystem.overwrite(path, bytesOf(NEW)),
};

const bytesOf = (text: string) => new TextEncoder().encode(text);

interface Outcome {
  /** False where the operation was over before the cut. */
  readonly reached: boolean;
  readonly error: unknown;
  /** Connections that the change itself opened. */
  readonly connections: number;
  /** As the next call sees them. */
  readonly after: string | undefined;
  readonly names: readonly string[];
}

/** Does the change over a connection that drops at the cut; later connections hold. */
async function changeAcross(
  cut: CutPoint,
  { change, server }: { change: Change; server: readonly string[] },
): Promise<Outcome> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-drop-" }));
  const path = `${directory}/file`;
  await Deno.writeTextFile(path, OLD);
  let connections = 0;
  const fileSystem = new SftpFileSystem("ssh://test", () => {
    const pipe = openSftpServer(...server);
    return SftpChannel.open(connections++ === 0 ? cutPipe(pipe, cut) : pipe, TIMES);
  });
  try {
    const error = await change(fileSystem, path).then(() => undefined, (reason) => reason);
    const used = connections;
    // The next call works, and with it the traces of the drop go away.
    const after = await fileSystem.readFile(path).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );
    const names = (await fileSystem.readDirectory(directory)).map((entry) => entry.name);
    const reached = connections > 1 || error !== undefined;
    return { reached, error, connections: used, after, names };
  } finally {
    await fileSystem.close();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Cuts at every seventh byte until the operation is over before the cut. */
async function sweep(
  direction: CutPoint["direction"],
  options: { change: Change; server: readonly string[] },
): Promise<{ failed: number; failedAgain: number; survived: number }> {
  const count = { failed: 0, failedAgain: 0, survived: 0 };
  for (let bytes = 1;; bytes += 7) {
    const what = `${direction} ${bytes}`;
    const outcome = await changeAcross({ direction, bytes }, options);
    const { reached, error, after, names } = outcome;
    if (error !== undefined) {
      assert.ok(error instanceof FileSystemError, `${what}: ${error}`);
      assert.equal(error.code, "connection_failed", what);
    }
    assert.ok(after === NEW || (error !== undefined && after === OLD), `${what}: ${after}`);
    assert.deepEqual(names, ["file"], what);
    if (!reached) return count;
    if (error === undefined) count.survived++;
    else if (outcome.connections === 1) count.failed++;
    else count.failedAgain++;
  }
}

for (const [name, change] of Object.entries(CHANGES)) {
  for (const [which, server] of [["", []], [" of a bare server", POOR_SERVER]] as const) {
    for (const direction of ["sent", "received"] as const) {
      const reason = whyNoSftpServer === undefined ? "" : ` (${whyNoSftpServer})`;
      Deno.test({
        name: `${name}${which}, cut after every few bytes ${direction}${reason}`,
        ignore: whyNoSftpServer !== undefined,
        fn: async () => {
          const { failed, failedAgain, survived } = await sweep(direction, { change, server });
          assert.ok(survived > 10, "reads and renames survive a drop");
          assert.ok(failed > 1, "a greeting or a new file that is cut is reported");
          assert.equal(failedAgain, 0, "a second connection always ends it well");
        },
      });
    }
  }
}

testSsh("an sshd that dies: idle, while reading, while writing", async () => {
  await withSshd({}, async (sshd) => {
    const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-drop-" }));
    const pool = new SshPool({ timeoutSeconds: 10, sshArguments: sshd.sshArguments });
    const fileSystem = pool.fileSystem({ host: LOOPBACK, port: sshd.port });
    const large = new Uint8Array(30_000_000).fill(7);
    const path = `${directory}/large`;
    try {
      await fileSystem.writeNewFile(path, large);
      await sshd.dropConnections();
      assert.equal((await fileSystem.stat(path)).size, large.length, "idle");

      const reading = fileSystem.readFile(path);
      await sshd.dropConnections();
      assert.deepEqual(await reading, large, "reading");

      const info = await fileSystem.stat(path);
      const bytes = new Uint8Array(40_000_000).fill(8);
      const writing = writeAtomically(
        { fileSystem, path },
        { bytes, expected: { bytes: large, info } },
      );
      writing.catch(() => {});
      await temporaryFileGrows(directory);
      await sshd.dropConnections();
      await assert.rejects(writing, (error) => {
        assert.ok(error instanceof FileSystemError);
        assert.equal(error.code, "connection_failed");
        assert.match(
          error.message,
          /An unfinished file may be left at .*; the next connection removes it/,
        );
        return true;
      });
      assert.deepEqual(await Deno.readFile(path), large, "the old content stands");
      assert.deepEqual((await fileSystem.readDirectory(directory)).map((one) => one.name), [
        "large",
      ]);
    } finally {
      await pool.close();
      await Deno.remove(directory, { recursive: true });
    }
  });
});

testSsh("an sshd that freezes: what can be asked again is, on a new connection", async () => {
  await withSshd({}, async (sshd) => {
    const pool = new SshPool({ timeoutSeconds: 1, sshArguments: sshd.sshArguments });
    const fileSystem = pool.fileSystem({ host: LOOPBACK, port: sshd.port });
    const path = `${sshd.directory}/new`;
    try {
      await fileSystem.stat("/");
      await sshd.freezeConnections();
      assert.equal((await fileSystem.stat("/")).kind, "directory");
      await sshd.freezeConnections();
      await assert.rejects(fileSystem.writeNewFile(path, bytesOf("x")), (error) => {
        assert.ok(error instanceof FileSystemError);
        assert.match(error.message, /no answer for 1 seconds|did not answer in time/);
        return error.code === "connection_failed";
      });
      await fileSystem.writeNewFile(path, bytesOf("x"));
    } finally {
      await pool.close();
    }
  });
});

testSsh("an sshd that stays away: the error says so, and its return is noticed", async () => {
  await withSshd({}, async (sshd) => {
    const pool = new SshPool({ timeoutSeconds: 5, sshArguments: sshd.sshArguments });
    const fileSystem = pool.fileSystem({ host: LOOPBACK, port: sshd.port });
    try {
      await fileSystem.stat("/");
      await sshd.pause();
      await assert.rejects(fileSystem.stat("/"), /nothing listens/);
      await sshd.resume();
      assert.equal((await fileSystem.stat("/")).kind, "directory");
    } finally {
      await pool.close();
    }
  });
});

async function temporaryFileGrows(directory: string): Promise<void> {
  while (true) {
    for await (const { name } of Deno.readDir(directory)) {
      if (name.endsWith(".tmp") && (await Deno.stat(`${directory}/${name}`)).size > 0) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
