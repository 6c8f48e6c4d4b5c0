// Owns: the rung for texts that were escaped once too often: `\n` as two characters, and its kin.
// Must not know: the other rungs but exact, words.

import type { TextDocument } from "./document.ts";
import { findExact } from "./match_exact.ts";
import type { Candidates, ReplaceRequest } from "./match_result.ts";

const MEANINGS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Finds the old text with one level of escapes undone, and undoes the same level in the new text. */
export function findEscaped(
  document: TextDocument,
  request: ReplaceRequest,
): Candidates | undefined {
  // A real newline shows that newlines were not escaped.
  if (/[\r\n]/.test(request.oldText)) return undefined;
  const oldText = unescapeOnce(request.oldText);
  if (oldText === request.oldText) return undefined;
  return findExact(document, { ...request, oldText, newText: unescapeOnce(request.newText) });
}

/** Reads left to right once; a backslash before anything else, a real newline too, stays. */
export function unescapeOnce(text: string): string {
  return text.replace(/\\([ntr"'\\])/g, (_, letter: string) => MEANINGS[letter] ?? letter);
}
