// Owns: what ssh said when it failed -> the reason, and the command that the user should run. PURE.
// Must not know: processes, SFTP, files.

import { formatTarget, type SshTarget } from "./location.ts";

export type SshFailureKind =
  | "unknown_host_key"
  | "changed_host_key"
  | "authentication"
  | "name_resolution"
  | "refused"
  | "unreachable"
  | "timed_out"
  | "no_sftp"
  | "configuration"
  | "other";

export interface SshFailure {
  readonly kind: SshFailureKind;
  /** For the user and the agent: what failed, what ssh said, what to do. */
  readonly message: string;
}

/** Facts of a connection that ended. */
export interface SshEnd {
  readonly target: SshTarget;
  /** Why octofs gave up, in a few words. */
  readonly reason: string;
  /** Everything that ssh wrote to stderr. */
  readonly stderr: string;
}

/** Most of what ssh said that is worth repeating. */
const LONGEST_QUOTE = 1500;

/** In this order: a later message is often only the consequence of an earlier one. */
const SIGNS: readonly (readonly [SshFailureKind, RegExp])[] = [
  ["changed_host_key", /REMOTE HOST IDENTIFICATION HAS CHANGED|[Hh]ost key for .* has changed/],
  ["unknown_host_key", /Host key verification failed|No \S+ host key is known for/],
  [
    "authentication",
    /Permission denied \(|Too many authentication failures|No more authentication/,
  ],
  ["name_resolution", /Could not resolve hostname/],
  ["refused", /Connection refused/],
  ["unreachable", /No route to host|Network is unreachable|Host is down/],
  ["timed_out", /timed out|Timeout, server .* not responding/],
  ["no_sftp", /subsystem request failed/],
  ["configuration", /Bad configuration option|Bad owner or permissions|no argument after keyword/],
];

/** Explains the end of a connection. */
export function explainSshFailure(end: SshEnd): SshFailure {
  const said = printable(end.stderr);
  const kind = classify(said);
  const quote = said === "" ? "" : `\nssh said: ${shortened(said)}`;
  const place = formatTarget(end.target);
  return {
    kind,
    message: `Cannot use ${place}: ${describe(kind, end.reason)}.${quote}${
      advice(kind, end, said)
    }`,
  };
}

function classify(said: string): SshFailureKind {
  // Once a login was tried, the host key was right, whatever a banner says of it.
  if (/Permission denied \([^\n]*$/.test(said)) return "authentication";
  return SIGNS.find(([, sign]) => sign.test(said))?.[0] ?? "other";
}

/** The command line with which a user reaches the target in a terminal. */
export function sshCommand(target: SshTarget): string {
  const port = target.port === undefined ? "" : `-p ${target.port} `;
  const user = target.user === undefined ? "" : `-l ${shellQuote(target.user)} `;
  return `ssh ${port}${user}${shellQuote(target.host)}`;
}

/** One word of a POSIX shell, whatever it holds. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function describe(kind: SshFailureKind, reason: string): string {
  switch (kind) {
    case "changed_host_key":
      return "its host key is not the one that known_hosts has. Someone may be in between, or the host was set up anew";
    case "unknown_host_key":
      return "its host key is not known here, and octofs never accepts one by itself";
    case "authentication":
      return "the host was reached and refused the login";
    case "name_resolution":
      return "the host name cannot be resolved";
    case "refused":
      return "the host refused the connection: nothing listens on that port";
    case "unreachable":
      return "there is no network route to the host";
    case "timed_out":
      return "the host did not answer in time";
    case "no_sftp":
      return "the host has no SFTP subsystem";
    case "configuration":
      return "ssh does not accept its own configuration";
    case "other":
      return reason;
  }
}

function advice(kind: SshFailureKind, { target }: SshEnd, said: string): string {
  const login = sshCommand(target);
  switch (kind) {
    case "changed_host_key": {
      const entry = checkedName(said) ?? knownHostsName(target);
      const file = knownHostsFile(said);
      const option = file === undefined ? "" : `-f ${shellQuote(file)} `;
      return `\nFor the user: only if the change is expected, run \`ssh-keygen ${option}-R ${
        shellQuote(entry)
      }\`, then \`${login}\` and compare the fingerprint.`;
    }
    case "unknown_host_key":
      return `\nFor the user: run \`${login}\` in a terminal, compare the fingerprint and accept it once.` +
        keyscanAdvice(target, said);
    case "authentication":
      return `\nFor the user: make \`${login}\` work without a question. A key with a passphrase must be in ` +
        "the agent (`ssh-add`); `ssh-add -l` lists what the agent has.";
    case "name_resolution":
      return `\nFor the user: check the name or the alias in ~/.ssh/config; \`ssh -G ${
        shellQuote(target.host)
      }\` shows what ssh makes of it.`;
    case "refused":
    case "unreachable":
    case "timed_out":
      return `\nFor the user: \`${login}\` shows whether the host can be reached at all.`;
    case "no_sftp":
      return "\nFor the user: the host's sshd_config needs a line `Subsystem sftp internal-sftp`.";
    case "configuration":
      return `\nFor the user: \`${login}\` shows the same complaint; fix the file that it names.`;
    case "other":
      return said === "" ? `\nFor the user: try \`${login}\`.` : "";
  }
}

/** How known_hosts names a host: with its port where that is not the usual one. */
function knownHostsName({ host, port }: SshTarget): string {
  return port === undefined || port === 22 ? host : `[${host}]:${port}`;
}

/** The name that ssh looked up; an alias of ~/.ssh/config is not the name in known_hosts. */
function checkedName(said: string): string | undefined {
  return /[Hh]ost key for ([[\w][\w.:%[\]-]*) has changed|host key is known for ([[\w][\w.:%[\]-]*) and/
    .exec(said)?.slice(1).find((name) => name !== undefined);
}

function knownHostsFile(said: string): string | undefined {
  return /Offending \S+ key in (\/.+):\d+/.exec(said)?.[1];
}

/** ssh-keyscan reads no configuration, so it is no help with a name that may be an alias. */
function keyscanAdvice(target: SshTarget, said: string): string {
  const name = checkedName(said) ??
    (/[.:]/.test(target.host) ? knownHostsName(target) : undefined);
  if (name === undefined) return "";
  const match = /^\[(.+)\]:(\d+)$/.exec(name);
  const host = shellQuote(match?.[1] ?? name);
  const port = match?.[2] === undefined ? "" : `-p ${match[2]} `;
  return ` \`ssh-keyscan ${port}${host} | ssh-keygen -lf -\` shows it without logging in.`;
}

// deno-lint-ignore no-control-regex
const CONTROLS = /\x1b\[[0-9;?]*[A-Za-z]|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** A server's banner may hold anything; only plain lines go on. */
function printable(text: string): string {
  return text.replaceAll("\r", "").replace(CONTROLS, " ").split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^@+$/.test(line))
    .join("\n").trim();
}

/** The end says most: ssh names the decisive reason last. */
function shortened(said: string): string {
  const points = [...said];
  if (points.length <= LONGEST_QUOTE) return said;
  const cut = points.length - LONGEST_QUOTE;
  return `[${cut} characters left out] ${points.slice(cut).join("")}`;
}
