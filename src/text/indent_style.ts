// Owns: what an indentation is: leading blanks, columns, and the unit that lines are indented by.
// Must not know: replacements, windows.

/** Widths in which space indentation rises; by others a line is aligned with something above it. */
const WIDTHS: readonly number[] = [2, 3, 4, 8];

/** The blanks that a line begins with; all of a blank line. */
export function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

/** Columns of an indentation when one tab counts as `tabColumns`. */
export function columnsOf(indent: string, tabColumns: number): number {
  let columns = 0;
  for (const blank of indent) columns += blank === "\t" ? tabColumns : 1;
  return columns;
}

/** Whole units in `indent`, or undefined when it is anything but units. */
export function levelsOf(indent: string, unit: string): number | undefined {
  const levels = indent.length / unit.length;
  return Number.isInteger(levels) && indent === unit.repeat(levels) ? levels : undefined;
}

/** The unit that lines are indented by: a tab or some spaces; undefined without evidence. */
export function detectUnit(lines: readonly string[]): string | undefined {
  let tabs = 0;
  let spaces = 0;
  for (const line of lines) {
    if (line.startsWith("\t")) tabs++;
    else if (line.startsWith("  ")) spaces++;
  }
  if (tabs > 0 && tabs >= spaces) return "\t";
  const width = commonestStep(lines);
  return width === undefined ? undefined : " ".repeat(width);
}

/** The number of spaces by which one line most often stands deeper than the line above it. */
export function commonestStep(lines: readonly string[]): number | undefined {
  const steps: number[] = [];
  let above: number | undefined;
  for (const line of lines) {
    const indent = indentOf(line);
    if (indent.length === line.length || indent.includes("\t")) continue;
    const step = indent.length - (above ?? indent.length);
    if (WIDTHS.includes(step)) steps.push(step);
    above = indent.length;
  }
  return commonest(steps);
}

/** The value that occurs most often; of several the smallest. */
export function commonest(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | undefined;
  for (const [value, count] of [...counts].sort(([left], [right]) => left - right)) {
    if (best === undefined || count > (counts.get(best) ?? 0)) best = value;
  }
  return best;
}
