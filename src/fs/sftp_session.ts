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

/** What a dropped connection left behind. */
export interface Repair {
  /** A sentence for the user, said with every failure until the repair is done. */
  readonly note: string;
  /** Its failure is nobody's error. */
  readonly work: (channel: SftpChannel) => Promise<void>;
}

export class SftpSession {
  readonly #connect: () => Promise<SftpChannel>;
  #channel: Promise<SftpChannel> | undefined;
  #repairs: readonly Repair[] = [];
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
        if (isLast) throw this.#failed(task.path, drop);
      }
    }
  }

  /** Has the next connection begin with a repair. */
  repairLater(repair: Repair): void {
    this.#repairs = [...this.#repairs, repair];
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
    if (this.#isClosed) throw this.#failed(path, new SftpConnectionError("octofs is ending"));
    this.#channel ??= this.#openRepaired();
    return await this.#opened(path, this.#channel);
  }

  async #opened(path: string, opening: Promise<SftpChannel>): Promise<SftpChannel> {
    try {
      return await opening;
    } catch (error) {
      if (this.#channel === opening) this.#channel = undefined;
      throw error instanceof SftpConnectionError ? this.#failed(path, error) : error;
    }
  }

  async #openRepaired(): Promise<SftpChannel> {
    const channel = await this.#connect();
    for (const repair of this.#repairs) {
      try {
        await repair.work(channel);
      } catch (error) {
        // Not done: the connection after this one may do it.
        if (error instanceof SftpConnectionError) break;
      }
      this.#repairs = this.#repairs.filter((other) => other !== repair);
    }
    return channel;
  }

  #failed(path: string, error: SftpConnectionError): FileSystemError {
    const message = [error.message, ...this.#repairs.map((repair) => repair.note)].join("\n");
    return new FileSystemError("connection_failed", path, { message, cause: error });
  }
}
