// Owns: the guard against lines that would stand twice because a neighbour was sent along as content.
// Must not know: how operations are parsed or applied, words.

import type { TextDocument } from "./document.ts";
import type { NumberedLine } from "./excerpt.ts";

/** Lines `start` to `end` (0-based, half-open) are to become `lines`; an insert has `start === end`. */
export interface Placement {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export type Duplicate =
  /** The content's first line is the line just before the range. */
  | { readonly kind: "before_range"; readonly line: NumberedLine }
  /** The content's last line is the line just after the range. */
  | { readonly kind: "after_range"; readonly line: NumberedLine }
  /** The last inserted line is the line it would stand before. */
  | { readonly kind: "next_line"; readonly line: NumberedLine }
  /** The inserted block is already there, just before or just after its place. */
  | { readonly kind: "block"; readonly first: NumberedLine; readonly last: NumberedLine };

/** A closing bracket with at most one `,` or `;` repeats too often to mean anything, like a blank line. */
const EXEMPT = /^\s*(?:[}\])][,;]?\s*)?$/;

/** True for a line that the checks of single lines leave alone. */
export function isExemptFromGuard(text: string): boolean {
  return EXEMPT.test(text);
}

/**
 * What `placement` would make stand twice. `isReplaced` tells whether another operation of the same
 * batch takes the line at an index away: a line that leaves is moved, not doubled.
 */
export function findDuplicates(
  document: TextDocument,
  placement: Placement,
  isReplaced: (index: number) => boolean,
): readonly Duplicate[] {
  if (placement.lines.length === 0) return [];
  const stays = (index: number): NumberedLine | undefined => {
    if (index < 0 || index >= document.lineCount || isReplaced(index)) return undefined;
    return { number: index + 1, text: document.lineText(index) };
  };
  return placement.start === placement.end
    ? findInserted(placement, stays)
    : findReplaced(document, placement, stays);
}

type Lookup = (index: number) => NumberedLine | undefined;

function findReplaced(
  document: TextDocument,
  { start, end, lines }: Placement,
  stays: Lookup,
): Duplicate[] {
  const found: Duplicate[] = [];
  const first = lines[0] ?? "";
  const last = lines.at(-1) ?? "";
  const before = stays(start - 1);
  const after = stays(end);
  // A line that already stood beside its equal stays where it was: the edit doubles nothing.
  if (doubles(first, before) && document.lineText(start) !== first) {
    found.push({ kind: "before_range", line: before });
  }
  if (doubles(last, after) && document.lineText(end - 1) !== last) {
    found.push({ kind: "after_range", line: after });
  }
  return found;
}

function findInserted({ start, lines }: Placement, stays: Lookup): Duplicate[] {
  const block = lines.length < 2
    ? undefined
    : blockAt(start, lines, stays) ?? blockAt(start - lines.length, lines, stays);
  if (block) return [block];
  const next = stays(start);
  return doubles(lines.at(-1) ?? "", next) ? [{ kind: "next_line", line: next }] : [];
}

function blockAt(start: number, lines: readonly string[], stays: Lookup): Duplicate | undefined {
  const there = lines.map((text, offset) => {
    const line = stays(start + offset);
    return line?.text === text ? line : undefined;
  });
  const [first] = there;
  const last = there.at(-1);
  if (there.includes(undefined) || !first || !last) return undefined;
  return { kind: "block", first, last };
}

function doubles(text: string, neighbour: NumberedLine | undefined): neighbour is NumberedLine {
  return neighbour !== undefined && neighbour.text === text && !isExemptFromGuard(text);
}
