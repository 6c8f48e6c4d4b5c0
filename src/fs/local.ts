// Owns: the FileSystem of this machine, on Deno's file functions.
// Must not know: allowed directories, text, locks, undo.
//
// What the kernel answers from memory is asked synchronously: a trip through Deno's thread pool costs
// ten times the call itself, and one edit needs a dozen. What waits for a disk is asynchronous.

import {
  type DirectoryEntry,
  type FileInfo,
  type FileKind,
  type FileSystem,
  FileSystemError,
  type FileSystemErrorCode,
  type NewFileOptions,
  type ReadOptions,
} from "./file_system.ts";

const IS_WINDOWS = Deno.build.os === "windows";
/** Files up to this many bytes are read and written synchronously: a millisecond at most. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** Milliseconds between tries where Windows refuses a rename because someone holds the file. */
const RENAME_RETRIES = [20, 50, 100, 200, 400, 400];

export class LocalFileSystem implements FileSystem {
  readonly key = "local";
  readonly pathStyle = IS_WINDOWS ? "windows" : "posix";

  realPath(path: string): Promise<string> {
    return translated(path, () => Deno.realPathSync(path));
  }

  stat(path: string): Promise<FileInfo> {
    return translated(path, () => toFileInfo(Deno.statSync(path)));
  }

  linkStat(path: string): Promise<FileInfo> {
    return translated(path, () => toFileInfo(Deno.lstatSync(path)));
  }

  readLink(path: string): Promise<string> {
    return translated(path, () => Deno.readLinkSync(path));
  }

  readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
    return translated(path, async () => {
      const entries: DirectoryEntry[] = [];
      for await (const entry of Deno.readDir(path)) {
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return entries;
    });
  }

  readFile(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { offset = 0, length, signal } = options;
    return translated(path, () => {
      signal?.throwIfAborted();
      if (offset === 0 && length === undefined) {
        if (Deno.statSync(path).size <= SMALL_BYTES) return readSmall(path);
        return readRange(path, { offset, length: Infinity, signal });
      }
      return readRange(path, { offset, length: length ?? Infinity, signal });
    });
  }

  makeDirectory(path: string): Promise<void> {
    return translated(path, () => Deno.mkdir(path, { recursive: true }));
  }

  writeNewFile(path: string, bytes: Uint8Array, options: NewFileOptions = {}): Promise<void> {
    return translated(path, async () => {
      // Closed to others until owner and mode are those of the file that it replaces.
      const initialMode = options.mode === undefined ? 0o666 : 0o600;
      const file = Deno.openSync(path, { write: true, createNew: true, mode: initialMode });
      try {
        refuseMoved(path, file);
        await writeAll(file, bytes);
        applyOwnerAndMode(path, file, options);
        await file.sync();
      } catch (error) {
        file.close();
        await removeCreated(path);
        throw error;
      }
      file.close();
    });
  }

