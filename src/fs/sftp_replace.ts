// Owns: renaming over an existing remote file, also on servers whose rename cannot replace.
// Must not know: how the new file was written, reconnecting.

import { posix } from "node:path";
import { type SftpChannel, SftpConnectionError } from "./sftp_channel.ts";
import { STATUS_NO_SUCH_FILE, STATUS_OK } from "./sftp_packet.ts";
import type { SftpSession } from "./sftp_session.ts";
import { mustBeOk, SftpStatusError } from "./sftp_transfer.ts";
import { SftpProtocolError } from "./sftp_wire.ts";

export interface Replacement {
  readonly from: string;
  readonly to: string;
  /** True after a drop: the request before may have been carried out, unanswered. */
  readonly isRepeated: boolean;
  readonly session: SftpSession;
}

const POSIX_RENAME = "posix-rename@openssh.com";

/** Puts `from` in the place of `to`. Throws SftpStatusError; then `to` is as it was. */
export async function replaceFile(channel: SftpChannel, replacement: Replacement): Promise<void> {
  const { from, to, isRepeated } = replacement;
  if (isRepeated && !await exists(channel, from) && await exists(channel, to)) return;
  if (channel.offers(POSIX_RENAME)) {
    const answer = await channel.request({
      kind: "extended",
      name: POSIX_RENAME,
      fields: [from, to],
    });
    if (answer.kind !== "status") throw new SftpProtocolError("a rename answered with data");
    return mustBeOk(answer);
  }
  // Enough where nothing is at `to`, and on servers that replace by themselves.
  const plain = await channel.request({ kind: "rename", from, to });
  if (plain.code === STATUS_OK) return;
  if (!await exists(channel, from) || !await exists(channel, to)) throw new SftpStatusError(plain);
  await replaceAside(channel, replacement);
}

/**
 * Without an atomic rename the old file steps aside for a moment, whole, and is removed last. Writing
 * into it instead would mix old and new content in a file when the connection drops.
 */
async function replaceAside(
  channel: SftpChannel,
  { from, to, session }: Replacement,
): Promise<void> {
  const aside = posix.join(posix.dirname(to), `.octofs-${crypto.randomUUID()}.old`);
  const remove = async (open: SftpChannel) => {
    await open.request({ kind: "remove", path: aside });
  };
  // A plain rename cannot replace, so it tells whether something is at `to` by now.
  const comeBack = async (open: SftpChannel) => {
    const back = await open.request({ kind: "rename", from: aside, to });
    return back.code === STATUS_OK;
  };
  const settle = async (open: SftpChannel) => {
    // Where the new file has arrived after all, the old one is not needed any more.
    if (await comeBack(open) || !await exists(open, to) || await exists(open, from)) return;
    await remove(open);
  };
  const note = `The old content of ${to} may be at ${aside}; the next connection settles that.`;
  try {
    mustBeOk(await channel.request({ kind: "rename", from: to, to: aside }));
    const moved = await channel.request({ kind: "rename", from, to });
    if (moved.code !== STATUS_OK) {
      await comeBack(channel);
      throw new SftpStatusError(moved);
    }
  } catch (error) {
    if (error instanceof SftpConnectionError) session.repairLater({ note, work: settle });
    throw error;
  }
  await remove(channel).catch(() => session.repairLater({ note, work: remove }));
}

async function exists(channel: SftpChannel, path: string): Promise<boolean> {
  const answer = await channel.request({ kind: "lstat", path });
  if (answer.kind === "attributes") return true;
  if (answer.code === STATUS_NO_SUCH_FILE) return false;
  throw new SftpStatusError(answer);
}
