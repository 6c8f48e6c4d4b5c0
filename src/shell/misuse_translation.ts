// Owns: which translation a misused command gets.
// Must not know: how any single program is translated, messages.

import type { Command } from "./command_line.ts";
import type { Invocation } from "./invocation.ts";
import type { Surroundings } from "./operand_path.ts";
import type { ReadingKind } from "./reading_programs.ts";
import { translateEdit } from "./translate_edit.ts";
import { translateList } from "./translate_list.ts";
import { translateRead, translateWrite } from "./translate_read.ts";
import { translateSearch } from "./translate_search.ts";

export type MisuseKind = ReadingKind | "write";

export interface TranslationOptions {
  readonly kind: MisuseKind;
  readonly command: Command;
  /** The commands it is piped into. */
  readonly rest: readonly Command[];
  readonly around: Surroundings;
}

/** Calls that do what the command does; empty where that cannot be known. */
export function translateMisuse(
  invocation: Invocation,
  options: TranslationOptions,
): readonly string[] {
  const { kind, command, around } = options;
  switch (kind) {
    case "search":
      return translateSearch(withInputFile(invocation, command), around);
    case "list":
      return translateList(invocation, options);
    case "edit":
      return translateEdit(withInputFile(invocation, command), around);
    case "read":
      return translateRead(invocation, options);
    case "write":
      return translateWrite(command, around);
  }
}

/** `grep foo < file` searches the file all the same. */
function withInputFile(invocation: Invocation, command: Command): Invocation {
  const inputs = command.redirections.filter((entry) => entry.operator === "<")
    .map((entry) => entry.target);
  return inputs.length === 0
    ? invocation
    : { ...invocation, paths: [...invocation.paths, ...inputs] };
}
