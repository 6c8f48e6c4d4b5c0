// Owns: searching one local file: bytes before characters, small pieces of a large one.
// Must not know: threads, jobs, which files are searched.
//
// Sent to worker threads as source text, like all of LOCAL_SCAN_PARTS.

import {
  createLineMatcher,
  type LineBlock,
  type LineMatcher,
  type LineQuery,
  type LineSearchResult,
  searchLines,
  type SourcePart,
} from "../text/line_search.ts";
import { signatureOf } from "./local_listing.ts";
import {
  appendBlocks,
  bomLength,
  countLineBreaks,
  decodeExactly,
  isBug,
  lineStartBefore,
  unicodeForm,
} from "./local_text.ts";
import type { LocalWindow } from "./local_window.ts";
import type { EngineFindings, FileFindings, SearchRequest } from "./scan_jobs.ts";

interface Matchers {
  readonly query: string;
  /** The UTF-8 bytes that every match holds, as characters of the same number, or empty. */
  readonly bytes: string;
  /** Lines that a match which begins in a window may need behind it. */
  readonly reach: number;
  readonly ascii: LineMatcher;
  readonly unicode: LineMatcher;
}

/** Searches files one after the other, for one request after the other. */
export class LocalFileSearch {
  readonly #window: LocalWindow;
  #matchers: Matchers = newMatchers({ kind: "literal", text: "" });
  #isAscii: ((bytes: Uint8Array) => boolean) | undefined;

  /** `onStep` is called before every piece of work that can end only by itself. */
  constructor(window: LocalWindow, readonly onStep: () => void) {
    this.#window = window;
  }

