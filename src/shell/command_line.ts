// Owns: what a command line is once it is read: pipelines of commands, words and redirections.
// Must not know: how it is read, which programs exist, tools.

import type { Word } from "./shell_words.ts";

export interface Redirection {
  readonly operator: string;
  /** Absent where the shell's default descriptor is meant. */
  readonly descriptor?: number;
  readonly target: Word;
  /** The text of a here-document. */
  readonly body?: HereDocument;
}

export interface HereDocument {
  readonly text: string;
  /** The delimiter was not quoted, so `$`, backticks and `\` are active in the text. */
  readonly expands: boolean;
}

export interface Command {
  /** Without leading assignments and reserved words. Empty for a subshell or a bare redirection. */
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** Commands inside `$(…)` and backticks outside of quotes. */
  readonly substitutions: readonly CommandLine[];
  /** What stands between `(` and `)`. */
  readonly subshell?: CommandLine;
  readonly source: string;
}

/** Commands joined by `|`; never empty. */
export interface Pipeline {
  readonly commands: readonly Command[];
}

export type CommandLine = readonly Pipeline[];

export type ParsedCommandLine =
  | { readonly kind: "parsed"; readonly pipelines: CommandLine }
  | { readonly kind: "too_deep"; readonly limit: number };
