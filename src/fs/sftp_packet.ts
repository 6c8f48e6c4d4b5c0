// Owns: the packets of SFTP version 3 (draft-ietf-secsh-filexfer-02) as values, encoded and decoded.
// Must not know: streams, connections, what a request is for.

import { readAttributes, type SftpAttributes, writeAttributes } from "./sftp_attributes.ts";
import { SftpProtocolError, WireReader, WireWriter } from "./sftp_wire.ts";

export const SFTP_VERSION = 3;

/** Flags of `open`. */
export const OPEN_READ = 0x1;
export const OPEN_WRITE = 0x2;
export const OPEN_CREATE = 0x8;
export const OPEN_EXCLUSIVE = 0x20;

/** Numbers of a status answer. */
export const STATUS_OK = 0;
export const STATUS_END_OF_FILE = 1;
export const STATUS_NO_SUCH_FILE = 2;
export const STATUS_PERMISSION_DENIED = 3;
export const STATUS_FAILURE = 4;
export const STATUS_BAD_MESSAGE = 5;
export const STATUS_NO_CONNECTION = 6;
export const STATUS_CONNECTION_LOST = 7;
export const STATUS_UNSUPPORTED = 8;

type PathOnly = "opendir" | "stat" | "lstat" | "readlink" | "remove" | "realpath";
type HandleOnly = "close" | "readdir" | "fstat";

export type SftpRequest =
  | {
    readonly kind: "open";
    readonly path: string;
    readonly flags: number;
    readonly attributes: SftpAttributes;
  }
  | {
    readonly kind: "read";
    readonly handle: Uint8Array;
    readonly offset: number;
    readonly length: number;
  }
  | {
    readonly kind: "write";
    readonly handle: Uint8Array;
    readonly offset: number;
    readonly data: Uint8Array;
  }
  | { readonly kind: "setstat"; readonly path: string; readonly attributes: SftpAttributes }
  | { readonly kind: "fsetstat"; readonly handle: Uint8Array; readonly attributes: SftpAttributes }
  | { readonly kind: "mkdir"; readonly path: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: PathOnly; readonly path: string }
  | { readonly kind: HandleOnly; readonly handle: Uint8Array }
  | {
    readonly kind: "extended";
    readonly name: string;
    readonly fields: readonly (Uint8Array | string)[];
  };

export interface SftpStatus {
  readonly kind: "status";
  readonly code: number;
  readonly message: string;
}
export interface SftpHandle {
  readonly kind: "handle";
  readonly handle: Uint8Array;
}
export interface SftpData {
  readonly kind: "data";
  readonly data: Uint8Array;
}
export interface SftpName {
  readonly name: string;
  readonly longName: string;
  readonly attributes: SftpAttributes;
}
export interface SftpNames {
  readonly kind: "names";
  readonly names: readonly SftpName[];
}
export interface SftpAttributesAnswer {
  readonly kind: "attributes";
  readonly attributes: SftpAttributes;
}
export interface SftpExtendedAnswer {
  readonly kind: "extended";
  readonly data: Uint8Array;
}
export type SftpAnswer =
  | SftpStatus
  | SftpHandle
  | SftpData
  | SftpNames
  | SftpAttributesAnswer
  | SftpExtendedAnswer;

/** What a server may answer to a request, its status aside. */
interface AnswerKinds {
  readonly open: SftpHandle;
  readonly opendir: SftpHandle;
  readonly read: SftpData;
  readonly readdir: SftpNames;
  readonly readlink: SftpNames;
  readonly realpath: SftpNames;
  readonly stat: SftpAttributesAnswer;
  readonly lstat: SftpAttributesAnswer;
  readonly fstat: SftpAttributesAnswer;
  readonly extended: SftpExtendedAnswer;
}

export type AnswerTo<Request extends SftpRequest> = Request["kind"] extends keyof AnswerKinds
  ? AnswerKinds[Request["kind"]] | SftpStatus
  : SftpStatus;

export interface SftpVersion {
  readonly version: number;
  /** What the server offers beyond version 3, each with its own version number as text. */
  readonly extensions: ReadonlyMap<string, string>;
}

const TYPE_INIT = 1;
const TYPE_VERSION = 2;
const TYPE_STATUS = 101;
const TYPE_HANDLE = 102;
const TYPE_DATA = 103;
const TYPE_NAME = 104;
const TYPE_ATTRS = 105;
const TYPE_EXTENDED_REPLY = 201;

