// The different answers of a search that found nothing, and texts that are easily taken for something else.

import { testCalls } from "../support/call_rows.ts";

const fails = true as const;

function view(args: Record<string, unknown>) {
  return { tool: "view", args };
}

const FILES = { "src/a.ts": "one -i two\n--flag\n->thread\n", "src/b.bin": Uint8Array.of(1, 0, 2) };

testCalls("nothing found", [
  {
    name: "a path that is not there is an error with the nearest names",
    files: FILES,
    steps: [{ ...view({ path: "scr", content: "x" }), fails, says: ["No such file", "src"] }],
  },
  {
    name: "a glob that matched no file",
    files: FILES,
    steps: [{
      ...view({ path: ".", content: "one", pattern: "*.rs" }),
      says: ['The pattern "*.rs" matches none of the 2 files'],
    }],
  },
  {
    name: "files were searched and none matched",
    files: FILES,
    steps: [{
      ...view({ path: ".", content: "nowhere", pattern: "*.ts" }),
      says: ["No match", "1 file"],
    }],
  },
  {
    name: "files were skipped, with the reason",
    files: FILES,
    steps: [{ ...view({ path: ".", content: "nowhere" }), says: ["Skipped 1 file (binary)"] }],
  },
]);

testCalls("search text", [
  ...["-i", "--flag", "->thread"].map((content) => ({
    name: `${content} is a text, not an option`,
    files: FILES,
    steps: [{ ...view({ path: "src", content }), says: ["src/a.ts:\n", content] }],
  })),
  {
    name: "a character of several bytes across any boundary is no sign of a binary file",
    files: { "a.txt": `a${"日本語".repeat(40_000)}\nend\n` },
    steps: [
      { ...view({ path: "a.txt", start: -1 }), says: [/\|end$/] },
      { ...view({ path: "a.txt", content: "end" }), says: ["|end"] },
    ],
  },
]);
