import assert from "node:assert/strict";
import { newNameFault, windowsFault } from "../../src/fs/path_names.ts";
import { cleanPath, foldName, nearestNames, pathOfFileUrl } from "../../src/fs/path_cleaning.ts";

const CLEANED: readonly { raw: string; path: string | undefined; certainty?: string }[] = [
  { raw: "a.txt", path: undefined },
  { raw: "a b.txt", path: undefined },
  { raw: " a.txt ", path: "a.txt", certainty: "wrapper" },
  { raw: "a.txt\n", path: "a.txt", certainty: "wrapper" },
  { raw: '"a b.txt"', path: "a b.txt", certainty: "wrapper" },
  { raw: "'a.txt'", path: "a.txt", certainty: "wrapper" },
  { raw: "`a.txt`", path: "a.txt", certainty: "wrapper" },
  { raw: '"a.txt', path: undefined },
  { raw: "@a.txt", path: "a.txt", certainty: "prefix" },
  { raw: "@types/x.d.ts", path: "types/x.d.ts", certainty: "prefix" },
  { raw: "a\\ b/c.txt", path: "a b/c.txt", certainty: "wrapper" },
  { raw: "a\\nb", path: undefined },
  { raw: "file:///a%20b", path: "/a b", certainty: "wrapper" },
  { raw: "FILE:///a", path: "/a", certainty: "wrapper" },
  { raw: '"file:///a%20b"', path: "/a b", certainty: "wrapper" },
  { raw: "", path: undefined },
  { raw: '""', path: undefined },
];

for (const { raw, path, certainty } of CLEANED) {
  Deno.test(`cleaning a path: ${JSON.stringify(raw)}`, () => {
    const cleaned = cleanPath(raw);
    assert.equal(cleaned?.path, path);
    if (certainty) assert.equal(cleaned?.certainty, certainty);
  });
}

const FILE_URLS: readonly (readonly [string, string])[] = [
  ["file:///home/u/a%20b", "/home/u/a b"],
  ["file:///C:/a%20b", "C:/a b"],
  ["file:///c%3A/a", "c:/a"],
  ["file://localhost/a", "/a"],
  ["file://server/share/a", "//server/share/a"],
  ["file:///a/../b", "/b"],
  ["file:///%E2%82%AC", "/€"],
  ["file:///100%", "file:///100%"],
];

for (const [url, path] of FILE_URLS) {
  Deno.test(`a file URL: ${url}`, () => assert.equal(pathOfFileUrl(url), path));
}

Deno.test("names fold Unicode form, spaces, quotes and dashes, and nothing else", () => {
  assert.equal(foldName("Cafe\u0301\u00a0\u2019s\u2013x"), "Caf\u00e9 's-x");
  assert.notEqual(foldName("README"), foldName("readme"));
});

Deno.test("the nearest names come first, and far ones not at all", () => {
  const names = ["main.ts", "mian.ts", "server.ts", "man.ts", "LICENSE"];
  assert.deepEqual(nearestNames("main.tz", names), ["main.ts", "man.ts", "mian.ts"]);
});

const NEW_NAMES: readonly (readonly [string, RegExp | undefined])[] = [
  ["/r/a.txt", undefined],
  ["/r/na\u00efve caf\u00e9.txt", undefined],
  ["/r/\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", undefined],
  ["/r/\u{1f468}\u200d\u{1f4bb}.md", undefined],
  ["/r/gpj\u202ecod.exe", /U\+202E/],
  ["/r/a\u2066b", /U\+2066/],
  ["/r/a\u200bb", /U\+200B/],
  ["/r/a\nb", /U\+000A/],
  ["/r/a\u001b[31m", /U\+001B/],
];

for (const [path, fault] of NEW_NAMES) {
  Deno.test(`a new name: ${JSON.stringify(path)}`, () => {
    if (fault) assert.match(newNameFault(path) ?? "", fault);
    else assert.equal(newNameFault(path), undefined);
  });
}

const WINDOWS_PATHS: readonly (readonly [string, RegExp | undefined])[] = [
  ["C:\\work\\README.md", undefined],
  ["\\\\server\\share\\x", undefined],
  ["\\\\?\\C:\\work\\x", undefined],
  ["C:\\work\\README.md:x", /stream/],
  ["C:\\work\\README.md::$DATA", /stream/],
  ["C:\\work\\nul", /device/],
  ["C:\\work\\NUL.txt", /device/],
  ["C:\\work\\com1\\x", /device/],
  ["C:\\work\\null.txt", undefined],
  ["C:\\work\\console", undefined],
];

for (const [path, fault] of WINDOWS_PATHS) {
  Deno.test(`on Windows: ${path}`, () => {
    if (fault) assert.match(windowsFault(path) ?? "", fault);
    else assert.equal(windowsFault(path), undefined);
  });
}
