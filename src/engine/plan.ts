// Owns: what an engine is started with, as plain data that crosses to another process or thread.
// Must not know: how the facts were found, how the engine is confined.

import type { NamedRules } from "../fs/ignore_sources.ts";
import type { LogLevel } from "../logger.ts";

export interface PlannedDirectory {
  /** Canonical local path, or the `ssh://` location as it was given. */
  readonly path: string;
  readonly remote: boolean;
  readonly writable: boolean;
  /** Who named it, for messages: `--path`, `--allow`, `a root of the client`. */
  readonly origin: string;
}

export interface EnginePlan {
  /** First the project root. */
  readonly directories: readonly [PlannedDirectory, ...PlannedDirectory[]];
  /** Other absolute spellings of local directories, through links, that an agent may have been told. */
  readonly spellings: readonly string[];
  readonly rootIsGuessed: boolean;
  readonly shell: boolean;
  /** Seconds. */
  readonly sshTimeout: number;
  readonly homeDirectory: string | undefined;
  /** The variables that a path argument may name; the engine itself reads none. */
  readonly environment: { readonly [name: string]: string };
  readonly logLevel: LogLevel;
  /** Ignore rules from outside the directories, read while that was allowed. */
  readonly outsideRules: {
    readonly globalExcludes: string;
    readonly above: readonly (readonly [string, readonly NamedRules[]])[];
  };
}

/** A root or allowed directory that cannot be used; the message is one line for the user. */
export class RootError extends Error {
  override readonly name = "RootError";

  /** True where the command line named it: then the process ends with exit code 2. */
  constructor(message: string, readonly isUsage: boolean) {
    super(message);
  }
}

/** The planned directories of this machine. */
export function localDirectories(plan: EnginePlan): readonly PlannedDirectory[] {
  return plan.directories.filter(({ remote }) => !remote);
}
