import assert from "node:assert/strict";
import { FileEditor } from "../../src/fs/file_editor.ts";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { PathError } from "../../src/fs/path_error.ts";
import { Workspace } from "../../src/fs/workspace.ts";
import { TextDocument } from "../../src/text/document.ts";
import { temporaryDirectory } from "../support/octofs.ts";

/** Runs in a thread: swaps a directory for a link that leads outside, and back, as fast as it can. */
const SWAPPER = `
onmessage = ({ data: { root, stop, pause } }) => {
  const flag = new Int32Array(stop);
  let swaps = 0;
  while (Atomics.load(flag, 0) === 0) {
    Deno.renameSync(root + "/d", root + "/real");
    Deno.renameSync(root + "/link", root + "/d");
    for (let spin = 0; spin < (swaps % 7) * pause; spin++);
    Deno.renameSync(root + "/d", root + "/link");
    Deno.renameSync(root + "/real", root + "/d");
    for (let spin = 0; spin < (swaps % 5) * pause; spin++);
    swaps++;
  }
  postMessage(swaps);
};`;

interface Race extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly outside: string;
  /** Ends the swapping; gives how often it was done. */
  readonly end: () => Promise<number>;
}

/** `pause` is how many turns of an empty loop lie between two swaps, times up to six. */
async function startRace(pause: number): Promise<Race> {
  const directory = await temporaryDirectory();
  const [root, outside] = [`${directory.path}/root`, `${directory.path}/outside`];
  await Deno.mkdir(`${root}/d`, { recursive: true });
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${root}/d/file.txt`, "inside\n");
  await Deno.writeTextFile(`${outside}/file.txt`, "secret\n");
  await Deno.symlink(outside, `${root}/link`);
  const local = new LocalFileSystem();
  const url = URL.createObjectURL(new Blob([SWAPPER], { type: "text/javascript" }));
  const swapper = new Worker(url, { type: "module" });
  const stop = new SharedArrayBuffer(4);
  swapper.postMessage({ root, stop, pause });
  let swaps: Promise<number> | undefined;
  const end = () => {
    swaps ??= new Promise<number>((resolve) => {
      swapper.onmessage = ({ data }) => resolve(data);
      Atomics.store(new Int32Array(stop), 0, 1);
    });
    return swaps;
  };
  return {
    workspace: new Workspace({
      local,
      allowed: [{ fileSystem: local, path: root, writable: true }],
    }),
    outside,
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
      swapper.terminate();
      URL.revokeObjectURL(url);
      await directory[Symbol.asyncDispose]();
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof PathError || error instanceof FileSystemError;
}

const TRIES = 4000;
/** The other thread may be held up in the middle of a swap for as long as all of those tries take. */
const MOST_TRIES = 1_000_000;

Deno.test("race: a directory swapped for a link between check and use gives nothing away", async (test) => {
  await test.step("reading", async () => {
    await using race = await startRace(400);
    const counts = { inside: 0, refused: 0, outside: 0 };
    for (
      let attempt = 0;
      attempt < TRIES || (counts.inside === 0 && attempt < MOST_TRIES);
      attempt++
    ) {
      try {
        const options = { purpose: "read", expect: "existing" } as const;
        const resolved = await race.workspace.resolve("d/file.txt", options);
        const bytes = await resolved.fileSystem.readFile(resolved.path);
        counts[new TextDecoder().decode(bytes) === "secret\n" ? "outside" : "inside"]++;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        counts.refused++;
      }
      // Lets the other thread be somewhere else in its loop.
      if (attempt % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    console.log(`read race, ${await race.end()} swaps: ${JSON.stringify(counts)}`);
    assert.ok(counts.inside > 0, "the race never let a read through");
    assert.ok(counts.outside <= TRIES / 1000, `${counts.outside} of ${TRIES} reads got outside`);
  });

  await test.step("writing", async () => {
    await using race = await startRace(200_000);
    const editor = new FileEditor();
    const counts = { written: 0, refused: 0 };
    const outsideBefore = await Deno.readTextFile(`${race.outside}/file.txt`);
    // A write takes long enough to be swapped under nearly always; it is tried until some get through.
    for (let attempt = 0; attempt < MOST_TRIES && counts.written < 5; attempt++) {
      try {
        const options = { purpose: "write", expect: "existing" } as const;
        const target = await race.workspace.resolve("d/file.txt", options);
        const document = new TextDocument(`written ${attempt}\n`);
        const outcome = await editor.edit<"absent">(
          target,
          ({ kind }) =>
            kind === "text"
              ? { kind: "write", document, hunks: [] }
              : { kind: "stop", stop: "absent" },
        );
        counts[outcome.kind === "written" ? "written" : "refused"]++;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        counts.refused++;
      }
    }
    console.log(`write race, ${await race.end()} swaps: ${JSON.stringify(counts)}`);
    assert.ok(counts.written > 0, "the race never let a write through");
    assert.equal(await Deno.readTextFile(`${race.outside}/file.txt`), outsideBefore);
    const left = [...Deno.readDirSync(race.outside)].map(({ name }) => name);
    assert.deepEqual(left, ["file.txt"]);
  });
});
