// Owns: the other side of an SFTP pipe, played by a function of the test.
// Must not know: octofs's own packet code, so that mistakes in it cannot hide here.

import type { BytePipe } from "../../src/fs/sftp_channel.ts";

export interface FakeClient {
  send(bytes: Uint8Array): void;
  /** Ends the stream as a dropped connection does. */
  hangUp(): void;
}

export interface FakeRequest {
  readonly type: number;
  readonly id: number;
  /** What follows the id. */
  readonly body: Uint8Array;
}

export interface FakePipe extends BytePipe {
  /** How often the client ended the pipe. */
  readonly ends: readonly ("now" | "soon")[];
}

/** A pipe to `answer`, which is called with every request; the first is the greeting, of type 1. */
export function fakeServer(answer: (request: FakeRequest, client: FakeClient) => void): FakePipe {
  const toClient = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    undefined,
    // Without a bound, so that the fake never waits for its reader.
    { highWaterMark: Infinity },
  );
  const writer = toClient.writable.getWriter();
  const client: FakeClient = {
    send: (bytes) => void writer.write(bytes).catch(() => {}),
    hangUp: () => void writer.close().catch(() => {}),
  };
  let buffered = new Uint8Array();
  const ends: ("now" | "soon")[] = [];
  return {
    readable: toClient.readable,
    writable: new WritableStream<Uint8Array>({
      write: (chunk) => {
        buffered = joinBytes(buffered, chunk);
        while (buffered.length >= 4) {
          const length = new DataView(buffered.buffer, buffered.byteOffset).getUint32(0);
          if (buffered.length < 4 + length) break;
          const packet = buffered.slice(4, 4 + length);
          buffered = buffered.slice(4 + length);
          const id = new DataView(packet.buffer).getUint32(1);
          answer({ type: packet[0] ?? 0, id, body: packet.slice(5) }, client);
        }
      },
    }),
    end: (when) => {
      ends.push(when);
      return Promise.resolve();
    },
    explain: (reason) => `fake: ${reason}`,
    ends,
  };
}

/** A packet with its length in front. */
export function packet(type: number, ...fields: (number | string | Uint8Array)[]): Uint8Array {
  const parts = fields.map((field) => {
    if (typeof field === "number") return uint32(field);
    const bytes = typeof field === "string" ? new TextEncoder().encode(field) : field;
    return joinBytes(uint32(bytes.length), bytes);
  });
  const body = joinBytes(Uint8Array.of(type), ...parts);
  return joinBytes(uint32(body.length), body);
}

/** The answer to a greeting. */
export function version(...extensions: string[]): Uint8Array {
  return packet(2, 3, ...extensions.flatMap((name) => [name, "1"]));
}

export function status(id: number, code: number): Uint8Array {
  return packet(101, id, code, "", "");
}

export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

export function joinBytes(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}