  /** Makes ready for the files of one request. */
  prepare({ query }: SearchRequest): void {
    if (this.#matchers.query !== JSON.stringify(query)) this.#matchers = newMatchers(query);
  }

  /** `known` is the state in which the file is known to hold no match. */
  searchFile(path: string, known: string | undefined, request: SearchRequest): EngineFindings {
    this.onStep();
    if (known && signatureOf(path, Infinity) === known) return { kind: "unchanged" };
    try {
      this.#window.open(path);
      if (this.#window.atEnd) return this.#searchWhole(request);
      return this.#searchLarge(path, request);
    } catch (error) {
      if (isBug(error)) throw error;
      return { kind: "skipped", reason: "unreadable" };
    } finally {
      this.#window.close();
    }
  }

  /** A file that is longer than the first window, and mostly holds nothing: looked through first. */
  #searchLarge(path: string, request: SearchRequest): EngineFindings {
    const window = this.#window;
    if (window.size() > request.maxBytes) return { kind: "skipped", reason: "too_large" };
    const isWide = unicodeForm(window.bytes()) !== "bytes";
    const needle = this.#matchers.bytes.length;
    // A first look without counting lines: a line's number matters only where it matches.
    if (needle > 0 && needle < window.length / 2 && !isWide) {
      const glance = this.#glance();
      if (glance.kind !== "found") return glance;
    } else {
      window.enlarge();
      if (window.atEnd) return this.#searchWhole(request);
      const findings = this.#searchByWindows(request, { countLines: false });
      if (findings.kind !== "found") return findings;
    }
    window.close();
    window.open(path);
    window.enlarge();
    if (window.atEnd) return this.#searchWhole(request);
    return this.#searchByWindows(request, { countLines: true });
  }

  /** Looks for a literal's bytes from here to the file's end; `found` says no more than that. */
  #glance(): { kind: "found" } | FileFindings {
    const { bytes } = this.#matchers;
    for (;;) {
      this.onStep();
      const raw = this.#window.latin1();
      if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
      if (raw.indexOf(bytes) !== -1) return { kind: "found" };
      if (this.#window.atEnd) return { kind: "none" };
      this.#window.advance(raw.length - bytes.length + 1);
    }
  }

  #searchWhole(request: SearchRequest): EngineFindings {
    const window = this.#window;
    const { ascii, unicode, bytes } = this.#matchers;
    const form = unicodeForm(window.bytes());
    if (form === "utf-32") return { kind: "skipped", reason: "binary" };
    if (form !== "bytes") {
      const text = decodeExactly(form, window.bytes(2));
      return text === undefined ? { kind: "odd" } : this.#findIn(text, request, unicode);
    }
    const raw = window.latin1();
    if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
    // A literal's bytes are sought among the file's bytes: what cannot match is not decoded.
    if (bytes !== "" && raw.indexOf(bytes) === -1) return { kind: "none" };
    if (this.#holdsAscii(window.bytes())) return this.#findIn(raw, request, ascii);
    const text = decodeExactly("utf-8", window.bytes(bomLength(window.bytes())));
    return text === undefined ? { kind: "odd" } : this.#findIn(text, request, unicode);
  }

  /** A file that is read piece by piece: pieces end between lines, with room for context lines. */
  #searchByWindows(
    request: SearchRequest,
    { countLines }: { readonly countLines: boolean },
  ): EngineFindings {
    const window = this.#window;
    const { bytes, reach } = this.#matchers;
    const blocks: LineBlock[] = [];
    let matchedLines = 0;
    let firstLine = 0;
    let lead = 0;
    let textStart = bomLength(window.bytes());
    if (unicodeForm(window.bytes()) !== "bytes") return { kind: "odd" };
    for (;;) {
      this.onStep();
      const raw = window.latin1();
      if (raw.indexOf("\0") !== -1) return { kind: "skipped", reason: "binary" };
      const end = window.atEnd ? raw.length : raw.lastIndexOf("\n") + 1;
      const searchEnd = window.atEnd
        ? end
        : lineStartBefore(raw, end, Math.max(request.context, reach));
      const keepFrom = lineStartBefore(raw, searchEnd, request.context);
      if (!window.atEnd && (keepFrom === 0 || searchEnd <= lead)) {
        // Lines as long as this are no text that an agent could work with.
        if (raw.length >= 1 << 25) return { kind: "skipped", reason: "too_large" };
        window.grow();
        continue;
      }
      if (bytes === "" || raw.indexOf(bytes, lead) !== -1) {
        const begin = Math.max(lead, textStart);
        const found = this.#searchPiece(raw, [textStart, begin, searchEnd, end], {
          ...request,
          maxMatches: request.maxMatches - matchedLines,
        });
        if (found === undefined) return { kind: "odd" };
        if (found.matchedLines > 0 && !countLines) return { kind: "found", ...found };
        appendBlocks(blocks, found.blocks, firstLine);
        matchedLines += found.matchedLines;
        if (found.more) return { kind: "found", blocks, matchedLines, more: true };
      }
      if (window.atEnd) break;
      if (countLines) firstLine += countLineBreaks(raw, keepFrom);
      lead = searchEnd - keepFrom;
      textStart = 0;
      window.advance(keepFrom);
    }
    return blocks.length === 0
      ? { kind: "none" }
      : { kind: "found", blocks, matchedLines, more: false };
  }

  /** Searches the bytes from `begin` to `searchEnd`; those before and after are for context lines. */
  #searchPiece(
    raw: string,
    [start, begin, searchEnd, end]: readonly [number, number, number, number],
    request: SearchRequest,
  ): LineSearchResult | undefined {
    const window = this.#window;
    const last = window.atEnd ? 1 : 0;
    if (this.#holdsAscii(window.bytes(start, end))) {
      return searchLines(raw.slice(start, end), this.#matchers.ascii, {
        ...request,
        searchStart: begin - start,
        searchEnd: searchEnd - start + last,
      });
    }
    const before = decodeExactly("utf-8", window.bytes(start, begin));
    const middle = decodeExactly("utf-8", window.bytes(begin, searchEnd));
    const after = decodeExactly("utf-8", window.bytes(searchEnd, end));
    if (before === undefined || middle === undefined || after === undefined) return undefined;
    return searchLines(before + middle + after, this.#matchers.unicode, {
      ...request,
      searchStart: before.length,
      searchEnd: before.length + middle.length + last,
    });
  }

  #findIn(text: string, request: SearchRequest, matcher: LineMatcher): FileFindings {
    this.onStep();
    const found = searchLines(text, matcher, request);
    return found.blocks.length === 0 ? { kind: "none" } : { kind: "found", ...found };
  }

  /** Searches a text that was read elsewhere. */
  searchText(text: string, request: SearchRequest): FileFindings {
    return this.#findIn(text, request, this.#matchers.unicode);
  }

  #holdsAscii(bytes: Uint8Array): boolean {
    // deno-lint-ignore no-explicit-any -- loaded late: it costs a worker more than its start
    this.#isAscii ??= (globalThis as any).process.getBuiltinModule("node:buffer").isAscii;
    return this.#isAscii?.(bytes) ?? false;
  }
}

function newMatchers(query: LineQuery): Matchers {
  const bytes = new TextEncoder().encode(query.kind === "literal" ? query.text : query.needle);
  // A repetition has no end: a match of more than 1,000 lines beyond those in the query may be missed.
  const reach = query.kind === "regex" && query.spansLines
    ? 1_000 + query.ascii.split("\\n").length
    : 0;
  return {
    query: JSON.stringify(query),
    reach,
    bytes: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
    ascii: createLineMatcher(query, true),
    unicode: createLineMatcher(query, false),
  };
}

export const LOCAL_SEARCH_PARTS: readonly SourcePart[] = [LocalFileSearch, newMatchers];
