// Owns: from options to an open session: the root, the allowed directories, what the session may use.
// Must not know: the protocol, what a tool does.

import type { ServeOptions } from "./cli.ts";
import { canonicalize } from "./fs/access.ts";
import type { AllowedDirectory } from "./fs/allowed_directories.ts";
import type { FileSystem } from "./fs/file_system.ts";
import { LocalFileSystem } from "./fs/local.ts";
import { isRemote, parseLocation, type SshTarget } from "./fs/location.ts";
import type { SshPool } from "./fs/ssh_pool.ts";
import type { Logger } from "./logger.ts";
import { Session } from "./session.ts";
import type { Tool } from "./tools/tool.ts";

/** A root or allowed directory that cannot be used; the message is one line for the user. */
export class RootError extends Error {
  override readonly name = "RootError";
}

export interface StartRequest {
  readonly options: ServeOptions;
  /** Local directories that the client declared as roots, the first one for the project. */
  readonly clientRoots?: readonly string[];
  readonly tools: readonly Tool[];
  readonly logger: Logger;
}

/** Opens the session that the options and the client's roots describe. Throws RootError. */
export async function openSession(request: StartRequest): Promise<Session> {
  const { options, clientRoots = [], tools, logger } = request;
  const local = new LocalFileSystem();
  const connections = new Connections(options.sshTimeout);
  const [clientRoot, ...otherRoots] = options.path === undefined ? clientRoots : [];
  const root = options.path ?? clientRoot ?? Deno.cwd();
  const open = (raw: string, what: string, writable: boolean) =>
    openDirectory(raw, { what, writable, local, connections });
  const allowed = [
    await open(root, options.path === undefined ? "the root" : "--path", true),
    ...await Promise.all(otherRoots.map((raw) => open(raw, "a root of the client", true))),
    ...await Promise.all(options.allow.map((raw) => open(raw, "--allow", true))),
    ...await Promise.all(options.allowRead.map((raw) => open(raw, "--allow-read", false))),
  ] as [AllowedDirectory, ...AllowedDirectory[]];
  const homeDirectory = readEnvironment(Deno.build.os === "windows" ? "USERPROFILE" : "HOME");
  return new Session({
    local,
    allowed,
    tools,
    logger,
    remote: (target) => connections.fileSystem(target),
    closeConnections: () => connections.close(),
    environment: readEnvironment,
    rootIsGuessed: options.path === undefined && clientRoot === undefined,
    ...(homeDirectory === undefined ? {} : { homeDirectory }),
  });
}

/** An environment variable, where the sandbox lets it be read. */
export function readEnvironment(name: string): string | undefined {
  const granted = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  return granted ? Deno.env.get(name) : undefined;
}

/** The ssh client is loaded when the first remote path is named. */
class Connections {
  #pool: Promise<SshPool> | undefined;

  constructor(readonly timeoutSeconds: number) {}

  async fileSystem(target: SshTarget): Promise<FileSystem> {
    this.#pool ??= import("./fs/ssh_pool.ts")
      .then(({ SshPool }) => new SshPool({ timeoutSeconds: this.timeoutSeconds }));
    return (await this.#pool).fileSystem(target);
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}

async function openDirectory(
  raw: string,
  { what, writable, local, connections }: {
    readonly what: string;
    readonly writable: boolean;
    readonly local: FileSystem;
    readonly connections: Connections;
  },
): Promise<AllowedDirectory> {
  const location = parseLocation(raw);
  if (location.kind === "invalid") throw new RootError(`${what} ${raw}: ${location.reason}`);
  const remote = isRemote(raw) && location.kind === "ssh";
  const fileSystem = remote ? await connections.fileSystem(location.target) : local;
  try {
    const home = location.path.startsWith("~") ? await homeOf(fileSystem, remote) : undefined;
    const path = home === undefined ? location.path : home + location.path.slice(1);
    const canonical = await canonicalize(fileSystem, path);
    if (!canonical.exists) throw new RootError(`${what} ${raw} does not exist`);
    const info = await fileSystem.stat(canonical.path);
    if (info.kind !== "directory") throw new RootError(`${what} ${raw} is not a directory`);
    return { fileSystem, path: canonical.path, writable };
  } catch (error) {
    if (error instanceof RootError) throw error;
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new RootError(`${what} ${raw} cannot be used: ${reason}`);
  }
}

async function homeOf(fileSystem: FileSystem, remote: boolean): Promise<string | undefined> {
  return remote ? await fileSystem.realPath(".") : readEnvironment("HOME");
}
