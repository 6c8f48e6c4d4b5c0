// Owns: line ids `N:hh`: the hash, what an agent may write for one, and the fingerprint of a line.
// Must not know: which lines a session has shown (shown_lines.ts), files, messages.

import { isEscapedByte } from "./encoding.ts";

/** What an agent may send where a line is meant; `line` and `value` are as written, 1-based. */
export type LineRef =
  | {
    readonly kind: "id";
    readonly line: number;
    readonly hash: string;
    /** Text after a pasted bar; the id holds only if it is the line's text. */
    readonly pastedText?: string;
  }
  | { readonly kind: "number"; readonly value: number };

export type ParsedLineRef = LineRef | { readonly kind: "malformed"; readonly raw: string };

const FNV_OFFSET_BASIS = 2166136261;
const FNV_PRIME = 16777619;

/** Two lowercase hex digits of a line's content: FNV-1a of its UTF-8 bytes, XOR-folded to 8 bits. */
export function hashLine(text: string): string {
  return foldToDigits(fnv1a(text, FNV_OFFSET_BASIS));
}

/** The hash of a line that comes in parts, as bytes. */
export class LineHash {
  #hash = FNV_OFFSET_BASIS;

  update(bytes: Uint8Array): void {
    let hash = this.#hash;
    for (let index = 0; index < bytes.length; index++) {
      hash = Math.imul(hash ^ (bytes[index] ?? 0), FNV_PRIME);
    }
    this.#hash = hash;
  }

  digits(): string {
    return foldToDigits(this.#hash >>> 0);
  }
}

/** A 53-bit number that tells two lines apart where two hex digits cannot. */
export function lineFingerprint(text: string): number {
  // FNV-1a over UTF-8 for one half, a multiplicative hash over UTF-16 for the other: independent.
  let other = 0x9e3779b9 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    other = Math.imul(other ^ text.charCodeAt(index), 0x85ebca6b);
    other ^= other >>> 13;
  }
  return (fnv1a(text, FNV_OFFSET_BASIS) & 0x1fffff) * 0x100000000 + (other >>> 0);
}

/** `N:hh` of a line; `lineNumber` is 1-based. */
export function formatLineId(lineNumber: number, text: string): string {
  return `${lineNumber}:${hashLine(text)}`;
}

// Only around the id, never inside it: `1 2:a3` must not become line 12.
const OPENING = "[\\s[({<\"'`]*(?:l(?:ine)?)?\\s*";
const CLOSING = "[\\s\\])}>\"'`]*";
/** A `+` comes along when an id is taken from an added line of a diff. */
const ID = new RegExp(`^${OPENING}\\+?(\\d{1,15})\\s*:\\s*([0-9a-f]{2})${CLOSING}$`, "i");
const NUMBER = new RegExp(`^${OPENING}([+-]?\\d{1,15})${CLOSING}$`, "i");

/** Reads an id or a plain integer, absorbing blanks, capitals, brackets, a leading L and pasted text. */
export function parseLineRef(raw: string): ParsedLineRef {
  const bar = raw.indexOf("|");
  const head = bar === -1 ? raw : raw.slice(0, bar);
  const id = ID.exec(head);
  if (id) {
    const line = Number(id[1]);
    const hash = (id[2] ?? "").toLowerCase();
    if (line < 1) return { kind: "malformed", raw };
    if (bar === -1) return { kind: "id", line, hash };
    return { kind: "id", line, hash, pastedText: raw.slice(bar + 1).replace(/\r?\n$/, "") };
  }
  const number = bar === -1 ? NUMBER.exec(head) : null;
  return number ? { kind: "number", value: Number(number[1]) } : { kind: "malformed", raw };
}

const HEX: readonly string[] = Array.from(
  { length: 256 },
  (_, value) => value.toString(16).padStart(2, "0"),
);

function foldToDigits(hash: number): string {
  const folded16 = (hash >>> 16) ^ (hash & 0xffff);
  return HEX[(folded16 >>> 8) ^ (folded16 & 0xff)] ?? "";
}

function fnv1a(text: string, basis: number): number {
  let hash = basis | 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      continue;
    }
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    hash = mixCodePoint(hash, codePoint);
  }
  return hash >>> 0;
}

function mixCodePoint(hash: number, codePoint: number): number {
  // A lone surrogate in this range is one byte of a file that is not UTF-8: the id hashes that byte.
  if (isEscapedByte(codePoint)) return Math.imul(hash ^ (codePoint & 0xff), FNV_PRIME);
  let mixed = hash;
  const mix = (byte: number) => {
    mixed = Math.imul(mixed ^ byte, FNV_PRIME);
  };
  if (codePoint < 0x800) {
    mix(0xc0 | (codePoint >> 6));
  } else if (codePoint < 0x10000) {
    mix(0xe0 | (codePoint >> 12));
    mix(0x80 | ((codePoint >> 6) & 0x3f));
  } else {
    mix(0xf0 | (codePoint >> 18));
    mix(0x80 | ((codePoint >> 12) & 0x3f));
    mix(0x80 | ((codePoint >> 6) & 0x3f));
  }
  mix(0x80 | (codePoint & 0x3f));
  return mixed;
}
