// Owns: servers that break the rules, fall silent or hang up: a clear end, and never a wrong answer.

import assert from "node:assert/strict";
import { SftpChannel, SftpConnectionError } from "../../src/fs/sftp_channel.ts";
import {
  type FakeClient,
  type FakePipe,
  type FakeRequest,
  fakeServer,
  joinBytes,
  packet,
  status,
  uint32,
  version,
} from "../support/fake_sftp_server.ts";

const TIMES = { handshakeMilliseconds: 20_000, silenceMilliseconds: 20_000 };
/** For servers from which nothing is to come anyway. */
const SHORT = { handshakeMilliseconds: 300, silenceMilliseconds: 300 };

const STAT = 17;

/** A server that greets well and answers the first `stat` as the row says. */
function badServer(answer: (request: FakeRequest, client: FakeClient) => void): FakePipe {
  return fakeServer((request, client) => {
    if (request.type === 1) client.send(version());
    else answer(request, client);
  });
}

const attributes = (id: number) => packet(105, id, 0);

const BROKEN_ANSWERS: readonly (readonly [
  what: string,
  reason: RegExp,
  answer: (request: FakeRequest, client: FakeClient) => void,
])[] = [
  ["garbage", /does not speak SFTP/, (_, client) => client.send(new Uint8Array(99).fill(0xee))],
  ["a huge length", /claims 4294967295 bytes/, (_, client) => client.send(uint32(0xffffffff))],
  ["an empty packet", /claims 0 bytes/, (_, client) => client.send(uint32(0))],
  ["an unknown id", /request 9999, which/, (_, client) => client.send(status(9999, 0))],
  ["an answer twice", /which is not open/, ({ id }, client) => {
    if (id === 3) return;
    client.send(joinBytes(attributes(id), attributes(id)));
  }],
  ["an unknown type", /unknown type 77/, ({ id }, client) => client.send(packet(77, id))],
  ["another kind of answer", /"handle" in answer/, ({ id }, client) => {
    client.send(packet(102, id, "h"));
  }],
  ["success without the thing", /"status" in answer/, ({ id }, client) => {
    client.send(status(id, 0));
  }],
  ["a cut packet, well framed", /ends before/, ({ id }, client) => {
    client.send(joinBytes(uint32(9), Uint8Array.of(105), uint32(id), uint32(1)));
  }],
  ["half an answer and the end", /middle of an answer/, ({ id }, client) => {
    client.send(attributes(id).slice(0, 7));
    client.hangUp();
  }],
  ["the end", /connection was closed/, (_, client) => client.hangUp()],
  ["nothing", /no answer for 0.3 seconds/, () => {}],
  ["an endless drip", /no answer for 0.3 seconds/, ({ id }, client) => {
    // Answers to later requests do not excuse the one that was left out.
    if (id > 2) client.send(attributes(id));
  }],
];

Deno.test("a server that breaks the rules ends the conversation with its reason", async () => {
  for (const [what, reason, answer] of BROKEN_ANSWERS) {
    const pipe = badServer(answer);
    const isSilent = reason.source.startsWith("no answer");
    const silenceMilliseconds = isSilent ? 300 : TIMES.silenceMilliseconds;
    const channel = await SftpChannel.open(pipe, { ...TIMES, silenceMilliseconds });
    const both = [1, 2].map(() => channel.request({ kind: "stat", path: "/a" }));
    const outcomes = await Promise.allSettled(both);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    const error = failed?.status === "rejected" ? failed.reason : undefined;
    assert.ok(error instanceof SftpConnectionError, `${what}: ${error}`);
    assert.match(error.message, reason, what);
    assert.equal(channel.isOpen, false, what);
    assert.equal(pipe.ends.length, 1, what);
    // Once over, always over, for the same reason.
    await assert.rejects(channel.request({ kind: "stat", path: "/b" }), reason);
  }
});

