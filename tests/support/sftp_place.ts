// Owns: a remote file system over any pipe with an empty directory beside it, and what it must refuse.
// Must not know: which server is at the other end.

import assert from "node:assert/strict";
import { FileSystemError, type FileSystemErrorCode } from "../../src/fs/file_system.ts";
import { SftpFileSystem } from "../../src/fs/sftp.ts";
import { type BytePipe, SftpChannel } from "../../src/fs/sftp_channel.ts";

const TIMES = { handshakeMilliseconds: 10_000, silenceMilliseconds: 10_000 };

/** A file system over a pipe, and an empty directory of this machine. */
export async function withServer(
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

/** The work must be refused, with this code and such a message. */
export async function fails(
  work: Promise<unknown>,
  code: FileSystemErrorCode,
  message = /./,
): Promise<void> {
  const error = await work.then(() => undefined, (reason) => reason);
  assert.ok(error instanceof FileSystemError, `expected ${code}, got ${error}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);
