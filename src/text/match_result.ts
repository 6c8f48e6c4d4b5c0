// Owns: what a replacement asks for and every answer the ladder can give, as facts without words.
// Must not know: how a match is found, how an answer is told.

import type { EncodingGuess } from "./encoding_guess.ts";
import type { LineEdit } from "./line_edit.ts";

export interface ReplaceRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** The rungs of the ladder, strictest first. */
export type Rung = "exact" | "escaped" | "pasted_ids" | "whitespace" | "typography";

/** What an agent should hear about a replacement that was made. */
export type FoundNote =
  /** The new text was given the file's indentation. */
  | "reindented"
  /** The match lies inside a copy of the new text: the same call may have been made before. */
  | "inside_new_text"
  /** Every line of the new text, written as it came, begins with a line id that proves it. */
  | "new_text_has_line_ids"
  /** A byte order mark at the start of the new text was left out: a file has at most one. */
  | "byte_order_mark_dropped";

export interface FoundReplacement {
  readonly kind: "found";
  readonly rung: Rung;
  /** In file order, without overlap, each line with its ending. */
  readonly edits: readonly LineEdit[];
  /** Matches that are replaced. */
  readonly places: number;
  /** True when the old text spans more than one line. */
  readonly multiline: boolean;
  readonly notes: readonly FoundNote[];
}

/** Lines (0-based, in file order, at most `MOST_PLACES`) where matches begin, and how many there are. */
export interface Places {
  readonly lines: readonly number[];
  readonly total: number;
}

export const MOST_PLACES = 20;

/** Text at one place of the file against what was sent; code points, -1 where a text has ended. */
export interface CodePointDifference {
  /** 0-based line of the file, and the UTF-16 offset in it. */
  readonly line: number;
  readonly column: number;
  /** 0-based line of the text that was sent. */
  readonly sentLine: number;
  readonly inFile: number;
  readonly sent: number;
}

/** Why a match that was found is not written. */
export type UnsafeReason =
  /** The match begins or ends where a character of several bytes may go on. */
  | { readonly why: "inside_character"; readonly line: number; readonly assumed: EncodingGuess }
  /** The new text holds a character that the file's encoding, as assumed, cannot be trusted with. */
  | {
    readonly why: "not_representable";
    readonly codePoint: number;
    readonly assumed: EncodingGuess;
  }
  /** U+FFFD was sent where the file holds bytes that could not be decoded. */
  | {
    readonly why: "replacement_character";
    readonly inText: "old_text" | "new_text";
    readonly assumed: EncodingGuess;
  }
  /** A NUL would make a text file binary. */
  | { readonly why: "nul_character" }
  /** The file's own quotes, dashes or blanks cannot be carried over to the new text. */
  | {
    readonly why: "unaligned_typography";
    readonly line: number;
    readonly differences: readonly CodePointDifference[];
  }
  /** The old text carried line ids, and this line (0-based) of the new text only may. */
  | { readonly why: "unproven_line_ids"; readonly newTextLine: number };

export interface UnsafeReplacement {
  readonly kind: "unsafe";
  readonly rung: Rung;
  readonly reason: UnsafeReason;
}

/** Why a window of the file is not a match. */
export type WindowDifference =
  /** The same but for whitespace, blank lines or where lines break. */
  | "whitespace"
  /** The same but for quotes, dashes, special blanks or characters without width. */
  | "typography"
  | "letter_case"
  | "content";

export interface ClosestWindow {
  /** Lines of the file, 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** 0 to 99, rounded down. */
  readonly percent: number;
  readonly difference: WindowDifference;
}

export interface RepeatedCharacter {
  readonly codePoint: number;
  readonly inFile: number;
  readonly sent: number;
  /** 0-based line of the file. */
  readonly line: number;
}

/** What may help after a miss. */
export interface Advice {
  /** At most three, closest first, none overlapping another. */
  readonly windows: readonly ClosestWindow[];
  /** True when the budget ended before every promising place was compared. */
  readonly searchCut: boolean;
  /** The first difference in the closest window. */
  readonly firstDifference?: CodePointDifference;
  /** At the first difference one character is repeated, but not as often. */
  readonly repeated?: RepeatedCharacter;
  /** The new text is in the file although the old one is not: swapped, or done before. */
  readonly newTextPresent?: Places;
  /** The old text occurs once when its HTML entities are decoded, or its characters encoded. */
  readonly entityCandidate?: {
    readonly change: "decoded" | "encoded";
    readonly oldText: string;
    readonly line: number;
  };
}

export type MatchResult =
  | FoundReplacement
  | ({ readonly kind: "ambiguous"; readonly rung: Rung } & Places)
  | UnsafeReplacement
  /**
   * The old text is nowhere, the new one is in lines `start` to `end` (0-based, half-open). It is `likely`
   * the result of this edit where it is a version of the old text; else only who knows the edits can tell.
   */
  | {
    readonly kind: "already_applied";
    readonly start: number;
    readonly end: number;
    readonly likely: boolean;
    /** What is closest to the old text, for an edit that was not made. */
    readonly advice: Advice;
  }
  | { readonly kind: "no_change"; readonly why: "equal_texts" | "equal_result" }
  /** The old text is empty, the file is not. */
  | { readonly kind: "empty_old" }
  | { readonly kind: "missing"; readonly advice: Advice };

/** What a rung found; `plan` is only made once the places are known to be wanted. */
export interface Candidates extends Places {
  readonly plan: () => Plan;
}

export type Plan =
  | {
    readonly kind: "edits";
    readonly edits: readonly LineEdit[];
    readonly places: number;
    readonly notes: readonly FoundNote[];
  }
  | { readonly kind: "unsafe"; readonly reason: UnsafeReason };
