// Owns: which encoding a file has, and bytes <-> string without losing a byte.
// Must not know: lines, files, tools.
//
// Bytes that are not valid UTF-8 are carried as lone surrogates U+DC80..U+DCFF (byte + 0xDC00), so
// that one string type serves every file and encoding the string again gives the same bytes.

/** How the bytes of a text file are turned into characters; `unknown-8bit` is text that is not valid UTF-8. */
export type EncodingName = "utf-8" | "utf-16le" | "utf-16be" | "unknown-8bit";

export type DecodedBytes =
  | {
    readonly kind: "text";
    /** The characters without the byte order mark. */
    readonly text: string;
    readonly encoding: EncodingName;
    readonly bom: boolean;
  }
  | { readonly kind: "binary"; readonly reason: string };

export interface TextForm {
  readonly encoding: EncodingName;
  readonly bom: boolean;
}

/** Bytes of a file that is surely held as one string: V8 makes none longer. */
export const MOST_TEXT_BYTES = 2 ** 29 - 24;

const FIRST_ESCAPE = 0xdc80;
const LAST_ESCAPE = 0xdcff;
const ESCAPE_BASE = 0xdc00;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8Encoder = new TextEncoder();

/** Decodes a whole file; `encodeText` of the result gives the same bytes. */
export function decodeBytes(bytes: Uint8Array): DecodedBytes {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    return { kind: "binary", reason: "UTF-32 text" };
  }
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, "utf-16le");
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, "utf-16be");
  const bom = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const body = bom ? bytes.subarray(3) : bytes;
  const text = decodeStrictly(body);
  // A string is searched many times faster than an array of bytes.
  const holdsNul = text === undefined ? body.includes(0) : text.includes("\0");
  if (holdsNul) return { kind: "binary", reason: "it contains NUL bytes" };
  if (text !== undefined) return { kind: "text", text, encoding: "utf-8", bom };
  return { kind: "text", text: decodeEscapedUtf8(body), encoding: "unknown-8bit", bom };
}

/** Decodes one line of a file that is read in parts, without a look at byte order marks. */
export function decodeUtf8Line(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decodeEscapedUtf8(bytes);
  }
}

/** Encodes `text` in the form a file had, byte order mark included. */
export function encodeText(text: string, form: TextForm): Uint8Array {
  switch (form.encoding) {
    case "utf-16le":
    case "utf-16be":
      return encodeUtf16(text, form.encoding);
    case "utf-8":
      // Joined as a string first: V8 flattens it once and the encoder writes one buffer.
      return utf8Encoder.encode(form.bom ? "\ufeff" + text : text);
    case "unknown-8bit":
      return encodeEscaped(form.bom ? "\ufeff" + text : text);
  }
}

/** True for a code unit that stands for one byte that is not valid UTF-8. */
export function isEscapedByte(codeUnit: number): boolean {
  return codeUnit >= FIRST_ESCAPE && codeUnit <= LAST_ESCAPE;
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte);
}

function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): DecodedBytes {
  if (bytes.length % 2 !== 0) return { kind: "binary", reason: "UTF-16 text cut inside a unit" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = encoding === "utf-16le";
  const units = new Uint16Array(bytes.length / 2 - 1);
  for (let index = 0; index < units.length; index++) {
    units[index] = view.getUint16(2 + index * 2, littleEndian);
  }
  return { kind: "text", text: stringFromUnits(units), encoding, bom: true };
}

function encodeUtf16(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  const littleEndian = encoding === "utf-16le";
  view.setUint16(0, 0xfeff, littleEndian);
  for (let index = 0; index < text.length; index++) {
    view.setUint16(2 + index * 2, text.charCodeAt(index), littleEndian);
  }
  return bytes;
}

function stringFromUnits(units: Uint16Array): string {
  const parts: string[] = [];
  // A spread of more arguments than this can exhaust the stack.
  const chunk = 8192;
  for (let start = 0; start < units.length; start += chunk) {
    parts.push(String.fromCharCode(...units.subarray(start, start + chunk)));
  }
  return parts.join("");
}

/** Decodes bytes that need not be valid UTF-8; `encodeText` as `unknown-8bit` gives them back. */
export function decodeEscapedUtf8(bytes: Uint8Array): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length;) {
    const length = validSequenceLength(bytes, index);
    if (length > 0) {
      index += length;
      continue;
    }
    if (index > start) parts.push(strictUtf8.decode(bytes.subarray(start, index)));
    parts.push(String.fromCharCode(ESCAPE_BASE + (bytes[index] ?? 0)));
    index++;
    start = index;
  }
  if (start < bytes.length) parts.push(strictUtf8.decode(bytes.subarray(start)));
  return parts.join("");
}

/** Bytes of the valid UTF-8 sequence at `index`, or 0; table 3-7 of the Unicode standard. */
function validSequenceLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first <= 0xdf
    ? 2
    : first >= 0xe0 && first <= 0xef
    ? 3
    : first >= 0xf0 && first <= 0xf4
    ? 4
    : 0;
  if (length === 0 || index + length > bytes.length) return 0;
  const second = bytes[index + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let offset = 2; offset < length; offset++) {
    const byte = bytes[index + offset] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}

function encodeEscaped(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (!isEscapedByte(unit) || isHighSurrogate(text.charCodeAt(index - 1))) continue;
    if (index > start) parts.push(utf8Encoder.encode(text.slice(start, index)));
    parts.push(Uint8Array.of(unit - ESCAPE_BASE));
    start = index + 1;
  }
  parts.push(utf8Encoder.encode(text.slice(start)));
  return concatBytes(parts);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
