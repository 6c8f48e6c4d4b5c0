// Owns: the text a program printed -> the lines a person would have seen on a terminal.
// Must not know: processes, bytes, size limits, which stream it was.

import { TerminalRow, WIDEST } from "./terminal_row.ts";

/** Above this many equal lines in a row, one stands for all, with the count. */
const REPEATS_SHOWN = 2;
// A cursor may be sent anywhere; the screen does not grow to follow it farther than a real one would.
const TALLEST = 100;
const ROWS_SKIPPED = 10_000;

// deno-lint-ignore no-control-regex
const NEEDS_TERMINAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
// deno-lint-ignore no-control-regex
const PRINTABLE_RUN = /[^\u0000-\u0008\n-\u001f\u007f-\u009f]+/y;
const CONTROL_SEQUENCE = /([\u0030-\u003f]*)[\u0020-\u002f]*([\u0040-\u007e]?)/y;

/** Lines as they stand on the screen in the end, equal neighbours collapsed. */
export function renderTerminal(text: string): string {
  const plain = text.replaceAll("\r\n", "\n");
  const seen = NEEDS_TERMINAL.test(plain) ? new Screen().write(plain) : plain;
  return collapseRepeats(seen).toWellFormed();
}

/** Replaces the rest of a run of equal lines by its count. */
function collapseRepeats(text: string): string {
  const lines = text.split("\n");
  const last = lines.at(-1) === "" ? lines.pop() : undefined;
  const kept: string[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? "";
    let end = index + 1;
    while (end < lines.length && lines[end] === line) end++;
    const count = end - index;
    kept.push(line);
    if (count > REPEATS_SHOWN) kept.push(`[previous line repeated ${count - 1} more times]`);
    else if (count === 2) kept.push(line);
    index = end;
  }
  if (last !== undefined) kept.push(last);
  return kept.join("\n");
}

/** Rows without a width or a height; a cursor that writes, moves and erases. */
class Screen {
  readonly #rows: TerminalRow[] = [new TerminalRow()];
  #row = 0;
  #column = 0;
  /** First row that a cursor can reach: what stood on a cleared screen stays readable above it. */
  #top = 0;
  /** A carriage return came, so the next text begins a new frame of the line. */
  #returned = false;
  /** The row was written over, so blanks at its end only wiped something. */
  #rewritten = false;
  #saved: { readonly row: number; readonly column: number } | undefined;
  #skipped = 0;
  #source = "";
  #at = 0;

  write(text: string): string {
    this.#source = text;
    while (this.#at < text.length) {
      PRINTABLE_RUN.lastIndex = this.#at;
      const run = PRINTABLE_RUN.exec(text)?.[0];
      if (run === undefined) this.#control(text.charCodeAt(this.#at));
      else {
        this.#at += run.length;
        this.#print(run);
      }
    }
    if (this.#rewritten) this.#current.trimEnd();
    return this.#rows.map((row) => row.text).join("\n");
  }

  get #current(): TerminalRow {
    return this.#rows[this.#row] ?? this.#addRow();
  }

