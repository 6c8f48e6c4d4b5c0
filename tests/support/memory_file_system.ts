// Owns: a FileSystem in memory for tests, which can be told to fail, to wait and to change under the caller.
// Must not know: octofs beyond the interface.

import {
  type DirectoryEntry,
  type FileInfo,
  type FileSystem,
  FileSystemError,
  type FileSystemErrorCode,
  type NewFileOptions,
  type ReadOptions,
} from "../../src/fs/file_system.ts";

interface Inode {
  readonly number: number;
  mode: number;
  modified: number;
  links: number;
  uid: number;
  gid: number;
}
type FileNode = Inode & { readonly kind: "file"; bytes: Uint8Array };
type DirectoryNode = Inode & { readonly kind: "directory"; readonly entries: Map<string, Node> };
type LinkNode = Inode & { readonly kind: "symlink"; readonly target: string };
type OtherNode = Inode & { readonly kind: "other" };
type Node = FileNode | DirectoryNode | LinkNode | OtherNode;

export type Operation = Exclude<keyof FileSystem, "key" | "pathStyle" | "close">;

/** Where a path leads: the directory that holds its last part, and what is there. */
interface Place {
  readonly parent: DirectoryNode;
  readonly name: string;
  readonly node: Node | undefined;
  /** Absolute, with the links on the way resolved. */
  readonly path: string;
}

const MAX_LINKS = 40;
const UMASK = 0o022;

export class MemoryFileSystem implements FileSystem {
  readonly key: string;
  readonly pathStyle = "posix";
  /** Every operation in order, e.g. `replace /a /b`. */
  readonly log: string[] = [];
  /** Asked before every operation: may throw, wait, or change files. */
  before: ((operation: Operation, path: string) => void | Promise<void>) | undefined;
  readonly #failures: { operation: Operation; code: FileSystemErrorCode; path?: RegExp }[] = [];
  readonly #root: DirectoryNode;
  #inodes = 0;
  #clock = 1_700_000_000_000;