Deno.test("a server that does not greet is given up", async () => {
  const rows: readonly (readonly [RegExp, (request: FakeRequest, client: FakeClient) => void])[] = [
    [/no answer for 0.3 seconds while connecting/, () => {}],
    [/connection was closed/, (_, client) => client.hangUp()],
    [/type 101, not a version/, (_, client) => client.send(status(0, 0))],
    [/version 6/, (_, client) => client.send(packet(2, 6))],
    [/version 2/, (_, client) => client.send(packet(2, 2))],
    [/"Last".*startup file/, (_, client) => {
      client.send(new TextEncoder().encode("Last login: today\n"));
    }],
  ];
  for (const [reason, answer] of rows) {
    const times = reason.source.startsWith("no answer") ? SHORT : TIMES;
    await assert.rejects(SftpChannel.open(fakeServer(answer), times), (error) => {
      assert.ok(error instanceof SftpConnectionError);
      assert.match(error.message, reason);
      return true;
    });
  }
});

Deno.test("answers find their requests in any order", async () => {
  const asked: FakeRequest[] = [];
  const pipe = badServer((request, client) => {
    asked.push(request);
    if (asked.length < 50) return;
    for (const { id, body } of asked.reverse()) {
      client.send(packet(104, id, 1, body.slice(4), "", 0));
    }
  });
  const channel = await SftpChannel.open(pipe, TIMES);
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
  const answers = await Promise.all(
    paths.map((path) => channel.request({ kind: "readlink", path })),
  );
  const names = answers.map((answer) => answer.kind === "names" ? answer.names[0]?.name : answer);
  assert.deepEqual(names, paths);
  await channel.close();
});

Deno.test("slow answers that keep coming are no silence", async () => {
  let sent = 0;
  const pipe = badServer(({ id }, client) => {
    setTimeout(() => client.send(attributes(id)), ++sent * 200);
  });
  const channel = await SftpChannel.open(pipe, { ...TIMES, silenceMilliseconds: 1000 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => channel.request({ kind: "stat", path: "/" })),
  );
  assert.equal(answers.length, 10);
  await channel.close();
});

Deno.test("limits are asked for only where they are offered, and obeyed", async () => {
  const limits = (id: number, values: readonly number[]) => {
    const body = joinBytes(...values.flatMap((value) => [uint32(0), uint32(value)]));
    return joinBytes(uint32(5 + body.length), Uint8Array.of(201), uint32(id), body);
  };
  const rows = [
    [[0x40000, 0x3fc00, 0x3fc00, 1000], { read: 0x20000, write: 0x20000 }],
    [[0x8000, 0x4000, 0x2000, 0], { read: 0x4000, write: 0x2000 }],
    [[0, 0, 0, 0], { read: 0x8000, write: 0x8000 }],
  ] as const;
  for (const [values, expected] of rows) {
    const pipe = fakeServer(({ type, id }, client) => {
      if (type === 1) client.send(version("limits@openssh.com"));
      else if (type === 200) client.send(limits(id, values));
      else client.send(attributes(id));
    });
    const channel = await SftpChannel.open(pipe, TIMES);
    await channel.request({ kind: "stat", path: "/" });
    assert.deepEqual(channel.limits, expected);
    await channel.close();
  }
  const asked: number[] = [];
  const pipe = badServer(({ type, id }, client) => {
    asked.push(type);
    client.send(attributes(id));
  });
  const channel = await SftpChannel.open(pipe, TIMES);
  await channel.request({ kind: "stat", path: "/" });
  assert.deepEqual(asked, [STAT]);
  assert.deepEqual(channel.limits, { read: 0x8000, write: 0x8000 });
  await channel.close();
});

Deno.test("closing ends requests under way and is harmless twice", async () => {
  const channel = await SftpChannel.open(badServer(() => {}), TIMES);
  const pending = channel.request({ kind: "stat", path: "/" });
  pending.catch(() => {});
  await Promise.all([channel.close(), channel.close()]);
  await assert.rejects(pending, SftpConnectionError);
  await channel.close();
});
