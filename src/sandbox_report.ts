// Owns: what the permission system says that this process or thread may do, and whether that is confined.
// Must not know: how it was started, what was asked for.

import { dirname, resolve } from "node:path";
import { type EnginePlan, localDirectories } from "./engine/plan.ts";

/** `all`, or the asked values that are granted. */
export type Extent = "all" | readonly string[];

export interface PermissionReport {
  readonly read: Extent;
  readonly write: Extent;
  readonly run: Extent;
  readonly env: Extent;
  readonly net: Extent;
  readonly sys: Extent;
  readonly ffi: Extent;
  readonly import: Extent;
  /** Directories outside the plan's own that may be read or written although no tool is to go there. */
  readonly beyond: readonly string[];
}

/** No program, variable, host or library: granted only where everything is. */
const NOTHING_REAL = "octofs-permission-probe";
const PROGRAMS = ["sh", "setsid", "cmd", "taskkill", "ssh", "deno"];
const VARIABLES = ["HOME", "USERPROFILE", "PATH", "OCTOFS_LOG", "PWD", "TMPDIR", "XDG_CONFIG_HOME"];

/** Asks, for every kind of permission; nothing is assumed from how this process was started. */
export function reportPermissions(plan: EnginePlan): PermissionReport {
  const own = localDirectories(plan).map(({ path }) => path);
  const places = [...new Set([...own, ...plan.spellings, ...placesOutside(plan, own)])];
  const read = extent({ name: "read" }, places, (path) => ({ name: "read", path }));
  const write = extent({ name: "write" }, places, (path) => ({ name: "write", path }));
  const whole = [...read === "all" ? ["/"] : read, ...write === "all" ? ["/"] : write];
  const known = new Set([...own, ...plan.spellings]);
  return {
    read,
    write,
    run: extent({ name: "run" }, PROGRAMS, (command) => ({ name: "run", command })),
    env: extent({ name: "env" }, VARIABLES, (variable) => ({ name: "env", variable })),
    net: extent({ name: "net" }, [`${NOTHING_REAL}.invalid:80`], (host) => ({ name: "net", host })),
    sys: extent({ name: "sys" }, ["hostname", "uid"] as const, (kind) => ({ name: "sys", kind })),
    ffi: extent({ name: "ffi" }, [`/${NOTHING_REAL}`], (path) => ({ name: "ffi", path })),
    import: extent({ name: "import" }, [], () => ({ name: "import" })),
    beyond: [...new Set(whole)].filter((path) => !known.has(path)),
  };
}

/** One line for the log: every kind with its extent. */
export function formatReport(report: PermissionReport): string {
  const { beyond: _, ...kinds } = report;
  return Object.entries(kinds).map(([name, granted]: [string, Extent]) => {
    if (granted === "all") return `${name}=all`;
    return `${name}=${granted.length === 0 ? "none" : granted.join(",")}`;
  }).join(" ");
}

/** Where a path would be if the confinement did not hold: around each directory, and the usual places. */
function placesOutside(plan: EnginePlan, own: readonly string[]): readonly string[] {
  const around = own.map((path) => dirname(path)).filter((path) => !own.includes(path));
  const usual = [resolve("/"), plan.homeDirectory, plan.environment["TMPDIR"], Deno.execPath()];
  const inside = (path: string) => own.some((directory) => isWithin(directory, path));
  return [...around, ...usual.filter((path) => path !== undefined)].filter((path) => !inside(path));
}

function isWithin(directory: string, path: string): boolean {
  for (let at = path;; at = dirname(at)) {
    if (at === directory) return true;
    if (at === dirname(at)) return false;
  }
}

function extent<Value extends string>(
  whole: Deno.PermissionDescriptor | ImportDescriptor,
  values: readonly Value[],
  descriptorOf: (value: Value) => Deno.PermissionDescriptor | ImportDescriptor,
): Extent {
  if (isGranted(whole)) return "all";
  return values.filter((value) => isGranted(descriptorOf(value)));
}

/** Known to Deno 2, missing in its types. */
interface ImportDescriptor {
  readonly name: "import";
}

function isGranted(descriptor: Deno.PermissionDescriptor | ImportDescriptor): boolean {
  return Deno.permissions.querySync(descriptor as Deno.PermissionDescriptor).state === "granted";
}
