// Owns: round trips: what can be under way at once is, so that a long line costs its delay a few times only.

import assert from "node:assert/strict";
import { ScanService } from "../../src/fs/scan_service.ts";
import {
  type FakeClient,
  type FakeRequest,
  fakeServer,
  joinBytes,
  packet,
  status,
  uint32,
  version,
} from "../support/fake_sftp_server.ts";
import { withServer } from "../support/sftp_place.ts";

const DIRECTORIES = 200;
const FILES_EACH = 10;
/** 39 requests of 128 KiB. */
const LARGE = 5_000_000;
const ENCODER = new TextEncoder();

const attributes = (mode: number, size = 0) =>
  joinBytes(uint32(5), uint32(0), uint32(size), uint32(mode));
const DIRECTORY = attributes(0o040755);
const FILE = attributes(0o100644, 1);
const raw = (type: number, id: number, fields: Uint8Array) => {
  const body = joinBytes(Uint8Array.of(type), uint32(id), fields);
  return joinBytes(uint32(body.length), body);
};

/** The names of a directory of the tree, which is `/` with directories `d…` of files `f…`. */
function names(path: string): Uint8Array {
  const isRoot = path === "/";
  const entries = Array.from(
    { length: isRoot ? DIRECTORIES : FILES_EACH },
    (_, index) => ENCODER.encode(`${isRoot ? "d" : "f"}${index}`),
  );
  const rows = entries.flatMap((name) => [
    uint32(name.length),
    name,
    uint32(0),
    isRoot ? DIRECTORY : FILE,
  ]);
  return joinBytes(uint32(entries.length), ...rows);
}

/**
 * A server at the end of a long line: it answers what has come in all at once, when the client has
 * nothing more to say before it hears something. `trips` counts how often that was.
 */
function farServer() {
  let trips = 0;
  let written = 0;
  const listed = new Set<string>();
  const waiting: (() => void)[] = [];
  const answer = ({ type, id, body }: FakeRequest, client: FakeClient) => {
    const text = new TextDecoder().decode(
      body.subarray(4, 4 + new DataView(body.buffer, body.byteOffset).getUint32(0)),
    );
    if (type === 11 || type === 3) return client.send(packet(102, id, text));
    if (type === 12) {
      if (listed.has(text)) return client.send(status(id, 1));
      listed.add(text);
      return client.send(raw(104, id, names(text)));
    }
    if (type === 5) {
      const view = new DataView(body.buffer, body.byteOffset + 4 + text.length);
      const [offset, length] = [view.getUint32(4), view.getUint32(8)];
      const bytes = new Uint8Array(Math.max(0, Math.min(length, LARGE - offset)));
      return client.send(bytes.length === 0 ? status(id, 1) : packet(103, id, bytes));
    }
    if (type === 6) {
      const view = new DataView(body.buffer, body.byteOffset + 4 + text.length);
      written += view.getUint32(8);
      return client.send(status(id, 0));
    }
    if (type === 7 || type === 17) {
      return client.send(raw(105, id, /^\/(d\d+)?$/.test(text) ? DIRECTORY : FILE));
    }
    if (type === 8) {
      return client.send(raw(105, id, attributes(0o100644, text === "/large" ? LARGE : written)));
    }
    client.send(status(id, type === 4 || type === 13 ? 0 : 8));
  };
  const pipe = fakeServer((request, client) => {
    if (request.type === 1) return client.send(version());
    waiting.push(() => answer(request, client));
    if (waiting.length > 1) return;
    // Streams pass on in microtasks, so what the client can say without hearing has come by then.
    setTimeout(() => {
      trips++;
      for (const send of waiting.splice(0)) send();
    }, 1);
  });
  return {
    pipe,
    take: () => {
      const taken = trips;
      trips = 0;
      return taken;
    },
  };
}

Deno.test("200 directories are walked, and 5 MB read and written, in a few round trips", async () => {
  const server = farServer();
  await withServer(() => server.pipe, async (fileSystem) => {
    await fileSystem.stat("/");
    assert.equal(server.take(), 1);

    const scans = new ScanService();
    const tree = await scans.tree({
      fileSystem,
      root: "/",
      boundary: undefined,
      prefix: "",
      includeHidden: false,
      includeIgnored: true,
      signal: new AbortController().signal,
      progress: () => {},
    });
    scans.close();
    assert.equal(tree.files, DIRECTORIES * FILES_EACH);
    // At 50 ms a trip, this is one second; one directory after the other would be forty.
    const walk = server.take();
    assert.ok(walk <= 20, `the walk took ${walk} round trips`);

    const bytes = await fileSystem.readFile("/large");
    assert.equal(bytes.length, LARGE);
    const read = server.take();
    assert.ok(read <= 10, `reading took ${read} round trips`);
    await fileSystem.writeNewFile("/copy", bytes);
    const write = server.take();
    assert.ok(write <= 10, `writing took ${write} round trips`);
  });
});
