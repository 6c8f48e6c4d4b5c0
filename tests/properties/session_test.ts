// Random walks of an agent over one file: whatever it does, ids that were printed are those of the
// file, a batch is a splice, a failed call changes nothing, and undo leads back to the first byte.

import assert from "node:assert/strict";
import fc from "../support/property.ts";
import { openProject, type Project } from "../support/call_rows.ts";
import { diskState, latin1 } from "../support/disk_state.ts";
import { assertIdsVerify, linesOf, printedLines } from "../support/line_ids.ts";
import type { Answer } from "../support/octofs.ts";

const LINES = [
  "a",
  "b",
  "}",
  "",
  "  x = 1",
  "\tx = 1",
  "日本語",
  "fn main() {",
  "a b",
  "“q”",
  "1:aa|z",
];
const ENDINGS = ["\n", "\r\n"];

const line = fc.tuple(fc.constantFrom(...LINES), fc.constantFrom(...ENDINGS)).map((pair) =>
  pair.join("")
);
const text = fc.tuple(fc.boolean(), fc.array(line, { maxLength: 12 }), fc.constantFrom("", "end"))
  .map(([mark, lines, tail]) => (mark ? "\ufeff" : "") + lines.join("") + tail);
/** What the old bytes of an 8-bit file look like among the lines. */
const file = fc.oneof(
  { weight: 4, arbitrary: text.map((one) => new TextEncoder().encode(one)) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom("a\n", "b\r\n", "\x99x\n", "\x95\\\n", "y\n"), {
      maxLength: 10,
    }).map((lines) => Uint8Array.from(lines.join("").split(""), (one) => one.charCodeAt(0))),
  },
);
const content = fc.array(fc.constantFrom("n1", "n2", "", "  }", "n3 x"), { maxLength: 3 })
  .map((lines) => lines.join("\n"));

const place = fc.nat({ max: 20 });
const operation = fc.oneof(
  fc.record({ verb: fc.constant("replace"), at: place, length: fc.nat({ max: 3 }), content }),
  fc.record({ verb: fc.constant("delete"), at: place, length: fc.nat({ max: 3 }), content }),
  fc.record({ verb: fc.constant("insert"), at: place, length: fc.constant(0), content }),
);

type Operation = { verb: string; at: number; length: number; content: string };

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      oldText: fc.constantFrom(...LINES, "x = 1", "a\nb", "    x = 1"),
      newText: content,
      all: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("create" as const), content: text }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("copy" as const),
      from: place,
      to: fc.integer({ min: -1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stale" as const), at: place }) },
);

type Step = (typeof step) extends fc.Arbitrary<infer Value> ? Value : never;

const PATH = "a.txt";

function readBytes(root: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(`${root}/${PATH}`);
  } catch {
    return undefined;
  }
}

/** The ids that the last answers printed, by line: what an agent knows without counting. */
class KnownIds {
  #ids: string[] = [];

  async view(project: Project): Promise<void> {
    const { text, isError } = await project.call("view", { path: PATH });
    this.#ids = isError ? [] : printedLines(text).map(({ id }) => id);
  }

  get count(): number {
    return this.#ids.length;
  }

  at(index: number): string {
    return this.#ids[index % Math.max(1, this.#ids.length)] ?? "1:00";
  }

  indexOf(id: string): number {
    return this.#ids.indexOf(id);
  }
}

interface PlannedOperation {
  readonly operation: string;
  readonly start: string;
  readonly end?: string;
  readonly content?: string;
}

function planOperation(
  { verb, at, length, content }: Operation,
  known: KnownIds,
): PlannedOperation {
  if (known.count === 0) return { operation: "insert", start: "0", content };
  const first = at % known.count;
  const last = Math.min(known.count - 1, first + length);
  if (verb === "insert") return { operation: verb, start: known.at(first), content };
  const range = { operation: verb, start: known.at(first), end: known.at(last) };
  return verb === "delete" ? range : { ...range, content };
}

