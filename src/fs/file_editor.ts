// Owns: the one write path: lock, fresh read, pure change, undo snapshot, atomic replace.
// Must not know: ids, matching, messages, which tool asks.

import type { TextDocument } from "../text/document.ts";
import type { Hunk } from "../text/line_edit.ts";
import type { ResolvedPath } from "./workspace.ts";

/** What is at the path right now, read under the lock. */
export type CurrentFile =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly document: TextDocument }
  | { readonly kind: "binary"; readonly reason: string; readonly size: number };

/** What a change decides; it may be asked again when another program wrote meanwhile. */
export type PlannedChange<Stop> =
  | { readonly kind: "write"; readonly document: TextDocument; readonly hunks: readonly Hunk[] }
  | { readonly kind: "stop"; readonly stop: Stop };

export type EditOutcome<Stop> =
  | {
    readonly kind: "written";
    readonly before: TextDocument | undefined;
    readonly after: TextDocument;
    readonly hunks: readonly Hunk[];
    /** What the agent should know about how it was written, e.g. in place because of hard links. */
    readonly notes: readonly string[];
  }
  | { readonly kind: "stopped"; readonly stop: Stop };

export interface FileEditor {
  /** Pure `change`: no file access inside. Throws FileSystemError; then nothing has changed. */
  edit<Stop>(
    target: ResolvedPath,
    change: (current: CurrentFile) => PlannedChange<Stop>,
  ): Promise<EditOutcome<Stop>>;
}
