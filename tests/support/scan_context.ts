// Owns: a ToolContext over one directory for tests of listing and search, without a session.
// Must not know: single tests.

import { FileEditor } from "../../src/fs/file_editor.ts";
import type { FileSystem } from "../../src/fs/file_system.ts";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { ScanService, type ScanServiceOptions } from "../../src/fs/scan_service.ts";
import { Workspace } from "../../src/fs/workspace.ts";
import { ShownLines } from "../../src/text/shown_lines.ts";
import type { ToolContext, ToolOutput } from "../../src/tools/tool.ts";

export interface ScanContext extends ToolContext, Disposable {
  readonly messages: string[];
}

export interface ScanContextOptions extends ScanServiceOptions {
  readonly fileSystem?: FileSystem;
  readonly signal?: AbortSignal;
}

/** A context whose root and working directory is `root`. */
export function scanContext(root: string, options: ScanContextOptions = {}): ScanContext {
  const local = options.fileSystem ?? new LocalFileSystem();
  const scans = new ScanService(options);
  const messages: string[] = [];
  return {
    workspace: new Workspace({
      local,
      allowed: [{ fileSystem: local, path: root, writable: true }],
    }),
    editor: new FileEditor(),
    shown: new ShownLines(),
    scans,
    signal: options.signal ?? new AbortController().signal,
    progress: (message) => messages.push(message),
    messages,
    [Symbol.dispose]: () => scans.close(),
  };
}

/** The text of an answer, with its hints as `Hint: …` lines. */
export function textOf({ content, hints = [] }: ToolOutput): string {
  const texts = content.map((part) => part.type === "text" ? part.text : "");
  return [...texts, ...hints.map((hint) => `Hint: ${hint}`)].join("\n");
}

/** Makes the files of a tree; a `null` content makes a directory. */
export function writeTree(
  root: string,
  files: { readonly [path: string]: string | Uint8Array | null },
): void {
  for (const [path, content] of Object.entries(files)) {
    const directory = content === null ? path : path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    Deno.mkdirSync(`${root}/${directory}`, { recursive: true });
    if (content === null) continue;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(`${root}/${path}`, bytes);
  }
}
