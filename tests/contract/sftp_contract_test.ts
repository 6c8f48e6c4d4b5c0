// Owns: the FileSystem suite over SFTP: a bare sftp-server, one without extensions, a whole connection.

import { SftpFileSystem } from "../../src/fs/sftp.ts";
import { SftpChannel } from "../../src/fs/sftp_channel.ts";
import { SshPool } from "../../src/fs/ssh_pool.ts";
import type { FileSystem } from "../../src/fs/file_system.ts";
import { openSftpServer, whyNoSftpServer } from "../support/sftp_server.ts";
import { type Sshd, startSshd, whyNoSshd } from "../support/sshd.ts";
import { testFileSystem, type TestPlace } from "./file_system_contract.ts";

const TIMES = { handshakeMilliseconds: 10_000, silenceMilliseconds: 10_000 };

/** What makes a server of bare version 3: none of these is announced or answered. */
const NO_EXTENSIONS = "posix-rename,fsync,statvfs,fstatvfs,hardlink,lsetstat,limits,expand-path";

testFileSystem("sftp", {
  skip: whyNoSftpServer,
  withPlace: (use) => withServer([], use),
});

testFileSystem("sftp without extensions", {
  skip: whyNoSftpServer,
  withPlace: (use) => withServer(["-P", NO_EXTENSIONS], use),
});

/** One server for the file; every test has a connection of its own. */
let sshd: Sshd | undefined;
Deno.test.beforeAll(async () => {
  if (whyNoSshd === undefined) sshd = await startSshd();
});
Deno.test.afterAll(async () => await sshd?.stop());

testFileSystem("ssh", {
  skip: whyNoSshd,
  withPlace: async (use) => {
    if (sshd === undefined) throw new Error("sshd was not started");
    const pool = new SshPool({ timeoutSeconds: 10, sshArguments: sshd.sshArguments });
    try {
      await inTemporaryDirectory(pool.fileSystem({ host: "127.0.0.1", port: sshd.port }), use);
    } finally {
      await pool.close();
    }
  },
});

async function withServer(
  args: string[],
  use: (place: TestPlace) => Promise<void>,
): Promise<void> {
  const fileSystem = new SftpFileSystem(
    "ssh://test",
    () => SftpChannel.open(openSftpServer(...args), TIMES),
  );
  try {
    await inTemporaryDirectory(fileSystem, use);
  } finally {
    await fileSystem.close();
  }
}

/** The servers of these tests serve this machine's disk. */
async function inTemporaryDirectory(
  fileSystem: FileSystem,
  use: (place: TestPlace) => Promise<void>,
): Promise<void> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-contract-" }));
  try {
    await use({ fileSystem, directory, link: (target, path) => Deno.symlink(target, path) });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
