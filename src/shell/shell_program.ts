// Owns: which shell runs a command on which system, its environment, and how a person ends its group.
// Must not know: how a process is started, tools.

/** A system that a child runs on: `cmd` on Windows, the POSIX shell anywhere else. */
export type ShellSystem = "windows" | "posix";

/**
 * What makes the group that a command runs in. `setsid` is a program of Linux: starting it is cheaper than
 * letting this process do it, which has to be copied first and is a hundred times the size of a shell.
 */
export type GroupMaker = "setsid" | "spawn";

export interface ShellProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** The new process has to be made the leader of a group when it is started. */
  readonly isDetached: boolean;
  /** Windows only: the arguments are passed as they stand, because `cmd` quotes in its own way. */
  readonly isRaw: boolean;
}

/** The call of the shell that runs `command`. */
export function shellProgram(
  command: string,
  { system, maker }: { readonly system: ShellSystem; readonly maker: GroupMaker },
): ShellProgram {
  if (system === "windows") {
    const args = ["/D", "/S", "/C", `"${command}"`];
    return { program: "cmd", args, isDetached: true, isRaw: true };
  }
  return maker === "setsid"
    ? { program: "setsid", args: ["sh", "-c", command], isDetached: false, isRaw: false }
    : { program: "sh", args: ["-c", command], isDetached: true, isRaw: false };
}

/** The command with which a person or an agent ends the group that `pid` leads. */
export function endGroupCommand(pid: number, system: ShellSystem): string {
  return system === "windows" ? `taskkill /T /F /PID ${pid}` : `kill -- -${pid}`;
}

/** Variables that keep programs from asking questions, opening editors and pagers, and colouring. */
export const QUIET_ENVIRONMENT: { readonly [name: string]: string } = {
  DEBIAN_FRONTEND: "noninteractive",
  EDITOR: "true",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  PAGER: "cat",
  VISUAL: "true",
};
