// Owns: one SFTP conversation: handshake, requests in flight and their answers, silence, the end.
// Must not know: how the bytes travel, files, retries.

import {
  type AnswerTo,
  decodeAnswer,
  decodeVersion,
  encodeInit,
  encodeRequest,
  isAnswerTo,
  SFTP_VERSION,
  type SftpAnswer,
  type SftpRequest,
} from "./sftp_packet.ts";
import { PacketSplitter, SftpProtocolError, WireReader } from "./sftp_wire.ts";

/** Bytes to and from an SFTP server. */
export interface BytePipe {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /**
   * Ends the transport; resolves when it is gone. `now` kills it; `soon` lets it first say why it
   * ended by itself. Further calls are harmless.
   */
  end(when: "now" | "soon"): Promise<void>;
  /** After `end`: words for the user about why it ended, made from what the transport said. */
  explain(reason: string): string;
}

/** The conversation is over; its message is for the user. */
export class SftpConnectionError extends Error {
  override readonly name = "SftpConnectionError";
}

export interface SftpChannelOptions {
  /** How long to wait for the server's first packet. */
  readonly handshakeMilliseconds: number;
  /** How long the server may leave the oldest request without an answer. */
  readonly silenceMilliseconds: number;
}

/** Bytes that one read or write request may carry. */
export interface TransferLimits {
  readonly read: number;
  readonly write: number;
}

interface Pending {
  readonly request: SftpRequest;
  readonly resolve: (answer: SftpAnswer) => void;
  readonly reject: (error: SftpConnectionError) => void;
}

/** What every server of version 3 must take. */
const DEFAULT_TRANSFER = 32 * 1024;
/** More in one request only makes a slow link look silent. */
const LARGEST_TRANSFER = 128 * 1024;

export class SftpChannel {
  readonly #pipe: BytePipe;
  readonly #options: SftpChannelOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #splitter = new PacketSplitter();
  /** Sent and not answered, oldest first. */
  readonly #pending = new Map<number, Pending>();
  #handshake = Promise.withResolvers<void>();
  #extensions: ReadonlyMap<string, string> | undefined;
  #limits: TransferLimits = { read: DEFAULT_TRANSFER, write: DEFAULT_TRANSFER };
  #outgoing: Uint8Array[] = [];
  #isSending = false;
  #nextId = 1;
  #lastProgress = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: Promise<SftpConnectionError> | undefined;

  private constructor(pipe: BytePipe, options: SftpChannelOptions) {
    this.#pipe = pipe;
    this.#options = options;
    this.#reader = pipe.readable.getReader();
    this.#writer = pipe.writable.getWriter();
  }

  /** Greets the server and learns what it offers. Rejects with SftpConnectionError. */
  static async open(pipe: BytePipe, options: SftpChannelOptions): Promise<SftpChannel> {
    const channel = new SftpChannel(pipe, options);
    channel.#receive();
    channel.#send(encodeInit());
    const timer = setTimeout(() => {
      const seconds = options.handshakeMilliseconds / 1000;
      channel.#fail(`no answer for ${seconds} seconds while connecting`);
    }, options.handshakeMilliseconds);
    try {
      await channel.#handshake.promise;
    } finally {
      clearTimeout(timer);
    }
    // Not waited for: until it is answered, requests carry what every server takes.
    if (channel.offers("limits@openssh.com")) channel.#learnLimits().catch(() => {});
    return channel;
  }

  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  get limits(): TransferLimits {
    return this.#limits;
  }

  /** True when the server announced the extension. */
  offers(extension: string): boolean {
    return this.#extensions?.has(extension) ?? false;
  }

