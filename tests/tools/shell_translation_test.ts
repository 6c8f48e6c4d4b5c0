// Owns: that the call in a refusal shows or changes what the refused command would have.
// Must not know: how commands are judged and translated.

import { deepEqual, equal } from "node:assert/strict";
import { testSession } from "../support/session.ts";

const FILES: { readonly [path: string]: string } = {
  "src/a.ts": "import x\nfoo bar\nconst a = 1;\nfoo(bar)\nFOO\n\nlast foo\n",
  "src/b.ts": Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join(""),
  "src/deep/c.ts": "nothing\nfoo bar baz\nafoob\n",
  "src/deep/d.js": "foo bar in js\n",
  "docs/e.md": "# foo\n\na|b\na.b\naxb\n",
  "f": "1\n2\n3\n",
  "-rf": "dash\n",
};

/** A directory with the files, and one more of the same to run the command itself in. */
async function withFiles(
  body: (directory: string, twin: string) => Promise<void>,
): Promise<void> {
  const places = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  const [directory = "", twin = ""] = await Promise.all(places.map((path) => Deno.realPath(path)));
  for (const place of [directory, twin]) {
    for (const [path, text] of Object.entries(FILES)) {
      await Deno.mkdir(`${place}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${place}/${path}`, text);
    }
  }
  try {
    await body(directory, twin);
  } finally {
    for (const place of places) await Deno.remove(place, { recursive: true });
  }
}

async function runBySh(command: string, cwd: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", command], cwd }).output();
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1);
}

