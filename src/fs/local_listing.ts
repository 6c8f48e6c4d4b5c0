// Owns: what a local directory holds, and the state that a file or directory is in.
// Must not know: which entries are wanted, threads.
//
// Sent to worker threads as source text, like all of LOCAL_SCAN_PARTS.

import type { SourcePart } from "../text/line_search.ts";
import { failureWords, isBug } from "./local_text.ts";
import type { EngineListing, KnownPath, Signature } from "./scan_jobs.ts";

/** The state of a file or directory now; empty when it is missing or changed after `settledBefore`. */
export function signatureOf(path: string, settledBefore: number): Signature {
  try {
    const { size, mtime, ctime, ino } = Deno.lstatSync(path);
    const modified = mtime?.getTime() ?? Infinity;
    const changed = ctime?.getTime() ?? modified;
    if (Math.max(modified, changed) >= settledBefore) return "";
    return `${size} ${modified} ${changed} ${ino}`;
  } catch {
    return "";
  }
}

/** What a directory holds, or that it is as it was known. */
export function listDirectorySync(
  { path, known }: KnownPath,
  { settledBefore, maxBytes }: { readonly settledBefore: number; readonly maxBytes: number },
): EngineListing {
  // Taken first: an entry that comes while the directory is read makes the next signature differ.
  const signature = signatureOf(path, settledBefore);
  if (known && signature === known) return { kind: "unchanged" };
  try {
    if (maxBytes !== Infinity && Deno.lstatSync(path).size > maxBytes) return { kind: "too_large" };
    const names: string[] = [];
    const kinds: string[] = [];
    for (const entry of Deno.readDirSync(path)) {
      names.push(entry.name);
      kinds.push(entry.isSymlink ? "l" : entry.isFile ? "f" : entry.isDirectory ? "d" : "o");
    }
    return { kind: "listed", signature, names: names.join("/"), kinds: kinds.join("") };
  } catch (error) {
    if (isBug(error)) throw error;
    return { kind: "failed", reason: failureWords(error) };
  }
}

export const LOCAL_LISTING_PARTS: readonly SourcePart[] = [signatureOf, listDirectorySync];
