// Owns: file names as one line of plain text, whatever characters they hold.
// Must not know: files, listings.

/** Control characters, line separators, marks that turn the writing direction, lone surrogates. */
const UNPRINTABLE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu;

const SHORT_ESCAPES: { readonly [char: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** The name with such characters as `\n`, `\r`, `\t` or `\uXXXX`, as in a JSON string. */
export function printableName(name: string): string {
  return name.replace(
    UNPRINTABLE,
    (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
