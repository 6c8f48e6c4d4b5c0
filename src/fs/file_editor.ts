// Owns: the one write path: lock, fresh read, pure change, undo snapshot, atomic replace.
// Must not know: ids, matching, messages, which tool asks.

import { formatDocument, type TextDocument } from "../text/document.ts";
import type { Hunk } from "../text/line_edit.ts";
import { removeAsExpected, writeAtomically, type WriteResult } from "./atomic_write.ts";
import { type CurrentFile, type DiskFile, readDisk, snapshotOf } from "./disk_file.ts";
import { FileLocks } from "./file_lock.ts";
import { FileSystemError } from "./file_system.ts";
import { pathsOf } from "./access.ts";
import { type Snapshot, UndoHistory } from "./undo_history.ts";
import { placesOf, planUndo, textOf, type UndoConflict } from "./undo_plan.ts";
import type { ResolvedPath } from "./workspace.ts";

/** What a change decides; it may be asked again when another program wrote meanwhile. */
export type PlannedChange<Stop> =
  | { readonly kind: "write"; readonly document: TextDocument; readonly hunks: readonly Hunk[] }
  | { readonly kind: "stop"; readonly stop: Stop };

/** How the file was written or kept, where that differs from the usual. */
export type WriteNote = "hard_links" | "closed_directory" | "too_large_for_undo";

export interface WrittenFile {
  readonly kind: "written";
  readonly before: TextDocument | undefined;
  readonly after: TextDocument;
  readonly hunks: readonly Hunk[];
  readonly notes: readonly WriteNote[];
}

export type EditOutcome<Stop> = WrittenFile | { readonly kind: "stopped"; readonly stop: Stop };

export type RemoveOutcome =
  | { readonly kind: "removed"; readonly content: CurrentFile }
  | { readonly kind: "too_large" };

export type UndoOutcome =
  | { readonly kind: "nothing" }
  | {
    readonly kind: "undone";
    readonly reverses: "edit" | "undo";
    /** Undefined where the file does not exist on that side, or is not text. */
    readonly before: TextDocument | undefined;
    readonly after: TextDocument | undefined;
    readonly exists: boolean;
    readonly hunks: readonly Hunk[];
    /** True when a change by someone else was kept. */
    readonly merged: boolean;
    readonly levelsLeft: number;
    readonly notes: readonly WriteNote[];
  }
  | UndoConflict;

/** Edits computed anew because another program keeps writing: after this many the call fails. */
const MAX_ATTEMPTS = 8;

export class FileEditor {
  readonly #locks = new FileLocks();
  readonly #undo: UndoHistory;

  constructor(undo: UndoHistory = new UndoHistory()) {
    this.#undo = undo;
  }

  /** Resolves when no edit is under way. */
  idle(): Promise<void> {
    return this.#locks.idle();
  }

