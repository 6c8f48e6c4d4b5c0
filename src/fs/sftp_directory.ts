// Owns: listing one remote directory with as few round trips as the protocol allows.
// Must not know: reconnecting, walks.

import { posix } from "node:path";
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
/** Entries looked through for one file's links; a larger directory is not worth the round trips. */
const MOST_LOOKED_THROUGH = 5_000;

/** Entries with their attributes, links not followed. Throws SftpStatusError. */
export async function listDirectory(channel: SftpChannel, path: string): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  await visitNames(channel, path, (name) => {
    if (isEntryName(name.name)) entries.push(toEntry(name));
    if (entries.length > MOST_ENTRIES) {
      throw new SftpProtocolError("a directory listing without an end");
    }
    return "on";
  });
  return entries;
}

/** How many hard links a file has: version 3 says it only in the lines of a listing of its directory. */
export async function countLinks(channel: SftpChannel, path: string): Promise<number | undefined> {
  const wanted = posix.basename(path);
  let links: number | undefined;
  let seen = 0;
  await visitNames(channel, posix.dirname(path), ({ name, longName, attributes }) => {
    if (name === wanted) links = toFileInfo(attributes, longName).links;
    return name === wanted || ++seen > MOST_LOOKED_THROUGH ? "enough" : "on";
  });
  return links;
}

async function visitNames(
  channel: SftpChannel,
  path: string,
  visit: (name: SftpName) => "on" | "enough",
): Promise<void> {
  const opened = await channel.request({ kind: "opendir", path });
  if (opened.kind === "status") throw new SftpStatusError(opened);
  const { handle } = opened;
  const asked: Promise<SftpNames | SftpStatus>[] = [];
  try {
    for (let ahead = FIRST_AHEAD;; ahead = Math.min(MOST_AHEAD, ahead * 2)) {
      while (asked.length < ahead) {
        const answer = channel.request({ kind: "readdir", handle });
        // Those behind the end are never looked at.
        answer.catch(() => {});
        asked.push(answer);
      }
      const answer = await asked.shift();
      if (answer === undefined) return;
      if (answer.kind === "status") {
        if (answer.code === STATUS_END_OF_FILE) return;
        throw new SftpStatusError(answer);
      }
      if (answer.names.length === 0) throw new SftpProtocolError("a listing that does not move on");
      for (const name of answer.names) if (visit(name) === "enough") return;
    }
  } finally {
    channel.request({ kind: "close", handle }).catch(() => {});
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
