// Owns: what stands at one place of a command line: a word, an operator, a blank, a comment.
// Must not know: commands, pipelines, what words hold.

export type Token = "end" | "pipe" | "separator" | "parenthesis" | "redirection" | "word";

const REDIRECTION = /&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>&|>\||>/y;

/** What begins at `at`, where no blank stands; a `)` ends the list that it closes. */
export function tokenAt(source: string, at: number): Token {
  const character = source[at];
  const next = source[at + 1];
  if (character === undefined || character === ")") return "end";
  if (character === "|") return next === "|" ? "separator" : "pipe";
  if (character === "&") return next === ">" ? "redirection" : "separator";
  if (character === ";" || character === "\n") return "separator";
  if (character === "(") return "parenthesis";
  return character === "<" || character === ">" ? "redirection" : "word";
}

/** The redirection operator at `at`, where one stands. */
export function redirectionAt(source: string, at: number): string {
  REDIRECTION.lastIndex = at;
  return REDIRECTION.exec(source)?.[0] ?? "";
}

/** Passes blanks, continued lines and a comment. */
export function skipBlanks(source: string, start: number): number {
  let at = start;
  for (;;) {
    const character = source[at];
    if (character === " " || character === "\t") at++;
    else if (character === "\\" && source[at + 1] === "\n") at += 2;
    else if (character === "#") {
      const end = source.indexOf("\n", at);
      return end === -1 ? source.length : end;
    } else return at;
  }
}
