// Owns: recognising PNG, JPEG, GIF and WebP by their first bytes and answering them as image content.
// Must not know: other kinds of files.

import { Buffer } from "node:buffer";
import type { FileInfo } from "../fs/file_system.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { textOutput, type ToolOutput } from "./tool.ts";

/** Clients refuse bigger pictures, and base64 makes them a third longer. */
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

const SIGNATURES: readonly { readonly mimeType: string; readonly starts: readonly string[] }[] = [
  { mimeType: "image/png", starts: ["\x89PNG\r\n\x1a\n"] },
  { mimeType: "image/jpeg", starts: ["\xff\xd8\xff"] },
  { mimeType: "image/gif", starts: ["GIF87a", "GIF89a"] },
  { mimeType: "image/webp", starts: ["RIFF"] },
];

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** True for a file that is probably an image, before it is read. */
export function hasImageName(path: string): boolean {
  return IMAGE_NAME.test(path);
}

/** The file as an image, or undefined when its bytes are not those of one. */
export async function viewImage(
  target: ResolvedPath & { readonly info: FileInfo },
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  const { fileSystem, path, info, display, hints } = target;
  const head = await fileSystem.readFile(path, { offset: 0, length: 16, signal });
  const start = String.fromCharCode(...head);
  const mimeType = SIGNATURES.find(({ starts }) => starts.some((one) => start.startsWith(one)))
    ?.mimeType;
  if (mimeType === undefined) return undefined;
  // RIFF holds sound and video too; the form type says which.
  if (mimeType === "image/webp" && start.slice(8, 12) !== "WEBP") return undefined;
  if (info.size > MOST_IMAGE_BYTES) {
    const size = info.size.toLocaleString("en-US");
    return textOutput(
      `${display} is an image (${mimeType}, ${size} bytes), too large to be shown.`,
      hints,
    );
  }
  const bytes = await fileSystem.readFile(path, { signal });
  return {
    content: [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType }],
    hints,
  };
}
