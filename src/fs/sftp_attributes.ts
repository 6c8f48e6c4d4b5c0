// Owns: file attributes of SFTP version 3: on the wire, and as FileInfo.
// Must not know: requests, connections.

import type { FileInfo, FileKind } from "./file_system.ts";
import type { WireReader, WireWriter } from "./sftp_wire.ts";

/** What a server says of a file, or what it is told to set; absent means not said. */
export interface SftpAttributes {
  readonly size?: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** `st_mode` with the bits of the file's type. */
  readonly permissions?: number;
  readonly times?: { readonly accessed: number; readonly modified: number };
}

const HAS_SIZE = 0x1;
const HAS_OWNER = 0x2;
const HAS_PERMISSIONS = 0x4;
const HAS_TIMES = 0x8;
const HAS_EXTENDED = 0x80000000;

const TYPE_BITS = 0o170000;
const MODE_BITS = 0o7777;

export function writeAttributes(writer: WireWriter, attributes: SftpAttributes): void {
  const { size, owner, permissions, times } = attributes;
  writer.uint32(
    (size === undefined ? 0 : HAS_SIZE) |
      (owner === undefined ? 0 : HAS_OWNER) |
      (permissions === undefined ? 0 : HAS_PERMISSIONS) |
      (times === undefined ? 0 : HAS_TIMES),
  );
  if (size !== undefined) writer.uint64(size);
  if (owner !== undefined) writer.uint32(owner.uid).uint32(owner.gid);
  if (permissions !== undefined) writer.uint32(permissions);
  if (times !== undefined) writer.uint32(times.accessed).uint32(times.modified);
}

export function readAttributes(reader: WireReader): SftpAttributes {
  const flags = reader.uint32();
  // The order of these reads is the order of the fields on the wire.
  const size = flags & HAS_SIZE ? reader.uint64() : undefined;
  const owner = flags & HAS_OWNER ? { uid: reader.uint32(), gid: reader.uint32() } : undefined;
  const permissions = flags & HAS_PERMISSIONS ? reader.uint32() : undefined;
  const times = flags & HAS_TIMES
    ? { accessed: reader.uint32(), modified: reader.uint32() }
    : undefined;
  if (flags & HAS_EXTENDED) skipExtended(reader);
  return {
    ...(size === undefined ? {} : { size }),
    ...(owner === undefined ? {} : { owner }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(times === undefined ? {} : { times }),
  };
}

/** The kind and facts that attributes give; `longName` helps with servers that send no permissions. */
export function toFileInfo(attributes: SftpAttributes, longName = ""): FileInfo {
  const { permissions, owner } = attributes;
  const links = linksFromLongName(longName);
  return {
    kind: permissions === undefined || (permissions & TYPE_BITS) === 0
      ? kindFromLongName(longName)
      : kindFromPermissions(permissions),
    size: attributes.size ?? 0,
    modified: (attributes.times?.modified ?? 0) * 1000,
    ...(permissions === undefined ? {} : { mode: permissions & MODE_BITS }),
    ...(owner === undefined ? {} : { uid: owner.uid, gid: owner.gid }),
    ...(links === undefined ? {} : { links }),
  };
}

function skipExtended(reader: WireReader): void {
  for (let left = reader.uint32(); left > 0; left--) {
    reader.bytes();
    reader.bytes();
  }
}

function kindFromPermissions(permissions: number): FileKind {
  switch (permissions & TYPE_BITS) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "directory";
    case 0o120000:
      return "symlink";
    default:
      return "other";
  }
}

/** The first letter of an `ls -l` line. */
function kindFromLongName(longName: string): FileKind {
  if (!/^[a-z-][rwxsStTlL-]{9}/.test(longName)) return "other";
  switch (longName[0]) {
    case "-":
      return "file";
    case "d":
      return "directory";
    case "l":
      return "symlink";
    default:
      return "other";
  }
}

/** The second column of an `ls -l` line; version 3 has no attribute for it. */
function linksFromLongName(longName: string): number | undefined {
  const match = /^[a-z-][rwxsStTlL-]{9}[.+@]?\s+(\d+)\s/.exec(longName);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
