// Owns: the words an agent reads when a path or a file operation fails: facts -> text with the next call.
// Must not know: how paths are checked, which tool asked.

import type { FileSystemError } from "../fs/file_system.ts";
import { isRemote, parseLocation, type SshTarget } from "../fs/location.ts";
import type { PathProblem } from "../fs/path_error.ts";
import { sshCommand } from "../fs/ssh_failure.ts";

/** One refused path argument, with what it led to and what to send instead. */
export function pathProblemMessage(problem: PathProblem): string {
  switch (problem.kind) {
    case "empty":
      return "`path` is empty. Send a path relative to the working directory, or an absolute one.";
    case "invalid":
      return `Path ${quote(problem.raw)} cannot be used: ${problem.reason}.`;
    case "no_ssh":
      return `Path ${quote(problem.raw)} is remote, and this server may not run \`ssh\`. ` +
        "Start it with permission to run ssh (--allow-run=ssh), or use a local path.";
    case "no_home":
      return `Path ${quote(problem.raw)} names the home directory, which this server cannot read ` +
        "(HOME is not available to it). Send the absolute path.";
    case "outside":
      return outsideMessage(problem);
    case "missing":
      return missingMessage(problem);
    case "not_a_directory":
      return `${
        quote(problem.raw)
      } is not a directory (it is ${problem.resolved}). Send a directory.`;
    case "variable": {
      const meant = problem.expanded === undefined
        ? "Send the path it stands for."
        : `Did you mean ${quote(problem.expanded)}? Send that path.`;
      return `Path ${
        quote(problem.raw)
      } begins with a variable, which octofs does not expand. ${meant}`;
    }
    case "other_home":
      return `Path ${
        quote(problem.raw)
      }: only \`~/\` (your own home directory) is expanded. Send the absolute path.`;
    case "guessed_root":
      return `The server was started in ${problem.workingDirectory}, which is hardly your project, so the ` +
        `relative path ${
          quote(problem.raw)
        } was not written. Call \`workdir\` with the project's absolute ` +
        "path first, send an absolute path, or start the server with --path DIR.";
  }
}

function outsideMessage(problem: Extract<PathProblem, { kind: "outside" }>): string {
  const what = problem.purpose === "write" ? "may be written" : "may be read";
  const option = problem.purpose === "write" ? "--allow DIR" : "--allow DIR or --allow-read DIR";
  const resolved = problem.resolved === problem.raw ? "" : ` (it resolves to ${problem.resolved})`;
  return `Path ${quote(problem.raw)} is outside the directories that ${what}${resolved}.\n` +
    `Allowed: ${problem.allowed.join(", ")}.\n` +
    `Use a path inside them; the user can widen them by starting octofs with ${option}.`;
}

function missingMessage(problem: Extract<PathProblem, { kind: "missing" }>): string {
  const lines = [
    `No such file or directory: ${quote(problem.raw)} (resolved to ${problem.resolved}).`,
  ];
  if (problem.firstMissing !== undefined) {
    lines.push(`The part that does not exist is ${problem.firstMissing}.`);
  }
  if (problem.nearest.length > 0) lines.push(`Nearest names: ${problem.nearest.join(", ")}`);
  else lines.push('Call `view` on its directory (`view path="."`) to see what is there.');
  return lines.join("\n");
}

/** A failed file operation; `display` is the path as the agent knows it. */
export function fileErrorMessage(error: FileSystemError, display: string = error.path): string {
  switch (error.code) {
    case "missing":
      return `No such file: ${display}. Call \`view\` on its directory to see what is there.`;
    case "exists":
      return `${display} exists already.`;
    case "not_directory":
      return `${display}: a part of this path is a file, not a directory.`;
    case "is_directory":
      return `${display} is a directory, not a file. Call \`view\` to list it, and name a file in it.`;
    case "permission_denied":
      return `Permission denied: ${display}. Nothing was changed. ` +
        (remoteTarget(error) === undefined
          ? "The user that runs octofs has no right to this file or its directory."
          : `The user that ssh logs in as on ${error.place} has no right to this file or its directory.`);
    case "read_only":
      if (error.cause !== undefined) {
        return `${display} is on a file system that is mounted read-only. Nothing was changed. ` +
          "Only the user can remount it; write to another place.";
      }
      if (remoteTarget(error) !== undefined) return remoteReadOnlyMessage(error, display);
      return `${display} is read-only. Nothing was changed. If it is meant to be edited, make it writable ` +
        `first: shell command="chmod u+w ${shellQuote(display)}"`;
    case "no_space":
      return `No space left on the disk for ${display}. The file is as it was.`;
    case "link_loop":
      return `${display}: too many symbolic links (a loop?).`;
    case "name_too_long":
      return `${display.slice(0, 200)}…: the name is too long for the file system.`;
    case "invalid_path":
      return `${display} is not a valid path here (${error.message}).`;
    case "too_large":
      return `${display} is too large for this operation. Use \`view\` with start and end, or the shell.`;
    case "unsupported":
      return `${display} is not a regular file (a device, socket or pipe), so it is not opened.`;
    case "cancelled":
      return "The call was cancelled. Nothing was changed.";
    case "connection_failed":
      return error.message;
    case "failed":
      return `${display}: ${error.message}`;
  }
}

/** The host of a failed operation, where it was not this one. */
function remoteTarget({ place = "" }: FileSystemError): SshTarget | undefined {
  const location = isRemote(place) ? parseLocation(`${place}/`) : undefined;
  return location?.kind === "ssh" ? location.target : undefined;
}

/** The shell tool runs here only, so this step is the user's. */
function remoteReadOnlyMessage(error: FileSystemError, display: string): string {
  const target = remoteTarget(error);
  const login = target === undefined ? "ssh" : sshCommand(target);
  const command = `${login} ${shellQuote(`chmod u+w ${shellQuote(error.path)}`)}`;
  return `${display} is read-only on its host. Nothing was changed. If it is meant to be edited, ` +
    `the user can make it writable there: \`${command}\``;
}

/** A path in a suggested shell command; one that begins with a dash must not become an option. */
export function shellQuote(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[A-Za-z0-9_./@%+=:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}

function quote(text: string): string {
  const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return JSON.stringify(shown);
}
