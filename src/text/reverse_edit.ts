// Owns: taking an edit back in a document that someone else has changed since. PURE.
// Must not know: the undo history, files.

import type { Line, TextDocument } from "./document.ts";
import type { Hunk, LineEdit } from "./line_edit.ts";

export type ReversedEdit =
  | { readonly kind: "edits"; readonly edits: readonly LineEdit[] }
  /** The lines of this hunk no longer stand where or as they were written. */
  | { readonly kind: "conflict"; readonly hunk: Hunk; readonly currentStart: number };

/**
 * The edits that reverse `hunks` (which led to `after`) in `current`, keeping every other change.
 * A hunk is reversed only where its own lines still stand together.
 */
export function reverseInChanged(
  { after, current }: { readonly after: TextDocument; readonly current: TextDocument },
  hunks: readonly Hunk[],
): ReversedEdit {
  const places = alignLines(after.lines(), current.lines());
  const edits: LineEdit[] = [];
  for (const hunk of hunks) {
    const start = standingAt(hunk, { places, currentCount: current.lineCount });
    if (start === undefined) {
      return { kind: "conflict", hunk, currentStart: nearPlace(hunk, places) };
    }
    edits.push({ start, end: start + hunk.newLines.length, lines: hunk.oldLines });
  }
  return { kind: "edits", edits };
}

function standingAt(
  hunk: Hunk,
  { places, currentCount }: { readonly places: Int32Array; readonly currentCount: number },
): number | undefined {
  const count = hunk.newLines.length;
  const above = hunk.newStart === 0 ? -1 : places[hunk.newStart - 1];
  if (count === 0) {
    // Lines were only removed: they come back between the two neighbours, if these still touch.
    const below = hunk.newStart === places.length ? currentCount : places[hunk.newStart];
    const touch = above !== undefined && below !== undefined && below === above + 1 &&
      (above !== -1 || hunk.newStart === 0);
    return touch ? below : undefined;
  }
  const start = places[hunk.newStart];
  if (start === undefined || start === -1) return undefined;
  for (let index = 1; index < count; index++) {
    if (places[hunk.newStart + index] !== start + index) return undefined;
  }
  return start;
}

function nearPlace(hunk: Hunk, places: Int32Array): number {
  for (let index = Math.min(hunk.newStart, places.length - 1); index >= 0; index--) {
    const place = places[index];
    if (place !== undefined && place !== -1) return place;
  }
  return 0;
}

/** For each line of `left` the index of the same line in `right`, or -1; never crossing (patience diff). */
export function alignLines(left: readonly Line[], right: readonly Line[]): Int32Array {
  const places = new Int32Array(left.length).fill(-1);
  const pending = [{ leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length }];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    let { leftStart, leftEnd, rightStart, rightEnd } = span;
    while (
      leftStart < leftEnd && rightStart < rightEnd && same(left[leftStart], right[rightStart])
    ) {
      places[leftStart++] = rightStart++;
    }
    while (
      leftStart < leftEnd && rightStart < rightEnd && same(left[leftEnd - 1], right[rightEnd - 1])
    ) {
      places[--leftEnd] = --rightEnd;
    }
    if (leftStart === leftEnd || rightStart === rightEnd) continue;
    const anchors = uniqueAnchors(left, right, { leftStart, leftEnd, rightStart, rightEnd });
    for (const [anchorLeft, anchorRight] of anchors) {
      pending.push({ leftStart, leftEnd: anchorLeft, rightStart, rightEnd: anchorRight });
      places[anchorLeft] = anchorRight;
      leftStart = anchorLeft + 1;
      rightStart = anchorRight + 1;
    }
    if (anchors.length > 0) pending.push({ leftStart, leftEnd, rightStart, rightEnd });
  }
  return places;
}

interface Span {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

/** Lines that occur once on each side, in the longest order that both sides share. */
function uniqueAnchors(
  left: readonly Line[],
  right: readonly Line[],
  span: Span,
): (readonly [number, number])[] {
  const onRight = uniqueLines(right, span.rightStart, span.rightEnd);
  const pairs: (readonly [number, number])[] = [];
  for (const [key, leftIndex] of uniqueLines(left, span.leftStart, span.leftEnd)) {
    const rightIndex = onRight.get(key);
    if (rightIndex !== undefined) pairs.push([leftIndex, rightIndex]);
  }
  pairs.sort((one, other) => one[0] - other[0]);
  return longestIncreasing(pairs);
}

function uniqueLines(lines: readonly Line[], start: number, end: number): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  for (let index = start; index < end; index++) {
    const line = lines[index];
    if (line === undefined) continue;
    const key = line.text + line.ending;
    if (found.has(key)) repeated.add(key);
    else found.set(key, index);
  }
  for (const key of repeated) found.delete(key);
  return found;
}

function longestIncreasing(
  pairs: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach((pair, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tails[low - 1] ?? -1 : -1;
    tails[low] = index;
  });
  const chain: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.unshift(pair);
  }
  return chain;
}

function same(left: Line | undefined, right: Line | undefined): boolean {
  return left !== undefined && right !== undefined && left.text === right.text &&
    left.ending === right.ending;
}
