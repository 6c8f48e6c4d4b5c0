// Owns: resolving symbolic links over SFTP, link by link, so that no server's own idea of it is trusted.
// Must not know: packets, reconnecting.

import { posix } from "node:path";
import { type FileInfo, FileSystemError } from "./file_system.ts";

/** What resolving needs to ask. */
export interface LinkReader {
  linkStat(path: string): Promise<FileInfo>;
  readLink(path: string): Promise<string>;
}

/** The kernel's own bound on links followed for one path. */
const MAX_LINKS = 40;

/**
 * The absolute path with every symbolic link resolved: one round trip, and two more for each link.
 * The server's REALPATH is not asked: some only tidy the text, and OpenSSH's lets the last part be missing.
 */
export async function resolveLinks(reader: LinkReader, path: string): Promise<string> {
  let resolved = "/";
  let pending = components(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    // `..` after a link leaves the link's target, so nothing behind it can be asked for yet.
    const up = pending.indexOf("..");
    const batch = up === -1 ? pending : pending.slice(0, up);
    const step = await firstLink(reader, { resolved, batch, path });
    if (step.kind === "link") {
      const target = components(step.target);
      resolved = step.target.startsWith("/") ? "/" : step.parent;
      pending = [...target, ...batch.slice(step.index + 1), ...pending.slice(batch.length)];
      continue;
    }
    if (up === -1) return step.path;
    resolved = posix.dirname(step.path);
    pending = pending.slice(up + 1);
    links--;
  }
  throw new FileSystemError("link_loop", path, { message: "too many symbolic links" });
}

type Step =
  | { readonly kind: "plain"; readonly path: string }
  | {
    readonly kind: "link";
    readonly index: number;
    readonly parent: string;
    readonly target: string;
  };

/** Asks about every prefix at once and stops at the first link. */
async function firstLink(
  reader: LinkReader,
  { resolved, batch, path }: { resolved: string; batch: readonly string[]; path: string },
): Promise<Step> {
  const prefixes: string[] = [resolved];
  for (const name of batch) prefixes.push(posix.join(prefixes.at(-1) ?? "/", name));
  const infos = await Promise.allSettled(prefixes.map((prefix) => reader.linkStat(prefix)));
  for (const [position, outcome] of infos.entries()) {
    if (outcome.status === "rejected") throw withPath(outcome.reason, path);
    const prefix = prefixes[position] ?? "/";
    const isLast = position === prefixes.length - 1;
    if (outcome.value.kind === "symlink") {
      const target = await reader.readLink(prefix);
      return { kind: "link", index: position - 1, parent: posix.dirname(prefix), target };
    }
    if (!isLast && outcome.value.kind !== "directory") {
      throw new FileSystemError("not_directory", path, {
        message: `${prefix} is not a directory`,
      });
    }
  }
  return { kind: "plain", path: prefixes.at(-1) ?? "/" };
}

function components(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof FileSystemError)) return error;
  const { code, message, place } = error;
  return new FileSystemError(code, path, { message, cause: error, place });
}
