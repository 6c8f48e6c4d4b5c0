// Owns: the FileSystem of an ssh destination, over one SFTP channel.
// Must not know: how ssh is started, allowed directories, text, locks, undo.

import { posix } from "node:path";
import {
  type DirectoryEntry,
  type FileInfo,
  type FileSystem,
  FileSystemError,
  type NewFileOptions,
  type ReadOptions,
} from "./file_system.ts";
import { toFileInfo } from "./sftp_attributes.ts";
import type { SftpChannel } from "./sftp_channel.ts";
import { type SftpPurpose, toFileSystemError } from "./sftp_error.ts";
import { countLinks, listDirectory } from "./sftp_directory.ts";
import { OPEN_READ, STATUS_NO_SUCH_FILE } from "./sftp_packet.ts";
import { resolveLinks } from "./sftp_real_path.ts";
import { replaceFile } from "./sftp_replace.ts";
import { type AfterDrop, SftpSession } from "./sftp_session.ts";
import { mustBeOk, readRange, SftpStatusError } from "./sftp_transfer.ts";
import { overwriteFile, writeFile } from "./sftp_write.ts";

interface Operation {
  readonly path: string;
  readonly purpose: SftpPurpose;
  readonly afterDrop: AfterDrop;
  readonly bytes?: number;
}

export class SftpFileSystem implements FileSystem {
  readonly key: string;
  readonly pathStyle = "posix";
  readonly #session: SftpSession;
  #home: string | undefined;

  /** `key` is the printed destination; `connect` opens a new channel to it. */
  constructor(key: string, connect: () => Promise<SftpChannel>) {
    this.key = key;
    this.#session = new SftpSession(connect);
  }

  /** Also takes `.` for the directory in which the server starts: the remote home. */
  async realPath(path: string): Promise<string> {
    if (path === ".") return await this.#homeDirectory();
    return await resolveLinks(this, path);
  }

  stat(path: string): Promise<FileInfo> {
    return this.#attributes("stat", path);
  }

  linkStat(path: string): Promise<FileInfo> {
    return this.#attributes("lstat", path);
  }