  /** `files` maps absolute paths to contents; directories are made as needed. */
  constructor(files: { readonly [path: string]: string | Uint8Array } = {}, key = "memory") {
    this.key = key;
    this.#root = this.#newDirectory();
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** The next matching operation fails with this code, and does nothing. */
  failNext(operation: Operation, code: FileSystemErrorCode, path?: RegExp): void {
    this.#failures.push({ operation, code, ...(path === undefined ? {} : { path }) });
  }

  /** Writes as another program would, parents included. */
  put(path: string, content: string | Uint8Array, mode = 0o644): void {
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    this.#makeDirectory(parent);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    const place = this.#find(path, true);
    if (place.node?.kind === "file") {
      place.node.bytes = bytes;
      place.node.modified = this.#tick();
    } else {
      place.parent.entries.set(place.name, { ...this.#inode(mode), kind: "file", bytes });
    }
  }

  putLink(target: string, path: string): void {
    const { parent, name } = this.#find(path, false);
    parent.entries.set(name, { ...this.#inode(0o777), kind: "symlink", target });
  }

  putHardLink(existing: string, path: string): void {
    const { node } = this.#find(existing, true);
    const { parent, name } = this.#find(path, false);
    if (node === undefined) throw new Error(`no ${existing}`);
    node.links++;
    parent.entries.set(name, node);
  }

  /** A FIFO, socket or device. */
  putOther(path: string): void {
    const { parent, name } = this.#find(path, false);
    parent.entries.set(name, { ...this.#inode(0o644), kind: "other" });
  }

  /** Contents as text, or undefined where there is no file. */
  text(path: string): string | undefined {
    const { node } = this.#find(path, true);
    return node?.kind === "file" ? new TextDecoder().decode(node.bytes) : undefined;
  }

  /** Every path with contents as text, links as `-> target`, directories left out; sorted. */
  snapshot(): { readonly [path: string]: string } {
    const found: { [path: string]: string } = {};
    const visit = (directory: DirectoryNode, prefix: string) => {
      for (const [name, node] of [...directory.entries].sort(([a], [b]) => a < b ? -1 : 1)) {
        const path = `${prefix}/${name}`;
        if (node.kind === "directory") visit(node, path);
        else if (node.kind === "symlink") found[path] = `-> ${node.target}`;
        else found[path] = node.kind === "file" ? new TextDecoder().decode(node.bytes) : "(other)";
      }
    };
    visit(this.#root, "");
    return found;
  }

  realPath(path: string): Promise<string> {
    return this.#do("realPath", path, () => {
      const place = this.#find(path, true);
      if (place.node === undefined) throw new FileSystemError("missing", path);
      return place.path;
    });
  }

  stat(path: string): Promise<FileInfo> {
    return this.#do("stat", path, () => infoOf(this.#existing(path, true).node));
  }

  linkStat(path: string): Promise<FileInfo> {
    return this.#do("linkStat", path, () => infoOf(this.#existing(path, false).node));
  }

  readLink(path: string): Promise<string> {
    return this.#do("readLink", path, () => {
      const { node } = this.#existing(path, false);
      if (node.kind !== "symlink") throw new FileSystemError("invalid_path", path);
      return node.target;
    });
  }

  readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
    return this.#do("readDirectory", path, () => {
      const { node } = this.#existing(path, true);
      if (node.kind !== "directory") throw new FileSystemError("not_directory", path);
      return [...node.entries].map(([name, entry]) => ({ name, kind: entry.kind }));
    });
  }

  readFile(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { offset = 0, length = Infinity, signal } = options;
    return this.#do("readFile", path, () => {
      if (signal?.aborted) throw new FileSystemError("cancelled", path);
      return this.#file(path).bytes.slice(offset, offset + length);
    });
  }

  makeDirectory(path: string): Promise<void> {
    return this.#do("makeDirectory", path, () => this.#makeDirectory(path));
  }

  writeNewFile(path: string, bytes: Uint8Array, options: NewFileOptions = {}): Promise<void> {
    return this.#do("writeNewFile", path, () => {
      const { parent, name, node } = this.#find(path, false);
      if (node !== undefined) throw new FileSystemError("exists", path);
      const inode = this.#inode(options.mode ?? (0o666 & ~UMASK));
      inode.uid = options.uid ?? inode.uid;
      inode.gid = options.gid ?? inode.gid;
      parent.entries.set(name, { ...inode, kind: "file", bytes: bytes.slice() });
    });
  }

  replace(from: string, to: string): Promise<void> {
    return this.#do("replace", to, () => {
      const source = this.#existing(from, false);
      const target = this.#find(to, false);
      if (target.node?.kind === "directory") throw new FileSystemError("is_directory", to);
      if (target.node !== undefined) target.node.links--;
      source.parent.entries.delete(source.name);
      target.parent.entries.set(target.name, source.node);
    }, from);
  }

  overwrite(path: string, bytes: Uint8Array): Promise<void> {
    return this.#do("overwrite", path, () => {
      const node = this.#file(path);
      node.bytes = bytes.slice();
      node.modified = this.#tick();
    });
  }

  removeFile(path: string): Promise<void> {
    return this.#do("removeFile", path, () => {
      const { parent, name, node } = this.#existing(path, false);
      if (node.kind === "directory") throw new FileSystemError("is_directory", path);
      node.links--;
      parent.entries.delete(name);
    });
  }

  setMode(path: string, mode: number): Promise<void> {
    return this.#do("setMode", path, () => {
      this.#existing(path, true).node.mode = mode;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #do<T>(operation: Operation, path: string, work: () => T, from?: string): Promise<T> {
    this.log.push([operation, from, path].filter((part) => part !== undefined).join(" "));
    await this.before?.(operation, path);
    const index = this.#failures.findIndex((failure) =>
      failure.operation === operation && (failure.path?.test(path) ?? true)
    );
    const [failure] = index === -1 ? [] : this.#failures.splice(index, 1);
    if (failure !== undefined) throw new FileSystemError(failure.code, path);
    return work();
  }

  #existing(path: string, follow: boolean): Place & { node: Node } {
    const place = this.#find(path, follow);
    const { node } = place;
    if (node === undefined) throw new FileSystemError("missing", path);
    return { ...place, node };
  }

  #file(path: string): FileNode {
    const { node } = this.#existing(path, true);
    if (node.kind === "directory") throw new FileSystemError("is_directory", path);
    if (node.kind !== "file") throw new FileSystemError("failed", path);
    return node;
  }

  /** Resolves as a kernel does; `follow` says whether a link at the end is followed too. */
  #find(path: string, follow: boolean): Place {
    let stack: { name: string; node: DirectoryNode }[] = [{ name: "", node: this.#root }];
    const pending = path.split("/").filter((part) => part !== "" && part !== ".");
    let links = 0;
    let last: Place = { parent: this.#root, name: "", node: this.#root, path: "/" };
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const parent = stack.at(-1)?.node ?? this.#root;
      if (name === "..") {
        if (stack.length > 1) stack.pop();
        last = { parent, name, node: stack.at(-1)?.node, path: pathOf(stack, "") };
        continue;
      }
      const node = parent.entries.get(name);
      const isLast = pending.length === 0;
      if (node?.kind === "symlink" && (follow || !isLast)) {
        if (++links > MAX_LINKS) throw new FileSystemError("link_loop", path);
        if (node.target.startsWith("/")) stack = [{ name: "", node: this.#root }];
        pending.unshift(...node.target.split("/").filter((part) => part !== "" && part !== "."));
        continue;
      }
      last = { parent, name, node, path: pathOf(stack, name) };
      if (isLast) break;
      if (node === undefined) throw new FileSystemError("missing", path);
      if (node.kind !== "directory") throw new FileSystemError("not_directory", path);
      stack.push({ name, node });
    }
    return last;
  }

  #makeDirectory(path: string): void {
    const parts = path.split("/").filter((part) => part !== "");
    for (let count = 1; count <= parts.length; count++) {
      const { parent, name, node } = this.#find(`/${parts.slice(0, count).join("/")}`, true);
      if (node === undefined) parent.entries.set(name, this.#newDirectory());
      else if (node.kind !== "directory") {
        throw new FileSystemError(count === parts.length ? "exists" : "not_directory", path);
      }
    }
  }

  #newDirectory(): DirectoryNode {
    return { ...this.#inode(0o755), kind: "directory", entries: new Map() };
  }

  #inode(mode: number): Inode {
    const number = ++this.#inodes;
    return { number, mode, modified: this.#tick(), links: 1, uid: 1000, gid: 1000 };
  }

  /** Time that always moves, so that every write shows in `modified`. */
  #tick(): number {
    return this.#clock += 1000;
  }
}

function pathOf(stack: readonly { name: string }[], name: string): string {
  const parts = [...stack.map((one) => one.name), name].filter((part) => part !== "");
  return `/${parts.join("/")}`;
}

function infoOf(node: Node): FileInfo {
  return {
    kind: node.kind,
    size: node.kind === "file" ? node.bytes.length : 0,
    modified: node.modified,
    mode: node.mode,
    uid: node.uid,
    gid: node.gid,
    inode: node.number,
    device: 1,
    links: node.links,
  };
}
