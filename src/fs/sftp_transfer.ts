// Owns: moving many bytes through one open handle with many requests in flight.
// Must not know: paths, how a handle is opened, reconnecting.

import type { SftpChannel } from "./sftp_channel.ts";
import { type SftpStatus, STATUS_END_OF_FILE, STATUS_OK } from "./sftp_packet.ts";
import { SftpProtocolError } from "./sftp_wire.ts";

/** Bytes that may be under way at once: what a long fast line holds, and OpenSSH's own window. */
const BYTES_IN_FLIGHT = 2 * 1024 * 1024;

/** An open file of a channel. */
export interface OpenFile {
  readonly channel: SftpChannel;
  readonly handle: Uint8Array;
}

export interface ReadRange {
  readonly offset: number;
  /** Bytes at most; Infinity for the rest of the file. */
  readonly length: number;
  readonly signal: AbortSignal | undefined;
}

/** A server refused one request of a transfer. */
export class SftpStatusError extends Error {
  override readonly name = "SftpStatusError";

  constructor(readonly status: SftpStatus) {
    super(status.message);
  }
}

/**
 * Reads a range; fewer bytes come back only at the end of the file.
 * Throws SftpStatusError, RangeError for more than fits in memory, or what the channel throws.
 */
export async function readRange(file: OpenFile, range: ReadRange): Promise<Uint8Array> {
  const chunk = file.channel.limits.read;
  const [first, facts] = await Promise.all([
    readOnce(file, range.offset, Math.min(chunk, range.length)),
    file.channel.request({ kind: "fstat", handle: file.handle }),
  ]);
  if (first.length === 0) return first;
  const size = facts.kind === "attributes" ? facts.attributes.size ?? 0 : 0;
  // Files that the kernel makes up, as in /proc, say that they are empty.
  if (size === 0) return await readToEnd(file, { first, range });
  const total = Math.max(first.length, Math.min(range.length, size - range.offset));
  // A copy: the piece is a view into a packet that may have brought other answers too.
  return first.length >= total ? first.slice() : await fill(file, { first, total, range });
}

/** Writes `bytes` from the same place in the file on. Throws SftpStatusError after the last answer. */
export async function writeAll(
  { channel, handle }: OpenFile,
  { bytes, from }: { bytes: Uint8Array; from: number },
): Promise<void> {
  const chunk = channel.limits.write;
  await inParallel(Math.ceil((bytes.length - from) / chunk), {
    limit: inFlight(chunk),
    work: async (index) => {
      const offset = from + index * chunk;
      const data = bytes.subarray(offset, offset + chunk);
      mustBeOk(await channel.request({ kind: "write", handle, offset, data }));
    },
  });
}

/** True when `writeAll` has sent everything as soon as it returns. */
export function isOneBurst(channel: SftpChannel, bytes: number): boolean {
  return Math.ceil(bytes / channel.limits.write) <= inFlight(channel.limits.write);
}

export function mustBeOk(status: SftpStatus): void {
  if (status.code !== STATUS_OK) throw new SftpStatusError(status);
}

function inFlight(chunk: number): number {
  return Math.max(4, Math.ceil(BYTES_IN_FLIGHT / chunk));
}

/** Reads one piece; empty at the end of the file. */
async function readOnce(
  { channel, handle }: OpenFile,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array();
  const answer = await channel.request({ kind: "read", handle, offset, length });
  if (answer.kind === "status") {
    if (answer.code === STATUS_END_OF_FILE) return new Uint8Array();
    throw new SftpStatusError(answer);
  }
  if (answer.data.length === 0 || answer.data.length > length) {
    throw new SftpProtocolError(`${answer.data.length} bytes in answer to a read of ${length}`);
  }
  return answer.data;
}

async function readToEnd(
  file: OpenFile,
  { first, range }: { first: Uint8Array; range: ReadRange },
): Promise<Uint8Array> {
  const parts = [first];
  let length = first.length;
  while (length < range.length) {
    range.signal?.throwIfAborted();
    const wanted = Math.min(file.channel.limits.read, range.length - length);
    const part = await readOnce(file, range.offset + length, wanted);
    if (part.length === 0) break;
    parts.push(part);
    length += part.length;
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

async function fill(
  file: OpenFile,
  { first, total, range }: { first: Uint8Array; total: number; range: ReadRange },
): Promise<Uint8Array> {
  const chunk = file.channel.limits.read;
  const whole = new Uint8Array(total);
  whole.set(first);
  // Another program may shorten the file meanwhile.
  let end = total;
  const rest = total - first.length;
  await inParallel(Math.ceil(rest / chunk), {
    limit: inFlight(chunk),
    work: async (index) => {
      range.signal?.throwIfAborted();
      let position = first.length + index * chunk;
      const stop = Math.min(position + chunk, total);
      while (position < stop && position < end) {
        const piece = await readOnce(file, range.offset + position, stop - position);
        if (piece.length === 0) end = Math.min(end, position);
        whole.set(piece, position);
        position += piece.length;
      }
    },
  });
  return end === total ? whole : whole.subarray(0, end);
}

/** Does `count` pieces of work, at most `limit` at once; after a failure no new one begins. */
async function inParallel(
  count: number,
  { limit, work }: { limit: number; work: (index: number) => Promise<void> },
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (next < count && !failed) {
      try {
        await work(next++);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // Settled, not raced: the caller closes the handle, and nothing may still use it then.
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, count) }, lane));
  for (const outcome of lanes) if (outcome.status === "rejected") throw outcome.reason;
}
