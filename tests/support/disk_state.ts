// Owns: everything about the files below a directory that a call which fails must leave as it was.
// Must not know: what is tested.

export interface EntryState {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Contents in Latin-1, one character a byte; the target of a link. */
  readonly content: string;
  readonly mode: number | null;
  readonly uid: number | null;
  readonly gid: number | null;
  readonly inode: number | null;
  readonly modified: number | undefined;
}

/** Path below `root` -> state, in the order of names. */
export function diskState(root: string): { readonly [path: string]: EntryState } {
  const found: { [path: string]: EntryState } = {};
  const visit = (directory: string, prefix: string): void => {
    const entries = [...Deno.readDirSync(directory)];
    for (const { name } of entries.sort((left, right) => left.name < right.name ? -1 : 1)) {
      const path = `${directory}/${name}`;
      const info = Deno.lstatSync(path);
      found[prefix + name] = entryState(path, info);
      if (info.isDirectory) visit(path, `${prefix}${name}/`);
    }
  };
  visit(root, "");
  return found;
}

function entryState(path: string, info: Deno.FileInfo): EntryState {
  const common = { mode: info.mode, uid: info.uid, gid: info.gid, inode: info.ino };
  // A directory's own time changes when a temporary file comes and goes.
  if (info.isDirectory) return { ...common, kind: "directory", content: "", modified: 0 };
  const modified = info.mtime?.getTime();
  if (info.isSymlink) {
    return { ...common, kind: "link", content: Deno.readLinkSync(path), modified };
  }
  if (!info.isFile) return { ...common, kind: "other", content: "", modified };
  return { ...common, kind: "file", content: latin1(Deno.readFileSync(path)), modified };
}

/** One character a byte, so that any bytes can be compared and printed. */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** The other way. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
