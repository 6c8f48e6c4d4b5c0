// Owns: the machine's own ssh client as a child process that carries an SFTP channel.
// Must not know: SFTP packets, files, pooling.

import { FileSystemError } from "./file_system.ts";
import { formatTarget, type SshTarget } from "./location.ts";
import type { BytePipe } from "./sftp_channel.ts";
import { explainSshFailure } from "./ssh_failure.ts";

export interface SshConnectionOptions {
  /** For reaching the host, and for noticing that it went away. */
  readonly timeoutSeconds: number;
  /** Further arguments in front of the destination, e.g. `-F` and a configuration file. */
  readonly sshArguments?: readonly string[];
}

const STDERR_LIMIT = 64 * 1024;
/** How long a child that was told to end may take. */
const EXIT_MILLISECONDS = 2000;

/** The argv of ssh for an SFTP channel: it never asks, and the destination can never be an option. */
export function sshArgv(target: SshTarget, options: SshConnectionOptions): string[] {
  const seconds = Math.max(1, Math.ceil(options.timeoutSeconds));
  const settings = [
    "BatchMode=yes",
    `ConnectTimeout=${seconds}`,
    `ServerAliveInterval=${Math.max(1, Math.ceil(seconds / 3))}`,
    "ServerAliveCountMax=3",
    // As sftp(1) does: a file transfer has no use for them, and a port that is taken would end it.
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
    "RemoteCommand=none",
    // A shared master is used; being one would end the user's other sessions together with this one.
    "ControlMaster=no",
    // The reasons of a failure must be said, whatever the user's configuration hides.
    "LogLevel=INFO",
  ];
  return [
    ...(options.sshArguments ?? []),
    ...settings.map((setting) => `-o${setting}`),
    ...(target.port === undefined ? [] : ["-p", String(target.port)]),
    ...(target.user === undefined ? [] : ["-l", target.user]),
    "-s",
    "--",
    target.host,
    "sftp",
  ];
}

/** Starts ssh. Throws FileSystemError `connection_failed` where it cannot be run at all. */
export function openSshConnection(target: SshTarget, options: SshConnectionOptions): BytePipe {
  // The environment is inherited: agents, ProxyCommands and hardware keys need what the user's terminal has.
  const command = new Deno.Command("ssh", {
    args: sshArgv(target, options),
    env: { SSH_ASKPASS_REQUIRE: "never", LC_ALL: "C" },
    // Away from the terminal: the ssh of a jump host is not told BatchMode, and would ask there.
    detached: Deno.build.os !== "windows",
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  let child: Deno.ChildProcess;
  try {
    child = command.spawn();
  } catch (error) {
    throw new FileSystemError("connection_failed", formatTarget(target), {
      message: spawnFailure(target, error),
      cause: error,
    });
  }
  return new SshPipe(target, child);
}

/** What decides which machine and account a destination is, in the words of `ssh -G`. */
const IDENTITY = /^(?:user|hostname|port|proxyjump|proxycommand|hostkeyalias) .*$/gm;

/**
 * Equal for destinations that the user's configuration makes the same; undefined where ssh does not say.
 * Connects to nothing.
 */
export async function sshIdentity(
  target: SshTarget,
  options: SshConnectionOptions,
): Promise<string | undefined> {
  const argv = sshArgv(target, options).filter((argument) => argument !== "-s");
  try {
    const { success, stdout } = await new Deno.Command("ssh", {
      args: ["-G", ...argv.slice(0, -1)],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(options.timeoutSeconds * 1000),
    }).output();
    const lines = success ? new TextDecoder().decode(stdout).match(IDENTITY) : null;
    return lines?.sort().join("\n");
  } catch {
    // Connecting will say why.
    return undefined;
  }
}

class SshPipe implements BytePipe {
  readonly #target: SshTarget;
  readonly #child: Deno.ChildProcess;
  readonly #stderrRead: Promise<void>;
  #stderr = "";
  #ended: Promise<void> | undefined;

  constructor(target: SshTarget, child: Deno.ChildProcess) {
    this.#target = target;
    this.#child = child;
    this.#stderrRead = this.#readStderr();
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#child.stdout;
  }

  get writable(): WritableStream<Uint8Array> {
    return this.#child.stdin;
  }

  end(when: "now" | "soon"): Promise<void> {
    this.#ended ??= this.#end(when);
    return this.#ended;
  }

  explain(reason: string): string {
    return explainSshFailure({ target: this.#target, reason, stderr: this.#stderr }).message;
  }

  async #end(when: "now" | "soon"): Promise<void> {
    const { status } = this.#child;
    // When its output ended by itself, ssh is about to say why and to exit.
    if (when === "soon") await within(EXIT_MILLISECONDS, status);
    this.#kill("SIGTERM");
    if (!await within(EXIT_MILLISECONDS, status)) this.#kill("SIGKILL");
    await status;
    // Its words may still be on their way. A shared master connection may hold stderr open for ever.
    await within(
      when === "soon" && this.#stderr === "" ? EXIT_MILLISECONDS : 200,
      this.#stderrRead,
    );
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended already.
    }
  }

  async #readStderr(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.#child.stderr) {
        const text = this.#stderr + decoder.decode(chunk, { stream: true });
        this.#stderr = text.slice(-STDERR_LIMIT);
      }
    } catch {
      // What was read so far is what there is to say.
    }
  }
}

/** True when `work` settles in time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function spawnFailure(target: SshTarget, error: unknown): string {
  const place = formatTarget(target);
  if (error instanceof Deno.errors.NotFound) {
    return `Cannot use ${place}: there is no \`ssh\` program on this machine. ` +
      "For the user: install the OpenSSH client.";
  }
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return `Cannot use ${place}: octofs may not run \`ssh\`. ` +
      "For the user: start it with the permission `--allow-run=ssh`.";
  }
  return `Cannot use ${place}: ssh could not be started: ${
    error instanceof Error ? error.message : String(error)
  }`;
}