interface Call {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

/** The calls that a refusal shows, as an agent would read them. */
function readCalls(text: string): Call[] {
  const [, examples = ""] = text.split("Example:\n");
  return examples.split("\n")
    .filter((line) => /^[a-z_]+ [a-z_]+=/.test(line) && !/TODO/.test(line))
    .map((line) => {
      const [tool = ""] = line.split(" ");
      const args = [...line.matchAll(/([a-z_]+)=("(?:[^"\\]|\\.)*"|\[.*\]|true|false|-?\d+)/g)];
      return {
        tool,
        args: Object.fromEntries(args.map(([, name, value]) => [name, JSON.parse(value ?? "")])),
      };
    });
}

/** The lines of files in an answer of `view`, without ids, names and separators. */
function fileLines(text: string): string[] {
  return text.split("\n\nHint: ")[0]?.split("\n").flatMap((line) => {
    const match = /^\d+:[0-9a-f]{2}\|(.*)$/.exec(line);
    return match === null ? [] : [match[1] ?? ""];
  }) ?? [];
}

const LINES: readonly string[] = [
  "cat f",
  "cat f src/a.ts",
  "cat < f",
  "cat -- -rf",
  "head src/b.ts",
  "head -5 src/b.ts",
  "head -n -35 src/b.ts",
  "tail -n 3 src/b.ts",
  "tail -n +38 src/b.ts",
  "head -20 src/b.ts | tail -5",
  "tail -n +20 src/b.ts | head -3",
  "cat src/b.ts | head -4",
  "sed -n 10,12p src/b.ts",
  "sed -n '39,$p' src/b.ts",
  "sed -n '$p' src/b.ts",
  "sed 3q src/b.ts",
  "sed -n '/foo/p' src/a.ts",
  "awk 'NR>=5 && NR<=7' src/b.ts",
  "awk '/foo/' src/a.ts",
  "cat src/a.ts | grep foo",
  "grep foo src/a.ts",
  "grep 'foo(bar' src/a.ts",
  "grep -E 'foo( |\\()bar' src/a.ts",
  "grep -i foo src/a.ts",
  "grep -w foo src/deep/c.ts",
  "grep -F 'a.b' docs/e.md",
  "grep 'a.b' docs/e.md",
  "grep 'a|b' docs/e.md",
  "grep -x 'foo bar' src/a.ts",
  "grep -h 'foo bar' src/a.ts src/deep/c.ts",
  "grep -rh 'foo bar' src",
  "grep -rh --include='*.ts' 'foo bar' src",
  "grep -h 'foo bar' src/*.ts",
  "grep -C1 '^foo bar' src/a.ts",
  "grep -e nothing -e baz src/deep/c.ts",
  "find src -name '*.ts' | xargs grep -h 'foo bar'",
  "cd src/deep && cat d.js",
  "cd src && grep -h nothing deep/c.ts",
];

Deno.test("shell translation: the call shows the lines that the command prints", async () => {
  await withFiles(async (directory) => {
    await using session = await testSession(directory);
    for (const command of LINES) {
      const refusal = await session.call("shell", { command });
      equal(refusal.isError, true, command);
      const calls = readCalls(refusal.text);
      const shown: string[] = [];
      for (const { tool, args } of calls) {
        const answer = await session.call(tool, args);
        equal(answer.isError, false, `${command}: ${answer.text}`);
        shown.push(...fileLines(answer.text));
      }
      const printed = await runBySh(command, directory);
      deepEqual(shown.sort(), printed.filter((line) => line !== "--").sort(), command);
    }
  });
});

Deno.test("shell translation: the call lists the files that the command lists", async () => {
  const commands = [
    "find src -type f",
    "find . -name '*.ts'",
    "find src -type f -name '*.ts' -o -name '*.js'",
    "find . -iname '*.TS'",
    "find src -maxdepth 1 -type f",
    "find . -name '*.ts' -not -path '*/deep/*'",
    "rg --files src",
    "ls src/*.ts",
    "ls src/deep",
  ];
  await withFiles(async (directory) => {
    await using session = await testSession(directory);
    for (const command of commands) {
      const refusal = await session.call("shell", { command });
      const [call] = readCalls(refusal.text);
      const answer = await session.call(call?.tool ?? "", call?.args);
      const listed = answer.text.split("\n\nHint: ")[0]?.split("\n")
        .flatMap((line) => line.includes("\t") ? [line.split("\t")[0] ?? ""] : [])
        .filter((path) => !path.endsWith("/"));
      const printed = (await runBySh(command, directory))
        .map((path) => path.replace(/^\.\//, "").replace(/^([^/]+)$/, "src/deep/$1"));
      deepEqual(listed?.sort(), printed.sort(), command);
    }
  });
});

Deno.test("shell translation: the call leaves the file as the command would", async () => {
  const commands: readonly (readonly [command: string, path: string])[] = [
    ["sed -i 's/foo(bar)/baz/' src/a.ts", "src/a.ts"],
    ["sed -i 's/foo bar/x&y/' f", "f"],
    ["sed -i 's/foo/b\\/z/g' src/a.ts", "src/a.ts"],
    ["sed -i 's|const|let\\nvar|' src/a.ts", "src/a.ts"],
    ["cat > new <<'EOF'\na \"b\" $c\n\t\\n\nEOF", "new"],
    ["cat > new <<EOF\na \\$b \\\\\nEOF", "new"],
    ["cat >> f <<'EOF'\n4\n5\nEOF", "f"],
    ["cat f > copy", "copy"],
  ];
  for (const [command, path] of commands) {
    await withFiles(async (directory, twin) => {
      await using session = await testSession(directory);
      const refusal = await session.call("shell", { command });
      equal(refusal.isError, true, command);
      for (const { tool, args } of readCalls(refusal.text)) {
        if (JSON.stringify(args).includes("N:hh")) continue;
        const answer = await session.call(tool, args);
        equal(/internal error/i.test(answer.text), false, answer.text);
        if (tool !== "view") equal(answer.isError, false, `${command}: ${answer.text}`);
      }
      await runBySh(command, twin);
      equal(
        await Deno.readTextFile(`${directory}/${path}`),
        await Deno.readTextFile(`${twin}/${path}`),
        command,
      );
    });
  }
});
