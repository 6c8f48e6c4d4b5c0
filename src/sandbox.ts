// Owns: layer two: how the engine is confined in each way of starting, and the permissions it gets.
// Must not know: the protocol, tools, how messages reach the engine.

import { type EnginePlan, localDirectories } from "./engine/plan.ts";

/**
 * How Deno's permission system confines the code that touches files.
 * `process`: that code runs in a child with narrowed flags. `worker`: in a thread with narrowed permissions.
 * `start`: this process was started with a narrow reach already. `none`: it is not confined.
 */
export type Confinement =
  | { readonly kind: "process" | "worker" | "start" }
  | { readonly kind: "none"; readonly reason: string };

/** Chooses by how the program was started: trying a worker where it is not possible ends the process. */
export function chooseConfinement(): Confinement {
  if (Deno.build.standalone) return { kind: "worker" };
  const whole = (["read", "write"] as const).filter((name) => isGranted({ name }));
  if (whole.length === 0) return { kind: "start" };
  if (mayRun(Deno.execPath())) return { kind: "process" };
  return {
    kind: "none",
    reason:
      `this process may ${whole.join(" and ")} everything and may not start a narrowed one; ` +
      "start it with -R=DIR -W=DIR, or with -A",
  };
}

/** What an engine is allowed; everything that is not listed here is denied. */
export interface Grants {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly run: readonly string[];
}

/** The least that the engine of this plan needs. */
export function grantsFor(plan: EnginePlan): Grants {
  const local = localDirectories(plan);
  return {
    read: [...new Set([...local.map(({ path }) => path), ...plan.spellings])],
    write: [...new Set(local.filter(({ writable }) => writable).map(({ path }) => path))],
    run: [...plan.shell ? shellPrograms(Deno.build.os) : [], "ssh"],
  };
}

/**
 * What the shell tool starts. With `setsid` a command gets its process group from a small program; without
 * it Deno copies its own process for that, which takes longer than most commands.
 */
export function shellPrograms(os: string): readonly string[] {
  if (os === "windows") return ["cmd", "taskkill"];
  return os === "linux" ? ["sh", "setsid"] : ["sh"];
}

/** The grants as flags of `deno run`; `undefined` where flags cannot say them. */
export function permissionFlags({ read, write, run }: Grants): readonly string[] | undefined {
  // Deno takes every comma for the end of a path, whatever is done to escape it.
  if ([...read, ...write].some((path) => path.includes(","))) return undefined;
  const flag = (name: string, values: readonly string[]) =>
    // Without a value the flag would allow everything.
    values.length === 0 ? [] : [`--allow-${name}=${values.join(",")}`];
  return [...flag("read", read), ...flag("write", write), ...flag("run", run)];
}

/** The flags of a process that touches no file itself and starts the engine as a worker. */
export function relayFlags({ run }: Grants): readonly string[] {
  return ["--unstable-worker-options", "-R", "-W", ...run.length > 0 ? [`--allow-run=${run}`] : []];
}

/** The grants as permissions of a worker. */
export function workerPermissions(grants: Grants): Deno.PermissionOptionsObject {
  return {
    read: [...grants.read],
    write: [...grants.write],
    run: [...grants.run],
    env: false,
    net: false,
    sys: false,
    ffi: false,
    import: false,
  };
}

/** True where this process or thread may run the shell. */
export function mayRunShell(): boolean {
  return mayRun(Deno.build.os === "windows" ? "cmd" : "sh");
}

/** True where this process or thread may start the program. */
export function mayRun(program: string): boolean {
  return isGranted({ name: "run", command: program });
}

/**
 * Gives up for good what a front has no use for that starts its engines as processes. It still has to
 * read, for the roots that a client may name later, and to run, for an engine that ended.
 */
export function dropFrontPermissions(): void {
  for (const name of ["write", "net", "sys", "ffi"] as const) Deno.permissions.revokeSync({ name });
}

/** One sentence for the client on the layers, and one on what they do not cover. */
export function describeConfinement(confinement: Confinement): string {
  switch (confinement.kind) {
    case "process":
    case "worker":
      return "Sandbox: two layers. octofs checks every path, and Deno's permission system holds the " +
        `${confinement.kind} that touches files to the allowed directories.`;
    case "start":
      return "Sandbox: two layers. octofs checks every path, and Deno's permission system holds this " +
        "process to the directories it was started with.";
    case "none":
      return "Sandbox: one layer only. octofs checks every path, but Deno's permission layer is not active: " +
        `${confinement.reason}.`;
  }
}

function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}
