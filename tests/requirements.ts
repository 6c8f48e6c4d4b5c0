// Owns: which test proves each case from the field, or why none does.
// Must not know: how the cases are proven.

/** A test file below tests/, and words of a test's name as they stand in it. */
export type Proof = readonly [file: string, name: string];

export interface Requirement {
  readonly words: string;
  readonly proofs: readonly Proof[];
  /** Present where no test proves the case: what holds instead. */
  readonly reason?: string;
}

function proven(words: string, ...proofs: readonly Proof[]): Requirement {
  return { words, proofs };
}

function answered(words: string, reason: string, ...proofs: readonly Proof[]): Requirement {
  return { words, reason, proofs };
}

const BATCH = "tools/batch_edit_test.ts";
const BAD_INPUT = "e2e/bad_input_test.ts";
const CREATE = "tools/create_test.ts";
const EDITOR = "fs/file_editor_test.ts";
const REPLACE = "tools/str_replace_test.ts";
const SPECIAL = "tools/special_files_test.ts";
const STDIO = "e2e/stdio_test.ts";
const UNDO = "tools/undo_test.ts";
const VIEW = "tools/view_file_test.ts";
const ARGUMENTS = "tools/read_arguments_test.ts";
const NOTHING = "tools/nothing_found_test.ts";
const LISTING = "tools/list_directory_test.ts";

