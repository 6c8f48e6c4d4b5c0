// Owns: the one write path: lock, fresh read, pure change, undo snapshot, atomic replace.
// Must not know: ids, matching, messages, which tool asks.

import { formatDocument, parseDocument, TextDocument } from "../text/document.ts";
import { applyLineEdits, type Hunk } from "../text/line_edit.ts";
import { reverseInChanged } from "../text/reverse_edit.ts";
import {
  equalBytes,
  type ExpectedContent,
  writeAtomically,
  type WriteResult,
} from "./atomic_write.ts";
import { FileLocks } from "./file_lock.ts";
import { FileSystemError, isMissing } from "./file_system.ts";
import { pathsOf } from "./access.ts";
import { type Snapshot, type UndoEntry, UndoHistory } from "./undo_history.ts";
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
  | {
    readonly kind: "removed";
    readonly content: CurrentFile;
    readonly notes: readonly WriteNote[];
  }
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
  | {
    readonly kind: "conflict";
    /** Undefined where the whole content would be lost rather than some lines. */
    readonly hunk: Hunk | undefined;
    readonly current: TextDocument | undefined;
    readonly currentStart: number;
  };

/** Edits computed anew because another program keeps writing: after this many the call fails. */
const MAX_ATTEMPTS = 8;

interface DiskFile {
  readonly expected: ExpectedContent | undefined;
  readonly current: CurrentFile;
}

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

  /** Runs a pure `change` on the file's content and writes what it decides. Throws FileSystemError; then nothing has changed. */
  edit<Stop>(
    target: ResolvedPath,
    change: (current: CurrentFile) => PlannedChange<Stop>,
  ): Promise<EditOutcome<Stop>> {
    return this.#locks.run(target.key, async () => {
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
          hunks: plan.hunks,
        });
        const before = disk.current.kind === "text" ? disk.current.document : undefined;
        const notes = notesOf(result, kept);
        return { kind: "written", before, after: plan.document, hunks: plan.hunks, notes };
      }
      throw keepsChanging(target);
    });
  }

  /** Removes a file, or the link itself where the path names one. */
  remove(target: ResolvedPath): Promise<RemoveOutcome> {
    return this.#locks.run(target.key, async () => {
      const isLink = target.info?.kind === "symlink";
      const disk = isLink ? undefined : await readDisk(target);
      const before = snapshotOf(disk?.expected);
      const entry = before && { before, after: undefined, hunks: [] };
      if (entry && entry.before.bytes.length > this.#undo.bounds.bytes) {
        return { kind: "too_large" };
      }
      await target.fileSystem.removeFile(target.path);
      if (entry) this.#undo.record(target.key, entry);
      return { kind: "removed", content: disk?.current ?? { kind: "absent" }, notes: [] };
    });
  }

  /** Takes the last edit of the file back; what others wrote since is kept or stops the undo. */
  undo(target: ResolvedPath): Promise<UndoOutcome> {
    return this.#locks.run(target.key, async () => {
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
          hunks: plan.hunks,
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

type UndoPlan =
  | {
    readonly kind: "restore";
    readonly restored: Snapshot | undefined;
    readonly document: TextDocument | undefined;
    readonly hunks: readonly Hunk[];
    readonly merged: boolean;
  }
  | Extract<UndoOutcome, { kind: "conflict" }>;

function planUndo(entry: UndoEntry, disk: DiskFile): UndoPlan {
  const current = disk.current.kind === "text" ? disk.current.document : undefined;
  if (isUntouched(entry.after, disk.expected)) {
    const document = entry.before && textOf(entry.before.bytes);
    const hunks = wholeHunks(current, document);
    return { kind: "restore", restored: entry.before, document, hunks, merged: false };
  }
  const after = entry.after && textOf(entry.after.bytes);
  if (current === undefined || after === undefined || entry.hunks.length === 0) {
    return { kind: "conflict", hunk: undefined, current, currentStart: 0 };
  }
  const reversed = reverseInChanged({ after, current }, entry.hunks);
  if (reversed.kind === "conflict") return { ...reversed, current };
  const { document, hunks } = applyLineEdits(current, reversed.edits);
  const restored = { bytes: formatDocument(document), mode: disk.expected?.info.mode };
  return { kind: "restore", restored, document, hunks, merged: true };
}

function isUntouched(after: Snapshot | undefined, now: ExpectedContent | undefined): boolean {
  if (after === undefined || now === undefined) return after === now;
  return equalBytes(after.bytes, now.bytes);
}

/** The smallest change of whole lines that leads from one text to the other. */
function wholeHunks(from: TextDocument | undefined, to: TextDocument | undefined): readonly Hunk[] {
  const start = from ?? new TextDocument("");
  const whole = { start: 0, end: start.lineCount, lines: to?.lines() ?? [] };
  return applyLineEdits(start, [whole]).hunks;
}

async function writeSnapshot(
  target: ResolvedPath,
  { snapshot, disk }: { readonly snapshot: Snapshot | undefined; readonly disk: DiskFile },
): Promise<WriteResult> {
  if (snapshot === undefined) {
    await target.fileSystem.removeFile(target.path);
    return { kind: "replaced" };
  }
  if (disk.expected === undefined) await makeParent(target);
  const { bytes, mode } = snapshot;
  return await writeAtomically(target, { bytes, expected: disk.expected, mode });
}

async function readDisk({ fileSystem, path }: ResolvedPath): Promise<DiskFile> {
  try {
    const info = await fileSystem.stat(path);
    if (info.kind === "directory") throw new FileSystemError("is_directory", path);
    if (info.kind !== "file") {
      throw new FileSystemError("unsupported", path, { message: "not a regular file" });
    }
    const bytes = await fileSystem.readFile(path);
    const parsed = parseDocument(bytes);
    const current: CurrentFile = parsed.kind === "text"
      ? parsed
      : { kind: "binary", reason: parsed.reason, size: bytes.length };
    return { expected: { bytes, info }, current };
  } catch (error) {
    if (isMissing(error)) return { expected: undefined, current: { kind: "absent" } };
    throw error;
  }
}

function makeParent({ fileSystem, path }: ResolvedPath): Promise<void> {
  return fileSystem.makeDirectory(pathsOf(fileSystem).dirname(path));
}

async function modeOf({ fileSystem, path }: ResolvedPath): Promise<number | undefined> {
  return (await fileSystem.stat(path).catch(() => undefined))?.mode;
}

function snapshotOf(content: ExpectedContent | undefined): Snapshot | undefined {
  return content && { bytes: content.bytes, mode: content.info.mode };
}

function textOf(bytes: Uint8Array): TextDocument | undefined {
  const parsed = parseDocument(bytes);
  return parsed.kind === "text" ? parsed.document : undefined;
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
