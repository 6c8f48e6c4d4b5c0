// Owns: who shares a connection and its failure, and what is done again.

import assert from "node:assert/strict";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { SftpChannel } from "../../src/fs/sftp_channel.ts";
import { SftpSession } from "../../src/fs/sftp_session.ts";
import { type FakePipe, fakeServer, packet, version } from "../support/fake_sftp_server.ts";

const TIMES = { handshakeMilliseconds: 20_000, silenceMilliseconds: 20_000 };

/** A session over servers that answer so many requests each, and how many it opened. */
function sessionOver(answersPerConnection: readonly number[]) {
  const opened: FakePipe[] = [];
  const session = new SftpSession(async () => {
    const answers = answersPerConnection[opened.length];
    let left = answers ?? 0;
    const pipe = fakeServer(({ type, id }, client) => {
      if (answers === undefined) client.hangUp();
      else if (type === 1) client.send(version());
      else if (left-- > 0) client.send(packet(105, id, 0));
      else client.hangUp();
    });
    opened.push(pipe);
    return await SftpChannel.open(pipe, TIMES);
  });
  return { session, opened };
}

const stat = (session: SftpSession, afterDrop: "repeat" | "report" = "repeat") =>
  session.run({
    path: "/a",
    afterDrop,
    work: async (channel) => (await channel.request({ kind: "stat", path: "/a" })).kind,
  });

async function fails(work: Promise<unknown>): Promise<FileSystemError> {
  const error = await work.then(() => undefined, (reason) => reason);
  assert.ok(error instanceof FileSystemError, String(error));
  assert.equal(error.code, "connection_failed");
  assert.equal(error.path, "/a");
  return error;
}

Deno.test("callers that begin together share a connection, and its failure", async () => {
  const good = sessionOver([100]);
  const kinds = await Promise.all(Array.from({ length: 20 }, () => stat(good.session)));
  assert.equal(new Set(kinds).size, 1);
  assert.equal(good.opened.length, 1);
  await good.session.close();

  const bad = sessionOver([]);
  await Promise.all(Array.from({ length: 20 }, () => fails(stat(bad.session))));
  assert.equal(bad.opened.length, 1, "a host that cannot be reached is not asked twenty times");
  await fails(stat(bad.session));
  assert.equal(bad.opened.length, 2, "the next call tries anew");
});

Deno.test("after a drop a question is asked once more, and a write is not", async () => {
  const twice = sessionOver([1, 0, 1]);
  await stat(twice.session);
  await fails(stat(twice.session));
  assert.equal(twice.opened.length, 2);
  assert.equal(await stat(twice.session), "attributes");
  await twice.session.close();

  const write = sessionOver([0, 1]);
  await fails(stat(write.session, "report"));
  assert.equal(write.opened.length, 1);
  assert.equal(await stat(write.session, "report"), "attributes");
  await write.session.close();
});

Deno.test("what a drop left behind is named until it is put right, and then never again", async () => {
  const { session } = sessionOver([0, 0, 2, 0, 9]);
  let repaired = 0;
  session.repairLater({
    note: "Something is left.",
    work: async (channel) => {
      await channel.request({ kind: "lstat", path: "/left" });
      repaired++;
    },
  });
  // Two connections that drop before the repair is answered, and one that holds.
  assert.match((await fails(stat(session, "report"))).message, /\nSomething is left\.$/);
  assert.match((await fails(stat(session, "report"))).message, /\nSomething is left\.$/);
  assert.equal(repaired, 0);
  assert.equal(await stat(session), "attributes");
  assert.equal(repaired, 1);
  assert.doesNotMatch((await fails(stat(session, "report"))).message, /left/);
  assert.equal(await stat(session), "attributes");
  assert.equal(repaired, 1);
  await session.close();
});

Deno.test("a session that is closed opens nothing more", async () => {
  const { session, opened } = sessionOver([5, 5]);
  await stat(session);
  await session.close();
  await session.close();
  await fails(stat(session));
  assert.equal(opened.length, 1);
});
