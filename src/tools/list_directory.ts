// Owns: the answer for a directory: its files with line counts and token estimates, within the budget.
// Must not know: how trees are walked, how files are measured.

import { parsePattern, type PathFilter } from "../fs/path_filter.ts";
import type { FileMeasure } from "../fs/scan_jobs.ts";
import { type OutlineRow, outlineTree } from "../fs/tree_outline.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { ANSWER_BUDGET, estimateTokens } from "../text/excerpt.ts";
import { printableName } from "../text/printable_name.ts";
import {
  counted,
  formatCount,
  malformedPatternMessage,
  noFileMessage,
  treeHints,
  viewCall,
} from "./scan_messages.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** The fields of `view` that a listing reads. */
export interface ListingInput {
  readonly path: string;
  readonly pattern?: string | undefined;
  readonly max_depth?: number | undefined;
  readonly include_hidden?: boolean | undefined;
  readonly include_ignored?: boolean | undefined;
}

/** Milliseconds for counting below a depth that was asked for: the counts are not what was asked for. */
const COUNTING_TIME = 5_000;

/** The listings of several directories, one after the other. */
export async function listSeveral(
  targets: readonly ResolvedPath[],
  { input, context }: { readonly input: ListingInput; readonly context: ToolContext },
): Promise<ToolOutput> {
  const outputs: ToolOutput[] = [];
  for (const { display } of targets) {
    outputs.push(await listDirectory({ ...input, path: display }, context));
  }
  const content = outputs.flatMap((output) => output.content);
  const texts = content.flatMap((part) => part.type === "text" ? [part.text] : []);
  return textOutput(texts.join("\n"), outputs.flatMap(({ hints = [] }) => hints));
}

export async function listDirectory(
  input: ListingInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const filter = input.pattern === undefined ? undefined : readPattern(input.pattern);
  const { workspace, scans, signal } = context;
  const target = await workspace.resolve(input.path, { purpose: "read", expect: "existing" });
  if (target.info?.kind !== "directory") return await listOneFile(target, context);
  const tree = await scans.tree({
    fileSystem: target.fileSystem,
    root: target.path,
    boundary: boundaryOf(target, context),
    prefix: prefixOf(target),
    includeHidden: input.include_hidden ?? false,
    includeIgnored: input.include_ignored ?? false,
    filter,
    ...(input.max_depth === undefined ? {} : { maxTime: COUNTING_TIME }),
    signal,
    progress: context.progress,
  });
  if (tree.root.failure !== undefined) {
    throw new ToolError(`${target.display} could not be read: ${tree.root.failure}.`, target.hints);
  }
  const { rows, cut, collapsed } = outlineTree(tree.root, {
    budget: LISTING_BUDGET,
    maxDepth: input.max_depth ?? Infinity,
    omitEmpty: filter !== undefined,
  });
  const hints = [...target.hints, ...treeHints([tree], input)];
  if (rows.length === 0) {
    const empty = filter === undefined
      ? `${target.display} is empty.`
      : noFileMessage(input, tree.filtered);
    return textOutput(empty, hints);
  }
  const lines = await describeRows(rows, {
    target,
    context,
    isPartial: tree.stopped !== undefined,
  });
  if (cut > 0) {
    hints.unshift(
      `${counted(cut, "more entry")} not shown. Narrow with pattern, for example: ${
        viewCall({ ...input, pattern: "*.ts" })
      }`,
    );
  } else if (collapsed && input.max_depth === undefined) {
    hints.unshift(
      `${counted(tree.files, "file")} in all; directories shown with a count were not opened. ` +
        "View one of them, or narrow with pattern.",
    );
  }
  if (lines.some((line) => /\\(?:[nrt]|u[0-9a-f]{4})/.test(line))) hints.push(ESCAPE_HINT);
  return textOutput(lines.join("\n"), hints);
}

/** Leaves room for the hints. */
const LISTING_BUDGET = {
  maxLines: ANSWER_BUDGET.maxLines - 10,
  maxBytes: ANSWER_BUDGET.maxBytes - 2_000,
};

const ESCAPE_HINT = "Control and direction characters in names are shown as \\n, \\r, \\t or " +
  "\\uXXXX; send the characters themselves in path.";

/** Reads the `pattern` argument; throws ToolError. */
export function readPattern(pattern: string): PathFilter {
  const parsed = parsePattern(pattern);
  if (parsed.kind === "filter") return parsed.filter;
  throw new ToolError(malformedPatternMessage(pattern, parsed));
}

/** The allowed directory around a local path: the deepest one. */
export function boundaryOf(
  { fileSystem, path }: ResolvedPath,
  { workspace }: ToolContext,
): string | undefined {
  if (fileSystem.key !== "local") return undefined;
  return workspace.localDirectories
    .filter((directory) =>
      `${path}/`.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
    )
    .sort((left, right) => right.length - left.length)[0];
}

/** What is printed in front of the names in a directory. */
export function prefixOf({ display }: ResolvedPath): string {
  if (display === ".") return "";
  return display.endsWith("/") ? display : `${display}/`;
}

async function listOneFile(target: ResolvedPath, context: ToolContext): Promise<ToolOutput> {
  const scanner = context.scans.scannerFor(target.fileSystem);
  const [measure] = target.info?.kind === "file"
    ? await scanner.measure([target.path], context.signal)
    : [];
  const facts = measure === undefined ? "(special file)" : measureText(measure);
  return textOutput(`${printableName(target.display)}\t${facts}`, target.hints);
}

async function describeRows(
  rows: readonly OutlineRow[],
  { target, context, isPartial }: {
    readonly target: ResolvedPath;
    readonly context: ToolContext;
    readonly isPartial: boolean;
  },
): Promise<string[]> {
  const { fileSystem } = target;
  const files = rows.flatMap((row) =>
    row.kind === "file" ? [pathOf(row.directory.path, row.name)] : []
  );
  const measures = await context.scans.scannerFor(fileSystem).measure(files, context.signal);
  let next = 0;
  return await Promise.all(rows.map(async (row) => {
    const name = printableName(row.directory.prefix + (row.kind === "directory" ? "" : row.name));
    switch (row.kind) {
      case "directory": {
        const { failure } = row.directory;
        const files = `${formatCount(row.files)}${isPartial ? "+" : ""} ${
          row.files === 1 && !isPartial ? "file" : "files"
        }`;
        return `${name}\t(${failure === undefined ? files : `unreadable: ${failure}`})`;
      }
      case "file": {
        const measure = measures[next++];
        return `${name}\t${measure === undefined ? "" : measureText(measure, row.name)}`;
      }
      case "symlink": {
        const link = await fileSystem.readLink(pathOf(row.directory.path, row.name)).catch(() =>
          undefined
        );
        return `${name}\t(link${link === undefined ? "" : ` -> ${printableName(link)}`})`;
      }
      case "other":
        return `${name}\t(special file)`;
    }
  }));
}

function pathOf(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

function measureText(measure: FileMeasure, name = ""): string {
  switch (measure.kind) {
    case "text":
      return `${measure.lines}L\t~${estimateTokens(measure.bytes)}t`;
    case "binary":
      return "(binary)";
    case "unreadable":
      return name.includes("\ufffd") && measure.reason === "missing"
        ? "(unreadable: its name is not valid UTF-8)"
        : `(unreadable: ${measure.reason})`;
  }
}
