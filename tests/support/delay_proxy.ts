// Owns: a TCP proxy on loopback that makes every byte late, as a long line does.
// Must not know: what passes through it.

export interface DelayProxy extends AsyncDisposable {
  readonly port: number;
}

const HOSTNAME = "127.0.0.1";

/** Passes everything on to `port`, late by half of the round trip in each direction; the width of the line is not limited. */
export function startDelayProxy(port: number, roundTripMilliseconds: number): DelayProxy {
  const listener = Deno.listen({ hostname: HOSTNAME, port: 0 });
  const open = new Set<Deno.Conn>();
  const relays: Promise<void>[] = [];
  const accept = async () => {
    for await (const client of listener) {
      const server = await Deno.connect({ hostname: HOSTNAME, port });
      client.setNoDelay(true);
      server.setNoDelay(true);
      open.add(client).add(server);
      relays.push(relay(client, server), relay(server, client));
    }
  };
  const accepting = accept().catch(() => {});
  const relay = async (from: Deno.Conn, to: Deno.Conn) => {
    let last = Promise.resolve();
    const buffer = new Uint8Array(256 * 1024);
    while (true) {
      const count = await from.read(buffer).catch(() => null);
      const due = Date.now() + roundTripMilliseconds / 2;
      const bytes = count === null ? undefined : buffer.slice(0, count);
      // In order, each at its own time: a chunk never waits for the delay of the one before.
      last = last.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
        if (bytes === undefined) return to.close();
        for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
      }).catch(() => {});
      if (bytes === undefined) break;
    }
    await last;
  };
  return {
    port: listener.addr.port,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await accepting;
      for (const connection of open) {
        try {
          connection.close();
        } catch {
          // The other side has closed it.
        }
      }
      await Promise.all(relays);
    },
  };
}
