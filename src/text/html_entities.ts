// Owns: HTML entities of texts that were encoded or decoded on their way.
// Must not know: why one asks. Nothing made here is ever written to a file.

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const NAMES: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
};

const HIGHEST_CODE_POINT = 0x10ffff;

/** The text with one level of entities decoded. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (entity, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
      const codePoint = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return codePoint <= HIGHEST_CODE_POINT ? String.fromCodePoint(codePoint) : entity;
    },
  );
}

/** The ways in which tools encode a text: with quotes and without. */
export function encodeEntities(text: string): string[] {
  const encode = (pattern: RegExp) => text.replace(pattern, (character) => NAMES[character] ?? "");
  return [encode(/[<>&]/g), encode(/[<>&"]/g), encode(/[<>&"']/g)];
}
