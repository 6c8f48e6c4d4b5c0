// Owns: running commands in a directory of their own, with proof that none of their processes is left.
// Must not know: what is tested.

import { deepEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type RunOptions, type RunResult, ShellRunner } from "../../src/shell/run.ts";
import { livingProcesses } from "./processes.ts";

/** Small programs to run. */
export const FIXTURES = fileURLToPath(new URL("../fixtures/shell/", import.meta.url));
const LONG = 300;

/** A runner whose end is the end of everything it started, and a mark for the processes of one test. */
export class Bench implements AsyncDisposable {
  readonly runner = new ShellRunner();
  readonly directory = Deno.makeTempDirSync({ prefix: "octofs_run_" });
  readonly mark = `mark-${crypto.randomUUID()}`;

  run(command: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
    return this.runner.run(command, {
      directory: this.directory,
      signal: new AbortController().signal,
      ...options,
    });
  }

  fixture(name: string): string {
    return `sh '${FIXTURES}${name}' '${this.directory}/${this.mark}'`;
  }

  /** A program that does nothing for minutes and can be found by the mark. */
  get sleeper(): string {
    return `sh -c 'sleep ${LONG}; :' '${this.mark}'`;
  }

  living(): Promise<number[]> {
    return livingProcesses(this.mark);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner.killAll();
    deepEqual(await this.living(), [], "the test left processes behind");
    await Deno.remove(this.directory, { recursive: true }).catch(() => {});
  }
}

/** What was kept of a stream's beginning, as text. */
export function text(bytes: { readonly head: Uint8Array }): string {
  return new TextDecoder().decode(bytes.head);
}

export async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
