// Owns: that command lines are read as the machine's own shell reads them.
// Must not know: which programs are misuse.

import { deepEqual } from "node:assert/strict";
import fc from "../support/property.ts";
import type { CommandLine } from "../../src/shell/command_line.ts";
import { parseCommandLine } from "../../src/shell/parse_command_line.ts";

const RULES = { backslashEscapes: true };

/** First programs of pipelines with their arguments, in the order in which they stand. */
function firstCommands(line: CommandLine): string[][] {
  return line.flatMap((pipeline) => {
    const nested = pipeline.commands.flatMap((command) => [
      ...command.substitutions.flatMap(firstCommands),
      ...(command.subshell === undefined ? [] : firstCommands(command.subshell)),
    ]);
    const words = pipeline.commands[0]?.words.map((word) => word.text) ?? [];
    return words.length === 0 ? nested : [...nested, words];
  });
}

function read(source: string): CommandLine {
  const parsed = parseCommandLine(source, RULES);
  return parsed.kind === "parsed" ? parsed.pipelines : [];
}

/** What `sh` hands to a program of this name: one list of arguments for each time it ran. */
async function runByShell(source: string): Promise<string[][] | "refused"> {
  // A descriptor of its own, so that redirections of the line do not take the record away.
  const script = `exec 9>&1\np() { printf '%s\\0' p "$@"; printf '\\001'; } >&9\n${source}`;
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", script],
    stdin: "null",
  }).output();
  if (!success || stderr.length > 0) return "refused";
  const text = new TextDecoder().decode(stdout);
  return text.split("\x01").filter((part) => part !== "")
    .map((part) => part.split("\0").slice(0, -1));
}

Deno.test("command line: words are what sh passes on", async () => {
  const rows: readonly string[] = [
    "p a b",
    "p 'a b' c",
    'p "a b" c',
    "p a'b'\"c\"d",
    "p a\\ b",
    "p \\'a\\'",
    "p '' \"\"",
    'p "\\$x \\` \\" \\\\ \\n"',
    "p '\\n \"'",
    'p "it\'s"',
    "p a\\\nb",
    'p "a\\\nb"',
    "p 'a\nb'",
    "p a # b",
    "p a#b",
    "p '#' \\# \"#\"",
    "p a;p b",
    "p a && p b || true; p c",
    "p a\np b\n\n\np c",
    "p a & wait; p b",
    "! p a; p b",
    "{ p a; p b; }",
    "(p a; p b)",
    "( p a ); p b",
    "if p a; then p b; fi",
    "if p a\nthen\np b\nfi",
    "case x in x) p a;; esac",
    "case x in y) ;; (x) p a ;; esac; p b",
    "case x in\n  x | y)\n p a\n ;;\nesac\np b",
    "p a > /dev/null 2>&1; p b",
    "p a 2>/dev/null b",
    "p 2 > /dev/null; p 2>/dev/null",
    "p a2>/dev/null b; p c",
    "X=1 p a; X='a b' Y=2 p b",
    "p a <<EOF\np x\nEOF\np b",
    "p a <<'E F'\np x\nE F\np b",
    "p a <<-EOF\n\tp x\n\tEOF\np b",
    "p a <<A; p b <<B\np x\nA\np y\nB\np c",
    "p \\$a",
    "p a\\;b 'c;d' \"e;f\"",
    "p \\a \\\\ \\\\\\\\",
    'p "a"b"c" \'d\'e',
    "p\ta\t b ",
    "p ~x '~' \\~",
    "p a\\",
    "p {a} } a{",
    "f() { p a; }; p b; f",
    "p a=b =c",
    "p - -- -x --y=z",
  ];
  for (const source of rows) {
    const expected = await runByShell(source);
    const found = firstCommands(read(source));
    // The body of a function runs when it is called; it is read where it stands.
    deepEqual(sorted(found.filter(([name]) => name === "p")), sorted(expected), source);
  }
});

function sorted(lists: string[][] | "refused"): string[] | "refused" {
  return lists === "refused" ? lists : lists.map((list) => JSON.stringify(list)).sort();
}

Deno.test("command line: any mixture of quotes and escapes gives the words of sh", async () => {
  const part = fc.constantFrom("a", "b", " ", "'", '"', "\\", "\t", ";", "#", "p ", "\n", "  ");
  const line = fc.array(part, { maxLength: 14 }).map((parts) => `p ${parts.join("")}`);
  await fc.assert(
    fc.asyncProperty(line, async (source) => {
      const expected = await runByShell(source);
      fc.pre(expected !== "refused");
      deepEqual(firstCommands(read(source)).filter(([name]) => name === "p"), expected);
    }),
    { numRuns: 300, maxSkipsPerRun: 50 },
  );
});

Deno.test("command line: any text is read to its end without a fault", () => {
  const part = fc.constantFrom(
    ..."ab '\"\\`$(){}[]<>|&;#\n\t=!*?~0",
    "$(",
    "<<E",
    "E\n",
    "case x in",
    "esac",
    "if",
    "fi",
    "cat",
    "\u{1f600}",
  );
  const line = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(line, (source) => {
      for (const pipeline of read(source)) {
        for (const command of pipeline.commands) {
          deepEqual(source.includes(command.source) || source.includes("`"), true);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("command line: expansions, globs and tildes are told apart from text", () => {
  const flags = (source: string): string => {
    const word = read(`p ${source}`)[0]?.commands[0]?.words[1];
    return word === undefined
      ? "none"
      : [word.expands && "expands", word.glob && "glob", word.tilde && "tilde"]
        .filter((flag) => flag !== false).join(" ");
  };
  const rows: readonly (readonly [source: string, flags: string])[] = [
    ["a", ""],
    ["$x", "expands"],
    ["${x}", "expands"],
    ['"$x"', "expands"],
    ["'$x'", ""],
    ["\\$x", ""],
    ["$", ""],
    ["a$", ""],
    ["$(make)", "expands"],
    ['"`make`"', "expands"],
    ["$((1))", "expands"],
    ["*.ts", "glob"],
    ["'*.ts'", ""],
    ["\\*.ts", ""],
    ["a?", "glob"],
    ["[ab]", "glob"],
    ["~/x", "tilde"],
    ["'~/x'", ""],
    ["a~", ""],
    ["$x/*.ts", "expands glob"],
  ];
  deepEqual(rows.map(([source]) => [source, flags(source)]), rows);
});

Deno.test("command line: a here-document keeps its text and whether it expands", () => {
  const bodyOf = (source: string): unknown =>
    read(source)[0]?.commands[0]?.redirections.at(-1)?.body;
  const rows: readonly (readonly [source: string, body: unknown])[] = [
    ["p <<E\na\nb\nE\n", { text: "a\nb\n", expands: true }],
    ["p <<'E'\na $x\nE\n", { text: "a $x\n", expands: false }],
    ['p <<"E"\na\nE', { text: "a\n", expands: false }],
    ["p <<\\E\na\nE", { text: "a\n", expands: false }],
    ["p <<-E\n\t\ta\n\tE\n", { text: "a\n", expands: true }],
    ["p <<E\nEE\nE \nE", { text: "EE\nE \n", expands: true }],
    ["p <<E", undefined],
    ["p <<E\nopen", { text: "open\n", expands: true }],
  ];
  deepEqual(rows.map(([source]) => [source, bodyOf(source)]), rows);
});
