// Owns: an `.mcpb` file, which a desktop client installs with one click: a zip of a manifest and a program.

import { crc32 } from "node:zlib";
import manifest from "../deno.json" with { type: "json" };
import { DESCRIPTION } from "./server_entry.ts";

interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** POSIX mode, so that an unpacked program can be run. */
  readonly mode: number;
}

/** The bytes of the bundle for the program of one system. */
export function clientBundle(program: Uint8Array, os: "linux" | "darwin" | "windows"): Uint8Array {
  const entryPoint = os === "windows" ? "octofs.exe" : "octofs";
  const description = {
    manifest_version: "0.3",
    name: "octofs",
    display_name: "octofs",
    version: manifest.version,
    description: DESCRIPTION,
    author: { name: "octofs" },
    license: manifest.license,
    server: {
      type: "binary",
      entry_point: entryPoint,
      mcp_config: {
        command: `\${__dirname}/${entryPoint}`,
        args: ["mcp", "--path", "${user_config.directory}"],
      },
    },
    user_config: {
      directory: {
        type: "directory",
        title: "Project directory",
        description: "The only directory that octofs may read and write",
        required: true,
      },
    },
    compatibility: { platforms: [os === "windows" ? "win32" : os] },
  };
  const text = new TextEncoder().encode(JSON.stringify(description, null, 2));
  return zip([
    { name: "manifest.json", bytes: text, mode: 0o644 },
    { name: entryPoint, bytes: program, mode: 0o755 },
  ]);
}

/** A zip archive without compression: one program of machine code hardly gets smaller. */
export function zip(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name);
    const common = commonHeader(entry, name.length);
    const local = concat([littleEndian([[0x04034b50, 4]]), common, name]);
    directory.push(concat([
      // Made by version 2.0 on a POSIX system, which gives the mode its meaning.
      littleEndian([[0x02014b50, 4], [0x0314, 2]]),
      common,
      littleEndian([[0, 2], [0, 2], [0, 2], [((0o100000 | entry.mode) << 16) >>> 0, 4], [
        offset,
        4,
      ]]),
      name,
    ]));
    parts.push(local, entry.bytes);
    offset += local.length + entry.bytes.length;
  }
  const index = concat(directory);
  const end = littleEndian([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [index.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return concat([...parts, index, end]);
}

/** From the needed version to the length of the extra field; dated 1980, so that builds are equal. */
function commonHeader({ bytes }: ZipEntry, nameLength: number): Uint8Array {
  const size = bytes.length;
  return littleEndian([
    [20, 2],
    [0x0800, 2],
    [0, 2],
    [0, 2],
    [0x21, 2],
    [crc32(bytes), 4],
    [size, 4],
    [size, 4],
    [nameLength, 2],
    [0, 2],
  ]);
}

function littleEndian(fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
