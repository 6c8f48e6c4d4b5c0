// Owns: one row of a terminal: text written over other text at a column.
// Must not know: the cursor, control sequences, other rows.

/** Columns that a cursor may be sent to, and that stay open to change at the end of a row. */
export const WIDEST = 300;

const HALF_PAIR = /^[\udc00-\udfff]/;

/** One row: what a cursor can still change is at its end, so that a change costs the same in a long row. */
export class TerminalRow {
  #settled = "";
  #live = "";

  get length(): number {
    return this.#settled.length + this.#live.length;
  }

  get text(): string {
    return this.#settled + this.#live;
  }

  /** Writes over what is there; blanks fill the way to a column beyond the end. */
  put(column: number, run: string): void {
    const at = Math.max(0, column - this.#settled.length);
    const before = at < this.#live.length ? this.#live.slice(0, at) : this.#live.padEnd(at);
    this.#live = before + run + this.#live.slice(at + run.length).replace(HALF_PAIR, "");
    if (this.#live.length <= 2 * WIDEST) return;
    this.#settled += this.#live.slice(0, -WIDEST);
    this.#live = this.#live.slice(-WIDEST);
  }

  keep(length: number): void {
    if (length < this.#settled.length) this.#settled = this.#settled.slice(0, length);
    this.#live = this.#live.slice(0, Math.max(0, length - this.#settled.length));
  }

  blank(length: number): void {
    this.put(0, " ".repeat(Math.min(length, this.#live.length)));
  }

  trimEnd(): void {
    this.#live = this.#live.trimEnd();
    if (this.#live === "") this.#settled = this.#settled.trimEnd();
  }

  isPairBefore(column: number): boolean {
    const at = column - this.#settled.length;
    return /[\udc00-\udfff]/.test(this.#live[at - 1] ?? "");
  }
}
