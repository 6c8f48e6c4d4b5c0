// Owns: what an undo would write, given what is there now; someone else's change is kept or stops it. PURE.
// Must not know: how files are read and written, words.

import { formatDocument, parseDocument, TextDocument } from "../text/document.ts";
import { applyLineEdits, type Hunk, invertHunks } from "../text/line_edit.ts";
import { reverseInChanged } from "../text/reverse_edit.ts";
import { equalBytes, type ExpectedContent } from "./atomic_write.ts";
import type { CurrentFile, DiskFile } from "./disk_file.ts";
import type { ChangedPlace, Snapshot, UndoEntry } from "./undo_history.ts";

/** The undo would overwrite what someone else did. */
export interface UndoConflict {
  readonly kind: "conflict";
  /** Undefined where the whole content would be lost rather than some lines. */
  readonly hunk: Hunk | undefined;
  readonly current: CurrentFile;
  /** 0-based line of `current` near which the lines of `hunk` should be. */
  readonly currentStart: number;
}

export type UndoPlan =
  | {
    readonly kind: "restore";
    readonly restored: Snapshot | undefined;
    readonly document: TextDocument | undefined;
    readonly hunks: readonly Hunk[];
    readonly merged: boolean;
  }
  | UndoConflict;

/** Takes `entry` back on the file as it is on the disk. */
export function planUndo(entry: UndoEntry, disk: DiskFile): UndoPlan {
  const { current } = disk;
  const now = current.kind === "text" ? current.document : undefined;
  const before = entry.before && textOf(entry.before.bytes);
  const mode = restoredMode(entry, disk);
  if (isUntouched(entry.after, disk.expected)) {
    const restored = entry.before && { ...entry.before, mode };
    const hunks = exactHunks({ now, before }, entry.places) ?? wholeHunks(now, before);
    return { kind: "restore", restored, document: before, hunks, merged: false };
  }
  const after = entry.after && textOf(entry.after.bytes);
  const isMergeable = entry.before === undefined || before?.form.encoding === now?.form.encoding;
  if (now === undefined || after === undefined || !isMergeable || entry.places.length === 0) {
    return { kind: "conflict", hunk: undefined, current, currentStart: 0 };
  }
  const hunks = hunksAt(entry.places, { before, after });
  const reversed = reverseInChanged({ after, current: now }, hunks);
  if (reversed.kind === "conflict") return { ...reversed, current };
  const merged = applyLineEdits(now, reversed.edits);
  const restored = { bytes: formatDocument(merged.document), mode };
  return { kind: "restore", restored, ...merged, merged: true };
}

/** An edit changes no mode, so one that differs by now is someone else's change, and stays. */
function restoredMode({ before, after }: UndoEntry, { expected }: DiskFile): number | undefined {
  if (expected === undefined) return before?.mode;
  return after !== undefined && before !== undefined && before.mode !== after.mode
    ? before.mode
    : expected.info.mode;
}

function isUntouched(after: Snapshot | undefined, now: ExpectedContent | undefined): boolean {
  if (after === undefined || now === undefined) return after === now;
  return equalBytes(after.bytes, now.bytes);
}

/** The edit's own places, in reverse, where they lead to the same text. */
function exactHunks(
  { now, before }: Readonly<Record<"now" | "before", TextDocument | undefined>>,
  places: readonly ChangedPlace[],
): readonly Hunk[] | undefined {
  if (now === undefined || before === undefined) return undefined;
  const applied = applyLineEdits(now, invertHunks(hunksAt(places, { before, after: now })));
  return applied.document.text === before.text ? applied.hunks : undefined;
}

function hunksAt(
  places: readonly ChangedPlace[],
  { before, after }: { readonly before: TextDocument | undefined; readonly after: TextDocument },
): Hunk[] {
  return places.map(({ oldStart, oldCount, newStart, newCount }) => ({
    oldStart,
    oldLines: before?.lines(oldStart, oldStart + oldCount) ?? [],
    newStart,
    newLines: after.lines(newStart, newStart + newCount),
  }));
}

/** Where hunks changed a text. */
export function placesOf(hunks: readonly Hunk[]): ChangedPlace[] {
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    oldStart,
    oldCount: oldLines.length,
    newStart,
    newCount: newLines.length,
  }));
}

/** The smallest change of whole lines that leads from one text to the other. */
function wholeHunks(from: TextDocument | undefined, to: TextDocument | undefined): readonly Hunk[] {
  const start = from ?? new TextDocument("");
  const whole = { start: 0, end: start.lineCount, lines: to?.lines() ?? [] };
  return applyLineEdits(start, [whole]).hunks;
}

export function textOf(bytes: Uint8Array): TextDocument | undefined {
  const parsed = parseDocument(bytes);
  return parsed.kind === "text" ? parsed.document : undefined;
}
