// Owns: every way in which octofs can be started here, as argv for a given root.
// Must not know: what is tested.

import { fileURLToPath } from "node:url";
import type { Program } from "./octofs.ts";

export interface WayOfStarting {
  /** As the permission table of the README names it. */
  readonly name: string;
  readonly confinement: "process" | "worker" | "start" | "none";
  /** Words for a test's name where this way cannot be tried here, or undefined. */
  readonly skipped?: string;
  /** The program for a module, with this root and, with it, only what is needed. */
  readonly program: (root: string) => Program;
}

const DENO = Deno.execPath();

export function sourcePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** Bundles a module into one file; gives its path. */
export async function bundle(entry: string, directory: string): Promise<string> {
  const output = `${directory}/bundle.js`;
  const { success, stderr } = await new Deno.Command(DENO, {
    args: ["bundle", "--quiet", "--minify", "-o", output, entry],
    cwd: sourcePath("."),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return output;
}

/** The ways for a module of the checkout and for the bundle made of it. */
export function waysOfStarting(source: string, bundled: string): readonly WayOfStarting[] {
  const narrow = (root: string) => ["--no-prompt", `-R=${root}`, `-W=${root}`];
  const run = (...args: string[]): Program => ({ command: DENO, args: ["run", ...args] });
  return [
    {
      name: "checkout, deno run -A",
      confinement: "process",
      program: () => run("-A", source),
    },
    {
      name: "checkout, deno run -R=DIR -W=DIR",
      confinement: "start",
      program: (root) => run(...narrow(root), source),
    },
    {
      name: "bundle, deno run -A",
      confinement: "process",
      program: () => run("-A", "--no-config", bundled),
    },
    {
      name: "bundle, deno run -R=DIR -W=DIR",
      confinement: "start",
      program: (root) => run(...narrow(root), "--no-config", bundled),
    },
    {
      name: "deno run -R -W, without the right to start a narrowed process",
      confinement: "none",
      program: () => run("--no-prompt", "-R", "-W", source),
    },
  ];
}
