// Owns: the SSH wire types (uint32, uint64, string) and cutting a byte stream into SFTP packets.
// Must not know: which packets exist, streams, connections.

import { decodeEscapedUtf8, encodeText } from "../text/encoding.ts";

/** The largest packet that is accepted: OpenSSH's own limit of 256 KiB and some slack. */
export const MAX_PACKET_BYTES = 256 * 1024 + 1024;

/** The other side sent something that is not SFTP version 3. */
export class SftpProtocolError extends Error {
  override readonly name = "SftpProtocolError";
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Characters of a path or name; bytes that are not UTF-8 become U+DC80..U+DCFF. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decodeEscapedUtf8(bytes);
  }
}

/** The bytes that `decodeName` was given. */
export function encodeName(name: string): Uint8Array {
  return encodeText(name, { encoding: "unknown-8bit", bom: false });
}

/** Builds one packet with its length in front. */
export class WireWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 4;

  constructor(expectedBytes = 256) {
    this.#bytes = new Uint8Array(expectedBytes + 4);
    this.#view = new DataView(this.#bytes.buffer);
  }

  uint8(value: number): this {
    this.#reserve(1);
    this.#view.setUint8(this.#length, value);
    this.#length += 1;
    return this;
  }

  uint32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value);
    this.#length += 4;
    return this;
  }

  uint64(value: number): this {
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, BigInt(value));
    this.#length += 8;
    return this;
  }

  string(value: Uint8Array | string): this {
    const bytes = typeof value === "string" ? encodeName(value) : value;
    this.uint32(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  finish(): Uint8Array {
    this.#view.setUint32(0, this.#length - 4);
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Reads one packet's body; every read beyond its end is a protocol error. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  uint8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  uint64(): number {
    return Number(this.#view.getBigUint64(this.#advance(8)));
  }

  /** A view into the packet, not a copy. */
  bytes(): Uint8Array {
    const length = this.uint32();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  name(): string {
    return decodeName(this.bytes());
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#position);
  }

  #advance(count: number): number {
    if (count > this.remaining) {
      throw new SftpProtocolError("a packet ends before its content does");
    }
    const start = this.#position;
    this.#position += count;
    return start;
  }
}

/** Cuts a stream of chunks into packet bodies, whatever the borders of the chunks are. */
export class PacketSplitter {
  readonly #header = new Uint8Array(4);
  #headerFilled = 0;
  #body: Uint8Array | undefined;
  #bodyFilled = 0;
  #count = 0;

  /** True while a packet has begun and not ended. */
  get isInsidePacket(): boolean {
    return this.#headerFilled > 0;
  }

  /** The packets that `chunk` completes, without their length fields; they may share its memory. */
  push(chunk: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    let position = 0;
    while (position < chunk.length) {
      if (this.#headerFilled < 4) {
        this.#header[this.#headerFilled++] = chunk[position++] ?? 0;
        if (this.#headerFilled < 4) continue;
      }
      const length = this.#checkedLength();
      if (this.#body === undefined && chunk.length - position >= length) {
        packets.push(chunk.subarray(position, position + length));
        position += length;
        this.#reset();
        continue;
      }
      this.#body ??= new Uint8Array(length);
      const piece = chunk.subarray(position, position + length - this.#bodyFilled);
      this.#body.set(piece, this.#bodyFilled);
      this.#bodyFilled += piece.length;
      position += piece.length;
      if (this.#bodyFilled < length) continue;
      packets.push(this.#body);
      this.#reset();
    }
    return packets;
  }

  #checkedLength(): number {
    const length = new DataView(this.#header.buffer).getUint32(0);
    if (length >= 1 && length <= MAX_PACKET_BYTES) return length;
    const text = [...this.#header].map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."
    ).join("");
    // Text where the first packet should be is nearly always a shell startup file that prints.
    const advice = this.#count === 0 && /^[\w .:*=#-]{3,4}$/.test(text)
      ? `; it begins with "${text}", as if a shell startup file on the host printed text`
      : "";
    throw new SftpProtocolError(`a packet claims ${length} bytes${advice}`);
  }

  #reset(): void {
    this.#headerFilled = 0;
    this.#body = undefined;
    this.#bodyFilled = 0;
    this.#count++;
  }
}
