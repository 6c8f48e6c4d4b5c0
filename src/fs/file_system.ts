// Owns: what octofs needs of a place that stores files, as one small interface, and its errors.
// Must not know: which places exist (local.ts, sftp.ts), allowed directories, text.

export type FileKind = "file" | "directory" | "symlink" | "other";

export interface FileInfo {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fractions where the place has them. */
  readonly modified: number;
  /** Permission bits with setuid, setgid and sticky: `st_mode & 0o7777`; absent where the platform has none. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly inode?: number;
  readonly device?: number;
  /** Hard links to the same file. */
  readonly links?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
  /** Present where listing gives it without another round trip. */
  readonly info?: FileInfo;
}

export interface ReadOptions {
  /** Byte to begin with. */
  readonly offset?: number;
  /** Bytes at most; fewer come back only at the end of the file. */
  readonly length?: number;
  readonly signal?: AbortSignal;
}

export interface NewFileOptions {
  /** Permission bits, set whatever the process's umask is. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * A place with files. Paths are absolute, in the place's own syntax, and already checked by the
 * access layer. Every method rejects with FileSystemError.
 */
export interface FileSystem {
  /** Names the place: `local`, or `ssh://user@host:port`; equal keys share locks and undo. */
  readonly key: string;
  readonly pathStyle: "posix" | "windows";

  /** Absolute path with every symbolic link resolved; `missing` when any part does not exist. */
  realPath(path: string): Promise<string>;
  /** Follows symbolic links. */
  stat(path: string): Promise<FileInfo>;
  /** Does not follow a symbolic link at the end. */
  linkStat(path: string): Promise<FileInfo>;
  readLink(path: string): Promise<string>;
  /** Hard links of a file, where `stat` does not say and asking costs more; undefined for not known. */
  linkCount?(path: string): Promise<number | undefined>;
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  readFile(path: string, options?: ReadOptions): Promise<Uint8Array>;

  /** Makes a directory with its missing parents; an existing one is no error. */
  makeDirectory(path: string): Promise<void>;
  /** Creates a file that must not exist yet, writes it, sets owner and mode, and flushes it to disk. */
  writeNewFile(path: string, bytes: Uint8Array, options?: NewFileOptions): Promise<void>;
  /** Renames over an existing file in one step. */
  replace(from: string, to: string): Promise<void>;
  /** Writes into the existing file itself and flushes it, for hard links and closed directories. */
  overwrite(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file or a symbolic link, never a directory. */
  removeFile(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;

  /** Ends connections; the local file system has none. */
  close(): Promise<void>;
}

/** The closed set of reasons a file operation fails. */
export type FileSystemErrorCode =
  | "missing"
  | "exists"
  | "not_directory"
  | "is_directory"
  | "permission_denied"
  | "read_only"
  | "no_space"
  | "link_loop"
  | "name_too_long"
  | "invalid_path"
  | "too_large"
  | "cancelled"
  | "connection_failed"
  | "unsupported"
  | "failed";

export class FileSystemError extends Error {
  override readonly name = "FileSystemError";
  /** Key of the file system, where it is another machine's. */
  readonly place: string | undefined;

  constructor(
    readonly code: FileSystemErrorCode,
    readonly path: string,
    options: {
      readonly message?: string;
      readonly cause?: unknown;
      readonly place?: string | undefined;
    } = {},
  ) {
    super(options.message ?? `${code}: ${path}`, { cause: options.cause });
    this.place = options.place;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === "missing";
}