  #addRow(): TerminalRow {
    const row = new TerminalRow();
    this.#rows.push(row);
    return row;
  }

  #print(run: string): void {
    if (this.#returned && this.#column === 0) this.#current.keep(0);
    this.#current.put(this.#column, run);
    this.#column += run.length;
    this.#returned = false;
  }

  #control(code: number): void {
    this.#at++;
    switch (code) {
      case 0x08:
        return this.#backspace();
      case 0x0a:
      case 0x0b:
      case 0x0c:
        return this.#newLine();
      case 0x0d:
        this.#column = 0;
        this.#returned = true;
        this.#rewritten = true;
        return;
      case 0x1b:
        return this.#escape();
      case 0x9b:
        return this.#controlSequence();
      case 0x90:
      case 0x98:
      case 0x9d:
      case 0x9e:
      case 0x9f:
        return this.#passString();
      default:
        // A bell, a NUL, a shift: nothing that shows.
        return;
    }
  }

  #newLine(): void {
    if (this.#rewritten) this.#current.trimEnd();
    this.#row++;
    this.#column = 0;
    this.#returned = false;
    this.#rewritten = false;
    if (this.#row === this.#rows.length) this.#addRow();
  }

  #backspace(): void {
    if (this.#column === 0) return;
    this.#column -= this.#current.isPairBefore(this.#column) ? 2 : 1;
    this.#rewritten = true;
  }

  #escape(): void {
    const next = this.#source[this.#at];
    this.#at++;
    switch (next) {
      case "[":
        return this.#controlSequence();
      case "]":
      case "P":
      case "X":
      case "^":
      case "_":
        return this.#passString();
      case "7":
        this.#saved = { row: this.#row, column: this.#column };
        return;
      case "8":
        return this.#restore();
      case "M":
        return this.#moveTo(this.#row - 1, this.#column);
      case "c":
        return this.#clearScreen();
      case "\x1b":
        this.#at--;
        return;
    }
    // `ESC ( B` and its like: intermediates, then one final character.
    if (next === undefined || !/[ -/]/.test(next)) return;
    while (/[ -/]/.test(this.#source[this.#at] ?? "")) this.#at++;
    this.#at++;
  }

  /** Passes the payload of OSC, DCS and the like; one that never ends takes only the rest of its line. */
  #passString(): void {
    const start = this.#at;
    for (let at = start; at < this.#source.length; at++) {
      const code = this.#source.charCodeAt(at);
      if (code === 0x07 || code === 0x9c) {
        this.#at = at + 1;
        return;
      }
      if (code === 0x1b || code === 0x18 || code === 0x1a || code === 0x9d) {
        this.#at = this.#source[at + 1] === "\\" ? at + 2 : at;
        return;
      }
    }
    const lineEnd = this.#source.indexOf("\n", start);
    this.#at = lineEnd === -1 ? this.#source.length : lineEnd;
  }

  #controlSequence(): void {
    CONTROL_SEQUENCE.lastIndex = this.#at;
    const [whole, parameters = "", final = ""] = CONTROL_SEQUENCE.exec(this.#source) ?? [""];
    this.#at += whole.length;
    if (parameters === "?1049" && (final === "h" || final === "l")) return this.#clearScreen();
    // Most sequences only colour.
    if (final === "m" || /[<-?]/.test(parameters)) return;
    const [first = 0, second = 0] = parameters.split(/[;:]/).map(Number);
    const count = first || 1;
    switch (final) {
      case "A":
        return this.#moveTo(this.#row - count, this.#column);
      case "B":
        return this.#moveTo(this.#row + count, this.#column);
      case "C":
        return this.#moveTo(this.#row, this.#column + count);
      case "D":
        return this.#moveTo(this.#row, this.#column - count);
      case "E":
        return this.#moveTo(this.#row + count, 0);
      case "F":
        return this.#moveTo(this.#row - count, 0);
      case "G":
        return this.#moveTo(this.#row, count - 1);
      case "H":
      case "f":
        this.#skipTo(this.#top + Math.min(count, TALLEST) - 1);
        return this.#moveTo(this.#top + count - 1, (second || 1) - 1);
      case "J":
        return first < 2 ? this.#eraseBelow(first) : this.#clearScreen();
      case "K":
        return this.#eraseLine(first);
      case "s":
        this.#saved = { row: this.#row, column: this.#column };
        return;
      case "u":
        return this.#restore();
    }
  }

  #moveTo(row: number, column: number): void {
    this.#row = Math.max(this.#top, Math.min(row, this.#rows.length - 1));
    this.#column = Math.max(0, Math.min(column, Math.max(this.#column, WIDEST)));
    this.#returned = false;
    this.#rewritten = true;
  }

  #restore(): void {
    if (this.#saved !== undefined) this.#moveTo(this.#saved.row, this.#saved.column);
  }

  #skipTo(row: number): void {
    while (this.#rows.length <= row && this.#skipped++ < ROWS_SKIPPED) this.#addRow();
  }

  #eraseLine(part: number): void {
    this.#rewritten = true;
    if (part === 0) this.#current.keep(this.#column);
    else if (part === 1) this.#current.blank(this.#column);
    else this.#current.keep(0);
  }

  #eraseBelow(part: number): void {
    this.#eraseLine(part);
    if (part === 0) this.#rows.length = this.#row + 1;
  }

  /** What was on the screen stays: a person could still scroll up to it. */
  #clearScreen(): void {
    if (this.#rows.at(-1)?.length !== 0) this.#addRow();
    this.#top = this.#rows.length - 1;
    this.#row = this.#top;
    this.#column = 0;
    this.#returned = false;
    this.#saved = undefined;
  }
}
