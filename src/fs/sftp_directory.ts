// Owns: listing one remote directory with as few round trips as the protocol allows.
// Must not know: reconnecting, walks.

import type { DirectoryEntry } from "./file_system.ts";
import { toFileInfo } from "./sftp_attributes.ts";
import type { SftpChannel } from "./sftp_channel.ts";
import {
  type SftpName,
  type SftpNames,
  type SftpStatus,
  STATUS_END_OF_FILE,
} from "./sftp_packet.ts";
import { SftpStatusError } from "./sftp_transfer.ts";
import { SftpProtocolError } from "./sftp_wire.ts";

/** The first answer of a small directory is all of it, and the second says that it was. */
const FIRST_AHEAD = 2;
/** Large directories come in answers of about a hundred entries. */
const MOST_AHEAD = 8;
const MOST_ENTRIES = 2_000_000;

/** Entries with their attributes, links not followed. Throws SftpStatusError. */
export async function listDirectory(channel: SftpChannel, path: string): Promise<DirectoryEntry[]> {
  const opened = await channel.request({ kind: "opendir", path });
  if (opened.kind === "status") throw new SftpStatusError(opened);
  try {
    return await readEntries(channel, opened.handle);
  } finally {
    channel.request({ kind: "close", handle: opened.handle }).catch(() => {});
  }
}

async function readEntries(channel: SftpChannel, handle: Uint8Array): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  const asked: Promise<SftpNames | SftpStatus>[] = [];
  for (let ahead = FIRST_AHEAD;; ahead = Math.min(MOST_AHEAD, ahead * 2)) {
    while (asked.length < ahead) {
      const answer = channel.request({ kind: "readdir", handle });
      // Those behind the end are never looked at.
      answer.catch(() => {});
      asked.push(answer);
    }
    const answer = await asked.shift();
    if (answer === undefined) return entries;
    if (answer.kind === "status") {
      if (answer.code === STATUS_END_OF_FILE) return entries;
      throw new SftpStatusError(answer);
    }
    for (const name of answer.names) if (isEntryName(name.name)) entries.push(toEntry(name));
    if (answer.names.length === 0 || entries.length > MOST_ENTRIES) {
      throw new SftpProtocolError("a directory listing without an end");
    }
  }
}

/** A server that sends a path where a name belongs wants to lead the reader somewhere else. */
function isEntryName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
}

function toEntry({ name, longName, attributes }: SftpName): DirectoryEntry {
  const info = toFileInfo(attributes, longName);
  return { name, kind: info.kind, info };
}
