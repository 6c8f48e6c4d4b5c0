// Owns: telling line ids that were pasted along with text from text that only looks like them.
// Must not know: tools, words, files.

import type { TextDocument } from "./document.ts";
import { hashLine } from "./line_id.ts";

export type PastedIds =
  /** `lines` without the ids; each id was proven by its own line or by the document's. */
  | { readonly kind: "stripped"; readonly lines: readonly string[] }
  /** Every line begins like an id, but not every one is proven: the text stays as it is. */
  | { readonly kind: "unproven" }
  | { readonly kind: "none" };

const PREFIX = /^\+?(\d{1,15}):([0-9a-f]{2})\|(.*)$/s;

/**
 * Strips `N:hh|` when every non-empty line carries one and each is proven: `hh` is the hash of the
 * rest of its line, or of line N of the document, as when a pasted line was then changed.
 */
export function stripPastedIds(lines: readonly string[], document: TextDocument): PastedIds {
  const stripped: string[] = [];
  let carried = 0;
  let proven = true;
  for (const line of lines) {
    const match = PREFIX.exec(line);
    if (match === null) {
      if (line !== "") return { kind: "none" };
      stripped.push(line);
      continue;
    }
    const [, number, hash = "", rest = ""] = match;
    const index = Number(number) - 1;
    carried++;
    proven &&= hashLine(rest) === hash ||
      (index >= 0 && index < document.lineCount && hashLine(document.lineText(index)) === hash);
    stripped.push(rest);
  }
  if (carried === 0) return { kind: "none" };
  return proven ? { kind: "stripped", lines: stripped } : { kind: "unproven" };
}
