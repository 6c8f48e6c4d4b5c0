// Owns: the session's root, working directory and allowed directories; raw path argument -> checked path.
// Must not know: tools, text, how files are edited.

import {
  canonicalize,
  canonicalizeParent,
  type CanonicalPath,
  contains,
  pathsOf,
} from "./access.ts";
import {
  type AccessPurpose,
  AllowedDirectories,
  type AllowedDirectory,
} from "./allowed_directories.ts";
import { type FileInfo, type FileSystem, FileSystemError, isMissing } from "./file_system.ts";
import {
  formatLocation,
  isRemote,
  type Location,
  parseLocation,
  type SshTarget,
} from "./location.ts";
import {
  doubtfulWrite,
  linkHints,
  missingError,
  parentExists,
  type Place,
  siblingOf,
} from "./path_alternatives.ts";
import { cleanPath } from "./path_cleaning.ts";
import { invalidPath, PathError, refusePath } from "./path_error.ts";
import { lengthFault, newNameFault, windowsFault } from "./path_names.ts";

/** A path that passed the gate. `path` is the one that was checked, and the one to use. */
export interface ResolvedPath {
  readonly fileSystem: FileSystem;
  /** Absolute and canonical: no symbolic link is left in the part that exists. */
  readonly path: string;
  /** What to print: relative to the working directory where that can be passed back, else absolute or `ssh://…`. */
  readonly display: string;
  /** Same for every alias of one file: file system key and canonical path. */
  readonly key: string;
  /** Absent where nothing exists. */
  readonly info: FileInfo | undefined;
  /** Where an argument was cleaned or completed, the words that say so. */
  readonly hints: readonly string[];
}

export interface ResolveOptions {
  readonly purpose: AccessPurpose;
  /** `existing`: a missing path is refused with its nearest names. `any`: a missing path is fine. */
  readonly expect: "existing" | "any";
  /** `keep`: a link at the end is meant itself, as for deleting it; by default it is followed. */
  readonly link?: "keep";
}

export interface WorkspaceOptions {
  readonly local: FileSystem;
  /** Opens the file system of an ssh destination; absent where ssh may not be run. */
  readonly remote?: (target: SshTarget) => Promise<FileSystem>;
  /** First the project root. */
  readonly allowed: readonly [AllowedDirectory, ...AllowedDirectory[]];
  readonly homeDirectory?: string;
  readonly environment?: (name: string) => string | undefined;
  /** Replaces layer one, for tests that show what the other layer refuses. */
  readonly gate?: AllowedDirectories;
  /** True when nobody named the root: then a relative write below `/` or a home directory is refused. */
  readonly rootIsGuessed?: boolean;
}

