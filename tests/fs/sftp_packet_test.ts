// Owns: SFTP version 3 on the wire, against bytes written by hand from the draft.

import assert from "node:assert/strict";
import fc from "../support/property.ts";
import {
  decodeAnswer,
  decodeVersion,
  encodeInit,
  encodeRequest,
  isAnswerTo,
  type SftpAnswer,
  type SftpRequest,
} from "../../src/fs/sftp_packet.ts";
import {
  decodeName,
  encodeName,
  MAX_PACKET_BYTES,
  PacketSplitter,
  SftpProtocolError,
} from "../../src/fs/sftp_wire.ts";
import { toFileInfo } from "../../src/fs/sftp_attributes.ts";

/** Bytes from hex; words are for the reader and blanks do not count. */
function hex(...parts: string[]): Uint8Array {
  const digits = parts.join("").replaceAll(/\s/g, "");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const HANDLE = hex("00 ff 41");

const REQUESTS: readonly (readonly [SftpRequest, Uint8Array])[] = [
  [
    { kind: "open", path: "/é", flags: 0x2a, attributes: { permissions: 0o640 } },
    hex("00000018 03 00000007", "00000003 2fc3a9", "0000002a", "00000004 000001a0"),
  ],
  [{ kind: "close", handle: HANDLE }, hex("0000000c 04 00000007 00000003 00ff41")],
  [
    { kind: "read", handle: HANDLE, offset: 0x1_0000_0002, length: 0x8000 },
    hex("00000018 05 00000007 00000003 00ff41", "0000000100000002", "00008000"),
  ],
  [
    { kind: "write", handle: HANDLE, offset: 1, data: hex("0d0a00") },
    hex("0000001b 06 00000007 00000003 00ff41", "0000000000000001", "00000003 0d0a00"),
  ],
  [{ kind: "lstat", path: "/a" }, hex("0000000b 07 00000007 00000002 2f61")],
  [{ kind: "fstat", handle: HANDLE }, hex("0000000c 08 00000007 00000003 00ff41")],
  [
    { kind: "setstat", path: "/a", attributes: { owner: { uid: 1, gid: 2 } } },
    hex("00000017 09 00000007 00000002 2f61", "00000002 00000001 00000002"),
  ],
  [
    { kind: "fsetstat", handle: HANDLE, attributes: { size: 5 } },
    hex("00000018 0a 00000007 00000003 00ff41", "00000001 0000000000000005"),
  ],
  [{ kind: "opendir", path: "/a" }, hex("0000000b 0b 00000007 00000002 2f61")],
  [{ kind: "readdir", handle: HANDLE }, hex("0000000c 0c 00000007 00000003 00ff41")],
  [{ kind: "remove", path: "/a" }, hex("0000000b 0d 00000007 00000002 2f61")],
  [{ kind: "mkdir", path: "/a" }, hex("0000000f 0e 00000007 00000002 2f61 00000000")],
  [{ kind: "realpath", path: "." }, hex("0000000a 10 00000007 00000001 2e")],
  [{ kind: "stat", path: "/\udcff" }, hex("0000000b 11 00000007 00000002 2fff")],
  [
    { kind: "rename", from: "/a", to: "/b" },
    hex("00000011 12 00000007 00000002 2f61 00000002 2f62"),
  ],
  [{ kind: "readlink", path: "/a" }, hex("0000000b 13 00000007 00000002 2f61")],
  [
    { kind: "extended", name: "x@y", fields: [HANDLE, "/a"] },
    hex("00000019 c8 00000007 00000003 784079 00000003 00ff41 00000002 2f61"),
  ],
];

const ANSWERS: readonly (readonly [Uint8Array, SftpAnswer])[] = [
  [
    hex("65 00000007 00000002 00000004 6e6f7065 00000000"),
    { kind: "status", code: 2, message: "nope" },
  ],
  // Some servers stop after the code.
  [hex("65 00000007 00000001"), { kind: "status", code: 1, message: "" }],
  [hex("66 00000007 00000003 00ff41"), { kind: "handle", handle: HANDLE }],
  [hex("67 00000007 00000002 0d0a"), { kind: "data", data: hex("0d0a") }],
  [
    hex("69 00000007 0000000d", "0000000000000005", "000081a4", "00000001 00000002"),
    {
      kind: "attributes",
      attributes: { size: 5, permissions: 0o100644, times: { accessed: 1, modified: 2 } },
    },
  ],
  // An attribute that nobody knows is stepped over.
  [
    hex("69 00000007 80000000 00000001 00000001 61 00000001 62"),
    { kind: "attributes", attributes: {} },
  ],
  [
    hex("68 00000007 00000001", "00000002 61ff", "00000001 6c", "00000000"),
    { kind: "names", names: [{ name: "a\udcff", longName: "l", attributes: {} }] },
  ],
  [hex("c9 00000007 0102"), { kind: "extended", data: hex("0102") }],
];

const BROKEN: readonly (readonly [what: string, packet: Uint8Array])[] = [
  ["unknown type", hex("ff 00000007")],
  ["no id", hex("65 0000")],
  ["cut status", hex("65 00000007 0000")],
  ["string longer than the packet", hex("66 00000007 ffffffff 00")],
  ["more names than there are", hex("68 00000007 00000002 00000001 61 00000000 00000000")],
  ["four thousand million names", hex("68 00000007 ffffffff")],
  ["cut attributes", hex("69 00000007 0000000f 00")],
];

Deno.test("requests have the bytes of the draft", () => {
  for (const [request, expected] of REQUESTS) {
    assert.deepEqual(encodeRequest(7, request), expected, request.kind);
  }
  assert.deepEqual(encodeInit(), hex("00000005 01 00000003"));
});

Deno.test("answers are read from the bytes of the draft", () => {
  for (const [packet, answer] of ANSWERS) {
    assert.deepEqual(decodeAnswer(packet), { id: 7, answer }, answer.kind);
  }
});

Deno.test("a packet that is cut or false is a protocol error", () => {
  for (const [what, packet] of BROKEN) {
    assert.throws(() => decodeAnswer(packet), SftpProtocolError, what);
  }
});

Deno.test("any bytes are an answer or a protocol error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        decodeAnswer(bytes);
      } catch (error) {
        assert.ok(error instanceof SftpProtocolError, String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

Deno.test("the version names the extensions", () => {
  const packet = hex("02 00000003", "00000001 61 00000001 31", "00000002 6263 00000000");
  assert.deepEqual(decodeVersion(packet), {
    version: 3,
    extensions: new Map([["a", "1"], ["bc", ""]]),
  });
  assert.throws(() => decodeVersion(hex("65 00000003")), SftpProtocolError);
  assert.throws(() => decodeVersion(hex("02 0000")), SftpProtocolError);
});

Deno.test("an answer must be of the kind that was asked for", () => {
  const handle: SftpAnswer = { kind: "handle", handle: HANDLE };
  const ok: SftpAnswer = { kind: "status", code: 0, message: "" };
  const refused: SftpAnswer = { kind: "status", code: 4, message: "" };
  const rows: readonly (readonly [SftpRequest["kind"], SftpAnswer, boolean])[] = [
    ["opendir", handle, true],
    ["opendir", refused, true],
    ["opendir", ok, false],
    ["readdir", handle, false],
    ["close", ok, true],
    ["close", handle, false],
    ["stat", ok, false],
    ["extended", ok, true],
  ];
  for (const [kind, answer, expected] of rows) {
    const request = REQUESTS.find(([one]) => one.kind === kind)?.[0] ??
      { kind: "stat", path: "/" };
    assert.equal(isAnswerTo(request, answer), expected, `${kind} ${answer.kind}`);
  }
});

Deno.test("names come back with the bytes they had", () => {
  const rows: readonly (readonly [Uint8Array, string])[] = [
    [hex("61"), "a"],
    [hex("e697a5"), "日"],
    [hex("61ff62"), "a\udcffb"],
    [hex("c3"), "\udcc3"],
    [hex("efbbbf61"), "\ufeffa"],
    [hex("fffe6100"), "\udcff\udcfea\0"],
    [hex("eda080"), "\udced\udca0\udc80"],
    [hex("f09f9880ff"), "😀\udcff"],
  ];
  for (const [bytes, name] of rows) {
    assert.equal(decodeName(bytes), name);
    assert.deepEqual(encodeName(name), bytes);
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
    assert.deepEqual(encodeName(decodeName(bytes)), bytes);
  }));
});

Deno.test("packets are cut from the stream whatever the chunks are", () => {
  const packets = [hex("65 00"), new Uint8Array(3000).fill(7), hex("01"), hex("02 03")];
  const stream = new Uint8Array(packets.reduce((sum, packet) => sum + 4 + packet.length, 0));
  let position = 0;
  for (const packet of packets) {
    new DataView(stream.buffer).setUint32(position, packet.length);
    stream.set(packet, position + 4);
    position += 4 + packet.length;
  }
  const cuts = fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 12 });
  fc.assert(fc.property(cuts, (unsorted) => {
    const borders = [0, ...unsorted.sort((a, b) => a - b), stream.length];
    const splitter = new PacketSplitter();
    const found = borders.slice(1).flatMap((end, index) =>
      splitter.push(stream.slice(borders[index], end))
    );
    assert.deepEqual(found, packets);
    assert.equal(splitter.isInsidePacket, false);
  }));
});

