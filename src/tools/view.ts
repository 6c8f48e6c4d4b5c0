// Owns: the view tool: which of file, directory or search a call asks for.
// Must not know: how directories are walked, files searched or shown.

import { resolvePaths } from "./several_paths.ts";
import { defineTool, ToolError, type ToolOutput } from "./tool.ts";

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
      description: "File or directory; several separated by `|` to list or search.",
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
      return withoutRange(await searchContent(input, context), input);
    }
    const { parseRange } = await import("./view_bounds.ts");
    const range = parseRange(input);
    const [target, ...others] = await resolvePaths(input.path, context);
    if (target === undefined) throw new Error("a path argument names at least one path");
    const info = target.info;
    if (info?.kind === "directory" || input.pattern !== undefined || others.length > 0) {
      const { listDirectory, listSeveral } = await import("./list_directory.ts");
      const listing = others.length === 0
        ? listDirectory(input, context)
        : listSeveral([target, ...others], { input, context });
      return withoutRange(await listing, input);
    }
    if (info?.kind !== "file") {
      throw new ToolError(
        `${target.display} is not a regular file (a device, socket or pipe), so it is not opened.`,
        target.hints,
      );
    }
    const { viewFile } = await import("./view_file.ts");
    return await viewFile({ ...target, info }, { range, context });
  },
});

/** A range means lines of one file: where it cannot apply, the agent must not think that it did. */
function withoutRange(
  output: ToolOutput,
  { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined },
): ToolOutput {
  if (start === undefined && end === undefined) return output;
  const hint = "`start` and `end` count only for showing one file; they were ignored here.";
  return { ...output, hints: [...output.hints ?? [], hint] };
}
