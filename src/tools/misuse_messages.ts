// Owns: what the shell tool says of a command that a file tool should have been asked for.
// Must not know: how a command is judged or run.

import type { Finding } from "../shell/misuse.ts";
import type { MisuseKind } from "../shell/misuse_translation.ts";

const ADVICE: { readonly [kind in MisuseKind]: readonly [string, string] } = {
  search: [
    "Searching file text with this command is forbidden — use `view` with content= instead",
    "(gitignore-aware, context lines, line ids, works on remote hosts).",
  ],
  read: [
    "Reading files with this command is forbidden — use `view` instead",
    "(line ids to edit by, ranges, safe with huge and binary files, works on remote hosts).",
  ],
  list: [
    "Listing or finding files with this command is forbidden — use `view` on a directory instead",
    "(gitignore-aware, line counts and token estimates, globs, works on remote hosts).",
  ],
  edit: [
    "Cutting or editing text with this command is forbidden — use `view` to read, `text_editor` or `batch_edit` to change",
    "(other bytes stay as they are, the diff is the answer, undo, works on remote hosts).",
  ],
  write: [
    'Writing a file with this command is forbidden — use `text_editor` with command="create" instead',
    "(no quoting, never overwrites unasked, undo, works on remote hosts).",
  ],
};

const EXAMPLES: { readonly [kind in MisuseKind]: readonly string[] } = {
  search: [
    'view path="src/main.rs" content="fulfill_input_requests"',
    'view path="src/" content="TODO" regex=true',
    'view path="ssh://user@host/dir" content="TODO"   # remote search — no `ssh grep` needed',
  ],
  read: [
    'view path="src/main.rs"',
    'view path="src/main.rs" start=10 end=40',
    'view path="src/main.rs" start=-20   # the last 20 lines',
  ],
  list: [
    'view path="src"',
    'view path="." pattern="*.ts"',
    'view path="src" max_depth=2',
  ],
  edit: [
    'view path="src/main.rs" start=10 end=40',
    'text_editor command="str_replace" path="src/main.rs" old_text="old" new_text="new"',
  ],
  write: ['text_editor command="create" path="notes.md" content="…"'],
};

/** The advice for one misused command after the other, those of a kind together. */
export function misuseMessage(findings: readonly Finding[]): string {
  const kinds = [...new Set(findings.map((finding) => finding.kind))];
  return kinds.map((kind) => {
    const calls = findings.filter((finding) => finding.kind === kind)
      .flatMap((finding) => finding.calls);
    return [...ADVICE[kind], "Example:", ...exampleLines(kind, [...new Set(calls)])].join("\n");
  }).join("\n\n");
}

/** Says what part of a longer command line was refused, so that the rest can be sent alone. */
export function refusedPart(findings: readonly Finding[]): string {
  const shown = findings.slice(0, 5).map((finding) => `\`${shorten(finding.source)}\``);
  const more = findings.length > shown.length ? ` and ${findings.length - shown.length} more` : "";
  return `Nothing was run; only ${
    shown.join(", ")
  }${more} was refused, the rest may be sent without it`;
}

function exampleLines(kind: MisuseKind, calls: readonly string[]): readonly string[] {
  if (calls.length === 0) return EXAMPLES[kind];
  // The other two lines teach what a search by shell cannot do.
  return kind === "search" ? [...calls, ...EXAMPLES.search.slice(1)] : calls;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const characters = [...line.slice(0, 200)];
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}…` : line;
}
