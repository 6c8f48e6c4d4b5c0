// Owns: listing one remote directory with as few round trips as the protocol allows.
// Must not know: reconnecting, walks.

import type { DirectoryEntry } from "./file_system.ts";
import { toFileInfo } from "./sftp_attributes.ts";
import type { SftpChannel } from "./sftp_channel.ts";
import { type SftpName, STATUS_END_OF_FILE } from "./sftp_packet.ts";
import { SftpStatusError } from "./sftp_transfer.ts";
import { SftpProtocolError } from "./sftp_wire.ts";

/** The first answer of a small directory is all of it, and the second says that it was. */
const REQUESTS_AHEAD = 2;
const MOST_ENTRIES = 2_000_000;

/** Entries with their attributes, links not followed. Throws SftpStatusError. */
export async function listDirectory(channel: SftpChannel, path: string): Promise<DirectoryEntry[]> {
  const opened = await channel.request({ kind: "opendir", path });
  if (opened.kind === "status") throw new SftpStatusError(opened);
  const { handle } = opened;
  const entries: DirectoryEntry[] = [];
  const lane = async () => {
    while (true) {
      const answer = await channel.request({ kind: "readdir", handle });
      if (answer.kind === "status") {
        if (answer.code === STATUS_END_OF_FILE) return;
        throw new SftpStatusError(answer);
      }
      for (const name of answer.names) if (isEntryName(name.name)) entries.push(toEntry(name));
      if (answer.names.length === 0 || entries.length > MOST_ENTRIES) {
        throw new SftpProtocolError("a directory listing without an end");
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: REQUESTS_AHEAD }, lane));
  channel.request({ kind: "close", handle }).catch(() => {});
  for (const outcome of lanes) if (outcome.status === "rejected") throw outcome.reason;
  return entries;
}

/** A server that sends a path where a name belongs wants to lead the reader somewhere else. */
function isEntryName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
}

function toEntry({ name, longName, attributes }: SftpName): DirectoryEntry {
  const info = toFileInfo(attributes, longName);
  return { name, kind: info.kind, info };
}
