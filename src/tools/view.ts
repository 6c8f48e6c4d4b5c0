// Owns: the view tool: which of file, directory or search a call asks for, and showing a file.
// Must not know: how directories are walked or files searched, how lines are printed.

import type { FileInfo } from "../fs/file_system.ts";
import { openLines } from "../fs/line_reader.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { ANSWER_BUDGET, formatExcerpt } from "../text/excerpt.ts";
import { hashLine, parseLineRef } from "../text/line_id.ts";
import { viewImage } from "./view_image.ts";
import { defineTool, textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

const LINE_BOUND = "Line number (negative counts from the end) or line id";

export const viewTool = defineTool({
  name: "view",
  title: "View files, directories and search results",
  description:
    "Shows a file as `N:hh|content` lines whose ids (`N:hh`) are edit targets for batch_edit; lists a " +
    "directory (gitignore-aware, with line counts); finds files by glob (`pattern`); searches text " +
    "(`content`, with line ids on every hit). A PNG, JPEG, GIF or WebP is returned as an image.",
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  fields: {
    path: {
      type: "string",
      description: "File or directory; several separated by `|` for a search.",
      aliases: ["file_path", "filePath", "filename", "file", "absolute_path", "directory"],
    },
    start: {
      type: "string",
      description: `${LINE_BOUND} to begin with; alone it reads to the end.`,
      optional: true,
      aliases: ["start_line", "line_start", "startLine", "offset"],
    },
    end: {
      type: "string",
      description: `${LINE_BOUND} to end with, inclusive.`,
      optional: true,
      aliases: ["end_line", "line_end", "endLine"],
    },
    pattern: {
      type: "string",
      description:
        "Glob for names as in `rg -g`: `*.ts`, `src/**`, `!*.test.ts`, several separated by `|`.",
      optional: true,
      aliases: ["glob"],
    },
    content: {
      type: "string",
      description: "Text to search for, literal unless regex is true.",
      optional: true,
      aliases: ["query", "search"],
    },
    regex: {
      type: "boolean",
      description: "Read `content` as a regular expression.",
      optional: true,
    },
    max_depth: {
      type: "integer",
      description: "How many levels of directories to enter.",
      optional: true,
      minimum: 1,
    },
    include_hidden: {
      type: "boolean",
      description: "Include names that begin with a dot.",
      optional: true,
    },
    include_ignored: {
      type: "boolean",
      description: "Include what .gitignore and the like exclude.",
      optional: true,
    },
    context: {
      type: "integer",
      description: "Lines of context around each search hit.",
      optional: true,
      minimum: 0,
      maximum: 100,
      aliases: ["context_lines"],
    },
  },
  async run(input, context) {
    if (input.content !== undefined && input.content !== "") {
      const { searchContent } = await import("./search_content.ts");
      return await searchContent(input, context);
    }
    const target = await context.workspace.resolve(input.path, {
      purpose: "read",
      expect: "existing",
    });
    const info = target.info;
    if (info?.kind === "directory" || input.pattern !== undefined) {
      const { listDirectory } = await import("./list_directory.ts");
      return await listDirectory(input, context);
    }
    if (info?.kind !== "file") {
      throw new ToolError(
        `${target.display} is not a regular file (a device, socket or pipe), so it is not opened.`,
        target.hints,
      );
    }
    return await viewFile({ ...target, info }, { start: input.start, end: input.end, context });
  },
});

interface ViewRequest {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly context: ToolContext;
}

async function viewFile(
  target: ResolvedPath & { readonly info: FileInfo },
  { start, end, context }: ViewRequest,
): Promise<ToolOutput> {
  const { fileSystem, path, info, display } = target;
  const image = await viewImage(target, context);
  if (image !== undefined) return image;
  const source = await openLines({ fileSystem, path, size: info.size, signal: context.signal });
  const size = `${info.size.toLocaleString("en-US")} bytes`;
  if (source.kind === "binary") {
    return textOutput(`${display} is a binary file (${source.reason}; ${size}).`, target.hints);
  }
  const hints = [...target.hints, ...encodingHints(source.encoding)];
  const count = source.lineCount;
  if (count === 0) return textOutput(`${display} is empty (0 lines).`, hints);
  const bounds = readBounds({ start, end, count });
  hints.push(...bounds.hints);
  // Only what an answer can hold is read: its head, and its tail when the middle is left out.
  const most = ANSWER_BUDGET.maxLines;
  const headEnd = Math.min(bounds.end, bounds.start + most);
  const tailStart = Math.max(headEnd, bounds.end - most);
  const head = await source.read(bounds.start, headEnd);
  const tail = tailStart < bounds.end ? await source.read(tailStart, bounds.end) : [];
  const lineText = (index: number) =>
    (index < headEnd ? head[index - bounds.start] : tail[index - tailStart]) ?? "";
  const excerpt = formatExcerpt({ start: bounds.start, end: bounds.end, lineText });
  context.shown.remember(target.key, excerpt.shown);
  for (const [name, id] of [["start", bounds.startId], ["end", bounds.endId]] as const) {
    if (id === undefined || id.line > count) continue;
    const [text = ""] = await source.read(id.line - 1, id.line);
    if (hashLine(text) === id.hash) continue;
    hints.push(
      `The ${name} id "${id.line}:${id.hash}" is stale: line ${id.line} has changed; shown by line number.`,
    );
  }
  if (excerpt.elided) hints.push(elisionHint({ display, count, elided: excerpt.elided }));
  if (excerpt.cut && bounds.end - bounds.start > 1) {
    hints.push(
      "A very long line was cut; its id is valid. View it alone (start = end) to see more of it.",
    );
  }
  return textOutput(excerpt.text, hints);
}

function elisionHint(
  { display, count, elided }: {
    readonly display: string;
    readonly count: number;
    readonly elided: { readonly start: number; readonly end: number };
  },
): string {
  return `The answer holds part of ${
    count.toLocaleString("en-US")
  } lines. For the rest: view path=${
    JSON.stringify(display)
  } start=${elided.start} end=${elided.end}`;
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

interface Bounds {
  /** 0-based, half-open, inside the file. */
  readonly start: number;
  readonly end: number;
  readonly hints: readonly string[];
  readonly startId: { readonly line: number; readonly hash: string } | undefined;
  readonly endId: { readonly line: number; readonly hash: string } | undefined;
}

function readBounds(
  { start, end, count }: {
    readonly start: string | undefined;
    readonly end: string | undefined;
    readonly count: number;
  },
): Bounds {
  const hints: string[] = [];
  const from = readBound("start", start, count);
  const to = readBound("end", end, count);
  let first = from?.line ?? 1;
  let last = to?.line ?? count;
  if (first > last && from !== undefined && to !== undefined) {
    [first, last] = [last, first];
    hints.push(`start is after end; showing lines ${first} to ${last}.`);
  }
  const clampedFirst = Math.min(Math.max(first, 1), count);
  const clampedLast = Math.min(Math.max(last, clampedFirst), count);
  if (clampedFirst !== first || clampedLast !== last) {
    hints.push(
      `The file has ${count} ${
        count === 1 ? "line" : "lines"
      }; showing ${clampedFirst} to ${clampedLast}.`,
    );
  }
  return {
    start: clampedFirst - 1,
    end: clampedLast,
    hints,
    startId: from?.id,
    endId: to?.id,
  };
}

function readBound(
  name: string,
  raw: string | undefined,
  count: number,
): { readonly line: number; readonly id?: { line: number; hash: string } } | undefined {
  if (raw === undefined || raw.trim() === "") return undefined;
  const ref = parseLineRef(raw);
  switch (ref.kind) {
    case "id":
      return { line: ref.line, id: { line: ref.line, hash: ref.hash } };
    case "number":
      return { line: ref.value < 0 ? count + 1 + ref.value : ref.value };
    case "malformed":
      throw new ToolError(
        `\`${name}\` is ${
          JSON.stringify(raw.slice(0, 80))
        }, which is neither a line number nor a line id. ` +
          `Send a number such as 12 (negative counts from the end) or an id such as "12:a3".`,
      );
  }
}
