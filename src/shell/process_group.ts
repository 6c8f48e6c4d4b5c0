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

/** Sends to every process of the group that may be signalled; whether that sufficed is looked at afterwards. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  signalProcess(-pid, signal);
}

/** Sends to one process; that it has ended meanwhile is no error. */
export function signalProcess(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (SHELL_SYSTEM === "windows") {
    // It ends the process with all that descend from it, at once.
    new Deno.Command("taskkill", { args: ["/T", "/F", "/PID", String(pid)] }).outputSync();
    return;
  }
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}

/** True while a process of the group lives, or has ended and is not reaped; always false on Windows. */
export function groupExists(pid: number): boolean {
  if (SHELL_SYSTEM === "windows") return false;
  try {
    Deno.kill(-pid, 0 as unknown as Deno.Signal);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** The group's living processes; undefined where there is no `ps`. */
export async function listGroup(pid: number): Promise<readonly GroupMember[] | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("ps", { args: LIST_PROCESSES }).output();
    return success ? readGroupMembers(new TextDecoder().decode(stdout), pid) : undefined;
  } catch {
    return undefined;
  }
}