export class Workspace {
  readonly #options: WorkspaceOptions;
  #workingPlace: Place;
  readonly #allowed: AllowedDirectories;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.#workingPlace = options.allowed[0];
    this.#allowed = options.gate ?? new AllowedDirectories(options.local, options.allowed);
  }

  /** Project root as shown to the agent. */
  get root(): string {
    return this.#absolute(this.#options.allowed[0]);
  }

  /** Working directory: an absolute local path or an `ssh://` location. */
  get workingDirectory(): string {
    return this.#absolute(this.#workingPlace);
  }

  get workingDirectoryIsRemote(): boolean {
    return this.#workingPlace.fileSystem !== this.#options.local;
  }

  /** Allowed local directories, canonical, the root first. */
  get localDirectories(): readonly string[] {
    return this.#options.allowed.filter((directory) => directory.fileSystem === this.#options.local)
      .map((directory) => directory.path);
  }

  /** Allowed directories as shown to the agent. */
  get allowedDirectories(): readonly string[] {
    return this.#allowed.all.map((directory) =>
      this.#absolute(directory) + (directory.writable ? "" : " (read only)")
    );
  }

  /** The one gate of every path argument. Throws PathError; FileSystemError where the disk refuses. */
  async resolve(raw: string, options: ResolveOptions): Promise<ResolvedPath> {
    const place = await this.#locate(raw);
    const checked = await this.#check(place, { raw, options });
    if (checked.exists) {
      const display = (path: string) => this.display(place.fileSystem, path);
      const isFollowed = options.purpose === "write" && checked.path !== place.path;
      const hints = isFollowed ? await linkHints(place, { target: checked.path, display }) : [];
      return await this.#resolved(place, checked, hints);
    }
    const alternative = await this.#alternative(raw, { place, options });
    if (alternative !== undefined) return alternative;
    if (options.expect === "existing") {
      const display = (path: string) => this.display(place.fileSystem, path);
      throw await missingError(raw, { place: { ...place, path: checked.path }, display });
    }
    if (options.purpose === "write") this.#refuseDoubtfulWrite(raw, checked.path);
    return await this.#resolved(place, checked, []);
  }

  /** Path as the agent should see and send it, for any path inside a file system. */
  display(fileSystem: FileSystem, path: string): string {
    const working = this.#workingPlace;
    if (fileSystem === working.fileSystem) {
      const paths = pathsOf(fileSystem);
      if (contains(fileSystem, { directory: working.path, path })) {
        return paths.relative(working.path, path) || ".";
      }
    }
    return this.#absolute({ fileSystem, path });
  }

  /** As `display`, for a path in an error; without a place it is on the working directory's file system. */
  displayIn(place: string | undefined, path: string): string {
    const { fileSystem } = this.#workingPlace;
    if (place === undefined || place === fileSystem.key) return this.display(fileSystem, path);
    return place === this.#options.local.key ? path : place + path;
  }

  /** Changes the working directory; a remote one becomes a root of its own until it is left. */
  async changeDirectory(raw: string): Promise<readonly string[]> {
    const resolved = await this.resolve(raw, { purpose: "read", expect: "existing" });
    if (resolved.info?.kind !== "directory") {
      throw new PathError({ kind: "not_a_directory", raw, resolved: this.#absolute(resolved) });
    }
    this.#workingPlace = resolved;
    this.#allowed.enter(resolved.fileSystem, resolved.path);
    return resolved.hints;
  }

  resetDirectory(): void {
    this.#workingPlace = this.#options.allowed[0];
    this.#allowed.leaveRemote();
  }

  async #locate(raw: string): Promise<Place> {
    if (raw.trim() === "") throw new PathError({ kind: "empty" });
    refusePath(raw, lengthFault(raw));
    const location = parseLocation(isRemote(raw.trim()) ? raw.trim() : raw);
    if (location.kind === "invalid") throw invalidPath(raw, location.reason);
    if (location.kind === "ssh") return await this.#locateRemote(location);
    const working = this.#workingPlace;
    const home = /^~(?=$|[/\\])/.test(raw)
      ? await this.#homeOf(working.fileSystem, raw)
      : undefined;
    const expanded = home === undefined ? raw : home + raw.slice(1);
    const path = pathsOf(working.fileSystem).resolve(working.path, expanded);
    if (working.fileSystem.pathStyle === "windows") refusePath(raw, windowsFault(path));
    return { fileSystem: working.fileSystem, path };
  }

  async #locateRemote(location: Extract<Location, { kind: "ssh" }>): Promise<Place> {
    if (this.#options.remote === undefined) {
      throw new PathError({ kind: "no_ssh", raw: formatLocation(location) });
    }
    const fileSystem = await this.#options.remote(location.target);
    if (location.path.startsWith("/")) {
      return { fileSystem, path: pathsOf(fileSystem).resolve(location.path) };
    }
    const home = await fileSystem.realPath(".");
    return {
      fileSystem,
      path: pathsOf(fileSystem).resolve(home, location.path.slice(1).replace(/^\//, "")),
    };
  }

  async #homeOf(fileSystem: FileSystem, raw: string): Promise<string> {
    if (fileSystem !== this.#options.local) return await fileSystem.realPath(".");
    if (this.#options.homeDirectory === undefined) throw new PathError({ kind: "no_home", raw });
    return this.#options.homeDirectory;
  }

  async #check(
    place: Place,
    { raw, options }: { raw: string; options: ResolveOptions },
  ): Promise<CanonicalPath> {
    const follow = options.link === "keep" ? canonicalizeParent : canonicalize;
    const canonical = await follow(place.fileSystem, place.path).catch((error) => {
      // Layer two answers for a path outside before it can be resolved: the gate would refuse it too.
      const outside = error instanceof FileSystemError && error.code === "permission_denied" &&
        !this.#allowed.allows(place.fileSystem, error.path, "read");
      if (outside) throw this.#outside(raw, { ...place, path: error.path }, options);
      throw error;
    });
    if (!this.#allowed.allows(place.fileSystem, canonical.path, options.purpose)) {
      throw this.#outside(raw, { ...place, path: canonical.path }, options);
    }
    return canonical;
  }

  #outside(raw: string, resolved: Place, { purpose }: ResolveOptions): PathError {
    return new PathError({
      kind: "outside",
      raw,
      resolved: this.#absolute(resolved),
      purpose,
      allowed: this.allowedDirectories,
    });
  }

  /** A cleaned form of the argument, or the one sibling whose name differs in typography only. */
  async #alternative(
    raw: string,
    { place, options }: { place: Place; options: ResolveOptions },
  ): Promise<ResolvedPath | undefined> {
    const cleaned = cleanPath(raw);
    if (cleaned !== undefined) {
      const cleanedPlace = await this.#locate(cleaned.path);
      const checked = await this.#check(cleanedPlace, { raw: cleaned.path, options });
      const wanted = checked.exists || (options.expect === "any" &&
        await parentExists(cleanedPlace) &&
        (cleaned.certainty === "wrapper" || !await parentExists(place)));
      if (wanted) {
        const hint = `Path ${JSON.stringify(raw)} does not exist; used ${
          JSON.stringify(cleaned.path)
        } (removed ${cleaned.removed}).`;
        return await this.#resolved(cleanedPlace, checked, [hint]);
      }
    }
    const sibling = options.expect === "existing" ? await siblingOf(place) : undefined;
    if (sibling === undefined) return undefined;
    const checked = await this.#check(sibling, { raw, options });
    const display = this.display(sibling.fileSystem, checked.path);
    const hint = `No file is named exactly ${JSON.stringify(raw)}; used ${
      JSON.stringify(display)
    }, whose name differs only in Unicode form, spaces or quotes.`;
    return await this.#resolved(sibling, checked, [hint]);
  }

  #refuseDoubtfulWrite(raw: string, resolved: string): void {
    refusePath(raw, newNameFault(resolved));
    const problem = doubtfulWrite(raw, {
      workingPlace: this.#workingPlace,
      rootIsGuessed: this.#options.rootIsGuessed ?? false,
      homeDirectory: this.#options.homeDirectory,
      environment: this.#options.environment,
    });
    if (problem !== undefined) throw new PathError(problem);
  }

  async #resolved(
    place: Place,
    checked: CanonicalPath,
    hints: readonly string[],
  ): Promise<ResolvedPath> {
    const { fileSystem } = place;
    const info = checked.exists
      ? await fileSystem.linkStat(checked.path).catch(undefinedIfMissing)
      : undefined;
    return {
      fileSystem,
      path: checked.path,
      display: this.display(fileSystem, checked.path),
      key: `${fileSystem.key}${checked.path}`,
      info,
      hints,
    };
  }

  #absolute({ fileSystem, path }: Place): string {
    if (fileSystem === this.#options.local) return path;
    return fileSystem.key + path;
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
