// Owns: from options and the client's roots to the plan of an engine: which directories, what from outside them.
// Must not know: the protocol, what a tool does, how the engine is confined.

import { resolve } from "node:path";
import type { ServeOptions } from "./cli.ts";
import { type EnginePlan, type PlannedDirectory, RootError } from "./engine/plan.ts";
import { canonicalize } from "./fs/access.ts";
import { type FileSystem, FileSystemError } from "./fs/file_system.ts";
import { readOutsideRules } from "./fs/ignore_sources.ts";
import { LocalFileSystem } from "./fs/local.ts";
import { isRemote, parseLocation } from "./fs/location.ts";
import type { Logger, LogLevel } from "./logger.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tools/tool.ts";

export interface PlanRequest {
  readonly options: ServeOptions;
  /** Local directories that the client declared as roots, the first one for the project. */
  readonly clientRoots?: readonly string[];
  readonly logger: Logger;
  readonly logLevel: LogLevel;
}

const HOME_VARIABLE = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";
/** Variables whose value a refused `$NAME/…` path shows. */
const PATH_VARIABLES = ["HOME", "USERPROFILE", "PWD", "TMPDIR", "TEMP", "XDG_CONFIG_HOME"];

/** Finds out, with the rights of the start, what the engine will need. Throws RootError. */
export async function planEngine(request: PlanRequest): Promise<EnginePlan> {
  const { options, clientRoots = [], logLevel } = request;
  const local = new LocalFileSystem();
  const [clientRoot] = clientRoots;
  const guessed = options.path === undefined && clientRoot === undefined;
  const asked = askedDirectories(options, clientRoots);
  const directories: PlannedDirectory[] = [];
  for (const one of asked) {
    try {
      directories.push(await planDirectory(local, one));
    } catch (error) {
      // A client may know more directories than there are; without its first one there is no project.
      const dispensable = error instanceof RootError && !error.isUsage && directories.length > 0;
      if (!dispensable) throw error;
      request.logger.warn(error.message);
    }
  }
  const environment = Object.fromEntries(
    PATH_VARIABLES.flatMap((name) => {
      const value = readEnvironment(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const localPaths = directories.filter(({ remote }) => !remote).map(({ path }) => path);
  const homeDirectory = readEnvironment(HOME_VARIABLE);
  const outside = await readOutsideRules(local, localPaths, {
    home: homeDirectory,
    configHome: environment["XDG_CONFIG_HOME"],
  });
  return {
    directories: directories as [PlannedDirectory, ...PlannedDirectory[]],
    spellings: await otherSpellings(asked, localPaths, environment["PWD"]),
    rootIsGuessed: guessed,
    shell: options.shell,
    sshTimeout: options.sshTimeout,
    homeDirectory,
    environment,
    logLevel,
    outsideRules: { globalExcludes: outside.globalExcludes, above: [...outside.above] },
  };
}

/** Looks at the directories that the command line names. Throws RootError. */
export async function checkDirectories(options: ServeOptions): Promise<void> {
  const local = new LocalFileSystem();
  const named = askedDirectories(options, []).filter(({ origin }) => origin.startsWith("--"));
  for (const one of named) await planDirectory(local, one);
}

/** An open session in this process, for the options and roots. Throws RootError. */
export async function openSession(
  request: Omit<PlanRequest, "logLevel"> & { readonly tools: readonly Tool[] },
): Promise<Session> {
  const { openPlannedSession } = await import("./engine/planned_session.ts");
  const plan = await planEngine({ ...request, logLevel: "warn" });
  return await openPlannedSession(plan, request);
}

/** An environment variable, where this process may read it. */
export function readEnvironment(name: string): string | undefined {
  const granted = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  return granted ? Deno.env.get(name) : undefined;
}

interface AskedDirectory {
  readonly raw: string;
  readonly origin: string;
  readonly writable: boolean;
  readonly isUsage: boolean;
}

function askedDirectories(
  options: ServeOptions,
  clientRoots: readonly string[],
): readonly AskedDirectory[] {
  const [clientRoot, ...others] = options.path === undefined ? clientRoots : [];
  const fromClient = { origin: "a root of the client", writable: true, isUsage: false };
  const root = options.path !== undefined
    ? { raw: options.path, origin: "--path", writable: true, isUsage: true }
    : clientRoot !== undefined
    ? { raw: clientRoot, ...fromClient }
    : { raw: Deno.cwd(), origin: "the current directory", writable: true, isUsage: true };
  const named = { isUsage: true };
  return [
    root,
    ...others.map((raw) => ({ raw, ...fromClient })),
    ...options.allow.map((raw) => ({ raw, origin: "--allow", writable: true, ...named })),
    ...options.allowRead.map((raw) => ({ raw, origin: "--allow-read", writable: false, ...named })),
  ];
}

async function planDirectory(local: FileSystem, asked: AskedDirectory): Promise<PlannedDirectory> {
  const { raw, origin, writable, isUsage } = asked;
  const fault = (words: string) => new RootError(`${origin} ${raw} ${words}`, isUsage);
  const location = parseLocation(raw);
  if (location.kind === "invalid") throw fault(`cannot be used: ${location.reason}`);
  // Whether it exists is for the engine to find out: only that may talk to other machines.
  if (isRemote(raw)) return { path: raw, remote: true, writable, origin };
  try {
    const canonical = await canonicalize(local, spelled(location.path));
    if (!canonical.exists) throw fault("does not exist");
    const info = await local.stat(canonical.path);
    if (info.kind !== "directory") throw fault("is not a directory");
    return { path: canonical.path, remote: false, writable, origin };
  } catch (error) {
    if (error instanceof RootError) throw error;
    if (error instanceof FileSystemError && error.code === "permission_denied") {
      const path = spelled(location.path);
      const flags = `--allow-read=${path}${writable ? ` --allow-write=${path}` : ""}`;
      throw fault(`cannot be used: start with ${flags}, or give the path without links`);
    }
    throw fault(
      `cannot be used: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
    );
  }
}

/** The path as it was written, absolute, with the home directory put in. */
function spelled(path: string): string {
  const home = /^~(?=$|[/\\])/.test(path) ? readEnvironment(HOME_VARIABLE) : undefined;
  return resolve(home === undefined ? path : home + path.slice(1));
}

/** Absolute names of the directories as the user or the shell spells them, where links are in them. */
async function otherSpellings(
  asked: readonly AskedDirectory[],
  canonical: readonly string[],
  shellDirectory: string | undefined,
): Promise<readonly string[]> {
  const candidates = asked.filter(({ raw }) => !isRemote(raw)).map(({ raw }) => spelled(raw));
  if (shellDirectory !== undefined) candidates.push(shellDirectory);
  const others = new Set<string>();
  for (const path of candidates) {
    if (canonical.includes(path)) continue;
    const real = await Deno.realPath(path).catch(() => undefined);
    if (real !== undefined && canonical.includes(real)) others.add(path);
  }
  return [...others];
}