const REQUEST_TYPES: Readonly<Record<SftpRequest["kind"], number>> = {
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  extended: 200,
};

export function encodeInit(): Uint8Array {
  return new WireWriter().uint8(TYPE_INIT).uint32(SFTP_VERSION).finish();
}

/** One packet with its length in front, ready for the stream. */
export function encodeRequest(id: number, request: SftpRequest): Uint8Array {
  const writer = new WireWriter(request.kind === "write" ? request.data.length + 300 : 256);
  writer.uint8(REQUEST_TYPES[request.kind]).uint32(id);
  switch (request.kind) {
    case "open":
      writer.string(request.path).uint32(request.flags);
      writeAttributes(writer, request.attributes);
      break;
    case "read":
      writer.string(request.handle).uint64(request.offset).uint32(request.length);
      break;
    case "write":
      writer.string(request.handle).uint64(request.offset).string(request.data);
      break;
    case "setstat":
      writer.string(request.path);
      writeAttributes(writer, request.attributes);
      break;
    case "fsetstat":
      writer.string(request.handle);
      writeAttributes(writer, request.attributes);
      break;
    case "mkdir":
      writer.string(request.path);
      writeAttributes(writer, {});
      break;
    case "rename":
      writer.string(request.from).string(request.to);
      break;
    case "extended":
      writer.string(request.name);
      for (const field of request.fields) writer.string(field);
      break;
    case "opendir":
    case "stat":
    case "lstat":
    case "readlink":
    case "remove":
    case "realpath":
      writer.string(request.path);
      break;
    case "close":
    case "readdir":
    case "fstat":
      writer.string(request.handle);
      break;
  }
  return writer.finish();
}

/** Reads the answer to `encodeInit`. */
export function decodeVersion(packet: Uint8Array): SftpVersion {
  const reader = new WireReader(packet);
  const type = reader.uint8();
  if (type !== TYPE_VERSION) {
    throw new SftpProtocolError(`the first packet is of type ${type}, not a version`);
  }
  const version = reader.uint32();
  const extensions = new Map<string, string>();
  while (reader.remaining > 0) extensions.set(reader.name(), reader.name());
  return { version, extensions };
}

/** Reads any packet after the first. */
export function decodeAnswer(
  packet: Uint8Array,
): { readonly id: number; readonly answer: SftpAnswer } {
  const reader = new WireReader(packet);
  const type = reader.uint8();
  const id = reader.uint32();
  return { id, answer: decodeBody(type, reader) };
}

/** True when a server may answer `request` with `answer`. */
export function isAnswerTo<Request extends SftpRequest>(
  request: Request,
  answer: SftpAnswer,
): answer is AnswerTo<Request> {
  const expected = EXPECTED_ANSWERS[request.kind];
  if (answer.kind === expected) return true;
  if (answer.kind !== "status") return false;
  // "Everything is well" instead of the thing that was asked for is no answer.
  return answer.code !== STATUS_OK || expected === undefined || request.kind === "extended";
}

const EXPECTED_ANSWERS: Readonly<Partial<Record<SftpRequest["kind"], SftpAnswer["kind"]>>> = {
  open: "handle",
  opendir: "handle",
  read: "data",
  readdir: "names",
  readlink: "names",
  realpath: "names",
  stat: "attributes",
  lstat: "attributes",
  fstat: "attributes",
  extended: "extended",
};

function decodeBody(type: number, reader: WireReader): SftpAnswer {
  switch (type) {
    case TYPE_STATUS: {
      const code = reader.uint32();
      // Some servers leave the words out.
      return { kind: "status", code, message: reader.remaining > 0 ? reader.name() : "" };
    }
    case TYPE_HANDLE:
      return { kind: "handle", handle: reader.bytes().slice() };
    case TYPE_DATA:
      return { kind: "data", data: reader.bytes() };
    case TYPE_NAME:
      return { kind: "names", names: decodeNames(reader) };
    case TYPE_ATTRS:
      return { kind: "attributes", attributes: readAttributes(reader) };
    case TYPE_EXTENDED_REPLY:
      return { kind: "extended", data: reader.rest() };
    default:
      throw new SftpProtocolError(`a packet has the unknown type ${type}`);
  }
}

function decodeNames(reader: WireReader): SftpName[] {
  const names: SftpName[] = [];
  for (let left = reader.uint32(); left > 0; left--) {
    names.push({
      name: reader.name(),
      longName: reader.name(),
      attributes: readAttributes(reader),
    });
  }
  return names;
}