  /** True when an edit of this session found `oldText` in the file and left `newText` in its place. */
  hasReplaced(key: string, { oldText, newText }: { oldText: string; newText: string }): boolean {
    return this.#undo.edits(key).some(({ before, after }) => {
      const [was, is] = [before && textOf(before.bytes), after && textOf(after.bytes)];
      return was?.text.includes(oldText) === true && !was.text.includes(newText) &&
        is?.text.includes(newText) === true;
    });
  }

  /** Runs a pure `change` on the file's content and writes what it decides. Throws FileSystemError; then nothing has changed. */
  edit<Stop>(
    target: ResolvedPath,
    change: (current: CurrentFile) => PlannedChange<Stop>,
  ): Promise<EditOutcome<Stop>> {
    return this.#locks.run(lockKey(target), async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const disk = await readDisk(target);
        const plan = change(disk.current);
        if (plan.kind === "stop") return { kind: "stopped", stop: plan.stop };
        const bytes = formatDocument(plan.document);
        if (disk.expected === undefined) await makeParent(target);
        const result = await writeAtomically(target, { bytes, expected: disk.expected });
        if (result.kind === "changed_meanwhile") continue;
        const mode = disk.expected?.info.mode ?? await modeOf(target);
        const kept = this.#undo.record(target.key, {
          before: snapshotOf(disk.expected),
          after: { bytes, mode },
          places: placesOf(plan.hunks),
        });
        const before = disk.current.kind === "text" ? disk.current.document : undefined;
        const notes = notesOf(result, kept);
        return { kind: "written", before, after: plan.document, hunks: plan.hunks, notes };
      }
      throw keepsChanging(target);
    });
  }

  /** Removes a file, or the link itself where the path names one. Throws FileSystemError; then nothing has changed. */
  remove(target: ResolvedPath): Promise<RemoveOutcome> {
    return this.#locks.run(lockKey(target), async () => {
      const { info, fileSystem, path } = target;
      if (info?.kind === "symlink") {
        await fileSystem.removeFile(path);
        return { kind: "removed", content: { kind: "absent" } };
      }
      // What could not be brought back is not read, and not removed either.
      if ((info?.size ?? 0) > this.#undo.bounds.bytes) return { kind: "too_large" };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { expected, current } = await readDisk(target);
        if (expected === undefined) throw new FileSystemError("missing", path);
        if (expected.bytes.length > this.#undo.bounds.bytes) return { kind: "too_large" };
        if (await removeAsExpected(target, expected) === "changed_meanwhile") continue;
        this.#undo.record(target.key, {
          before: snapshotOf(expected),
          after: undefined,
          places: [],
        });
        return { kind: "removed", content: current };
      }
      throw keepsChanging(target);
    });
  }

  /** Takes the last edit of the file back; what others wrote since is kept or stops the undo. */
  undo(target: ResolvedPath): Promise<UndoOutcome> {
    return this.#locks.run(lockKey(target), async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const next = this.#undo.next(target.key);
        if (next === undefined) return { kind: "nothing" };
        const disk = await readDisk(target);
        const plan = planUndo(next.entry, disk);
        if (plan.kind === "conflict") return plan;
        const result = await writeSnapshot(target, { snapshot: plan.restored, disk });
        if (result.kind === "changed_meanwhile") continue;
        this.#undo.complete(target.key, {
          before: snapshotOf(disk.expected),
          after: plan.restored,
          places: placesOf(plan.hunks),
        });
        return {
          kind: "undone",
          reverses: next.reverses,
          before: disk.current.kind === "text" ? disk.current.document : undefined,
          after: plan.document,
          exists: plan.restored !== undefined,
          hunks: plan.hunks,
          merged: plan.merged,
          levelsLeft: this.#undo.levelsLeft(target.key),
          notes: notesOf(result, true),
        };
      }
      throw keepsChanging(target);
    });
  }
}

async function writeSnapshot(
  target: ResolvedPath,
  { snapshot, disk }: { readonly snapshot: Snapshot | undefined; readonly disk: DiskFile },
): Promise<WriteResult> {
  const { expected } = disk;
  if (snapshot === undefined) {
    const removed = expected === undefined || await removeAsExpected(target, expected);
    return { kind: removed === "changed_meanwhile" ? removed : "replaced" };
  }
  if (expected === undefined) await makeParent(target);
  return await writeAtomically(target, { ...snapshot, expected });
}

/** The names of a file with hard links share one lock, too. */
function lockKey({ fileSystem, key, info }: ResolvedPath): string {
  if ((info?.links ?? 1) <= 1 || info?.inode === undefined) return key;
  return `${fileSystem.key} ${info.device}:${info.inode}`;
}

function makeParent({ fileSystem, path }: ResolvedPath): Promise<void> {
  return fileSystem.makeDirectory(pathsOf(fileSystem).dirname(path));
}

async function modeOf({ fileSystem, path }: ResolvedPath): Promise<number | undefined> {
  return (await fileSystem.stat(path).catch(() => undefined))?.mode;
}

function notesOf(result: WriteResult, keptForUndo: boolean): WriteNote[] {
  const notes: WriteNote[] = [];
  if (result.kind === "in_place") notes.push(result.reason);
  if (!keptForUndo) notes.push("too_large_for_undo");
  return notes;
}

function keepsChanging({ path }: ResolvedPath): FileSystemError {
  return new FileSystemError("failed", path, {
    message: "another program keeps writing this file; nothing was written",
  });
}