  /** Sends at once; answers may come in any order. Rejects with SftpConnectionError only. */
  async request<Request extends SftpRequest>(request: Request): Promise<AnswerTo<Request>> {
    if (this.#failure !== undefined) throw await this.#failure;
    const id = this.#takeId();
    if (this.#pending.size === 0) this.#lastProgress = Date.now();
    const answered = new Promise<SftpAnswer>((resolve, reject) => {
      this.#pending.set(id, { request, resolve, reject });
    });
    this.#watch();
    this.#send(encodeRequest(id, request));
    return await answered as AnswerTo<Request>;
  }

  async close(): Promise<void> {
    await this.#fail("closed");
  }

  /** Ends a conversation in which the server broke the rules. */
  failProtocol(error: SftpProtocolError): Promise<SftpConnectionError> {
    return this.#fail(`the server does not speak SFTP as it should: ${error.message}`);
  }

  #takeId(): number {
    do {
      this.#nextId = (this.#nextId + 1) >>> 0;
    } while (this.#pending.has(this.#nextId));
    return this.#nextId;
  }

  /** Requests that are made together travel together. */
  #send(packet: Uint8Array): void {
    this.#outgoing.push(packet);
    if (this.#isSending) return;
    this.#isSending = true;
    queueMicrotask(() => this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#outgoing.length > 0 && this.isOpen) {
        const packets = this.#outgoing;
        this.#outgoing = [];
        await this.#writer.write(joined(packets));
      }
    } catch {
      this.#fail("the connection was closed", "soon");
    } finally {
      this.#isSending = false;
    }
  }

  async #receive(): Promise<void> {
    try {
      while (true) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        if (this.#splitter.isInsidePacket) this.#lastProgress = Date.now();
        for (const packet of this.#splitter.push(value)) this.#handle(packet);
      }
      this.#fail(
        this.#splitter.isInsidePacket
          ? "the connection was closed in the middle of an answer"
          : "the connection was closed",
        "soon",
      );
    } catch (error) {
      if (error instanceof SftpProtocolError) this.failProtocol(error);
      else this.#fail("the connection broke", "soon");
    }
  }

  #handle(packet: Uint8Array): void {
    if (this.#extensions === undefined) {
      const { version, extensions } = decodeVersion(packet);
      if (version !== SFTP_VERSION) {
        throw new SftpProtocolError(`it speaks version ${version} instead of ${SFTP_VERSION}`);
      }
      this.#extensions = extensions;
      this.#handshake.resolve();
      return;
    }
    const { id, answer } = decodeAnswer(packet);
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      throw new SftpProtocolError(`an answer to request ${id}, which is not open`);
    }
    if (!isAnswerTo(pending.request, answer)) {
      throw new SftpProtocolError(`"${answer.kind}" in answer to "${pending.request.kind}"`);
    }
    if (this.#pending.keys().next().value === id) this.#lastProgress = Date.now();
    this.#pending.delete(id);
    pending.resolve(answer);
  }

  /** One timer for all requests: an answer to the oldest one gives the others new time. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    const limit = this.#options.silenceMilliseconds;
    const check = () => {
      this.#timer = undefined;
      if (this.#pending.size === 0) return;
      const left = this.#lastProgress + limit - Date.now();
      if (left <= 0) this.#fail(`no answer for ${limit / 1000} seconds`);
      else this.#timer = setTimeout(check, left);
    };
    this.#timer = setTimeout(check, limit);
  }

  #fail(reason: string, when: "now" | "soon" = "now"): Promise<SftpConnectionError> {
    this.#failure ??= this.#end(reason, when);
    return this.#failure;
  }

  async #end(reason: string, when: "now" | "soon"): Promise<SftpConnectionError> {
    clearTimeout(this.#timer);
    await this.#pipe.end(when);
    // Both may have ended already.
    this.#reader.cancel().catch(() => {});
    this.#writer.abort().catch(() => {});
    const error = new SftpConnectionError(this.#pipe.explain(reason));
    this.#handshake.promise.catch(() => {});
    this.#handshake.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    return error;
  }

  async #learnLimits(): Promise<void> {
    const answer = await this.request({ kind: "extended", name: "limits@openssh.com", fields: [] });
    if (answer.kind !== "extended") return;
    const reader = new WireReader(answer.data);
    if (reader.remaining < 24) return;
    reader.uint64();
    this.#limits = { read: transferSize(reader.uint64()), write: transferSize(reader.uint64()) };
  }
}

/** A server that names no limit (0) is asked for what every server takes. */
function transferSize(offered: number): number {
  return offered === 0 ? DEFAULT_TRANSFER : Math.min(offered, LARGEST_TRANSFER);
}

function joined(packets: readonly Uint8Array[]): Uint8Array {
  const [only] = packets;
  if (only !== undefined && packets.length === 1) return only;
  const whole = new Uint8Array(packets.reduce((sum, packet) => sum + packet.length, 0));
  let position = 0;
  for (const packet of packets) {
    whole.set(packet, position);
    position += packet.length;
  }
  return whole;
}
