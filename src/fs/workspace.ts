// Owns: the session's root, working directory and allowed directories; raw path argument -> checked path.
// Must not know: tools, text, how files are edited.

import type { FileInfo, FileSystem } from "./file_system.ts";

/** A path that passed the gate. `path` is the one that was checked, and the one to use. */
export interface ResolvedPath {
  readonly fileSystem: FileSystem;
  /** Absolute and canonical: no symbolic link is left in the part that exists. */
  readonly path: string;
  /** Absolute, links in the directories resolved, the last component as named: for `delete` of a link. */
  readonly entryPath: string;
  /** What to print: relative to the working directory where that can be passed back, else absolute or `ssh://…`. */
  readonly display: string;
  /** Same for every alias of one file: file system key and canonical path. */
  readonly key: string;
  /** Absent when nothing exists at `path`. */
  readonly info: FileInfo | undefined;
  /** Where an argument was cleaned or completed, the words that say so. */
  readonly hints: readonly string[];
}

/** What the call is going to do at the path: a read-only directory refuses `write`. */
export type AccessPurpose = "read" | "write";

export interface ResolveOptions {
  readonly purpose: AccessPurpose;
  /** `existing`: a missing path is refused with its nearest names. `any`: a missing path is fine. */
  readonly expect: "existing" | "any";
}

export interface Workspace {
  /** Project root as shown to the agent. */
  readonly root: string;
  /** Working directory: an absolute local path or an `ssh://` location. */
  readonly workingDirectory: string;
  readonly workingDirectoryIsRemote: boolean;
  /** Throws AccessError with the whole message for the agent. */
  resolve(raw: string, options: ResolveOptions): Promise<ResolvedPath>;
  /** Path as the agent should see and send it, for any path inside a file system. */
  display(fileSystem: FileSystem, path: string): string;
  changeDirectory(raw: string): Promise<readonly string[]>;
  resetDirectory(): void;
  /** Allowed local directories, canonical, the root first. */
  readonly localDirectories: readonly string[];
}

/** The gate refused a path; the message is for the agent. */
export class AccessError extends Error {
  override readonly name = "AccessError";
}