export const REQUIREMENTS: { readonly [number: string]: Requirement } = {
  R01: proven(
    "bytes that are not UTF-8",
    [BATCH, "bytes that are not UTF-8 stay as they are"],
    [REPLACE, "a match that begins inside a character of an East Asian file"],
    [BATCH, "text beyond ASCII is not written into an 8-bit file"],
  ),
  R02: proven("dollar signs on every rung", [REPLACE, "dollar signs, typography"]),
  R03: proven("backslash n stays two characters", [REPLACE, "two characters of an escape stay"], [
    CREATE,
    "escapes as two characters",
  ]),
  R04: proven("backslash before a real newline", [CREATE, "a backslash before a newline"], [
    REPLACE,
    "a continuation line",
  ]),
  R06: proven("NUL and control characters", [CREATE, "a NUL is refused"], [
    BATCH,
    "six characters of an escape stay six characters",
  ], [CREATE, "other control characters are written and named"]),
  R07: proven("mixed line endings", [BATCH, "mixed endings of untouched lines stay"], [
    REPLACE,
    "mixed endings of untouched lines",
  ]),
  R08: proven("CRLF files stay CRLF", [CREATE, "overwriting keeps CRLF"], [
    REPLACE,
    "CRLF in the file, LF in the old text",
  ]),
  R10: proven("lone carriage returns are data", [VIEW, "a lone CR is data"], [
    BATCH,
    "lone carriage returns are data",
  ]),
  R14: proven("first and last line only", [REPLACE, "only the first and the last line agree"]),
  R15: proven("indentation of new text", [REPLACE, "an exact match is never re-indented"], [
    REPLACE,
    "tabs in the file, four spaces a level sent",
  ]),
  R17: proven("entities are never decoded", [REPLACE, "entities are not decoded"], [
    REPLACE,
    "entities are shown as the candidate",
  ]),
  R18: proven("parallel edits are all kept", [EDITOR, "twenty at once are all kept"], [
    "e2e/concurrency_test.ts",
    "20 edits of one file at once",
  ], ["e2e/two_processes_test.ts", "edits of two processes take turns"]),
  R19: proven("links stay links", [SPECIAL, "a link stays a link"], [SPECIAL, "a chain of links"], [
    UNDO,
    "a link, not its target",
  ]),
  R20: proven("mode bits are kept", [SPECIAL, "stays, through an edit and its undo"]),
  R23: proven("read-only files are refused", [SPECIAL, "is refused by every tool that writes"]),
  R24: proven("a failed edit changes nothing", [EDITOR, "leaves everything as it was"], [
    "properties/session_test.ts",
    "a walk over one file",
  ]),
  R25: proven("growing edits keep the end", [REPLACE, "a growing edit of a large file"]),
  R27: proven("hashes collide, numbers decide", [
    BATCH,
    "does not hold for another text with the same hash",
  ]),
  R28: proven("the anchor repeated in an insert", [
    "text/batch_test.ts",
    "the repeated line is named where it stands",
  ]),
  R29: proven("view prefixes in texts", [REPLACE, "pasted ids are stripped"]),
  R30: proven("times and ports stay", [REPLACE, "what only looks like a prefix is text"], [
    CREATE,
    "what looks like ids",
  ]),
  R31: proven("numbers never shift in a call", [BATCH, "operations in any order all count"]),
  R32: proven("unknown bounds widen nothing", [BATCH, "an unknown bound stops"], [
    "tools/extract_lines_test.ts",
    "line_start: 1, line_end: 2",
  ]),
  R34: proven("empty old text", [REPLACE, "an empty old text on a file with content"], [
    REPLACE,
    "an empty old text on a missing file makes it",
  ]),
  R36: answered(
    "create over a change unseen",
    "overwrite: true is the explicit wish; the answer shows what was removed and undo brings it back, " +
      "while without it nothing that exists is touched",
    [CREATE, "overwrite says how much was replaced and can be undone"],
  ),
  R38: proven("undo and a foreign change", [UNDO, "in the same lines stops and shows both"], [
    EDITOR,
    "a change inside stops",
  ]),
  R40: proven("undo touches one file", [UNDO, "touches no other file"], [
    UNDO,
    "can be taken back",
  ]),
  R41: proven("byte order marks are kept", [CREATE, "a byte order mark is never doubled"], [
    VIEW,
    "a byte order mark is hidden and not hashed",
  ]),
  R42: proven("JSON arrives as an object", [CREATE, "an object is written as JSON"], [
    BATCH,
    "an object for the content is refused",
  ]),
  R43: proven(
    "missing content is not empty",
    [CREATE, "a missing content is a call that was cut"],
    [
      BATCH,
      "a missing content is not an empty one",
    ],
  ),
  R45: proven("UTF-16 keeps its form", [BATCH, "UTF-16 stays UTF-16"], [
    VIEW,
    "UTF-16 without a mark is binary",
  ]),
  R47: proven("tabs shown, spaces sent back", [REPLACE, "one tab too few"]),
  R48: proven("CRLF file, LF text", [REPLACE, "CRLF in the file, LF in the old text"]),
  R49: proven("a touch blocks nothing", [REPLACE, "a touch alone blocks nothing"]),
  R50: proven("the disk is always read", [VIEW, "a view after a foreign change reads the disk"]),
  R51: proven("several matches are listed", [REPLACE, "the answer to ambiguity, word for word"]),
  R52: proven("errors say what happened", [REPLACE, "a miss begins with what happened"]),
  R54: answered(
    "help for a near miss",
    "all but the guess that the text belongs to another file, which would search files nobody named",
    [REPLACE, "old and new swapped"],
    [REPLACE, "a repeated character with both counts"],
  ),
  R55: proven("the fuzzy search is bounded", [REPLACE, "10 MB of old text against 10 MB"]),
  R56: proven("other names of arguments", [REPLACE, "other names of the arguments"], [
    ARGUMENTS,
    "another name",
  ]),
  R57: proven("a batch in any order", [BATCH, "operations in any order all count"]),
  R59: proven(
    "markers of other dialects",
    [BATCH, "conflict markers are written and named by id"],
    [
      BATCH,
      "an underline of equals signs is no marker",
    ],
  ),
  R60: proven("fresh ids after an edit", ["properties/session_test.ts", "good targets at once"], [
    BATCH,
    "a stale id is answered with what is there now",
  ]),
  R61: proven("identical text is no change", [CREATE, "the same content is no change"], [
    REPLACE,
    "equal texts are no change",
  ]),
  R63: proven(
    "four kinds of nothing",
    [NOTHING, "a path that is not there"],
    [
      NOTHING,
      "a glob that matched no file",
    ],
    [NOTHING, "files were searched and none matched"],
    [NOTHING, "files were skipped"],
  ),
  R65: proven("patterns that begin with a dash", [NOTHING, "is a text, not an option"]),
  R67: proven("a cap is said when hit", [
    "tools/search_content_test.ts",
    "an answer says that it is full only when more exists",
  ]),
  R68: proven("a resume hint always advances", [VIEW, "following the hints shows every line"], [
    VIEW,
    "five lines of 20 KB are all named",
  ]),
  R71: proven("text or binary", [NOTHING, "a character of several bytes across any boundary"], [
    VIEW,
    "a binary file is named by its kind",
  ]),
  R72: proven("a listing does not flood", [LISTING, "a large tree is one useful answer"]),
  R73: proven("a walk always ends", [LISTING, "not followed, not fatal"], [
    "fs/walk_test.ts",
    "a walk stops at its bounds and says so",
  ]),
  R74: proven("lines copied without ids", [
    "tools/extract_lines_test.ts",
    "bytes that are not UTF-8 are copied as they are",
  ]),
  I1: proven("one type for a property", [STDIO, "every property has one plain type"]),
  I2: proven("arrays have typed items", [STDIO, "every array typed items"]),
  I3: proven("no unions are published", [STDIO, "every property has one plain type"]),
  I4: proven("required is an array", [ARGUMENTS, "the published schema has one single type"]),
  I5: proven("arrays as JSON text", [BATCH, "operations as JSON text"], [
    ARGUMENTS,
    "JSON text stays a text",
  ]),
  I6: proven("numbers and flags as text", [ARGUMENTS, "false as text"], [ARGUMENTS, "fraction"]),
  I7: proven("objects for a text", [REPLACE, "objects and arrays for a text"]),
  I8: proven("unknown arguments are named", [ARGUMENTS, "many unknown arguments"]),
  I9: proven("missing arguments are named", [BAD_INPUT, "each argument missing"]),
  I12: proven("lone surrogates never leave", [
    BAD_INPUT,
    "every argument with every kind of value",
  ]),
  I15: proven("shape, then path, then content", [BATCH, "the shape is checked before the path"]),
  I16: proven("failures are flagged as such", [BAD_INPUT, "every field of an operation"]),
};
