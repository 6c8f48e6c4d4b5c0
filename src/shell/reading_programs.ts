// Owns: the programs that read, search, list and cut files, and which of their options take a value.
// Must not know: command lines, paths, the tools.

export type ReadingKind = "read" | "search" | "list" | "edit";

/** How one program reads its arguments. */
export interface Grammar {
  readonly kind: ReadingKind;
  /** Letters of short options that take a value. */
  readonly valued: string;
  readonly valuedLong: readonly string[];
  /** Options that bring the pattern or script, so that the first operand is a path. */
  readonly patternFlags?: readonly string[];
  /** Options whose value is a file of patterns: the pattern is then not known. */
  readonly patternFileFlags?: readonly string[];
}

const PLAIN: Grammar = { kind: "read", valued: "", valuedLong: [] };
const COUNTED: Grammar = {
  kind: "read",
  valued: "ncs",
  valuedLong: ["--lines", "--bytes", "--pid", "--sleep-interval"],
};
const PAGER: Grammar = { kind: "read", valued: "bhjkoOpPtTxyz", valuedLong: [] };
const GREP: Grammar = {
  kind: "search",
  valued: "efABCmdD",
  valuedLong: [
    "--regexp",
    "--file",
    "--after-context",
    "--before-context",
    "--context",
    "--max-count",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--exclude-from",
    "--label",
  ],
  patternFlags: ["-e", "--regexp"],
  patternFileFlags: ["-f", "--file"],
};
const RIPGREP: Grammar = {
  kind: "search",
  valued: "efABCmgtTjdMEr",
  valuedLong: [
    ...GREP.valuedLong,
    "--glob",
    "--iglob",
    "--type",
    "--type-not",
    "--max-depth",
    "--maxdepth",
    "--replace",
    "--sort",
    "--sortr",
    "--encoding",
    "--engine",
    "--color",
    "--colors",
    "--max-columns",
    "--max-filesize",
    "--threads",
    "--ignore-file",
    "--pre",
    "--pre-glob",
  ],
  patternFlags: ["-e", "--regexp", "--files"],
  patternFileFlags: ["-f", "--file"],
};
const SED: Grammar = {
  kind: "edit",
  valued: "efl",
  valuedLong: ["--expression", "--file", "--line-length"],
  patternFlags: ["-e", "--expression"],
  patternFileFlags: ["-f", "--file"],
};
const AWK: Grammar = {
  kind: "edit",
  valued: "Fvf",
  valuedLong: ["--field-separator", "--assign", "--file"],
  patternFileFlags: ["-f", "--file"],
};
const LS: Grammar = {
  kind: "list",
  valued: "ITw",
  valuedLong: ["--ignore", "--hide", "--width", "--tabsize"],
};
const FIND: Grammar = { kind: "list", valued: "", valuedLong: [] };

/** The programs that the misuse rule names, by name. */
export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ["cat", PLAIN],
  ["head", COUNTED],
  ["tail", COUNTED],
  ["less", PAGER],
  ["more", PAGER],
  ["grep", GREP],
  ["egrep", GREP],
  ["fgrep", GREP],
  ["rg", RIPGREP],
  ["find", FIND],
  ["ls", LS],
  ["sed", SED],
  ["awk", AWK],
]);
