import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { connect, temporaryDirectory } from "../support/octofs.ts";
import { testCalls } from "../support/call_rows.ts";

function bytes(text: string, length = text.length): Uint8Array {
  const padded = text.padEnd(length, "\0");
  return Uint8Array.from(padded.split(""), (one) => one.charCodeAt(0));
}

const PNG = bytes("\x89PNG\r\n\x1a\n", 64);
const JPEG = bytes("\xff\xd8\xff\xe0", 64);
const GIF = bytes("GIF89a", 64);
const WEBP = bytes("RIFF\x10\0\0\0WEBPVP8 ", 64);
const WAVE = bytes("RIFF\x10\0\0\0WAVEfmt ", 64);

const IMAGES: readonly (readonly [name: string, content: Uint8Array, mimeType: string])[] = [
  ["a.png", PNG, "image/png"],
  ["a.jpg", JPEG, "image/jpeg"],
  ["a.JPEG", JPEG, "image/jpeg"],
  ["a.gif", GIF, "image/gif"],
  ["a.webp", WEBP, "image/webp"],
  ["misnamed.png", JPEG, "image/jpeg"],
  ["no_extension", PNG, "image/png"],
];

Deno.test("images arrive as MCP image content with the bytes of the file", async () => {
  await using directory = await temporaryDirectory();
  for (const [name, content] of IMAGES) Deno.writeFileSync(`${directory.path}/${name}`, content);
  await using octofs = await connect({ args: ["--path", directory.path] });
  for (const [path, content, mimeType] of IMAGES) {
    const result = await octofs.client.callTool({ name: "view", arguments: { path } });
    const data = Buffer.from(content).toString("base64");
    assert.deepEqual(result["content"], [{ type: "image", data, mimeType }], path);
    assert.notEqual(result["isError"], true);
  }
});

testCalls("images", [
  {
    name: "text under the name of an image is text",
    files: { "a.png": "not an image\n" },
    steps: [{ tool: "view", args: { path: "a.png" }, says: [/^1:[0-9a-f]{2}\|not an image$/] }],
  },
  {
    name: "an empty file under the name of an image",
    files: { "a.png": "" },
    steps: [{ tool: "view", args: { path: "a.png" }, text: "a.png is empty (0 lines)." }],
  },
  {
    name: "RIFF that is no picture",
    files: { "a.webp": WAVE },
    steps: [{
      tool: "view",
      args: { path: "a.webp" },
      text: "a.webp is a binary file (WAV sound; 64 bytes).",
    }],
  },
  {
    name: "an image too large for an answer is named, not sent",
    files: { "a.png": bytes("\x89PNG\r\n\x1a\n", 6_000_000) },
    steps: [{
      tool: "view",
      args: { path: "a.png" },
      text: "a.png is an image (image/png, 6,000,000 bytes), too large to be shown.",
    }],
  },
  {
    name: "an image is not edited as text",
    files: { "a.png": PNG },
    steps: [{
      tool: "text_editor",
      args: { command: "str_replace", path: "a.png", old_text: "PNG", new_text: "x" },
      fails: true,
      says: ["a.png is a binary file"],
    }],
  },
]);
