// Owns: one channel per destination: opened when needed, opened again after a drop, repaired, closed.
// Must not know: which files, what a request does.

import { FileSystemError } from "./file_system.ts";
import { type SftpChannel, SftpConnectionError } from "./sftp_channel.ts";
import { SftpProtocolError } from "./sftp_wire.ts";

/** Whether work that was cut by a drop may simply be done again. */
export type AfterDrop = "repeat" | "report";

/** Work on a channel; the path is the one to name when it fails. */
export interface SessionWork<T> {
  readonly path: string;
  readonly afterDrop: AfterDrop;
  readonly work: (channel: SftpChannel) => Promise<T>;
}

export class SftpSession {
  readonly #connect: () => Promise<SftpChannel>;
  #channel: Promise<SftpChannel> | undefined;
  /** What a dropped connection left to be put right, in order. */
  #repairs: ((channel: SftpChannel) => Promise<void>)[] = [];
  #isClosed = false;

  constructor(connect: () => Promise<SftpChannel>) {
    this.#connect = connect;
  }

  /** Does work on an open channel. Rejects with FileSystemError for anything that ends the connection. */
  async run<T>(task: SessionWork<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      const channel = await this.#open(task.path);
      try {
        return await task.work(channel);
      } catch (error) {
        const drop = error instanceof SftpProtocolError ? await channel.failProtocol(error) : error;
        if (!(drop instanceof SftpConnectionError)) throw drop;
        const isLast = attempt > 1 || task.afterDrop === "report" || this.#isClosed;
        if (isLast) throw connectionFailed(task.path, drop);
      }
    }
  }

  /** Has the next connection begin with `repair`, whose failure is nobody's error. */
  repairLater(repair: (channel: SftpChannel) => Promise<void>): void {
    this.#repairs.push(repair);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const channel = await this.#channel?.catch(() => undefined);
    await channel?.close();
  }

  /** The open channel, or a new one that all callers who wait share, its failure included. */
  async #open(path: string): Promise<SftpChannel> {
    const known = this.#channel;
    if (known !== undefined) {
      const channel = await this.#opened(path, known);
      if (channel.isOpen) return channel;
      if (this.#channel === known) this.#channel = undefined;
    }
    if (this.#isClosed) throw connectionFailed(path, new SftpConnectionError("octofs is ending"));
    this.#channel ??= this.#openRepaired();
    return await this.#opened(path, this.#channel);
  }

  async #opened(path: string, opening: Promise<SftpChannel>): Promise<SftpChannel> {
    try {
      return await opening;
    } catch (error) {
      if (this.#channel === opening) this.#channel = undefined;
      throw error instanceof SftpConnectionError ? connectionFailed(path, error) : error;
    }
  }

  async #openRepaired(): Promise<SftpChannel> {
    const channel = await this.#connect();
    const repairs = this.#repairs;
    this.#repairs = [];
    for (const repair of repairs) {
      await repair(channel).catch((error) => {
        // Not done: the connection after this one may do it.
        if (error instanceof SftpConnectionError) this.#repairs.push(repair);
      });
    }
    return channel;
  }
}

function connectionFailed(path: string, error: SftpConnectionError): FileSystemError {
  return new FileSystemError("connection_failed", path, { message: error.message, cause: error });
}