/** The lines after a batch, by splicing from the end of the file to its start. */
function spliced(
  before: readonly string[],
  operations: readonly PlannedOperation[],
  known: KnownIds,
): string[] {
  const lines = [...before];
  const planned = operations.map(({ operation, start, end, content = "" }) => {
    const anchor = start === "0" ? -1 : known.indexOf(start);
    const from = operation === "insert" ? anchor + 1 : anchor;
    const count = operation === "insert" ? 0 : known.indexOf(end ?? start) - anchor + 1;
    const added = content.split("\n");
    if (added.at(-1) === "") added.pop();
    return { from, count, added };
  });
  for (
    const { from, count, added } of planned.sort((a, b) => b.from - a.from || b.count - a.count)
  ) {
    lines.splice(from, count, ...added);
  }
  return lines;
}

function textsOf(bytes: Uint8Array | undefined): string[] {
  return bytes === undefined ? [] : linesOf(bytes).map(latin1);
}

async function take(project: Project, one: Step, known: KnownIds): Promise<Answer> {
  const editor = (rest: Record<string, unknown>) =>
    project.call("text_editor", { path: PATH, ...rest });
  switch (one.kind) {
    case "batch": {
      const before = textsOf(readBytes(project.root));
      const operations = one.operations.map((planned) => planOperation(planned, known));
      const answer = await project.call("batch_edit", { path: PATH, operations });
      if (!answer.isError) {
        assert.deepEqual(textsOf(readBytes(project.root)), spliced(before, operations, known));
      }
      return answer;
    }
    case "replace":
      return await editor({
        command: "str_replace",
        old_text: one.oldText,
        new_text: one.newText,
        replace_all: one.all,
      });
    case "create":
      return await editor({ command: "create", content: one.content, overwrite: true });
    case "delete":
      return await editor({ command: "delete" });
    case "copy":
      return await project.call("extract_lines", {
        from_path: PATH,
        from_start: known.at(one.from),
        append_path: PATH,
        append_line: one.to,
      });
    case "stale": {
      const [number = "1", hash = "00"] = known.at(one.at).split(":");
      const other = (parseInt(hash, 16) ^ 1).toString(16).padStart(2, "0");
      const operations = [{ operation: "delete", start: `${number}:${other}` }];
      const answer = await project.call("batch_edit", { path: PATH, operations });
      assert.equal(answer.isError, true);
      return answer;
    }
  }
}

Deno.test("properties: a walk over one file, and the way back by undo", async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.array(step, { minLength: 1, maxLength: 8 }), async (bytes, steps) => {
      await using project = await openProject({ [PATH]: bytes });
      const known = new KnownIds();
      let written = 0;
      for (const one of steps) {
        await known.view(project);
        const before = diskState(project.root);
        const answer = await take(project, one, known);
        const now = readBytes(project.root);
        if (now !== undefined) assertIdsVerify(answer.text, now);
        const after = diskState(project.root);
        if (answer.isError) assert.deepEqual(after, before);
        if (after[PATH]?.inode !== before[PATH]?.inode) written++;
        assert.ok(Object.keys(after).length <= 1, "nothing is left beside the file");
        assert.equal(
          after[PATH]?.mode ?? before[PATH]?.mode,
          before[PATH]?.mode ?? after[PATH]?.mode,
        );
      }
      for (; written > 0; written--) {
        const answer = await project.call("text_editor", { command: "undo_edit", path: PATH });
        assert.equal(answer.isError, false, answer.text);
        const now = readBytes(project.root);
        if (now !== undefined) assertIdsVerify(answer.text, now);
      }
      assert.equal(latin1(readBytes(project.root) ?? new Uint8Array()), latin1(bytes));
    }),
    { numRuns: 150 },
  );
});

Deno.test("properties: the ids of an edit's answer are good targets at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.tuple(place, content), { minLength: 1, maxLength: 6 }),
      async (start, edits) => {
        await using project = await openProject({ [PATH]: `first\n${start}` });
        let ids = printedLines((await project.call("view", { path: PATH })).text);
        for (const [at, newText] of edits) {
          const current = ids.filter(({ sign }) => sign !== "-");
          if (current.length === 0) return;
          const target = current[at % current.length]?.id;
          // A text that is nowhere else, so that no guard against duplicates has a say.
          const operations = [{ operation: "replace", start: target, content: `${newText}${at}_` }];
          const answer = await project.call("batch_edit", { path: PATH, operations });
          if (answer.isError) {
            assert.match(answer.text, /No change|Duplicate/);
            continue;
          }
          ids = printedLines(answer.text);
        }
      },
    ),
    { numRuns: 100 },
  );
});
