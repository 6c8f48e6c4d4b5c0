// Owns: what the shell tool says of a command that ran, or that could not be started.
// Must not know: how a process is run, how output is rendered.

import type { GroupMember } from "../shell/group_members.ts";
import type { RunEnd } from "../shell/run.ts";
import { endGroupCommand, type ShellSystem } from "../shell/shell_program.ts";
import { formatToolCall } from "../shell/tool_call.ts";

// A longer command is known to the agent; it would only push the output out of sight.
const COMMAND_SHOWN = 300;
const MEMBERS_SHOWN = 5;
const SIGNALS: { readonly [number: number]: string } = {
  2: "SIGINT",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

export const EMPTY_COMMAND = 'The command is empty. Example: shell command="npm test"';

export const MALFORMED_COMMAND =
  "The command holds a NUL character or half a character, which no program can be given. " +
  "Nothing was run; send the command without it.";

export const NO_PROGRAMS =
  "Programs may not be run in this session; the file tools work as always.";

export const NO_OUTPUT = "(no output)";

/** What follows was written to stderr. */
export const STDERR_LABEL = "[stderr]";

/** How the command ended: the last line of every answer. */
export function endLine(end: RunEnd, timeout: number): string {
  switch (end.kind) {
    case "exited": {
      const signal = SIGNALS[end.code - 128];
      return signal === undefined
        ? `[exit code ${end.code}]`
        : `[exit code ${end.code}: 128 + ${end.code - 128}, as when ${signal} ends a program]`;
    }
    case "signalled":
      return `[ended by ${end.signal}]`;
    case "timed_out":
      return `[timed out after ${timeout} s; the command and its whole process group were ended]`;
    case "cancelled":
      return "[cancelled; the command and its whole process group were ended]";
    case "background":
      return "[running in the background]";
  }
}

/** The calls that give a command more time than it had. */
export function moreTimeLines(
  command: string,
  { timeout, maximum }: { readonly timeout: number; readonly maximum: number },
): readonly string[] {
  const longer = Math.min(maximum, Math.max(300, timeout * 4));
  const again = { command: repeated(command), timeout: longer };
  const aside = { command: `${asOneCommand(command)} > command.log 2>&1`, background: true };
  return [
    ...(longer > timeout ? [`With more time: ${formatToolCall("shell", again)}`] : []),
    `Left running, its output in a file for \`view\`: ${formatToolCall("shell", aside)}`,
  ];
}

function repeated(command: string): string {
  return command.length <= COMMAND_SHOWN ? command : "<the same command>";
}

/** The command in a form that a redirection after it covers as a whole. */
function asOneCommand(command: string): string {
  // A comment or here-document would swallow the parenthesis that closes the group.
  if (/[#\n]/.test(command)) return "(<the same command>)";
  return /[;&|]/.test(command) ? `(${repeated(command)})` : repeated(command);
}

/** What lives on although the command has ended. */
export function survivorLine(
  pid: number,
  { members, system }: { readonly members: readonly GroupMember[]; readonly system: ShellSystem },
): string {
  const named = members.slice(0, MEMBERS_SHOWN)
    .map((member) => `pid ${member.pid} \`${shorten(member.command)}\``);
  const more = members.length > named.length ? [`${members.length - named.length} more`] : [];
  const who = named.length === 0 ? "processes" : [...named, ...more].join(", ");
  return `[still running in process group ${pid}: ${who}; to end it: ${
    endGroupCommand(pid, system)
  }]`;
}

export const HELD_OPEN =
  "[a process that left the group still holds the output open; what it prints from now on is not shown]";

export const ENDED_AT_ONCE = "[it has ended already: nothing runs in the background]";

/** The answer to `background: true`. */
export function backgroundLines(pid: number, system: ShellSystem): readonly string[] {
  const call = formatToolCall("shell", { command: endGroupCommand(pid, system) });
  return [
    `[running in the background: PID ${pid}, which is also its process group; it ends with this session]`,
    `To end the whole group: ${call}`,
  ];
}

export const BACKGROUND_OUTPUT_HINT =
  "what a background command prints after its start is not kept; redirect it to a file " +
  "(`… > server.log 2>&1`) and `view` that file";

export const INVALID_BYTES_HINT =
  "the output held bytes that are not UTF-8; they are shown as U+FFFD (�)";

/** One line for a client that waits. */
export function progressMessage(state: { readonly elapsed: number; readonly bytes: number }) {
  const seconds = Math.round(state.elapsed / 1000);
  return `running for ${seconds} s, ${state.bytes.toLocaleString("en-US")} bytes of output so far`;
}

/** `local` is the argument of workdir that leads back to this machine; undefined where nothing does. */
export function remoteDirectoryMessage(directory: string, local: string | undefined): string {
  const next = local === undefined
    ? "This server has no directory on this machine to run it in; the user can add one with --allow DIR."
    : `To run the command locally, first go back to this machine: workdir ${local}`;
  return `\`shell\` runs on this machine only, and the working directory is ${directory}. ` +
    `The file tools work there as they do here.\n${next}`;
}

export function missingDirectoryMessage(directory: string): string {
  return `The working directory ${directory} is not there any more, so nothing was run.\n` +
    "Go back to the project root and send the command again: workdir reset=true";
}

export function longCommandMessage(bytes: number, limit: number): string {
  const create = formatToolCall("text_editor", {
    command: "create",
    path: "task.sh",
    content: "…",
  });
  const run = formatToolCall("shell", { command: "sh task.sh" });
  return `The command has ${bytes.toLocaleString("en-US")} bytes; the system takes at most ` +
    `${limit.toLocaleString("en-US")}. Nothing was run. Put it into a file and run that:\n` +
    `${create}\n${run}`;
}

export function tooDeepMessage(limit: number): string {
  return `The command nests quotes, \`$(…)\` or parentheses more than ${limit} levels deep, too deep to be read. ` +
    "Nothing was run; put it into a script file and run that.";
}

export function notStartedMessage(reason: string): string {
  return `The command could not be started, so nothing was run: ${reason}`;
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 200)];
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}…` : text;
}
