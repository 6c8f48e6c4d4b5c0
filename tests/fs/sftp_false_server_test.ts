// Owns: servers that answer well-formed lies: names, sizes, codes, and answers that come too late.

import assert from "node:assert/strict";
import type { FileSystemErrorCode } from "../../src/fs/file_system.ts";
import { fakeServer, packet, status, version } from "../support/fake_sftp_server.ts";
import { bytesOf, fails, withServer } from "../support/sftp_place.ts";

Deno.test("a server cannot lead the reader out of a directory by its names", async () => {
  const names = ["ok", "../../etc/passwd", "/etc/passwd", "a/b", "..", ".", "", "nul\0"];
  let listed = false;
  const open = () =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 11) client.send(packet(102, id, "h"));
      else if (type === 4) client.send(status(id, 0));
      else if (listed) client.send(status(id, 1));
      else {
        listed = true;
        client.send(packet(104, id, names.length, ...names.flatMap((name) => [name, "", 0])));
      }
    });
  await withServer(open, async (fileSystem) => {
    const entries = await fileSystem.readDirectory("/");
    assert.deepEqual(entries.map((entry) => entry.name), ["ok"]);
  });
});

Deno.test("a server cannot claim more bytes than were asked for, or a size beyond memory", async () => {
  const serve = (size: Uint8Array, data: number) =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 3) client.send(packet(102, id, "h"));
      else if (type === 5) client.send(packet(103, id, new Uint8Array(data)));
      else if (type === 8) client.send(attributesWithSize(id, size));
      else client.send(status(id, 0));
    });
  const huge = Uint8Array.of(0x7f, 0, 0, 0, 0, 0, 0, 0);
  await withServer(() => serve(huge, 10), async (fileSystem) => {
    await fails(fileSystem.readFile("/a"), "too_large");
  });
  await withServer(() => serve(new Uint8Array(8), 11), async (fileSystem) => {
    await fails(fileSystem.readFile("/a", { length: 10 }), "connection_failed", /11 bytes/);
  });
  await withServer(() => serve(new Uint8Array(8), 0), async (fileSystem) => {
    await fails(fileSystem.readFile("/a"), "connection_failed", /0 bytes/);
  });
});

Deno.test("a new file that did not arrive whole is no success, and is taken away again", async () => {
  const asked: number[] = [];
  const open = () =>
    fakeServer(({ type, id }, client) => {
      asked.push(type);
      if (type === 1) client.send(version());
      else if (type === 3) client.send(packet(102, id, "h"));
      else if (type === 8) client.send(attributesWithSize(id, sizeOf(3)));
      else client.send(status(id, type === 7 ? 2 : 0));
    });
  await withServer(open, async (fileSystem) => {
    await fails(fileSystem.writeNewFile("/a", bytesOf("ten bytes.")), "failed", /3 of 10 bytes/);
    assert.ok(asked.indexOf(13) > asked.indexOf(6), "removed after the write");
  });
});

Deno.test("codes of later versions are understood", async () => {
  const rows: readonly (readonly [number, FileSystemErrorCode])[] = [
    [2, "missing"],
    [3, "permission_denied"],
    [4, "failed"],
    [7, "connection_failed"],
    [8, "unsupported"],
    [11, "exists"],
    [12, "read_only"],
    [14, "no_space"],
    [15, "no_space"],
    [19, "not_directory"],
    [21, "link_loop"],
    [99, "failed"],
  ];
  for (const [code, expected] of rows) {
    const open = () =>
      fakeServer(({ type, id }, client) => {
        client.send(type === 1 ? version() : packet(101, id, code, "server's words", ""));
      });
    await withServer(open, async (fileSystem) => {
      await fails(fileSystem.stat("/a"), expected);
    });
  }
});

Deno.test("a read that is cancelled ends at once, and the next one works", async () => {
  const controller = new AbortController();
  let asked = 0;
  const open = () =>
    fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version());
      else if (type === 3) client.send(packet(102, id, "h"));
      else if (type === 5 && asked++ === 0) controller.abort();
      else if (type === 5) client.send(packet(103, id, "late"));
      else if (type === 8) client.send(attributesWithSize(id, sizeOf(4)));
      else client.send(status(id, 0));
    });
  await withServer(open, async (fileSystem) => {
    await fails(fileSystem.readFile("/a", { signal: controller.signal }), "cancelled");
    assert.deepEqual(await fileSystem.readFile("/a"), bytesOf("late"));
  });
});

function sizeOf(bytes: number): Uint8Array {
  return Uint8Array.of(0, 0, 0, 0, 0, 0, 0, bytes);
}

function attributesWithSize(id: number, size: Uint8Array): Uint8Array {
  const body = packet(105, id, 1);
  const whole = new Uint8Array([...body, ...size]);
  new DataView(whole.buffer).setUint32(0, whole.length - 4);
  return whole;
}
