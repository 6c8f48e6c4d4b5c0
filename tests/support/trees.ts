// Owns: small helpers of tests about trees of files.

import { fileURLToPath } from "node:url";

export const fromFileUrl = fileURLToPath;

/** Relative path and bytes of every file below a directory, sorted; nothing where it does not exist. */
export function listFiles(root: string, below = ""): [string, Uint8Array][] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(below === "" ? root : `${root}/${below}`)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return entries.sort((left, right) => left.name < right.name ? -1 : 1).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory) return listFiles(root, path);
    return [[path, Deno.readFileSync(`${root}/${path}`)] as [string, Uint8Array]];
  });
}
