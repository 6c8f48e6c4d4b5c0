// Owns: whether a line reference still names the line it was shown for, and the facts when it does not.
// Must not know: which tool asks, the words of an answer, files.

import type { TextDocument } from "./document.ts";
import type { NumberedLine } from "./excerpt.ts";
import { formatLineId, hashLine, lineFingerprint, type LineRef } from "./line_id.ts";

/** What a session remembers of the ids it has shown of one file. */
export interface ShownIds {
  fingerprint(id: string): number | undefined;
}

/** The current lines around the place that an id names, and where its line may be now. */
export interface StaleId {
  readonly kind: "stale";
  /** The id as asked for, `N:hh`. */
  readonly id: string;
  /** 1-based, as asked for; it may lie after the last line. */
  readonly line: number;
  readonly hash: string;
  readonly lineCount: number;
  /** Two lines before to two after; the last lines of the file where the id lies after them. */
  readonly excerpt: readonly NumberedLine[];
  /** Lines that the id may have meant, nearest first, at most 3. */
  readonly candidates: readonly NumberedLine[];
  /** True when the text shown under the id is known: then every candidate has that text. */
  readonly remembered: boolean;
}

/** The id holds, but the text pasted after it is not the text of its line. */
export interface PastedTextDiffers {
  readonly kind: "pasted_text_differs";
  readonly id: string;
  readonly pastedText: string;
  readonly excerpt: readonly NumberedLine[];
}

export interface OutOfRange {
  readonly kind: "out_of_range";
  readonly value: number;
  readonly lineCount: number;
}

export type LineCheck =
  | { readonly kind: "ok"; readonly index: number }
  | StaleId
  | PastedTextDiffers
  | OutOfRange;

type IdRef = Extract<LineRef, { kind: "id" }>;

const CONTEXT = 2;
const MOST_CANDIDATES = 3;

/** Checks line references against one document and the memory of what was shown of it. */
export class LineChecker {
  #byHash: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(readonly document: TextDocument, readonly shown: ShownIds) {}

  /** A number is a position, 1-based, negative ones count from the end; an id must still hold. */
  check(ref: LineRef): LineCheck {
    return ref.kind === "number" ? this.#checkNumber(ref.value) : this.#checkId(ref);
  }

  #checkNumber(value: number): LineCheck {
    const lineCount = this.document.lineCount;
    const index = value < 0 ? lineCount + value : value - 1;
    if (index < 0 || index >= lineCount) return { kind: "out_of_range", value, lineCount };
    return { kind: "ok", index };
  }

  #checkId(ref: IdRef): LineCheck {
    const index = ref.line - 1;
    const id = `${ref.line}:${ref.hash}`;
    const remembered = this.shown.fingerprint(id);
    if (index >= this.document.lineCount) return this.#stale(ref, remembered);
    const text = this.document.lineText(index);
    if (hashLine(text) !== ref.hash) return this.#stale(ref, remembered);
    if (remembered !== undefined && lineFingerprint(text) !== remembered) {
      return this.#stale(ref, remembered);
    }
    if (ref.pastedText !== undefined && !isPastedTextOf(ref.pastedText, text)) {
      const { pastedText } = ref;
      return { kind: "pasted_text_differs", id, pastedText, excerpt: this.#around(index) };
    }
    return { kind: "ok", index };
  }

  #stale(ref: IdRef, remembered: number | undefined): StaleId {
    const { pastedText } = ref;
    const isCandidate = (text: string): boolean => {
      if (remembered !== undefined) return lineFingerprint(text) === remembered;
      return pastedText === undefined || isPastedTextOf(pastedText, text);
    };
    return {
      kind: "stale",
      id: `${ref.line}:${ref.hash}`,
      line: ref.line,
      hash: ref.hash,
      lineCount: this.document.lineCount,
      excerpt: this.#around(Math.min(ref.line, this.document.lineCount) - 1),
      candidates: this.#nearest(ref, isCandidate),
      remembered: remembered !== undefined,
    };
  }

  #around(index: number): NumberedLine[] {
    const start = Math.max(0, index - CONTEXT);
    const end = Math.min(this.document.lineCount, index + CONTEXT + 1);
    return this.document.lines(start, end)
      .map(({ text }, offset) => ({ number: start + offset + 1, text }));
  }

  #nearest(ref: IdRef, isCandidate: (text: string) => boolean): NumberedLine[] {
    const origin = ref.line - 1;
    const distance = (line: NumberedLine) => Math.abs(line.number - ref.line);
    return (this.#linesByHash().get(ref.hash) ?? [])
      // There the id was just found not to hold.
      .filter((index) => index !== origin)
      .map((index) => ({ number: index + 1, text: this.document.lineText(index) }))
      .filter(({ text }) => isCandidate(text))
      // At equal distance the later line: more often lines were added above than removed.
      .sort((left, right) => distance(left) - distance(right) || right.number - left.number)
      .slice(0, MOST_CANDIDATES);
  }

  /** Kept, because one batch may hold a hundred stale ids of a large file. */
  #linesByHash(): ReadonlyMap<string, readonly number[]> {
    if (this.#byHash !== undefined) return this.#byHash;
    const byHash = new Map<string, number[]>();
    for (let index = 0; index < this.document.lineCount; index++) {
      const hash = hashLine(this.document.lineText(index));
      const indexes = byHash.get(hash);
      if (indexes) indexes.push(index);
      else byHash.set(hash, [index]);
    }
    this.#byHash = byHash;
    return byHash;
  }
}

const CUT_MARK = /… \[line of [\d,]+ characters, cut\]$/;

/** Blanks at the edges do not count; a line may come as it was shown, cut or with U+FFFD for bytes. */
function isPastedTextOf(pasted: string, text: string): boolean {
  const shown = text.toWellFormed();
  if (pasted.trim() === shown.trim()) return true;
  return CUT_MARK.test(pasted) && shown.startsWith(pasted.replace(CUT_MARK, ""));
}

/** `N:hh` of a line of the document. */
export function lineIdAt(document: TextDocument, index: number): string {
  return formatLineId(index + 1, document.lineText(index));
}
