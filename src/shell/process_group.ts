// Owns: starting a command as a group of processes, signalling it, and looking for what lives in it.
// Must not know: time limits, sessions, output.

import { type GroupMember, LIST_PROCESSES, readGroupMembers } from "./group_members.ts";
import {
  type GroupMaker,
  QUIET_ENVIRONMENT,
  shellProgram,
  type ShellSystem,
} from "./shell_program.ts";

/** Why a command could not be started. */
export type StartFailure =
  | "no_directory"
  | "too_long"
  | "no_program"
  | "cancelled"
  | "session_ended"
  | "failed";

export class StartError extends Error {
  override readonly name = "StartError";

  constructor(readonly reason: StartFailure, message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export const SHELL_SYSTEM: ShellSystem = Deno.build.os === "windows" ? "windows" : "posix";

/** Starts `command` as the leader of a new group. Throws StartError. */
export function spawnGroup(
  command: string,
  { directory, maker }: { readonly directory: string; readonly maker: GroupMaker },
): Deno.ChildProcess {
  const { program, args, isDetached, isRaw } = shellProgram(command, {
    system: SHELL_SYSTEM,
    maker,
  });
  try {
    return new Deno.Command(program, {
      args: [...args],
      cwd: directory,
      env: { ...QUIET_ENVIRONMENT },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: isDetached,
      windowsRawArguments: isRaw,
    }).spawn();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartError(startFailure(message), message, error);
  }
}

function startFailure(message: string): StartFailure {
  if (/\bcwd\b/.test(message)) return "no_directory";
  if (/os error 7\)|too long/i.test(message)) return "too_long";
  return /not found/i.test(message) ? "no_program" : "failed";
}

// Nothing can be started in a directory that was removed, as this process's own may be: the root always is there.
const ANYWHERE = SHELL_SYSTEM === "windows" ? {} : { cwd: "/" };

export type GroupSignal = "SIGTERM" | "SIGKILL";

/** Sends to every process of the group that may be signalled; one that is gone is no error. */
export async function signalGroup(pid: number, signal: GroupSignal): Promise<void> {
  await sendSignal(-pid, signal);
}

/** As `signalGroup`, for a child that may not lead its group yet. */
export async function signalProcess(pid: number, signal: GroupSignal): Promise<void> {
  if (SHELL_SYSTEM === "windows") {
    // It ends the process with all that descend from it, at once.
    await succeeds("taskkill", ["/T", "/F", "/PID", String(pid)]);
  } else await sendSignal(pid, signal);
}

/** True while a process of the group lives, or has ended and is not reaped; always false on Windows. */
export async function groupExists(pid: number): Promise<boolean> {
  return SHELL_SYSTEM === "windows" ? false : await sendSignal(-pid, 0);
}

/** The group's living processes; undefined where there is no `ps`. */
export async function listGroup(pid: number): Promise<readonly GroupMember[] | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("sh", {
      args: ["-c", 'exec ps "$@"', "sh", ...LIST_PROCESSES],
      ...ANYWHERE,
      stdin: "null",
    }).output();
    return success ? readGroupMembers(new TextDecoder().decode(stdout), pid) : undefined;
  } catch {
    return undefined;
  }
}

/** What makes groups here, with the rights that this process has. */
export function availableGroupMaker(): GroupMaker {
  return Deno.build.os === "linux" && mayRun("setsid") ? "setsid" : "spawn";
}

/** True when there was something to signal. Deno sends signals only for whoever may run every program. */
async function sendSignal(target: number, signal: GroupSignal | 0): Promise<boolean> {
  if (!mayRun()) {
    const name = signal === 0 ? "0" : signal.slice("SIG".length);
    return await succeeds("sh", ["-c", 'kill -s "$1" -- "$2"', "sh", name, String(target)]);
  }
  try {
    Deno.kill(target, signal as Deno.Signal);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    const child = new Deno.Command(program, {
      args: [...args],
      ...ANYWHERE,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    return (await child.output()).success;
  } catch {
    return false;
  }
}

function mayRun(command?: string): boolean {
  const descriptor = command === undefined ? {} : { command };
  return Deno.permissions.querySync({ name: "run", ...descriptor }).state === "granted";
}
