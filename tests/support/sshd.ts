// Owns: a real OpenSSH server on a free loopback port with keys and configuration of its own.
// Must not know: octofs. The user's ~/.ssh is never read or written.

const LOOPBACK = "127.0.0.1";
const SSHD_PLACES = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"];
const SFTP_SERVER_PLACES = [
  "/usr/lib/openssh/sftp-server",
  "/usr/libexec/openssh/sftp-server",
  "/usr/lib/ssh/sftp-server",
  "/usr/libexec/sftp-server",
];

export const sshdPath = SSHD_PLACES.find(isFile);
export const sftpServerPath = SFTP_SERVER_PLACES.find(isFile);

/** Words for a test's name where it cannot run here, or undefined. */
export const whyNoSshd = sshdPath === undefined
  ? "skipped: no sshd on this machine, install openssh-server"
  : Deno.build.os === "windows"
  ? "skipped: needs a POSIX machine"
  : undefined;

export interface SshdOptions {
  /** Further lines of sshd_config. */
  readonly config?: readonly string[];
  /** The sftp subsystem's command; null for a server without SFTP. */
  readonly subsystem?: string | null;
  readonly address?: string;
  /** Further lines of the client's configuration, in front of the block for all hosts. */
  readonly clientConfig?: readonly string[];
  readonly clientKey?: "ed25519" | "rsa";
}

export interface Sshd {
  readonly port: number;
  readonly user: string;
  /** Holds keys and configuration; removed by `stop`. */
  readonly directory: string;
  /** The client's private key. */
  readonly keyFile: string;
  readonly knownHostsFile: string;
  /** Arguments that make ssh use the configuration of the test instead of the user's. */
  readonly sshArguments: readonly string[];
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Kills what serves the open connections; new ones are still accepted. */
  dropConnections(): Promise<void>;
  /** Stops what serves the open connections without ending it; new ones are served. */
  freezeConnections(): Promise<void>;
  /** Drops everything and accepts nothing, until `resume` listens on the same port again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server that accepts one new key of the current user. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const directory = await Deno.makeTempDir({ prefix: "octofs-sshd-" });
  const user = (await run("id", "-un")).trim();
  await keygen(`${directory}/host_key`, "ed25519");
  await keygen(`${directory}/client_key`, options.clientKey ?? "ed25519");
  await Deno.copyFile(`${directory}/client_key.pub`, `${directory}/authorized_keys`);
  // A server that is started by root confines itself to this directory before login.
  if (user === "root") await Deno.mkdir("/run/sshd", { recursive: true });
  const { port, child } = await listen(directory, options);
  const knownHostsFile = `${directory}/known_hosts`;
  const [type, key] = (await Deno.readTextFile(`${directory}/host_key.pub`)).split(" ");
  const address = options.address ?? LOOPBACK;
  await Deno.writeTextFile(knownHostsFile, `[${address}]:${port} ${type} ${key}\n`);
  const clientConfig = `${directory}/ssh_config`;
  await Deno.writeTextFile(
    clientConfig,
    [
      ...(options.clientConfig ?? []).map((line) => line.replaceAll("%PORT%", String(port))),
      "Host *",
      `  IdentityFile ${directory}/client_key`,
      "  IdentitiesOnly yes",
      "  IdentityAgent none",
      `  UserKnownHostsFile ${knownHostsFile}`,
      "  GlobalKnownHostsFile /dev/null",
      "",
    ].join("\n"),
  );
  let running = child;
  const pause = async () => {
    // The listener first, so that nothing takes the place of a connection that is dropped.
    const children = await childrenOf(running.pid);
    await end(running);
    signalAll(children);
  };
  return {
    port,
    user,
    directory,
    keyFile: `${directory}/client_key`,
    knownHostsFile,
    sshArguments: ["-F", clientConfig],
    connections: async () => (await childrenOf(running.pid)).length,
    dropConnections: async () => signalAll(await childrenOf(running.pid)),
    freezeConnections: async () => signalAll(await childrenOf(running.pid), "SIGSTOP"),
    pause,
    resume: async () => {
      running = spawnSshd(directory);
      if (!await isListening(directory)) throw new Error("sshd did not come back");
    },
    stop: async () => {
      await pause();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** Makes a key pair without a passphrase, or with one. */
export async function keygen(path: string, type: string, passphrase = ""): Promise<void> {
  await run("ssh-keygen", "-q", "-t", type, "-N", passphrase, "-f", path);
}

/** Runs a program to its end and gives its output; throws where it fails. */
export async function run(program: string, ...args: string[]): Promise<string> {
  const output = await new Deno.Command(program, { args, stdin: "null" }).output();
  if (!output.success) throw new Error(new TextDecoder().decode(output.stderr));
  return new TextDecoder().decode(output.stdout);
}

async function listen(directory: string, options: SshdOptions) {
  for (let attempt = 1;; attempt++) {
    const hostname = options.address ?? LOOPBACK;
    const port = freePort(hostname);
    const configFile = `${directory}/sshd_config`;
    await Deno.writeTextFile(configFile, sshdConfig(directory, { port, options }));
    const child = spawnSshd(directory);
    if (await isListening(directory)) return { port, child };
    // Another process may have taken the port between the two.
    await end(child);
    if (attempt === 3) throw new Error(await Deno.readTextFile(`${directory}/sshd.log`));
  }
}

function spawnSshd(directory: string): Deno.ChildProcess {
  // A log of its own for every start: it is what tells that the server listens.
  Deno.writeTextFileSync(`${directory}/sshd.log`, "");
  return new Deno.Command(sshdPath ?? "sshd", {
    args: ["-D", "-f", `${directory}/sshd_config`, "-E", `${directory}/sshd.log`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

function sshdConfig(
  directory: string,
  { port, options }: { port: number; options: SshdOptions },
): string {
  return [
    ...(options.config ?? []),
    `ListenAddress ${options.address ?? LOOPBACK}`,
    `Port ${port}`,
    `HostKey ${directory}/host_key`,
    `PidFile ${directory}/sshd.pid`,
    `AuthorizedKeysFile ${directory}/authorized_keys`,
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
    "StrictModes no",
    "UsePAM no",
    "MaxStartups 100",
    ...(options.subsystem === null
      ? []
      : [`Subsystem sftp ${options.subsystem ?? "internal-sftp"}`]),
    "",
  ].join("\n");
}

function freePort(hostname: string): number {
  const listener = Deno.listen({ hostname, port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Read from its log, for a connection made to find out would be counted as one. */
async function isListening(directory: string): Promise<boolean> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const log = await Deno.readTextFile(`${directory}/sshd.log`).catch(() => "");
    if (log.includes("Server listening on")) return true;
    if (/fatal|error|Cannot bind/i.test(log)) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch {
    // It ended by itself.
  }
  await child.status;
}

async function childrenOf(parent: number): Promise<number[]> {
  const args = ["-o", "pid=", "--ppid", String(parent)];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  return new TextDecoder().decode(stdout).split(/\s+/).filter(Boolean).map(Number);
}

function signalAll(processes: readonly number[], signal: Deno.Signal = "SIGKILL"): void {
  for (const process of processes) {
    try {
      Deno.kill(process, signal);
    } catch {
      // It ended by itself.
    }
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
