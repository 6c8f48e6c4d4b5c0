// Owns: what is at a path right now, read whole and parsed, and the copy of it that an undo keeps.
// Must not know: locks, how files are written, what is done with the content.

import { parseDocument, type TextDocument } from "../text/document.ts";
import { MOST_TEXT_BYTES } from "../text/encoding.ts";
import type { ExpectedContent } from "./atomic_write.ts";
import { FileSystemError, isMissing } from "./file_system.ts";
import type { Snapshot } from "./undo_history.ts";
import type { ResolvedPath } from "./workspace.ts";

/** What is at the path right now, read under the lock. */
export type CurrentFile =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly document: TextDocument }
  | { readonly kind: "binary"; readonly reason: string; readonly size: number };

/** The content for a change, and the bytes that must still be there when it is written. */
export interface DiskFile {
  readonly expected: ExpectedContent | undefined;
  readonly current: CurrentFile;
}

/** Reads a regular file; one that does not exist is `absent`. Throws FileSystemError. */
export async function readDisk({ fileSystem, path }: ResolvedPath): Promise<DiskFile> {
  try {
    const info = await fileSystem.stat(path);
    if (info.kind === "directory") throw new FileSystemError("is_directory", path);
    if (info.kind !== "file") {
      throw new FileSystemError("unsupported", path, { message: "not a regular file" });
    }
    if (info.size > MOST_TEXT_BYTES) throw new FileSystemError("too_large", path);
    const bytes = await fileSystem.readFile(path);
    const parsed = parseDocument(bytes);
    const current: CurrentFile = parsed.kind === "text"
      ? parsed
      : { kind: "binary", reason: parsed.reason, size: bytes.length };
    return { expected: { bytes, info }, current };
  } catch (error) {
    if (isMissing(error)) return { expected: undefined, current: { kind: "absent" } };
    throw error;
  }
}

/** The copy that an undo brings back. */
export function snapshotOf(content: ExpectedContent | undefined): Snapshot | undefined {
  if (content === undefined) return undefined;
  const { mode, uid, gid } = content.info;
  return { bytes: content.bytes, mode, uid, gid };
}
