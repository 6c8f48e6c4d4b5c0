// Owns: the memory of what each file was before and after every edit, with its bounds.
// Must not know: how a file is written, how an undo is merged.

export interface Snapshot {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
  /** The owner, where the file may have to be made again. */
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** One place that changed, as lines of the text before and of the text after, 0-based. */
export interface ChangedPlace {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** One change of one file; `undefined` on a side means that the file did not exist. */
export interface UndoEntry {
  readonly before: Snapshot | undefined;
  readonly after: Snapshot | undefined;
  /** In file order. The lines themselves are in the snapshots, whose size is bounded. */
  readonly places: readonly ChangedPlace[];
}

export interface UndoBounds {
  readonly levels: number;
  readonly bytes: number;
}

const DEFAULT_BOUNDS: UndoBounds = { levels: 10, bytes: 64 * 1024 * 1024 };

interface FileHistory {
  /** Oldest first. */
  readonly done: UndoEntry[];
  /** What was undone, so that an undo can be taken back when nothing older is left. */
  readonly undone: UndoEntry[];
}

export class UndoHistory {
  /** The file edited longest ago comes first and is forgotten first. */
  readonly #files = new Map<string, FileHistory>();
  #bytes = 0;

  constructor(readonly bounds: UndoBounds = DEFAULT_BOUNDS) {}

  /** False when the entry alone is over the bound: then it is not kept. */
  record(key: string, entry: UndoEntry): boolean {
    const size = entrySize(entry);
    if (size > this.bounds.bytes) {
      this.#forget(key);
      return false;
    }
    const history = this.#touch(key);
    for (const undone of history.undone.splice(0)) this.#bytes -= entrySize(undone);
    history.done.push(entry);
    this.#bytes += size;
    if (history.done.length > this.bounds.levels) this.#drop(history.done);
    this.#makeRoom();
    return true;
  }

  /** The edits of a file that can be undone, oldest first. */
  edits(key: string): readonly UndoEntry[] {
    return this.#files.get(key)?.done ?? [];
  }

  /** What `undo_edit` should reverse next: the last edit, or the last undo when no edit is left. */
  next(key: string): { readonly entry: UndoEntry; readonly reverses: "edit" | "undo" } | undefined {
    const history = this.#files.get(key);
    const edit = history?.done.at(-1);
    if (edit !== undefined) return { entry: edit, reverses: "edit" };
    const undo = history?.undone.at(-1);
    if (undo === undefined) return undefined;
    return { entry: invertEntry(undo), reverses: "undo" };
  }

  /** Moves the entry that `next` named to the other side, as what was really written: `before` to `after`. */
  complete(key: string, written: UndoEntry): void {
    const { done, undone } = this.#touch(key);
    const reversedEdit = done.length > 0;
    const moved = (reversedEdit ? done : undone).pop();
    if (moved !== undefined) this.#bytes -= entrySize(moved);
    // Both sides hold entries in the direction of the edit.
    if (reversedEdit) undone.push(invertEntry(written));
    else done.push(written);
    this.#bytes += entrySize(written);
    this.#makeRoom();
  }

  levelsLeft(key: string): number {
    return this.#files.get(key)?.done.length ?? 0;
  }

  #touch(key: string): FileHistory {
    const history = this.#files.get(key) ?? { done: [], undone: [] };
    this.#files.delete(key);
    this.#files.set(key, history);
    return history;
  }

  #drop(entries: UndoEntry[]): void {
    const dropped = entries.shift();
    if (dropped !== undefined) this.#bytes -= entrySize(dropped);
  }

  #forget(key: string): void {
    const history = this.#files.get(key);
    if (history === undefined) return;
    while (history.done.length > 0) this.#drop(history.done);
    while (history.undone.length > 0) this.#drop(history.undone);
    this.#files.delete(key);
  }

  #makeRoom(): void {
    while (this.#bytes > this.bounds.bytes) {
      const oldest = this.#files.entries().next().value;
      if (oldest === undefined) return;
      const [key, history] = oldest;
      if (history.done.length > 0) this.#drop(history.done);
      else if (history.undone.length > 0) this.#drop(history.undone);
      if (history.done.length === 0 && history.undone.length === 0) this.#files.delete(key);
    }
  }
}

/** The entry that takes the change back. */
export function invertEntry(entry: UndoEntry): UndoEntry {
  const places = entry.places.map((place) => ({
    oldStart: place.newStart,
    oldCount: place.newCount,
    newStart: place.oldStart,
    newCount: place.oldCount,
  }));
  return { before: entry.after, after: entry.before, places };
}

function entrySize(entry: UndoEntry): number {
  return (entry.before?.bytes.length ?? 0) + (entry.after?.bytes.length ?? 0);
}
