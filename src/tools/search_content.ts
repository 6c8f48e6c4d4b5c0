// Owns: the answer for a search: roots, query, which files, what was skipped, hits.
// Must not know: how trees are walked, how files are searched.

import type { FileFindings, SearchRequest, SkipReason } from "../fs/scan_jobs.ts";
import { NoThreadError, StuckError } from "../fs/scan_pool.ts";
import { filesInOrder, type Tree } from "../fs/walk.ts";
import type { ResolvedPath } from "../fs/workspace.ts";
import { ANSWER_BUDGET } from "../text/excerpt.ts";
import type { LineQuery } from "../text/line_search.ts";
import { literalSource } from "../text/regex_reader.ts";
import { translateRegex } from "../text/regex_syntax.ts";
import { boundaryOf, prefixOf, readPattern } from "./list_directory.ts";
import {
  counted,
  malformedRegexMessage,
  noFileMessage,
  noMatchMessage,
  noThreadMessage,
  stuckRegexMessage,
  treeHints,
  viewCall,
} from "./scan_messages.ts";
import { SearchAnswer } from "./search_answer.ts";
import { resolvePaths } from "./several_paths.ts";
import { textOutput, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** The fields of `view` that a search reads. */
export interface SearchInput {
  readonly path: string;
  readonly content?: string | undefined;
  readonly regex?: boolean | undefined;
  readonly pattern?: string | undefined;
  readonly context?: number | undefined;
  readonly max_depth?: number | undefined;
  readonly include_hidden?: boolean | undefined;
  readonly include_ignored?: boolean | undefined;
}

/** Larger files are skipped in a tree; one that is named is searched whatever its size. */
const TREE_LIMIT = 256 << 20;
/** Milliseconds after which a search stops with what it has. */
const TIME_LIMIT = 50_000;

/** Milliseconds between words to a client that waits. */
const ALIVE_EVERY = 2_000;

/** Files to search in one place, in the order in which their hits are shown. */
interface SearchScope {
  readonly root: ResolvedPath;
  readonly tree: Tree | undefined;
  readonly files: readonly string[];
}

export async function searchContent(
  input: SearchInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const query = readQuery(input);
  const filter = input.pattern === undefined ? undefined : readPattern(input.pattern);
  const roots = await resolvePaths(input.path, context);
  const scopes: SearchScope[] = [];
  const seen = new Set<string>();
  for (const root of roots) {
    const scope = await scopeOf(root, { input, context, filter });
    if (roots.length === 1) scopes.push(scope);
    else scopes.push({ ...scope, files: scope.files.filter((path) => isNew(seen, root, path)) });
  }
  const search = new Search(query, input, context);
  const alive = setInterval(() => context.progress(search.progress), ALIVE_EVERY);
  try {
    for (const scope of scopes) await search.run(scope);
  } catch (error) {
    if (error instanceof StuckError) throw new ToolError(stuckRegexMessage(input));
    if (error instanceof NoThreadError) throw new ToolError(noThreadMessage(input));
    throw error;
  } finally {
    clearInterval(alive);
  }
  const trees = scopes.flatMap(({ tree }) => tree === undefined ? [] : [tree]);
  const rootHints = roots.flatMap(({ hints }) => hints);
  return search.output(trees, rootHints);
}

class Search {
  readonly #request: SearchRequest;
  readonly #answer: SearchAnswer;
  readonly #skipped = new Map<SkipReason, string[]>();
  readonly #timeLimit = AbortSignal.timeout(TIME_LIMIT);
  #searched = 0;
  #matched = 0;
  #files = 0;

  constructor(
    query: LineQuery,
    readonly input: SearchInput,
    readonly context: ToolContext,
  ) {
    this.#answer = new SearchAnswer(context.shown);
    this.#request = {
      query,
      context: input.context ?? 0,
      maxMatches: ANSWER_BUDGET.maxLines,
      maxBytes: TREE_LIMIT,
    };
  }

  async run({ root, tree, files }: SearchScope): Promise<void> {
    const { context } = this;
    this.#files += files.length;
    const scanner = context.scans.scannerFor(root.fileSystem);
    const request = tree === undefined ? { ...this.#request, maxBytes: Infinity } : this.#request;
    const signal = AbortSignal.any([context.signal, this.#timeLimit]);
    let next = 0;
    try {
      for await (const portion of scanner.search(files, request, signal)) {
        for (const findings of portion) {
          this.#take(root, files[next++] ?? "", findings);
          if (this.#answer.isFull) return;
        }
      }
    } catch (error) {
      if (context.signal.aborted || !this.#timeLimit.aborted) throw error;
    }
  }

  /** What has been done so far, for a client that waits. */
  get progress(): string {
    return `searched ${this.#searched} of ${this.#files} files`;
  }

  #take(root: ResolvedPath, path: string, findings: FileFindings): void {
    if (findings.kind === "none") {
      this.#searched++;
      return;
    }
    const display = root.path === path
      ? root.display
      : prefixOf(root) + path.slice(root.path.length).replace(/^[/\\]/, "");
    if (findings.kind === "found") {
      this.#searched++;
      this.#matched += findings.matchedLines;
      this.#answer.add({ ...findings, display, key: root.fileSystem.key + path });
      return;
    }
    const paths = this.#skipped.get(findings.reason) ?? [];
    paths.push(display);
    this.#skipped.set(findings.reason, paths);
  }

  output(trees: readonly Tree[], rootHints: readonly string[]): ToolOutput {
    const { input } = this;
    const hints = [...rootHints];
    if (this.#answer.isFull) {
      hints.push(
        `The answer is full: more matches exist. Narrow with path, pattern or a longer content.`,
      );
    }
    if (this.#timeLimit.aborted && !this.#answer.isFull) {
      hints.push(
        `Stopped after ${
          TIME_LIMIT / 1000
        } s with ${this.#searched} of ${this.#files} files searched. ` +
          "Narrow with path or pattern.",
      );
    }
    hints.push(...this.#skipHints());
    if (this.#matched > 0) {
      // What was found answers the question; what was never looked at matters when it did not.
      const failures = treeHints(trees.map((tree) => ({ ...tree, hidden: 0, ignored: 0 })), input);
      return textOutput(this.#answer.text, [...hints, ...failures]);
    }
    hints.push(...treeHints(trees, input));
    if (this.#files === 0) {
      const filtered = trees.reduce((sum, tree) => sum + tree.filtered, 0);
      return textOutput(noFileMessage(input, filtered), hints);
    }
    return textOutput(noMatchMessage(input, this.#searched), hints);
  }

  #skipHints(): string[] {
    return [...this.#skipped].map(([reason, paths]) => {
      const count = `Skipped ${counted(paths.length, "file")}`;
      if (reason === "binary") return `${count} (binary).`;
      const some = `${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", …" : "."}`;
      if (reason === "unreadable") return `${count} (unreadable): ${some}`;
      const [first = ""] = paths;
      if (first === this.input.path) return `${count} (too large): ${some}`;
      return `${count} (too large): ${some} A file that is named is searched: ${
        viewCall({ ...this.input, path: first, pattern: undefined })
      }`;
    });
  }
}

function readQuery(input: SearchInput): LineQuery {
  const text = input.content ?? "";
  if (text === "") throw new ToolError("`content` is empty; send the text to search for.");
  if (input.regex) {
    const translated = translateRegex(text);
    if (translated.kind === "regex") return { kind: "regex", ...translated.sources };
    throw new ToolError(malformedRegexMessage(input, translated));
  }
  if (!text.includes("\n")) return { kind: "literal", text };
  const source = literalSource(text);
  const sources = { ascii: source, unicode: source, spansLines: true, looksAround: false };
  return { kind: "regex", ...sources, needle: longestPart(text) };
}

/** The longest part that no spelling of line breaks or letters can change. */
function longestPart(text: string): string {
  return text.split(/[^ -~]+/).reduce((one, other) => other.length > one.length ? other : one);
}

async function scopeOf(
  root: ResolvedPath,
  { input, context, filter }: {
    readonly input: SearchInput;
    readonly context: ToolContext;
    readonly filter: ReturnType<typeof readPattern> | undefined;
  },
): Promise<SearchScope> {
  if (root.info?.kind === "file") {
    return { root, tree: undefined, files: [root.path] };
  }
  if (root.info?.kind !== "directory") {
    throw new ToolError(
      `${root.display} is not a regular file (a device, socket or pipe), so it is not opened.`,
    );
  }
  const tree = await context.scans.tree({
    fileSystem: root.fileSystem,
    root: root.path,
    boundary: boundaryOf(root, context),
    prefix: prefixOf(root),
    includeHidden: input.include_hidden ?? false,
    includeIgnored: input.include_ignored ?? false,
    filter,
    maxDepth: input.max_depth,
    isForSearch: true,
    signal: context.signal,
    progress: context.progress,
  });
  if (tree.root.failure !== undefined) {
    throw new ToolError(`${root.display} could not be read: ${tree.root.failure}.`, root.hints);
  }
  return { root, tree, files: filesInOrder(tree.root) };
}

/** False for a file that an earlier root brought in already. */
function isNew(seen: Set<string>, { fileSystem }: ResolvedPath, path: string): boolean {
  const key = fileSystem.key + path;
  return !seen.has(key) && seen.add(key) !== undefined;
}
