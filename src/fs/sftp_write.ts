// Owns: writing whole files over SFTP: a new one, or into an existing one.
// Must not know: renaming, reconnecting, where the bytes come from.

import { posix } from "node:path";
import type { NewFileOptions } from "./file_system.ts";
import { type SftpChannel, SftpConnectionError } from "./sftp_channel.ts";
import {
  OPEN_CREATE,
  OPEN_EXCLUSIVE,
  OPEN_WRITE,
  STATUS_FAILURE,
  STATUS_OK,
  STATUS_UNSUPPORTED,
} from "./sftp_packet.ts";
import type { SftpSession } from "./sftp_session.ts";
import { isOneBurst, mustBeOk, type OpenFile, SftpStatusError, writeAll } from "./sftp_transfer.ts";

export interface NewRemoteFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: NewFileOptions;
  /** Told of a temporary file that a drop left behind. */
  readonly session: SftpSession;
}

/** The names that octofs gives to files it will rename or remove at once. */
const TEMPORARY_NAME = /^\.octofs-[0-9a-f-]{36}\.tmp$/;

/** Creates a file exclusively, in two round trips for up to 2 MiB. Throws SftpStatusError. */
export async function writeFile(channel: SftpChannel, file: NewRemoteFile): Promise<void> {
  const { path, bytes, options } = file;
  try {
    const opened = await channel.request({
      kind: "open",
      path,
      flags: OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE,
      // Closed to others until owner and mode are those of the file that it replaces.
      attributes: { permissions: options.mode === undefined ? 0o666 : 0o600 },
    });
    if (opened.kind === "status") throw new SftpStatusError(opened);
    await fillNewFile({ channel, handle: opened.handle }, { path, bytes, options });
  } catch (error) {
    if (error instanceof SftpConnectionError) leaveBehind(file);
    throw error;
  }
}

async function fillNewFile(
  file: OpenFile,
  { path, bytes, options }: { path: string; bytes: Uint8Array; options: NewFileOptions },
): Promise<void> {
  const { channel, handle } = file;
  // Requests for one file are carried out in the order in which they were sent.
  const written = writeAll(file, { bytes, from: 0 });
  let isClosed = false;
  try {
    if (!isOneBurst(channel, bytes.length)) await written;
    const steps = [written, giveAway(file, options), setMode(file, options), sameSize(file, bytes)];
    steps.push(flush(file), channel.request({ kind: "close", handle }).then(mustBeOk));
    isClosed = true;
    await allDone(steps);
  } catch (error) {
    if (!(error instanceof SftpConnectionError)) {
      if (!isClosed) await channel.request({ kind: "close", handle });
      await channel.request({ kind: "remove", path });
    }
    throw error;
  }
}

/**
 * Writes into an existing file. Where it grows, the end is written first: if there is no room for
 * that, the old length is restored and the old content was never touched.
 */
export async function overwriteFile(
  channel: SftpChannel,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const opened = await channel.request({ kind: "open", path, flags: OPEN_WRITE, attributes: {} });
  if (opened.kind === "status") throw new SftpStatusError(opened);
  const { handle } = opened;
  const file: OpenFile = { channel, handle };
  const resize = (size: number) =>
    channel.request({ kind: "fsetstat", handle, attributes: { size } });
  try {
    const facts = await channel.request({ kind: "fstat", handle });
    const oldSize = facts.kind === "attributes" ? facts.attributes.size ?? 0 : 0;
    if (bytes.length > oldSize) {
      await writeAll(file, { bytes, from: oldSize }).catch(async (error) => {
        if (error instanceof SftpStatusError) await resize(oldSize);
        throw error;
      });
    }
    await writeAll(file, { bytes: bytes.subarray(0, oldSize), from: 0 });
    if (bytes.length < oldSize) mustBeOk(await resize(bytes.length));
    await flush(file);
  } catch (error) {
    channel.request({ kind: "close", handle }).catch(() => {});
    throw error;
  }
  mustBeOk(await channel.request({ kind: "close", handle }));
}

/** Only root may give files away; without that right the file stays the user's own. */
async function giveAway(
  { channel, handle }: OpenFile,
  { uid, gid }: NewFileOptions,
): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await channel.request({ kind: "fsetstat", handle, attributes: { owner: { uid, gid } } });
}

/** After the owner, whose change clears the setuid and setgid bits. */
async function setMode({ channel, handle }: OpenFile, { mode }: NewFileOptions): Promise<void> {
  if (mode === undefined) return;
  const attributes = { permissions: mode & 0o7777 };
  mustBeOk(await channel.request({ kind: "fsetstat", handle, attributes }));
}

async function sameSize({ channel, handle }: OpenFile, bytes: Uint8Array): Promise<void> {
  const facts = await channel.request({ kind: "fstat", handle });
  const size = facts.kind === "attributes" ? facts.attributes.size : undefined;
  if (size === undefined || size === bytes.length) return;
  throw new SftpStatusError({
    kind: "status",
    code: STATUS_FAILURE,
    message: `only ${size} of ${bytes.length} bytes arrived`,
  });
}

/** To the disk, where the server can be told to. */
async function flush({ channel, handle }: OpenFile): Promise<void> {
  if (!channel.offers("fsync@openssh.com")) return;
  const answer = await channel.request({
    kind: "extended",
    name: "fsync@openssh.com",
    fields: [handle],
  });
  if (answer.kind !== "status") return;
  if (answer.code !== STATUS_OK && answer.code !== STATUS_UNSUPPORTED) {
    throw new SftpStatusError(answer);
  }
}

/** Waits for all, then throws the first failure in order. */
async function allDone(steps: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(steps)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

/** After a drop a temporary file is removed as soon as that is possible; any other is left, and named. */
function leaveBehind({ path, session }: NewRemoteFile): void {
  const isTemporary = TEMPORARY_NAME.test(posix.basename(path));
  session.repairLater({
    note: `An unfinished file may be left at ${path}` +
      (isTemporary ? "; the next connection removes it." : "."),
    work: async (channel) => {
      if (isTemporary) await channel.request({ kind: "remove", path });
    },
  });
}
