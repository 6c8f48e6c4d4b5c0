// Owns: what a path argument names: a local path or a path on an ssh host; parsing and printing it.
// Must not know: the disk, allowed directories, connections.

export interface SshTarget {
  readonly user?: string;
  /** Host name, alias of ~/.ssh/config, or IPv6 address without brackets. */
  readonly host: string;
  readonly port?: number;
}

export type Location =
  | { readonly kind: "local"; readonly path: string }
  | { readonly kind: "ssh"; readonly target: SshTarget; readonly path: string };

export type ParsedLocation = Location | { readonly kind: "invalid"; readonly reason: string };

const REMOTE_SCHEME = /^(?:ssh|sftp):\/\//i;

/** True when an argument names a remote file by its scheme. */
export function isRemote(raw: string): boolean {
  return REMOTE_SCHEME.test(raw);
}

/** Reads a path argument; a remote one may not smuggle options to ssh through user or host. */
export function parseLocation(raw: string): ParsedLocation {
  if (raw.includes("\0")) return { kind: "invalid", reason: "a path cannot hold a NUL character" };
  if (!isRemote(raw)) return { kind: "local", path: raw };
  const rest = raw.replace(REMOTE_SCHEME, "");
  const slash = rest.indexOf("/");
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? "~" : rest.slice(slash);
  const target = parseAuthority(authority);
  if (typeof target === "string") return { kind: "invalid", reason: target };
  // `ssh://host/~/x` names a path below the remote home directory.
  return { kind: "ssh", target, path: path.startsWith("/~") ? path.slice(1) : path };
}

/** `ssh://user@host:port`, the name of a destination; the same for equal targets. */
export function formatTarget(target: SshTarget): string {
  const host = target.host.includes(":") ? `[${target.host}]` : target.host;
  const user = target.user === undefined ? "" : `${target.user}@`;
  return `ssh://${user}${host}${target.port === undefined ? "" : `:${target.port}`}`;
}

export function formatLocation(location: Location): string {
  if (location.kind === "local") return location.path;
  const path = location.path.startsWith("/") ? location.path : `/${location.path}`;
  return formatTarget(location.target) + path;
}

function parseAuthority(authority: string): SshTarget | string {
  const at = authority.lastIndexOf("@");
  const user = at === -1 ? undefined : decode(authority.slice(0, at));
  const hostPort = authority.slice(at + 1);
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(hostPort);
  if (!match) return `"${hostPort}" is not a host or host:port; an IPv6 address needs brackets`;
  const host = decode(match[1] ?? match[2] ?? "");
  for (const [what, value] of [["user", user], ["host", host]] as const) {
    const fault = value === undefined ? undefined : nameFault(value);
    if (fault !== undefined) return `the ${what} of an ssh path ${fault}`;
  }
  const port = match[3] === undefined || match[3] === "" ? undefined : Number(match[3]);
  if (port !== undefined && (port < 1 || port > 65535)) return `port ${port} is out of range`;
  return {
    host,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameFault(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.startsWith("-")) return "begins with `-`, which ssh would read as an option";
  // Blanks and control characters have no place in a user or host name and can split arguments.
  // deno-lint-ignore no-control-regex
  if (/[\s\u0000-\u001f\u007f]/.test(name)) return "holds blanks or control characters";
  return undefined;
}
