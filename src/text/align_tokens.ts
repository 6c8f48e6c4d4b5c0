// Owns: the longest common subsequence of two short sequences, with the pairs.
// Must not know: what the items mean.

/** Cells of the table that are worth filling, two bytes each: some ten milliseconds. */
const MOST_CELLS = 4_000_000;

/** For each item of `right` the index of its equal in `left`, or -1; undefined when both are too long. */
export function alignTokens(
  left: readonly string[],
  right: readonly string[],
): Int32Array | undefined {
  const places = new Int32Array(right.length).fill(-1);
  let start = 0;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (start < leftEnd && start < rightEnd && left[start] === right[start]) {
    places[start] = start;
    start++;
  }
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    places[--rightEnd] = --leftEnd;
  }
  const rows = leftEnd - start;
  const columns = rightEnd - start;
  if (rows * columns > MOST_CELLS) return undefined;
  const lengths = commonLengths(left.slice(start, leftEnd), right.slice(start, rightEnd));
  const at = (row: number, column: number) => lengths[row * (columns + 1) + column] ?? 0;
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (left[start + row] === right[start + column]) {
      places[start + column] = start + row;
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return places;
}

/** Length of the longest common subsequence of every pair of tails, row by row. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] = left[row] === right[column]
        ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
        : Math.max(
          lengths[(row + 1) * width + column] ?? 0,
          lengths[row * width + column + 1] ?? 0,
        );
    }
  }
  return lengths;
}
