// Owns: from a plan to an open session in this process: local and remote places, what may be run.
// Must not know: the protocol, how this process was confined.

import { canonicalize } from "../fs/access.ts";
import type { AllowedDirectories, AllowedDirectory } from "../fs/allowed_directories.ts";
import type { FileSystem } from "../fs/file_system.ts";
import { LocalFileSystem } from "../fs/local.ts";
import { parseLocation, type SshTarget } from "../fs/location.ts";
import type { SshPool } from "../fs/ssh_pool.ts";
import { type EnginePlan, type PlannedDirectory, RootError } from "./plan.ts";
import type { Logger } from "../logger.ts";
import { mayRun } from "../sandbox.ts";
import { Session } from "../session.ts";
import type { Tool } from "../tools/tool.ts";

export interface SessionParts {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  /** Replaces layer one in tests that show what layer two refuses by itself. */
  readonly gate?: AllowedDirectories;
}

/** Opens the session of a plan. Throws RootError. */
export async function openPlannedSession(plan: EnginePlan, parts: SessionParts): Promise<Session> {
  const local = new LocalFileSystem();
  const connections = mayRun("ssh") ? new Connections(plan.sshTimeout) : undefined;
  const open = async (directory: PlannedDirectory): Promise<AllowedDirectory> => {
    const { path, remote, writable } = directory;
    if (!remote) return { fileSystem: local, path, writable };
    return await openRemoteDirectory(directory, connections);
  };
  const allowed = await Promise.all(plan.directories.map(open)).catch(async (error) => {
    await connections?.close();
    throw error;
  });
  return new Session({
    ...parts,
    local,
    allowed: allowed as [AllowedDirectory, ...AllowedDirectory[]],
    closeConnections: async () => await connections?.close(),
    environment: (name) => plan.environment[name],
    rootIsGuessed: plan.rootIsGuessed,
    outsideRules: { ...plan.outsideRules, above: new Map(plan.outsideRules.above) },
    ...(connections ? { remote: (target) => connections.fileSystem(target) } : {}),
    ...(plan.homeDirectory === undefined ? {} : { homeDirectory: plan.homeDirectory }),
  });
}

/** The ssh client is loaded when the first remote path is named. */
class Connections {
  #pool: Promise<SshPool> | undefined;

  constructor(readonly timeoutSeconds: number) {}

  async fileSystem(target: SshTarget): Promise<FileSystem> {
    this.#pool ??= import("../fs/ssh_pool.ts")
      .then(({ SshPool }) => new SshPool({ timeoutSeconds: this.timeoutSeconds }));
    return (await this.#pool).sharedFileSystem(target);
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}

async function openRemoteDirectory(
  { path: raw, origin, writable }: PlannedDirectory,
  connections: Connections | undefined,
): Promise<AllowedDirectory> {
  const fault = (words: string) => new RootError(`${origin} ${raw} ${words}`, true);
  const location = parseLocation(raw);
  if (location.kind !== "ssh") throw fault("is not an ssh location");
  if (connections === undefined) throw fault("cannot be used: octofs may not run ssh");
  try {
    const fileSystem = await connections.fileSystem(location.target);
    const path = location.path.startsWith("~")
      ? await fileSystem.realPath(".") + location.path.slice(1)
      : location.path;
    const canonical = await canonicalize(fileSystem, path);
    if (!canonical.exists) throw fault("does not exist");
    const info = await fileSystem.stat(canonical.path);
    if (info.kind !== "directory") throw fault("is not a directory");
    return { fileSystem, path: canonical.path, writable };
  } catch (error) {
    if (error instanceof RootError) throw error;
    // The second line is what ssh said.
    const reason = error instanceof Error
      ? error.message.split("\n").slice(0, 2).join(" ")
      : String(error);
    throw fault(`cannot be used: ${reason}`);
  }
}
