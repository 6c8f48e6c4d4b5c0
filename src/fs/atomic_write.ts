// Owns: how new content takes the place of a file: beside it and renamed, or in place where it must be.
// Must not know: locks, undo, what the content is.

import { pathsOf } from "./access.ts";
import {
  type FileInfo,
  type FileSystem,
  FileSystemError,
  isMissing,
  type NewFileOptions,
} from "./file_system.ts";

export interface WriteTarget {
  readonly fileSystem: FileSystem;
  /** Canonical path. */
  readonly path: string;
}

/** What was there when the change was computed; `undefined` for no file. */
export interface ExpectedContent {
  readonly bytes: Uint8Array;
  readonly info: FileInfo;
}

export interface WriteRequest {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedContent | undefined;
  /** Permission bits and owner of the result; by default those of the file that is replaced. */
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

export type WriteResult =
  | { readonly kind: "replaced" }
  | { readonly kind: "in_place"; readonly reason: "hard_links" | "closed_directory" }
  /** Another program wrote since `expected` was read; nothing was written. */
  | { readonly kind: "changed_meanwhile" };

/** Writes new content whole or not at all; no temporary file stays behind. Throws FileSystemError. */
export async function writeAtomically(
  target: WriteTarget,
  request: WriteRequest,
): Promise<WriteResult> {
  const { expected } = request;
  refuseReadOnly(target, expected);
  if ((expected?.info.links ?? 1) > 1) return await writeInPlace(target, request, "hard_links");
  const temporary = temporaryPath(target);
  try {
    await writeTemporary(target, { ...request, temporary });
  } catch (error) {
    if (expected === undefined || !isClosed(error)) throw withTargetPath(error, target);
    return await writeInPlace(target, request, "closed_directory");
  }
  try {
    // Side by side: where the links have to be asked for, each answer takes trips to another machine.
    const [hasLinks, isAsExpected] = await bothDone(
      askForHardLinks(target, expected),
      stillAsExpected(target, expected),
    );
    if (hasLinks) {
      await target.fileSystem.removeFile(temporary);
      return await writeInPlace(target, request, "hard_links");
    }
    if (!isAsExpected) {
      await target.fileSystem.removeFile(temporary);
      return { kind: "changed_meanwhile" };
    }
    await target.fileSystem.replace(temporary, target.path);
    return { kind: "replaced" };
  } catch (error) {
    await target.fileSystem.removeFile(temporary).catch(() => {});
    throw error;
  }
}

/** A file that comes back keeps its owner only where the right to give files away is there. */
async function writeTemporary(
  { fileSystem }: WriteTarget,
  request: WriteRequest & { readonly temporary: string },
): Promise<void> {
  const { temporary } = request;
  const { mode, ...owner } = ownership(request);
  const isReturning = request.expected === undefined && owner.uid !== undefined;
  const options = { ...owner, ...(mode === undefined ? {} : { mode }) };
  try {
    await fileSystem.writeNewFile(temporary, request.bytes, options);
  } catch (error) {
    if (!isReturning || !isClosed(error)) throw error;
    // Without its owner, setuid and setgid would mean someone else.
    const plain = mode === undefined ? {} : { mode: mode & 0o1777 };
    await fileSystem.writeNewFile(temporary, request.bytes, plain);
  }
}

/** Removes a file that is still what was read, or says that it is not. Throws FileSystemError. */
export async function removeAsExpected(
  target: WriteTarget,
  expected: ExpectedContent,
): Promise<"removed" | "changed_meanwhile"> {
  refuseReadOnly(target, expected);
  if (!await stillAsExpected(target, expected)) return "changed_meanwhile";
  await target.fileSystem.removeFile(target.path);
  return "removed";
}

/** For places whose file facts do not count the links. */
async function askForHardLinks(
  { fileSystem, path }: WriteTarget,
  expected: ExpectedContent | undefined,
): Promise<boolean> {
  if (expected === undefined || expected.info.links !== undefined) return false;
  // A directory that may be entered and not listed hides the count, and the edit goes on without it.
  return (await fileSystem.linkCount?.(path).catch(unlessDropped) ?? 1) > 1;
}

/** Settled, not raced: after a failure nothing of it may still be under way. */
async function bothDone<Left, Right>(
  left: Promise<Left>,
  right: Promise<Right>,
): Promise<readonly [Left, Right]> {
  await Promise.allSettled([left, right]);
  return [await left, await right];
}

function unlessDropped(error: unknown): undefined {
  if (error instanceof FileSystemError && error.code !== "connection_failed") return undefined;
  throw error;
}

function refuseReadOnly(
  { fileSystem, path }: WriteTarget,
  expected: ExpectedContent | undefined,
): void {
  const mode = expected?.info.mode;
  // A rename would get past the missing write bit, and so would root: the bits say what the owner wants.
  if (mode === undefined || (mode & 0o222) !== 0) return;
  throw new FileSystemError("read_only", path, { place: fileSystem.key });
}

async function writeInPlace(
  target: WriteTarget,
  request: WriteRequest,
  reason: "hard_links" | "closed_directory",
): Promise<WriteResult> {
  if (!await stillAsExpected(target, request.expected)) return { kind: "changed_meanwhile" };
  try {
    await target.fileSystem.overwrite(target.path, request.bytes);
  } catch (error) {
    if (request.expected) await putBack(target, request.expected.bytes, error);
    throw error;
  }
  const { mode } = request;
  if (mode !== undefined && mode !== request.expected?.info.mode) {
    await target.fileSystem.setMode(target.path, mode);
  }
  return { kind: "in_place", reason };
}

/** After a write that broke off in the file itself: what was there before fits where it was. */
async function putBack(
  { fileSystem, path }: WriteTarget,
  bytes: Uint8Array,
  cause: unknown,
): Promise<void> {
  if (await contentIs({ fileSystem, path }, bytes).catch(() => false)) return;
  try {
    await fileSystem.overwrite(path, bytes);
  } catch {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FileSystemError("failed", path, {
      message: `the write broke off (${reason}) and the former content could not be put back`,
      cause,
    });
  }
}

function ownership({ expected, ...wanted }: Omit<WriteRequest, "bytes">): NewFileOptions {
  const mode = wanted.mode ?? expected?.info.mode;
  const uid = wanted.uid ?? expected?.info.uid;
  const gid = wanted.gid ?? expected?.info.gid;
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  };
}

