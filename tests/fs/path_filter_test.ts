import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { parsePattern, type PathFilter } from "../../src/fs/path_filter.ts";

function filterOf(pattern: string): PathFilter {
  const parsed = parsePattern(pattern);
  if (parsed.kind === "malformed") throw new Error(`${pattern}: ${parsed.reason}`);
  return parsed.filter;
}

function included(pattern: string, path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  const filter = filterOf(pattern);
  for (let depth = 1; depth < parts.length; depth++) {
    const directory = parts.slice(0, depth);
    if (filter.prunesDirectory(directory.join("/"), directory.at(-1) ?? "")) return false;
  }
  return filter.includesFile(path, parts.at(-1) ?? "");
}

Deno.test("globs mean what they mean to ripgrep", () => {
  const rows: readonly (readonly [pattern: string, path: string, included: boolean])[] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "src/deep/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["*.TS", "a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/*.ts", "x/src/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/**", "src/b/c/a.ts", true],
    ["src/**", "src2/a.ts", false],
    ["**/test/*.js", "test/a.js", true],
    ["**/test/*.js", "x/y/test/a.js", true],
    ["**/a.ts", "a.ts", true],
    ["**", "x/y", true],
    ["a**b", "axxb", true],
    ["src", "src/a.ts", false],
    ["src/", "src/a.ts", false],
    ["/a.ts", "a.ts", true],
    ["/a.ts", "x/a.ts", false],
    ["./src/*.ts", "src/a.ts", true],
    ["a?c", "abc", true],
    ["a?c", "a😀c", true],
    ["a?c", "ac", false],
    ["[ab].ts", "b.ts", true],
    ["[!ab].ts", "b.ts", false],
    ["[^ab].ts", "c.ts", true],
    ["[a-c].ts", "b.ts", true],
    ["[]].ts", "].ts", true],
    ["[a-].ts", "-.ts", true],
    ["*.{ts,js}", "x/a.js", true],
    ["*.{ts,js}", "a.css", false],
    ["{src,test}/**/*.ts", "test/x/a.ts", true],
    ["*.{t{s,sx},js}", "a.tsx", true],
    ["{,x}a", "a", true],
    ["\\*.ts", "*.ts", true],
    ["\\*.ts", "a.ts", false],
    ["a\\|b", "a|b", true],
    ["!*.ts", "a.ts", false],
    ["!*.ts", "a.js", true],
    ["*.ts|!*.test.ts", "a.ts", true],
    ["*.ts|!*.test.ts", "a.test.ts", false],
    ["!*.test.ts|*.ts", "a.test.ts", true],
    ["*.ts | *.js", "a.js", true],
    ["*.ts|", "a.ts", true],
    ["!node_modules", "node_modules/x/a.ts", false],
    ["!node_modules/", "node_modules/x/a.ts", false],
    ["!node_modules/", "node_modules", true],
    // As ripgrep has it.
    ["!**//", "a", true],
    ["!**//", "d/a", false],
    ["**//", "d/a", false],
    ["!src/gen/**", "src/gen/a.ts", false],
    ["a.b", "axb", false],
    ["a+(b)$^", "a+(b)$^", true],
    ["日*", "日本", true],
    ["a b.ts", "a b.ts", true],
    ["[|].ts", "|.ts", true],
    ["/etc/*.conf", "/etc/a.conf", true],
  ];
  for (const [pattern, path, expected] of rows) {
    assert.equal(included(pattern, path), expected, JSON.stringify([pattern, path]));
  }
});

Deno.test("a malformed pattern is refused with its position", () => {
  const rows: readonly (readonly [pattern: string, position: number, reason: RegExp])[] = [
    ["", 1, /empty/],
    [" | ", 1, /empty/],
    ["*.{ts", 3, /without `}`/],
    ["*.ts}", 5, /without `{`/],
    ["a[bc", 2, /without `]`/],
    ["*.ts|b[z-a]", 7, /reversed/],
    ["a\\", 2, /ends the glob/],
    ["{".repeat(17) + "a" + "}".repeat(17), 17, /nested deeper than 16/],
    [Array(65).fill("a").join("|"), 129, /more than 64 globs/],
    ["é".repeat(2049), 4096, /longer than 4096 bytes/],
  ];
  for (const [pattern, position, reason] of rows) {
    const parsed = parsePattern(pattern);
    assert.equal(parsed.kind, "malformed", pattern);
    if (parsed.kind !== "malformed") continue;
    assert.match(parsed.reason, reason);
    assert.equal(parsed.position, position, pattern);
  }
  assert.equal(parsePattern("{".repeat(16) + "a" + "}".repeat(16)).kind, "filter");
  assert.equal(parsePattern(Array(64).fill("a").join("|")).kind, "filter");
  assert.equal(parsePattern("a".repeat(4096)).kind, "filter");
});

Deno.test("any string is a filter or malformed, and matching it ends", () => {
  const piece = fc.constantFrom("*", "**", "/", "a", "[", "]", "{", "}", ",", "!", "?", "\\", "|");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const parsed = parsePattern(pieces.join(""));
      if (parsed.kind === "filter") parsed.filter.includesFile("a/a/aa", "aa");
    }),
    { numRuns: 2000 },
  );
});

/** ripgrep as the oracle; without it the test has nothing to compare with. */
const hasRipgrep = await new Deno.Command("rg", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);
if (!hasRipgrep) console.log("path_filter_test: no rg on PATH, its oracle test is left out");

Deno.test({
  name: "the same files as ripgrep's -g",
  ignore: !hasRipgrep,
  async fn() {
    const root = await Deno.makeTempDir();
    const names = ["a", "b", "ab", "a.ts", "b.ts", "ab.js"];
    const paths = [
      ...names,
      ...names.map((name) => `a-d/${name}`),
      ...names.map((name) => `d/${name}`),
      ...names.map((name) => `d/e/${name}`),
    ];
    for (const path of paths) {
      await Deno.mkdir(`${root}/${path}/..`.replace(/\/[^/]*\/\.\.$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, "");
    }
    const piece = fc.constantFrom("*", "**/", "/**", "/", "a", "b", "d", "e", ".ts", "?", "[ab]");
    const braces = fc.tuple(piece, piece).map(([left, right]) => `{${left},${right}}`);
    const glob = fc.tuple(
      fc.constantFrom("", "", "!"),
      fc.array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: braces }), {
        minLength: 1,
        maxLength: 5,
      }),
    ).map(([mark, pieces]) => mark + pieces.join(""))
      // What a run of stars means that does not fill a path segment is nobody's promise.
      .filter((text) => !/\*\*[^/]|[^/!]\*\*|\*{3}/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(glob, { minLength: 1, maxLength: 3 }), async (globs) => {
        const args = ["--files", "--no-ignore", ...globs.flatMap((one) => ["-g", one])];
        const { stdout } = await new Deno.Command("rg", { args, cwd: root }).output();
        const expected = new TextDecoder().decode(stdout).split("\n").filter(Boolean).sort();
        const actual = paths.filter((path) => included(globs.join("|"), path)).sort();
        assert.deepEqual(actual, expected, JSON.stringify(globs));
      }),
      { numRuns: 200 },
    );
    await Deno.remove(root, { recursive: true });
  },
});