  readLink(path: string): Promise<string> {
    return this.#run({ path, purpose: "look", afterDrop: "repeat" }, (channel) => {
      return onlyName(channel, { kind: "readlink", path });
    });
  }

  readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
    return this.#run({ path, purpose: "list", afterDrop: "repeat" }, (channel) => {
      return listDirectory(channel, path);
    });
  }

  linkCount(path: string): Promise<number | undefined> {
    return this.#run({ path, purpose: "look", afterDrop: "repeat" }, (channel) => {
      return countLinks(channel, path);
    });
  }

  async readFile(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { offset = 0, length = Infinity, signal } = options;
    const work = this.#run({ path, purpose: "read", afterDrop: "repeat" }, async (channel) => {
      signal?.throwIfAborted();
      const opened = await channel.request({
        kind: "open",
        path,
        flags: OPEN_READ,
        attributes: {},
      });
      if (opened.kind === "status") throw new SftpStatusError(opened);
      try {
        return await readRange({ channel, handle: opened.handle }, { offset, length, signal });
      } finally {
        // Its answer says nothing about what was read.
        channel.request({ kind: "close", handle: opened.handle }).catch(() => {});
      }
    });
    return await unlessAborted(work, { path, signal });
  }

  async makeDirectory(path: string): Promise<void> {
    const existing = await this.#infoIfAny(path);
    if (existing !== undefined) {
      if (existing.kind === "directory") return;
      throw new FileSystemError("exists", path, { message: "it exists already" });
    }
    await this.makeDirectory(posix.dirname(path));
    try {
      await this.#run({ path, purpose: "change", afterDrop: "repeat" }, async (channel) => {
        mustBeOk(await channel.request({ kind: "mkdir", path }));
      });
    } catch (error) {
      // Someone else, or the request before a drop, may have made it meanwhile.
      if ((await this.#infoIfAny(path))?.kind !== "directory") throw error;
    }
  }

  writeNewFile(path: string, bytes: Uint8Array, options: NewFileOptions = {}): Promise<void> {
    const operation: Operation = {
      path,
      purpose: "create",
      afterDrop: "report",
      bytes: bytes.length,
    };
    return this.#run(operation, async (channel) => {
      await writeFile(channel, { path, bytes, options, session: this.#session });
    });
  }

  async replace(from: string, to: string): Promise<void> {
    let attempts = 0;
    try {
      await this.#run({ path: to, purpose: "write", afterDrop: "repeat" }, async (channel) => {
        const isRepeated = attempts++ > 0;
        await replaceFile(channel, { from, to, isRepeated, session: this.#session });
      });
    } catch (error) {
      const isUnknown = attempts > 0 && error instanceof FileSystemError &&
        error.code === "connection_failed";
      if (!isUnknown) throw error;
      const message =
        `${error.message}\nWhether ${to} has the new content is not known: look at it again.`;
      throw new FileSystemError("connection_failed", to, { message, cause: error });
    }
  }

  overwrite(path: string, bytes: Uint8Array): Promise<void> {
    // Half of the new content in the old file is the worst state to be left in: done again after a drop.
    const operation: Operation = {
      path,
      purpose: "write",
      afterDrop: "repeat",
      bytes: bytes.length,
    };
    return this.#run(operation, (channel) => overwriteFile(channel, path, bytes));
  }

  removeFile(path: string): Promise<void> {
    let attempts = 0;
    return this.#run({ path, purpose: "change", afterDrop: "repeat" }, async (channel) => {
      const isRepeated = attempts++ > 0;
      const info = await channel.request({ kind: "lstat", path });
      if (info.kind === "status") {
        // The request before the drop has done it.
        if (isRepeated && info.code === STATUS_NO_SUCH_FILE) return;
        throw new SftpStatusError(info);
      }
      if (toFileInfo(info.attributes).kind === "directory") {
        throw new FileSystemError("is_directory", path, { message: "it is a directory" });
      }
      mustBeOk(await channel.request({ kind: "remove", path }));
    });
  }

  setMode(path: string, mode: number): Promise<void> {
    return this.#run({ path, purpose: "change", afterDrop: "repeat" }, async (channel) => {
      const attributes = { permissions: mode & 0o7777 };
      mustBeOk(await channel.request({ kind: "setstat", path, attributes }));
    });
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #homeDirectory(): Promise<string> {
    this.#home ??= await this.#run(
      { path: "~", purpose: "look", afterDrop: "repeat" },
      (channel) => onlyName(channel, { kind: "realpath", path: "." }),
    );
    return await resolveLinks(this, this.#home);
  }

  #attributes(kind: "stat" | "lstat", path: string): Promise<FileInfo> {
    return this.#run({ path, purpose: "look", afterDrop: "repeat" }, async (channel) => {
      const answer = await channel.request({ kind, path });
      if (answer.kind === "status") throw new SftpStatusError(answer);
      return toFileInfo(answer.attributes);
    });
  }

  async #infoIfAny(path: string): Promise<FileInfo | undefined> {
    try {
      return await this.stat(path);
    } catch (error) {
      if (error instanceof FileSystemError && error.code === "missing") return undefined;
      throw error;
    }
  }

  async #run<T>(operation: Operation, work: (channel: SftpChannel) => Promise<T>): Promise<T> {
    const { path, purpose, afterDrop, bytes } = operation;
    checkPath(path);
    const running = this.#session.run({
      path,
      afterDrop,
      work: async (channel) => {
        try {
          return await work(channel);
        } catch (error) {
          if (error instanceof SftpStatusError) {
            throw await toFileSystemError(channel, {
              path,
              purpose,
              status: error.status,
              ...(bytes === undefined ? {} : { bytes }),
            });
          }
          if (error instanceof RangeError) {
            throw new FileSystemError("too_large", path, { cause: error });
          }
          if (error instanceof DOMException && error.name === "AbortError") {
            throw new FileSystemError("cancelled", path, { cause: error });
          }
          throw error;
        }
      },
    });
    return await running.catch((error) => {
      throw error instanceof FileSystemError ? placed(error, this.key) : error;
    });
  }
}

function placed({ code, path, message, cause }: FileSystemError, place: string): FileSystemError {
  return new FileSystemError(code, path, { message, cause, place });
}

/** A surrogate that is neither half of a pair nor one escaped byte has no bytes to send. */
const UNSENDABLE =
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udc7f\udd00-\udfff]/;

function checkPath(path: string): void {
  if (!path.includes("\0") && !UNSENDABLE.test(path)) return;
  throw new FileSystemError("invalid_path", path, {
    message: "the path holds impossible characters",
  });
}

async function onlyName(
  channel: SftpChannel,
  request: { readonly kind: "readlink" | "realpath"; readonly path: string },
): Promise<string> {
  const answer = await channel.request(request);
  if (answer.kind === "status") throw new SftpStatusError(answer);
  const name = answer.names[0]?.name;
  if (name === undefined || name === "" || name.includes("\0")) {
    throw new FileSystemError("failed", request.path, {
      message: "the server sent no usable name",
    });
  }
  return name;
}

/** Rejects as soon as the signal says so, although the answers under way still have to be taken. */
async function unlessAborted<T>(
  work: Promise<T>,
  { path, signal }: { path: string; signal: AbortSignal | undefined },
): Promise<T> {
  if (signal === undefined) return await work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new FileSystemError("cancelled", path));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  work.catch(() => {});
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
