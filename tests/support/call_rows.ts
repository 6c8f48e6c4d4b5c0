// Owns: running a table of tool calls on real files: what each says, what the files are afterwards.
// Must not know: what the rows prove.
//
// What is true of every call is checked of every row: ids that an answer prints are those of the file
// that was written, and a call that fails leaves every file as it was, with nothing beside it.

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { bytesOf, diskState, latin1 } from "./disk_state.ts";
import { assertIdsVerify } from "./line_ids.ts";
import { type Answer, temporaryDirectory } from "./octofs.ts";
import { type TestSession, testSession } from "./session.ts";

export type Content = string | Uint8Array;

export interface CallStep {
  readonly tool: string;
  readonly args: unknown;
  /** Expressions that the answer must match, texts that it must hold. */
  readonly says?: readonly (RegExp | string)[];
  /** The answer, byte for byte. */
  readonly text?: string;
  readonly fails?: true;
  /** What another program does before this call. */
  readonly meanwhile?: (root: string) => void;
}

export interface CallRow {
  readonly name: string;
  readonly files?: { readonly [path: string]: Content };
  readonly steps: readonly CallStep[];
  /** Contents afterwards; undefined for a file that must not be there. */
  readonly after?: { readonly [path: string]: Content | undefined };
  /** Looks at what contents do not show. */
  readonly check?: (root: string) => void;
  /** A reason not to run here, printed. */
  readonly skip?: string | undefined;
}

/** A project of its own with a session over it. */
export interface Project extends AsyncDisposable {
  readonly root: string;
  readonly call: TestSession["call"];
}

export async function openProject(
  files: { readonly [path: string]: Content } = {},
): Promise<Project> {
  const directory = await temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    Deno.mkdirSync(dirname(`${directory.path}/${path}`), { recursive: true });
    Deno.writeFileSync(`${directory.path}/${path}`, bytesOf(content));
  }
  const session = await testSession(directory.path);
  return {
    root: directory.path,
    call: session.call,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Tests each row in a project of its own. */
export function testCalls(title: string, rows: readonly CallRow[]): void {
  for (const row of rows) {
    if (row.skip !== undefined) console.log(`${title}: ${row.name}: not run: ${row.skip}`);
    Deno.test({
      name: `${title}: ${row.name}`,
      ignore: row.skip !== undefined,
      fn: () => runRow(row),
    });
  }
}

async function runRow({ files = {}, steps, after = {}, check }: CallRow): Promise<void> {
  await using project = await openProject(files);
  for (const step of steps) await runStep(project, step);
  for (const [path, content] of Object.entries(after)) {
    assert.equal(readLatin1(`${project.root}/${path}`), content && latin1(bytesOf(content)), path);
  }
  check?.(project.root);
}

async function runStep({ root, call }: Project, step: CallStep): Promise<void> {
  step.meanwhile?.(root);
  const before = diskState(root);
  const answer = await call(step.tool, step.args);
  assert.equal(answer.isError, step.fails ?? false, answer.text);
  for (const expected of step.says ?? []) {
    if (typeof expected === "string") assert.ok(answer.text.includes(expected), answer.text);
    else assert.match(answer.text, expected);
  }
  if (step.text !== undefined) assert.equal(answer.text, step.text);
  assert.ok(answer.text.isWellFormed());
  if (answer.isError) assert.deepEqual(diskState(root), before);
  else checkIds(root, { step, answer });
  const strays = Object.keys(diskState(root)).filter((path) => path.includes(".octofs-"));
  assert.deepEqual(strays, []);
}

function checkIds(
  root: string,
  { step, answer }: { readonly step: CallStep; readonly answer: Answer },
): void {
  const { path, append_path: appended } = step.args as { path?: unknown; append_path?: unknown };
  const file = `${root}/${appended ?? path}`;
  const info = statOf(file);
  if (info?.isFile) assertIdsVerify(answer.text, Deno.readFileSync(file));
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function readLatin1(path: string): string | undefined {
  return statOf(path) === undefined ? undefined : latin1(Deno.readFileSync(path));
}
