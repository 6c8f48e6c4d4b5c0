// Owns: what is kept and shown of output of any size, and what is said of the rest.
// Must not know: processes, escape sequences.

import { deepEqual, equal, match } from "node:assert/strict";
import fc from "../support/property.ts";
import { OutputCollector } from "../../src/shell/output_collector.ts";
import { showOutputs } from "../../src/shell/output_text.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function collect(chunks: readonly Uint8Array[], limit?: number): OutputCollector {
  const collector = new OutputCollector(limit);
  for (const chunk of chunks) collector.add(chunk);
  return collector;
}

function show(text: string, options: { kept?: number; limit?: number } = {}): string {
  const output = collect([encode(text)], options.kept).collected();
  return showOutputs([output], options.limit ?? 60_000)[0]?.text ?? "";
}

Deno.test("collector: in any chunking, the ends are kept and the middle is counted", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 60 }), (parts, limit) => {
      const whole = new Uint8Array(parts.flatMap((part) => [...part]));
      const collector = collect(parts, limit);
      const { head, tail, missing } = collector.collected();
      equal(collector.total, whole.length);
      equal(head.length + missing + tail.length, whole.length);
      if (whole.length <= 2 * limit) {
        deepEqual([head, tail.length, missing], [whole, 0, 0]);
        return;
      }
      deepEqual(head, whole.subarray(0, limit));
      deepEqual(tail, whole.subarray(-limit));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("collector: the caller may use its buffer again", () => {
  const buffer = encode("first");
  const collector = collect([buffer]);
  buffer.fill(0);
  deepEqual(collector.collected().head, encode("first"));
});

Deno.test("output text: a small output is shown whole and ends in a newline", () => {
  deepEqual(["", "a", "a\n", "a\n\n"].map((text) => show(text)), ["", "a\n", "a\n", "a\n\n"]);
});

Deno.test("output text: a character in two chunks is one character", () => {
  const bytes = encode("é😀日");
  for (let cut = 0; cut <= bytes.length; cut++) {
    const output = collect([bytes.subarray(0, cut), bytes.subarray(cut)]).collected();
    deepEqual(showOutputs([output], 100), [{ text: "é😀日\n", hadInvalidBytes: false }]);
  }
});

Deno.test("output text: bytes that are not UTF-8 are marked, the others stay", () => {
  const output = collect([new Uint8Array([97, 0xff, 98, 0xc3]), encode("é\n")]).collected();
  deepEqual(showOutputs([output], 100), [{ text: "a�b�é\n", hadInvalidBytes: true }]);
});

Deno.test("output text: over the limit, whole lines of both ends and the size of the gap", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`);
  const text = lines.join("");
  const shown = show(text, { limit: 400 });
  const [head = "", gap = "", tail = ""] = shown.split(/(?<=\n)(?=\[…)|(?<=…\]\n)/);
  equal(text.startsWith(head) && text.endsWith(tail), true);
  equal(head.endsWith("\n") && /^line \d+\n/.test(tail), true);
  equal(
    gap,
    `[… ${(text.length - head.length - tail.length).toLocaleString("en-US")} bytes not shown …]\n`,
  );
  equal(encode(head + tail).length <= 400, true);
});

Deno.test("output text: one long line is cut between characters", () => {
  const text = "é😀".repeat(1000);
  for (let limit = 50; limit < 70; limit++) {
    const shown = show(text, { limit });
    equal(shown.includes("\ufffd"), false);
    match(shown, /^(?:é😀)+é?\n\[… [\d,]+ bytes not shown …\]\n😀?(?:é😀)+\n$/u);
  }
});

Deno.test("output text: what the collector dropped is counted with what is cut", () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join("");
  const shown = show(text, { kept: 1000, limit: 300 });
  const counted = Number(/\[… ([\d,]+) bytes/.exec(shown)?.[1]?.replaceAll(",", ""));
  equal(counted + shown.replace(/\[….*…\]\n/, "").length, text.length);
});

Deno.test("output text: a line or frame broken by the gap is left out", () => {
  const rows: readonly (readonly [text: string, kept: number, shown: RegExp])[] = [
    [`first\n${"x".repeat(100)}\nlast\n`, 20, /^first\n\[… \d+ bytes not shown …\]\nlast\n$/],
    [
      `first\n${"frame 1234\r".repeat(20)}done\n`,
      20,
      /^first\n\[… \d+ bytes not shown …\]\ndone\n$/,
    ],
    ["é".repeat(50), 21, /^é+\n\[… \d+ bytes not shown …\]\né+\n$/],
  ];
  for (const [text, kept, expected] of rows) match(show(text, { kept }), expected);
});

Deno.test("output text: two streams share the limit, and one that is short leaves its share", () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join("");
  const sizes = (out: string, err: string): number[] =>
    showOutputs([out, err].map((text) => collect([encode(text)]).collected()), 1000)
      .map((stream) => stream.text.replace(/\[….*…\]\n/, "").length);
  const [both1 = 0, both2 = 0] = sizes(long, long);
  equal(both1 > 400 && both1 <= 500 && both2 > 400 && both2 <= 500, true);
  const [outOnly = 0, err = 0] = sizes(long, "short\n");
  equal(err, 6);
  equal(outOnly > 900 && outOnly <= 994, true);
});

Deno.test("output text: 600 KB of progress bars are one line", () => {
  const frames = Array.from({ length: 20_000 }, (_, index) => `\r[#### ] ${index}/20000 files ok`);
  equal(show(`${frames.join("")}\ndone\n`), "[#### ] 19999/20000 files ok\ndone\n");
});
