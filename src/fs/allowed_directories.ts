// Owns: which directories a session may read and write, and whether a canonical path is inside one.
// Must not know: what an agent typed, how paths are made canonical.

import { contains } from "./access.ts";
import type { FileSystem } from "./file_system.ts";

export interface AllowedDirectory {
  readonly fileSystem: FileSystem;
  /** Canonical. */
  readonly path: string;
  readonly writable: boolean;
}

/** What the call is going to do at the path: a read-only directory refuses `write`. */
export type AccessPurpose = "read" | "write";

export class AllowedDirectories {
  readonly #fixed: readonly AllowedDirectory[];
  readonly #local: FileSystem;
  /** The remote directory that became a root of its own, for as long as the session works there. */
  #remoteRoot: AllowedDirectory | undefined;

  constructor(local: FileSystem, fixed: readonly AllowedDirectory[]) {
    this.#local = local;
    this.#fixed = fixed;
  }

  get all(): readonly AllowedDirectory[] {
    return this.#remoteRoot ? [...this.#fixed, this.#remoteRoot] : this.#fixed;
  }

  /** `path` must be canonical. */
  allows(fileSystem: FileSystem, path: string, purpose: AccessPurpose): boolean {
    const directories = this.all.filter((one) => one.fileSystem === fileSystem);
    // An ssh destination that nobody confined is as open as the user's own ssh makes it.
    if (directories.length === 0) return fileSystem !== this.#local;
    return directories.some((directory) =>
      (purpose === "read" || directory.writable) &&
      contains(fileSystem, { directory: directory.path, path })
    );
  }

  /** Called when the working directory changes: a remote one confines its destination until it is left. */
  enter(fileSystem: FileSystem, path: string): void {
    if (fileSystem === this.#local) {
      this.#remoteRoot = undefined;
    } else if (!this.all.some((one) => one.fileSystem === fileSystem)) {
      this.#remoteRoot = { fileSystem, path, writable: true };
    }
  }

  leaveRemote(): void {
    this.#remoteRoot = undefined;
  }
}
