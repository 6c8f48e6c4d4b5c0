// Owns: a text that every match of a regular expression holds, so that most files need no expression. PURE.
// Must not know: how the expression is translated, files.

/** Escapes that take something after them, or stand for more than one character. */
const LONG_ESCAPES = /[0-9A-Za-z<>]/;
const ZERO_WIDTH_ESCAPES = "bBAzZ";
/** Escapes of one character out of a set. */
const SET_ESCAPES = "dDsSwWntrfvhHR";
/** Everything that repeats what is before it; a repetition may itself be repeated. */
const REPETITIONS = /(?:[?*+]|\{(?=\d|,\d)\d*,?\d*\})+/y;

/**
 * The longest run of plain ASCII characters that stands in every match, or empty where none is sure:
 * with alternatives at the top, and with flags, which may make case or blanks not count.
 */
export function requiredLiteral(pattern: string): string {
  let longest = "";
  let run = "";
  const end = () => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    REPETITIONS.lastIndex = at;
    const repetitions = REPETITIONS.exec(pattern)?.[0];
    if (repetitions !== undefined) {
      // Only these two ask for the character before them at least once, whatever comes.
      if (repetitions !== "+" && repetitions !== "+?") run = run.slice(0, -1);
      end();
      at += repetitions.length - 1;
      continue;
    }
    const char = pattern.charAt(at);
    if (char === "|" || char === ")") return "";
    if (char === "[" || char === "(") {
      end();
      at = char === "[" ? classEnd(pattern, at) : groupEnd(pattern, at);
      if (at === -1) return "";
    } else if (char === "\\") {
      const next = pattern.charAt(++at);
      if (ZERO_WIDTH_ESCAPES.includes(next) && pattern[at + 1] !== "{") end();
      else if (SET_ESCAPES.includes(next)) end();
      else if (next === "" || LONG_ESCAPES.test(next)) return "";
      else run += next;
    } else if ("^$.".includes(char) || char < " " || char > "~") end();
    else run += char;
  }
  end();
  return longest;
}

/** Index of the `]` that ends the class, or -1 where that is not plain to see. */
function classEnd(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") return -1;
    else if (pattern[at] === "]") return at;
  }
  return -1;
}

/** Index of the `)` that ends the group, or -1 where that is not plain to see or flags are set. */
function groupEnd(pattern: string, start: number): number {
  if (/^\(\?[a-zA-Z^-]/.test(pattern.slice(start, start + 3)) && pattern[start + 2] !== "P") {
    return -1;
  }
  for (let at = start + 1; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === ")") return at;
    else if (char === "[" || char === "(") {
      at = char === "[" ? classEnd(pattern, at) : groupEnd(pattern, at);
      if (at === -1) return -1;
    }
  }
  return -1;
}
