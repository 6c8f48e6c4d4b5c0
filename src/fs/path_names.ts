// Owns: names that no file should get, and forms of a path that Windows reads as something else. PURE.
// Must not know: the disk, allowed directories.

/** Reorders what is shown, or shows as nothing; the joiners of scripts and emoji are no such characters. */
const DECEIVING = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** No system opens longer ones, and walking up a longer one takes its time. */
const LONGEST_PATH = 4096;

/** Why no file can have this path, or undefined. */
export function lengthFault(path: string): string | undefined {
  return path.length <= LONGEST_PATH
    ? undefined
    : `it is too long (${path.length} characters, at most ${LONGEST_PATH})`;
}

/** Why a new file should not get this path, or undefined. */
export function newNameFault(path: string): string | undefined {
  const found = DECEIVING.exec(path)?.[0];
  if (found === undefined) return undefined;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `the name holds U+${code}, which is not seen where the name is shown`;
}

/** Why Windows would open something else than a file for this absolute path, or undefined. */
export function windowsFault(path: string): string | undefined {
  const rest = path.replace(/^(?:\\\\[?.]\\)?[A-Za-z]:/, "");
  if (rest.includes(":")) return "a colon after the drive names a stream inside a file";
  const device = rest.split(/[\\/]/).find((part) =>
    /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(part)
  );
  return device === undefined ? undefined : `${device} is the name of a device`;
}
