// Owns: what an SFTP server's refusal means, as FileSystemError; version 3 has one code for many reasons.
// Must not know: how requests are made, reconnecting.

import { posix } from "node:path";
import { FileSystemError, type FileSystemErrorCode } from "./file_system.ts";
import { toFileInfo } from "./sftp_attributes.ts";
import type { SftpChannel } from "./sftp_channel.ts";
import {
  type SftpStatus,
  STATUS_BAD_MESSAGE,
  STATUS_CONNECTION_LOST,
  STATUS_FAILURE,
  STATUS_NO_CONNECTION,
  STATUS_NO_SUCH_FILE,
  STATUS_PERMISSION_DENIED,
  STATUS_UNSUPPORTED,
} from "./sftp_packet.ts";
import { encodeName, WireReader } from "./sftp_wire.ts";

/** What octofs wanted when it was refused; a bare "Failure" means something else for each. */
export type SftpPurpose = "look" | "list" | "read" | "create" | "write" | "change";

export interface SftpRefusal {
  readonly path: string;
  readonly purpose: SftpPurpose;
  readonly status: SftpStatus;
  /** Bytes that were to be written. */
  readonly bytes?: number;
}

const NAME_BYTES = 255;
const PATH_BYTES = 4095;

/** The codes above 8 are of later versions; some servers send them all the same. */
const CODES: { readonly [code: number]: FileSystemErrorCode } = {
  [STATUS_NO_SUCH_FILE]: "missing",
  [STATUS_PERMISSION_DENIED]: "permission_denied",
  [STATUS_BAD_MESSAGE]: "invalid_path",
  [STATUS_NO_CONNECTION]: "connection_failed",
  [STATUS_CONNECTION_LOST]: "connection_failed",
  [STATUS_UNSUPPORTED]: "unsupported",
  10: "missing",
  11: "exists",
  12: "read_only",
  14: "no_space",
  15: "no_space",
  19: "not_directory",
  20: "invalid_path",
  21: "link_loop",
  24: "is_directory",
};

const WORDS: { readonly [Code in FileSystemErrorCode]?: string } = {
  missing: "no such file or directory",
  exists: "it exists already",
  not_directory: "it is not a directory",
  is_directory: "it is a directory",
  permission_denied: "permission denied",
  read_only: "the remote file system is read-only",
  no_space: "no space is left on the remote file system",
  name_too_long: "the name is too long",
};

/** The error for a refusal, with a second look at the server where the status alone says too little. */
export async function toFileSystemError(
  channel: SftpChannel,
  refusal: SftpRefusal,
): Promise<FileSystemError> {
  const code = await closerLook(channel, refusal) ?? CODES[refusal.status.code] ?? "failed";
  const said = refusal.status.message;
  const words = WORDS[code] ??
    `the server refused with "${said || `status ${refusal.status.code}`}"`;
  return new FileSystemError(code, refusal.path, { message: words, cause: refusal.status });
}

async function closerLook(
  channel: SftpChannel,
  { path, purpose, status, bytes }: SftpRefusal,
): Promise<FileSystemErrorCode | undefined> {
  if (status.code === STATUS_BAD_MESSAGE && isTooLong(path)) return "name_too_long";
  if (status.code === STATUS_NO_SUCH_FILE && purpose === "list") {
    return await kindAt(channel, path, "stat") === undefined ? undefined : "not_directory";
  }
  if (status.code !== STATUS_FAILURE) return undefined;
  switch (purpose) {
    case "look":
    case "list":
      return undefined;
    case "read":
      return await kindAt(channel, path, "stat") === "directory" ? "is_directory" : undefined;
    case "create":
      return await kindAt(channel, path, "lstat") !== undefined
        ? "exists"
        : await diskState(channel, path, bytes ?? 0);
    case "change":
      return await diskState(channel, path, 0);
    case "write":
      return await kindAt(channel, path, "stat") === "directory"
        ? "is_directory"
        : await diskState(channel, path, bytes ?? 0);
  }
}

function isTooLong(path: string): boolean {
  return encodeName(path).length > PATH_BYTES ||
    path.split("/").some((name) => encodeName(name).length > NAME_BYTES);
}

async function kindAt(channel: SftpChannel, path: string, how: "stat" | "lstat") {
  const answer = await channel.request({ kind: how, path });
  return answer.kind === "attributes" ? toFileInfo(answer.attributes).kind : undefined;
}

/** Whether the file system that holds the directory of `path` is full or read-only, where the server can say so. */
async function diskState(
  channel: SftpChannel,
  path: string,
  bytes: number,
): Promise<FileSystemErrorCode | undefined> {
  if (!channel.offers("statvfs@openssh.com")) return undefined;
  const answer = await channel.request({
    kind: "extended",
    name: "statvfs@openssh.com",
    fields: [posix.dirname(path)],
  });
  if (answer.kind !== "extended" || answer.data.length < 88) return undefined;
  const reader = new WireReader(answer.data);
  const field = () => reader.uint64();
  const [, fragment, , , available, files, , filesAvailable, , flags] = Array.from(
    { length: 11 },
    field,
  );
  if ((flags ?? 0) % 2 === 1) return "read_only";
  const noBlocks = (available ?? 0) * (fragment ?? 0) <= bytes;
  const noFiles = (files ?? 0) > 0 && filesAvailable === 0;
  return noBlocks || noFiles ? "no_space" : undefined;
}