/** Beside the target, so that the rename stays on one disk; the name cannot be guessed and planted. */
function temporaryPath({ fileSystem, path }: WriteTarget): string {
  const paths = pathsOf(fileSystem);
  return paths.join(paths.dirname(path), `.octofs-${crypto.randomUUID()}.tmp`);
}

function isClosed(error: unknown): boolean {
  return error instanceof FileSystemError &&
    (error.code === "permission_denied" || error.code === "read_only");
}

/** The agent named the target, not the temporary file that could not be made. */
function withTargetPath(error: unknown, { path }: WriteTarget): unknown {
  if (!(error instanceof FileSystemError)) return error;
  const { code, message, place } = error;
  return new FileSystemError(code, path, { message, cause: error, place });
}

/** Compares the disk with what the change was computed from, and the directory with where it was checked. */
async function stillAsExpected(
  { fileSystem, path }: WriteTarget,
  expected: ExpectedContent | undefined,
): Promise<boolean> {
  const paths = pathsOf(fileSystem);
  const parent = paths.dirname(path);
  const [realParent, info] = await bothDone(
    fileSystem.realPath(parent),
    fileSystem.linkStat(path).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );
  // A directory swapped for a link between check and use would carry the rename out of the root.
  if (realParent !== parent) {
    throw new FileSystemError("failed", path, {
      message: `${parent} was replaced by a link while the file was being edited`,
    });
  }
  if (info === undefined || expected === undefined) return info === expected;
  if (info.kind !== "file" || info.mode !== expected.info.mode) return false;
  if (info.size !== expected.bytes.length) return false;
  return await contentIs({ fileSystem, path }, expected.bytes);
}

async function contentIs({ fileSystem, path }: WriteTarget, bytes: Uint8Array): Promise<boolean> {
  return equalBytes(await fileSystem.readFile(path), bytes);
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  // Four bytes at a time: this runs on the hot path of every edit.
  const isAligned = left.byteOffset % 4 === 0 && right.byteOffset % 4 === 0;
  const words = isAligned ? left.length >> 2 : 0;
  const leftWords = new Int32Array(left.buffer, isAligned ? left.byteOffset : 0, words);
  const rightWords = new Int32Array(right.buffer, isAligned ? right.byteOffset : 0, words);
  for (let index = 0; index < words; index++) {
    if (leftWords[index] !== rightWords[index]) return false;
  }
  for (let index = words << 2; index < left.length; index++) {
    if (left[index] !== right[index]) return false;
  }
  return true;
}
