import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { type DirectoryRules, IgnoreScope } from "../../src/fs/ignore_rules.ts";

/** Ignore files by directory ("" is the top), as texts of `.gitignore` or as all kinds. */
type Rules = { readonly [directory: string]: string | DirectoryRules };

function rulesOf(rules: Rules, directory: string): DirectoryRules {
  const found = rules[directory];
  return typeof found === "string" ? { gitignore: found } : found ?? {};
}

/** True when `path` (with a slash at the end for a directory) is reached by a walk from the top. */
function isIgnored(rules: Rules, path: string, globalExcludes = ""): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  let scope = IgnoreScope.outermost(globalExcludes, rulesOf(rules, ""));
  for (const [index, part] of parts.entries()) {
    const isDirectory = index < parts.length - 1 || path.endsWith("/");
    if (scope.ignores(part, isDirectory)) return true;
    if (isDirectory) {
      scope = scope.enter(part, rulesOf(rules, parts.slice(0, index + 1).join("/")));
    }
  }
  return false;
}

Deno.test("rules decide as gitignore(5) says", () => {
  const rows: readonly (readonly [rules: Rules | string, path: string, ignored: boolean])[] = [
    ["*.log", "a.log", true],
    ["*.log", "x/y/a.log", true],
    ["*.log", "a.LOG", false],
    ["build", "build/a", true],
    ["build", "x/build", true],
    ["build/", "build", false],
    ["build/", "x/build/a", true],
    ["/build", "x/build", false],
    ["/build", "build", true],
    ["a/b", "a/b", true],
    ["a/b", "x/a/b", false],
    ["**/a/b", "x/a/b", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**", "a/x", true],
    ["a/**", "a/", false],
    ["*\n!*.ts", "a.ts", false],
    ["*\n!*.ts", "x/a.ts", true],
    ["*\n!*/\n!*.ts", "x/a.ts", false],
    ["build/\n!build/keep", "build/keep", true],
    ["build/*\n!build/keep", "build/keep", false],
    ["#a\n\\#b", "#a", false],
    ["#a\n\\#b", "#b", true],
    ["\\!a", "!a", true],
    ["a ", "a", true],
    ["a\\ ", "a ", true],
    ["a\\ ", "a", false],
    ["a\r\nb\r\n", "a", true],
    ["\ufeffa", "a", true],
    ["[ab]", "b", true],
    ["[!a]x", "bx", true],
    ["a?c", "a/c", false],
    ["foo", "foo\nbar", false],
    [{ "": "*.log", "x": "!a.log" }, "x/a.log", false],
    [{ "": "*.log", "x": "!a.log" }, "x/b.log", true],
    [{ "": "/x/y", "x": "!y" }, "x/y/z", false],
    [{ "": "x/y/\nz", "x": "!y" }, "x/y/z", true],
    [{ "": "a/\n!a" }, "a/b", false],
    [{ "x": "/a" }, "x/a", true],
    [{ "x": "/a" }, "a", false],
    [{ "": { gitignore: "!a", ignore: "a" } }, "a", true],
    [{ "": { ignore: "!a" }, "x": { gitignore: "a" } }, "x/a", false],
    [{ "": { gitignore: "!a", exclude: "a", isRepository: true } }, "a", false],
    [{ "": { exclude: "a", isRepository: true } }, "x/a", true],
    [{ "": "a", "x": { isRepository: true } }, "x/a", false],
    [{ "": { ignore: "a" }, "x": { isRepository: true } }, "x/a", true],
  ];
  for (const [given, path, ignored] of rows) {
    const rules = typeof given === "string" ? { "": given } : given;
    assert.equal(isIgnored(rules, path), ignored, JSON.stringify([given, path]));
  }
});

Deno.test("the user's own excludes come last and count from the repository's top", () => {
  assert.equal(isIgnored({}, "x/a.tmp", "*.tmp"), true);
  assert.equal(isIgnored({ "": "!a.tmp" }, "a.tmp", "*.tmp"), false);
  assert.equal(isIgnored({ "": { isRepository: true } }, "a", "/a"), true);
  assert.equal(isIgnored({ "x": { isRepository: true } }, "x/a", "/a"), true);
});

Deno.test("a directory that is entered although it is excluded shows what its rules leave", () => {
  const scope = IgnoreScope.outermost("", { gitignore: "build/\n*.o\n/build/x/" }).enter("build");
  assert.equal(scope.ignores("a.js", false), false);
  assert.equal(scope.ignores("a.o", false), true);
  assert.equal(scope.ignores("x", true), true);
  assert.equal(scope.enter("x").ignores("a", false), false);
});

const hasGit = await new Deno.Command("git", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);
if (!hasGit) console.log("ignore_rules_test: no git on PATH, its oracle test is left out");

const DIRECTORIES = ["", "a", "a/b", "a/b/c", "d e", "d e/a"];
const NAMES = ["x", "x.o", ".h", "a", "b", "y ", "z[1]", "#k", "!n", "*", "Q"];

async function git(root: string, args: string[], stdin: string): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const child = new Deno.Command("git", {
    args: ["-C", root, ...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test({
  name: "the same paths as git check-ignore",
  ignore: !hasGit,
  async fn() {
    const root = await Deno.makeTempDir();
    await git(root, ["init", "-q"], "");
    const files: string[] = [];
    for (const directory of DIRECTORIES) {
      await Deno.mkdir(`${root}/${directory}`, { recursive: true });
      for (const name of NAMES) {
        const path = directory === "" ? name : `${directory}/${name}`;
        if (DIRECTORIES.includes(path)) continue;
        await Deno.writeTextFile(`${root}/${path}`, "");
        files.push(path);
      }
    }
    const part = fc.constantFrom(
      ...["a", "b", "c", "x", "x.o", "*", "**", "?", "*.o", "x*", "d e", "y\\ ", "y ", "[xb]"],
      ...["[!a]", "z[[]1]", "z\\[1]", "\\#k", "#k", "!n", "\\!n", "\\*", ".*", "q", "[[:alpha:]]"],
    );
    const rule = fc.tuple(
      fc.constantFrom("", "", "!"),
      fc.constantFrom("", "", "/", "**/"),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", "", "/", "/**", "/*", "  "),
    ).map(([mark, start, parts, end]) => mark + start + parts.join("/") + end);
    const text = fc.tuple(fc.array(rule, { maxLength: 5 }), fc.constantFrom("\n", "\r\n"))
      .map(([rules, ending]) => rules.map((line) => line + ending).join(""));
    const rules = fc.record({
      "": text,
      "a": fc.oneof(fc.constant(""), text),
      "a/b": fc.oneof(fc.constant(""), text),
      "d e": fc.oneof(fc.constant(""), text),
    });
    await fc.assert(
      fc.asyncProperty(rules, text, async (gitignores, exclude) => {
        for (const [directory, content] of Object.entries(gitignores)) {
          await Deno.writeTextFile(`${root}/${directory}/.gitignore`, content);
        }
        await Deno.writeTextFile(`${root}/.git/info/exclude`, exclude);
        const args = ["check-ignore", "--no-index", "-z", "--stdin"];
        const output = await git(root, args, files.map((file) => `${file}\0`).join(""));
        const expected = output.split("\0").filter(Boolean).sort();
        const top = { gitignore: gitignores[""], exclude, isRepository: true };
        const all: Rules = { ...gitignores, "": top };
        const actual = files.filter((file) => isIgnored(all, file)).sort();
        assert.deepEqual(actual, expected);
      }),
      { numRuns: 300 },
    );
    await Deno.remove(root, { recursive: true });
  },
});
