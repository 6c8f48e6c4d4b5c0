// Owns: octofs with a hole where layer one was: a gate that says yes to every path.
// Must not know: how the sandbox works. Started by tests that show what Deno refuses by itself.

import { AllowedDirectories } from "../../src/fs/allowed_directories.ts";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { main } from "../../src/main.ts";
import type { Confinement } from "../../src/sandbox.ts";

class Hole extends AllowedDirectories {
  override allows(): boolean {
    return true;
  }
}

// A way of starting that this machine cannot choose by itself: the worker of the compiled binary.
const forced = Deno.args.find((argument) => argument.startsWith("--test-confinement="));
const kind = forced?.split("=")[1] as "worker" | "process" | undefined;
const confinement: { confinement?: Confinement } = kind === undefined
  ? {}
  : { confinement: { kind } };

await main(Deno.args.filter((argument) => argument !== forced), {
  entry: import.meta.url,
  gate: new Hole(new LocalFileSystem(), []),
  ...confinement,
});
