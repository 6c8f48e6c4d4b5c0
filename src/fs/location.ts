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
  // `ssh://host/~/x` names a path below the remote home directory; `/~x` is a name like any other.
  return { kind: "ssh", target, path: /^\/~(?:\/|$)/.test(path) ? path.slice(1) : path };
}

/** `ssh://user@host:port`, the name of a destination; the same for equal targets. */
export function formatTarget(target: SshTarget): string {
  const host = target.host.includes(":") ? `[${target.host.replace("%", "%25")}]` : target.host;
  const user = target.user === undefined ? "" : `${target.user.replaceAll("@", "%40")}@`;
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
  const userFault = user === undefined ? undefined : userNameFault(user);
  if (userFault !== undefined) return `the user of an ssh path ${userFault}`;
  const hostPort = authority.slice(at + 1);
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(hostPort);
  if (!match) return `"${hostPort}" is not a host or host:port; an IPv6 address needs brackets`;
  const host = decode(match[1] ?? match[2] ?? "");
  const hostFault = match[1] === undefined ? hostNameFault(host) : addressFault(host);
  if (hostFault !== undefined) return `the host of an ssh path ${hostFault}`;
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

/**
 * What ssh and the shell of a user's ProxyCommand would read as something else than a name is
 * refused: options, `user@host` in the host, quotes and shell characters, `%` tokens.
 */
function hostNameFault(host: string): string | undefined {
  if (/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.+=~-]*$/u.test(host)) return undefined;
  return nameFault(host);
}

function addressFault(host: string): string | undefined {
  if (/^[0-9a-f]*:[0-9a-f:.]*(?:%[\w.-]+)?$/i.test(host)) return undefined;
  if (/^-|[\s\p{C}\p{Z}]/u.test(host)) return nameFault(host);
  return "has brackets around something else than an IPv6 address";
}

function userNameFault(user: string): string | undefined {
  if (/^[\p{L}\p{N}_.+][\p{L}\p{M}\p{N}_.+=~@\\-]*(?<!\\)$/u.test(user)) return undefined;
  // Not repeated in the message: what follows the colon is a secret.
  if (user.includes(":")) return "holds a `:`; passwords are not taken, use a key";
  return nameFault(user);
}

function nameFault(name: string): string {
  if (name === "") return "is empty";
  if (name.startsWith("-")) return "begins with `-`, which ssh would read as an option";
  if (/[\s\p{C}\p{Z}]/u.test(name)) return "holds blanks or control characters";
  const odd = [...name].find((character) => !/[\p{L}\p{M}\p{N}_.-]/u.test(character));
  return `holds ${odd ?? "a character"}, which does not belong in a name`;
}
