// Owns: tests that need a real sshd: skipping with a reason, one connection made and closed.
// Must not know: what is being tested.

import assert from "node:assert/strict";
import { FileSystemError } from "../../src/fs/file_system.ts";
import type { SshTarget } from "../../src/fs/location.ts";
import { SshPool } from "../../src/fs/ssh_pool.ts";
import { run, type Sshd, type SshdOptions, startSshd, whyNoSshd } from "./sshd.ts";

export const LOOPBACK = "127.0.0.1";

/** A test that is skipped, with the reason in its name, where it cannot run. */
export function testSsh(name: string, fn: () => Promise<void>, skip = whyNoSshd): void {
  const reason = skip === undefined ? "" : ` (${skip})`;
  Deno.test({ name: `${name}${reason}`, ignore: skip !== undefined, fn });
}

/** Runs `use` beside a server of its own. */
export async function withSshd(
  options: SshdOptions,
  use: (sshd: Sshd) => Promise<void>,
): Promise<void> {
  const sshd = await startSshd(options);
  try {
    await use(sshd);
  } finally {
    await sshd.stop();
  }
}

/** The remote home as a new connection sees it. */
export async function homeOf(
  target: SshTarget,
  sshArguments: readonly string[],
  timeoutSeconds = 10,
): Promise<string> {
  const pool = new SshPool({ timeoutSeconds, sshArguments });
  try {
    return await pool.fileSystem(target).realPath(".");
  } finally {
    await pool.close();
  }
}

/** What a connection that must fail says. */
export async function failureOf(...args: Parameters<typeof homeOf>): Promise<string> {
  const error = await homeOf(...args).then((home) => `connected to ${home}`, (reason) => reason);
  assert.ok(error instanceof FileSystemError, String(error));
  assert.equal(error.code, "connection_failed");
  return error.message;
}

/** Where a login of the current user begins. */
export async function expectedHome(): Promise<string> {
  return await Deno.realPath((await run("sh", "-c", "echo ~")).trim());
}

/** Waits until another program has made a file. */
export async function waitFor(path: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if (await Deno.lstat(path).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${path} did not appear`);
}

/**
 * A PATH on which `ssh` reads the configuration of the test, for a program that is started whole: ssh
 * finds the user's own configuration by the password file, whatever HOME says. Never for this process:
 * other tests run in it at the same time.
 */
export async function pathWithSsh(sshd: Sshd): Promise<string> {
  const bin = `${sshd.directory}/bin`;
  const real = (await run("sh", "-c", "command -v ssh")).trim();
  await Deno.mkdir(bin);
  await Deno.writeTextFile(
    `${bin}/ssh`,
    `#!/bin/sh\nexec ${real} ${sshd.sshArguments.join(" ")} "$@"\n`,
  );
  await Deno.chmod(`${bin}/ssh`, 0o755);
  return `${bin}:${Deno.env.get("PATH")}`;
}
