// Owns: a pipe that breaks after a chosen number of bytes, as a dropped connection does.
// Must not know: what the bytes mean.

import type { BytePipe } from "../../src/fs/sftp_channel.ts";

export interface CutPoint {
  readonly direction: "sent" | "received";
  readonly bytes: number;
}

/** Passes exactly so many bytes; the server still carries out what it was sent whole. */
export function cutPipe(pipe: BytePipe, { direction, bytes }: CutPoint): BytePipe {
  const toServer = pipe.writable.getWriter();
  const fromServer = pipe.readable.getReader();
  const stopSending = () => toServer.close().catch(() => {});
  let sentLeft = direction === "sent" ? bytes : Infinity;
  let receivedLeft = direction === "received" ? bytes : Infinity;
  /** The other side has read everything that was sent, and ended. */
  const drained = Promise.withResolvers<void>();
  const drain = async () => {
    await stopSending();
    while (!(await fromServer.read().catch(() => ({ done: true }))).done) { /* thrown away */ }
    drained.resolve();
  };
  return {
    readable: new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { value, done } = await fromServer.read();
        if (value !== undefined) controller.enqueue(value.slice(0, receivedLeft));
        receivedLeft -= value?.length ?? 0;
        if (!done && receivedLeft > 0) return;
        controller.close();
        await drain();
      },
    }, { highWaterMark: 0 }),
    writable: new WritableStream<Uint8Array>({
      write: async (chunk) => {
        await toServer.write(chunk.slice(0, sentLeft)).catch(() => {});
        sentLeft -= chunk.length;
        if (sentLeft > 0) return;
        await stopSending();
        throw new Error("cut");
      },
      close: async () => void await stopSending(),
    }),
    end: async (when) => {
      await stopSending();
      if (receivedLeft <= 0) await drained.promise;
      await pipe.end(when);
    },
    explain: (reason) => pipe.explain(reason),
  };
}
