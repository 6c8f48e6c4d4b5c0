// Owns: showing one file: its lines with ids within the answer budget, an image, or what a binary file is.
// Must not know: how lines are read and printed, which lines are asked for.

import type { FileInfo } from "../fs/file_system.ts";
import { type LineSource, openLines, type SourceLine } from "../fs/line_reader.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { binaryKind } from "../text/binary_kind.ts";
import { ANSWER_BUDGET, type Excerpt, formatExcerpt } from "../text/excerpt.ts";
import { hashLine } from "../text/line_id.ts";
import { textOutput, type ToolContext, type ToolOutput } from "./tool.ts";
import { clampRange, linesNeeded, type ViewBounds, type ViewRange } from "./view_bounds.ts";
import { hasImageName, viewImage } from "./view_image.ts";

export type ViewedFile = ResolvedPath & { readonly info: FileInfo };

export interface ViewRequest {
  readonly range: ViewRange;
  readonly context: ToolContext;
}

type TextSource = Extract<LineSource, { kind: "text" }>;

/** Shows a regular file. */
export async function viewFile(file: ViewedFile, request: ViewRequest): Promise<ToolOutput> {
  const { fileSystem, path, info } = file;
  const { range, context: { signal } } = request;
  if (hasImageName(path)) {
    const image = await viewImage(file, signal);
    if (image !== undefined) return image;
  }
  const through = linesNeeded(range);
  const source = await openLines({ fileSystem, path, size: info.size, signal, through });
  return source.kind === "binary"
    ? await viewImage(file, signal) ?? await viewBinary(file, { reason: source.reason, signal })
    : await viewText(file, { source, request });
}

async function viewBinary(
  { fileSystem, path, info, display, hints }: ViewedFile,
  { reason, signal }: { readonly reason: string; readonly signal: AbortSignal },
): Promise<ToolOutput> {
  const head = await fileSystem.readFile(path, { offset: 0, length: 512, signal });
  const size = `${info.size.toLocaleString("en-US")} bytes`;
  const what = binaryKind(head) ?? reason;
  return textOutput(`${display} is a binary file (${what}; ${size}).`, hints);
}

async function viewText(
  file: ViewedFile,
  { source, request }: { readonly source: TextSource; readonly request: ViewRequest },
): Promise<ToolOutput> {
  const { display, hints } = file;
  const { range, context } = request;
  const count = source.lineCount;
  if (count === 0) {
    const formHints = encodingHints(source.encoding);
    return textOutput(`${display} is empty (0 lines).`, [...hints, ...formHints]);
  }
  const bounds = clampRange(range, count);
  const { excerpt, isWellFormed } = await readExcerpt(source, bounds);
  context.shown.remember(file.key, excerpt.shown);
  const encoding = isWellFormed ? source.encoding : "unknown-8bit";
  return textOutput(excerpt.text, [
    ...hints,
    ...encodingHints(source.encoding === "utf-8" ? encoding : source.encoding),
    ...bounds.hints,
    ...await staleHints(source, bounds),
    ...cutHints(excerpt, { display, bounds, source }),
  ]);
}

/** Reads what an answer can hold: the head, and the tail when the middle is left out. */
async function readExcerpt(
  source: TextSource,
  { start, end }: ViewBounds,
): Promise<{ readonly excerpt: Excerpt; readonly isWellFormed: boolean }> {
  const most = ANSWER_BUDGET.maxLines;
  const headEnd = Math.min(end, start + most);
  const tailStart = Math.max(headEnd, end - most);
  const head = await source.read(start, headEnd);
  const tail = tailStart < end ? await source.read(tailStart, end) : [];
  const lineAt = (index: number): SourceLine =>
    (index < headEnd ? head[index - start] : tail[index - tailStart]) ?? { text: "" };
  const excerpt = formatExcerpt({
    start,
    end,
    lineText: (index) => lineAt(index).text,
    whole: (index) => lineAt(index).whole,
  });
  return { excerpt, isWellFormed: excerpt.text.isWellFormed() };
}

async function staleHints(source: TextSource, bounds: ViewBounds): Promise<string[]> {
  const hints: string[] = [];
  for (const [name, id] of [["start", bounds.startId], ["end", bounds.endId]] as const) {
    if (id === undefined || id.line > source.lineCount) continue;
    const [line] = await source.read(id.line - 1, id.line);
    if (line === undefined || (line.whole?.hash ?? hashLine(line.text)) === id.hash) continue;
    hints.push(
      `The ${name} id "${id.line}:${id.hash}" is stale: line ${id.line} has changed; shown by line number.`,
    );
  }
  return hints;
}

function cutHints(
  excerpt: Excerpt,
  { display, bounds, source }: {
    readonly display: string;
    readonly bounds: ViewBounds;
    readonly source: TextSource;
  },
): string[] {
  const hints: string[] = [];
  const view = `view path=${JSON.stringify(display)}`;
  if (excerpt.elided) {
    const { start, end } = excerpt.elided;
    // Of a file that was not read to its end, what was asked for is all that can be counted.
    const count = source.isWhole ? source.lineCount : bounds.end - bounds.start;
    const total = count.toLocaleString("en-US");
    hints.push(
      `The answer holds part of ${total} lines. For the rest: ${view} start=${start} end=${end}`,
    );
  }
  if (excerpt.cut) {
    hints.push(
      bounds.end - bounds.start > 1
        ? "A very long line was cut; its id is valid. View it alone (start = end) to see more of it."
        : `The line is longer than one answer; its id is valid. To see it around a text: ${view} content="…"`,
    );
  }
  return hints;
}

function encodingHints(encoding: string): string[] {
  switch (encoding) {
    case "utf-16le":
    case "utf-16be":
      return [
        `The file is ${encoding.toUpperCase()}; it is shown and edited as text and kept in that encoding.`,
      ];
    case "unknown-8bit":
      return [
        "The file is not valid UTF-8: bytes that cannot be decoded are shown as U+FFFD and stay as they are " +
        "unless their line is replaced.",
      ];
    default:
      return [];
  }
}
