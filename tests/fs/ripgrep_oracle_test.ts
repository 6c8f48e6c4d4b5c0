import assert from "node:assert/strict";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { ScanService } from "../../src/fs/scan_service.ts";
import { parsePattern } from "../../src/fs/path_filter.ts";
import { filesInOrder } from "../../src/fs/walk.ts";
import type { LineQuery } from "../../src/text/line_search.ts";
import { translateRegex } from "../../src/text/regex_syntax.ts";

/** Trees of real packages: those that this project depends on, where Deno keeps them. */
const PACKAGES = ["zod", "fast-check", "ajv", "@modelcontextprotocol/sdk", "iconv-lite"];

const LITERALS = ["function", "import * as", "\t", "=>", "it's", "é", "TODO", "zqxjk"];
const REGEXES = [
  "\\bclass\\s+\\w+",
  "^export",
  ";$",
  "(?i)todo|fixme",
  "^\\s*$",
  "[^\\x00-\\x7F]",
  "\\w+@\\w+\\.com",
  "(?P<year>20\\d\\d)-\\d{2}",
  "[[:upper:]]{6,}",
  "\\pL{25}",
  "function\\s*\\(",
  "a.c",
  "(foo|bar)+?",
  "\\$\\{[^}]+\\}",
  "^.{200,}$",
  "\\S+\\s\\S+$",
  "(?i)straße",
  "\\bé",
];
const GLOBS = [
  "*.ts",
  "*.d.{ts,mts}",
  "src/**",
  "**/lib/*.js",
  "!*.map",
  "*.js|!index.*",
  "[A-Z]*",
];

async function output(program: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, cwd, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

async function packageTrees(): Promise<string[]> {
  const info = JSON.parse(await output(Deno.execPath(), ["info", "--json"], "."));
  const trees: string[] = [];
  for (const name of PACKAGES) {
    const directory = `${info.npmCache}/registry.npmjs.org/${name}`;
    try {
      const versions = [...Deno.readDirSync(directory)].filter((entry) => entry.isDirectory);
      const version = versions.map((entry) => entry.name).sort().at(-1);
      if (version !== undefined) trees.push(await Deno.realPath(`${directory}/${version}`));
    } catch {
      // Not every package is on every machine.
    }
  }
  return trees;
}

const hasRipgrep = await output("rg", ["--version"], ".").then(() => true, () => false);
const trees = hasRipgrep ? await packageTrees() : [];
if (trees.length < 3) {
  console.log(`ripgrep_oracle_test: left out (rg: ${hasRipgrep}, package trees: ${trees.length})`);
}

async function filesOf(
  scans: ScanService,
  root: string,
  pattern?: string,
): Promise<string[]> {
  const parsed = pattern === undefined ? undefined : parsePattern(pattern);
  assert.notEqual(parsed?.kind, "malformed");
  const tree = await scans.tree({
    fileSystem: new LocalFileSystem(),
    root,
    boundary: root,
    prefix: "",
    includeHidden: false,
    includeIgnored: false,
    ...(parsed?.kind === "filter" ? { filter: parsed.filter } : {}),
    signal: new AbortController().signal,
    progress: () => {},
  });
  return [...filesInOrder(tree.root)];
}

async function linesOf(scans: ScanService, files: string[], query: LineQuery): Promise<string[]> {
  const scanner = scans.scannerFor(local);
  const request = { query, context: 0, maxMatches: Infinity, maxBytes: Infinity };
  const lines: string[] = [];
  let next = 0;
  for await (const portion of scanner.search(files, request, new AbortController().signal)) {
    for (const findings of portion) {
      const path = files[next++];
      if (findings.kind !== "found") continue;
      for (const { firstLine, lines: found } of findings.blocks) {
        for (const index of found.keys()) lines.push(`${path}:${firstLine + index + 1}`);
      }
    }
  }
  return lines;
}

const local = new LocalFileSystem();

/** What ripgrep finds, less files with a NUL byte, of which it shows what comes before that. */
async function ripgrepLines(root: string, files: string[], args: string[]): Promise<string[]> {
  const found = await output(
    "rg",
    ["-n", "--no-heading", "--null", "--sort", "path", ...args],
    root,
  );
  const lines = found.split("\n").flatMap((line) => {
    const match = /^([^\0]+)\0(\d+):/.exec(line);
    return match ? [`${root}/${match[1]?.replace(/^\.\//, "")}:${match[2]}`] : [];
  });
  const binary = new Set(files.filter((path) => Deno.readFileSync(path).includes(0)));
  return lines.filter((line) => !binary.has(line.slice(0, line.lastIndexOf(":"))));
}

Deno.test({
  name: "the same lines as ripgrep in real packages",
  ignore: trees.length < 3,
  async fn() {
    const scans = new ScanService();
    try {
      for (const root of trees) {
        const files = await filesOf(scans, root);
        for (const text of LITERALS) {
          const expected = await ripgrepLines(root, files, ["-F", "-e", text, "."]);
          const actual = await linesOf(scans, files, { kind: "literal", text });
          assert.deepEqual(actual.sort(), expected.sort(), `${root} ${text}`);
        }
        for (const pattern of REGEXES) {
          const translated = translateRegex(pattern);
          if (translated.kind !== "regex") throw new Error(pattern);
          // ripgrep counts the \r of \r\n as part of the line unless told otherwise.
          const expected = await ripgrepLines(root, files, ["--crlf", "-e", pattern, "."]);
          const query = { kind: "regex", ...translated.sources } as const;
          const actual = await linesOf(scans, files, query);
          assert.deepEqual(actual.sort(), expected.sort(), `${root} ${pattern}`);
        }
      }
    } finally {
      scans.close();
    }
  },
});

Deno.test({
  name: "the same files as ripgrep in real packages",
  ignore: trees.length < 3,
  async fn() {
    const scans = new ScanService();
    try {
      for (const root of trees) {
        for (const pattern of [undefined, ...GLOBS]) {
          const globs = pattern?.split("|").flatMap((glob) => ["-g", glob]) ?? [];
          const listed = await output("rg", ["--files", ...globs], root);
          // A glob makes ripgrep show hidden files too; here they need include_hidden.
          const expected = listed.split("\n").filter((path) => path && !/(?:^|\/)\./.test(path))
            .map((path) => `${root}/${path}`);
          const actual = await filesOf(scans, root, pattern);
          assert.deepEqual(actual.sort(), expected.sort(), `${root} ${pattern}`);
        }
      }
    } finally {
      scans.close();
    }
  },
});
