// Owns: an sftp-server over plain pipes, without ssh in between.
// Must not know: what is tested with it.

import type { BytePipe } from "../../src/fs/sftp_channel.ts";
import { sftpServerPath } from "./sshd.ts";

/** Words for a test's name where it cannot run here, or undefined. */
export const whyNoSftpServer = sftpServerPath === undefined
  ? "skipped: no sftp-server on this machine, install openssh-sftp-server"
  : undefined;

/** Starts `sftp-server` with arguments such as `-R` and `-P`; it ends with its pipe. */
export function openSftpServer(...args: string[]): BytePipe & { readonly pid: number } {
  return openProgram(sftpServerPath ?? "sftp-server", args);
}

/** Any program as the other side of a pipe. */
export function openProgram(
  program: string,
  args: readonly string[],
): BytePipe & { readonly pid: number } {
  const child = new Deno.Command(program, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  return {
    pid: child.pid,
    readable: child.stdout,
    writable: child.stdin,
    end: async () => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It ended by itself.
      }
      await child.status;
    },
    explain: (reason) => reason,
  };
}