  replace(from: string, to: string): Promise<void> {
    return translated(to, async () => {
      for (const delay of IS_WINDOWS ? RENAME_RETRIES : []) {
        try {
          return Deno.renameSync(from, to);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, delay));
        }
      }
      Deno.renameSync(from, to);
    });
  }

  overwrite(path: string, bytes: Uint8Array): Promise<void> {
    return translated(path, async () => {
      const file = Deno.openSync(path, { write: true });
      try {
        refuseMoved(Deno.lstatSync(path).isSymlink ? Deno.realPathSync(path) : path, file);
        await writeAll(file, bytes);
        await file.truncate(bytes.length);
        await file.sync();
      } finally {
        file.close();
      }
    });
  }

  removeFile(path: string): Promise<void> {
    return translated(path, async () => {
      if ((await Deno.lstat(path)).isDirectory) throw new FileSystemError("is_directory", path);
      await Deno.remove(path);
    });
  }

  setMode(path: string, mode: number): Promise<void> {
    return translated(path, () => IS_WINDOWS ? Promise.resolve() : Deno.chmod(path, mode));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Reads a small file in one step; nothing else of this process runs meanwhile. */
function readSmall(path: string): Uint8Array {
  const file = openInPlace(path);
  try {
    const bytes = new Uint8Array(file.statSync().size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    file.close();
  }
}

/** Opens to read; again where another program has put a new file in the place of the one that was opened. */
function openInPlace(path: string, tries = 50): Deno.FsFile {
  const file = Deno.openSync(path, { read: true });
  try {
    refuseMoved(path, file);
    return file;
  } catch (error) {
    file.close();
    if (tries === 1 || Deno.realPathSync(path) !== path) throw error;
    return openInPlace(path, tries - 1);
  }
}

/**
 * Refuses an open file that is not the one that its canonical path names: a directory on the way was
 * swapped for a link after the path had been checked. Deno cannot open without following links.
 */
function refuseMoved(path: string, file: Deno.FsFile): void {
  const opened = file.statSync();
  // One look can fall between two swaps; that each of them does is three orders of magnitude rarer.
  for (let look = 0; look < 3; look++) {
    const named = Deno.lstatSync(path);
    // Windows gives no such numbers for a path.
    const isOther = !IS_WINDOWS && (named.ino !== opened.ino || named.dev !== opened.dev);
    if (isOther || Deno.realPathSync(path) !== path) {
      const message = "a directory on the way was replaced while the file was being opened";
      throw new FileSystemError("failed", path, { message });
    }
  }
}

async function readRange(
  path: string,
  range: { offset: number; length: number; signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const file = openInPlace(path);
  try {
    const rest = (await file.stat()).size - range.offset;
    const buffer = new Uint8Array(Math.max(0, Math.min(range.length, rest)));
    await file.seek(range.offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < buffer.length) {
      range.signal?.throwIfAborted();
      const count = await file.read(buffer.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    file.close();
  }
}

/** Removes a file that this process has just created, also while its directory is swapped for a link and back. */
async function removeCreated(path: string): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    try {
      return Deno.removeSync(path);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, attempt < 50 ? 0 : 1));
    }
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const rest = bytes.subarray(written);
    written += rest.length <= SMALL_BYTES ? file.writeSync(rest) : await file.write(rest);
  }
}

function applyOwnerAndMode(
  path: string,
  file: Deno.FsFile,
  { mode, uid, gid }: NewFileOptions,
): void {
  if (IS_WINDOWS) return;
  if (uid !== undefined && gid !== undefined) {
    const created = file.statSync();
    // Only root may give files away: without that right the caller must write in place.
    if (created.uid !== uid || created.gid !== gid) Deno.chownSync(path, uid, gid);
  }
  // After chown, which clears the setuid and setgid bits.
  if (mode !== undefined) Deno.chmodSync(path, mode);
}

function toFileInfo(info: Deno.FileInfo): FileInfo {
  return {
    kind: kindOf(info),
    size: info.size,
    modified: info.mtime?.getTime() ?? 0,
    ...(info.mode === null ? {} : { mode: info.mode & 0o7777 }),
    ...(info.uid === null ? {} : { uid: info.uid }),
    ...(info.gid === null ? {} : { gid: info.gid }),
    ...(info.ino === null ? {} : { inode: info.ino }),
    device: info.dev,
    ...(info.nlink === null ? {} : { links: info.nlink }),
  };
}

function kindOf(
  entry: { isFile: boolean; isDirectory: boolean; isSymlink: boolean },
): FileKind {
  if (entry.isSymlink) return "symlink";
  if (entry.isDirectory) return "directory";
  return entry.isFile ? "file" : "other";
}

async function translated<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FileSystemError ? error : translateError(error, path);
  }
}

/** A Deno error as the closed set of reasons that the rest of octofs knows. */
export function translateError(error: unknown, path: string): FileSystemError {
  const message = error instanceof Error ? error.message : String(error);
  return new FileSystemError(codeOf(error), path, { message, cause: error });
}

const BY_ERRNO: { readonly [code: string]: FileSystemErrorCode } = {
  ENOENT: "missing",
  EEXIST: "exists",
  ENOTDIR: "not_directory",
  EISDIR: "is_directory",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EROFS: "read_only",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  ELOOP: "link_loop",
  ENAMETOOLONG: "name_too_long",
  EINVAL: "invalid_path",
  EFBIG: "too_large",
};

function codeOf(error: unknown): FileSystemErrorCode {
  if (error instanceof DOMException && error.name === "AbortError") return "cancelled";
  const errno = (error as { code?: unknown } | null)?.code;
  const known = typeof errno === "string" ? BY_ERRNO[errno] : undefined;
  if (known !== undefined) return known;
  if (error instanceof Deno.errors.NotFound) return "missing";
  if (error instanceof Deno.errors.AlreadyExists) return "exists";
  if (error instanceof Deno.errors.NotCapable) return "permission_denied";
  if (error instanceof Deno.errors.PermissionDenied) return "permission_denied";
  if (error instanceof Deno.errors.FilesystemLoop) return "link_loop";
  if (error instanceof Deno.errors.IsADirectory) return "is_directory";
  if (error instanceof Deno.errors.NotADirectory) return "not_directory";
  return "failed";
}
