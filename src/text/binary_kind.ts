// Owns: naming a binary file by the bytes it begins with.
// Must not know: files, tools.

/** Offset of the first byte, the bytes, and what begins like that; longer signatures come first. */
const SIGNATURES: readonly (readonly [offset: number, bytes: string, kind: string])[] = [
  [0, "\x89PNG\r\n\x1a\n", "PNG image"],
  [0, "\xff\xd8\xff", "JPEG image"],
  [0, "GIF8", "GIF image"],
  [8, "WEBP", "WebP image"],
  [8, "WAVE", "WAV sound"],
  [8, "AVI ", "AVI video"],
  [4, "ftyp", "MP4 media"],
  [257, "ustar", "tar archive"],
  [0, "SQLite format 3\0", "SQLite database"],
  [0, "%PDF-", "PDF document"],
  [0, "PK\x03\x04", "ZIP archive or a format made of one"],
  [0, "\x1f\x8b", "gzip data"],
  [0, "\xfd7zXZ\0", "xz data"],
  [0, "7z\xbc\xaf\x27\x1c", "7z archive"],
  [0, "\x28\xb5\x2f\xfd", "Zstandard data"],
  [0, "BZh", "bzip2 data"],
  [0, "\x7fELF", "ELF program or library"],
  [0, "\0asm", "WebAssembly module"],
  [0, "\xca\xfe\xba\xbe", "Java class or Mach-O program"],
  [0, "\xcf\xfa\xed\xfe", "Mach-O program"],
  [0, "MZ", "Windows program"],
  [0, "OggS", "Ogg media"],
  [0, "ID3", "MP3 sound"],
  [0, "fLaC", "FLAC sound"],
  [0, "wOF2", "WOFF2 font"],
  [0, "wOFF", "WOFF font"],
  [0, "\0\x01\0\0\0", "TrueType font"],
  [0, "\0\0\x01\0", "icon"],
  [0, "II*\0", "TIFF image"],
  [0, "MM\0*", "TIFF image"],
  [0, "BM", "BMP image"],
];

/** What a file that begins with these bytes probably is, if that is known. */
export function binaryKind(head: Uint8Array): string | undefined {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join("");
  return SIGNATURES.find(([offset, bytes]) => text.startsWith(bytes, offset))?.[2];
}