Deno.test("an impossible length is refused before anything is allocated", () => {
  for (const length of ["00000000", "ffffffff", "00040401", "7fffffff"]) {
    assert.throws(() => new PacketSplitter().push(hex(length)), SftpProtocolError, length);
  }
  const largest = new Uint8Array(4);
  new DataView(largest.buffer).setUint32(0, MAX_PACKET_BYTES);
  assert.deepEqual(new PacketSplitter().push(largest), []);
  const banner = new TextEncoder().encode("Welcome to host\n");
  assert.throws(() => new PacketSplitter().push(banner), /"Welc".*startup file/);
});

Deno.test("kind, mode and links come from what the server sent", () => {
  const rows = [
    [0o100644, "", "file", 0o644, undefined],
    [0o040755, "", "directory", 0o755, undefined],
    [0o120777, "", "symlink", 0o777, undefined],
    [0o010600, "", "other", 0o600, undefined],
    [0o104755, "-rwsr-xr-x    2 root root 1 Jan 1 00:00 x", "file", 0o4755, 2],
    [undefined, "drwxr-xr-x   3 a b 4096 Jan  1 00:00 x", "directory", undefined, 3],
    [undefined, "lrwxrwxrwx    1 a b 4096 Jan  1 00:00 x", "symlink", undefined, 1],
    [undefined, "-rw-r--r--    1 a b 4096 Jan  1 00:00 x", "file", undefined, 1],
    [undefined, "x", "other", undefined, undefined],
    [0o644, "-rw-r--r--  1 a b 4 Jan  1 00:00 x", "file", 0o644, 1],
  ] as const;
  for (const [permissions, longName, kind, mode, links] of rows) {
    const info = toFileInfo(permissions === undefined ? {} : { permissions }, longName);
    assert.deepEqual([info.kind, info.mode, info.links], [kind, mode, links], longName);
  }
});
