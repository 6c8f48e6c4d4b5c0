// Owns: running every scenario folder: the calls on a copy of input/, compared byte for byte.
//
// A folder holds input/ (the project before), calls.json (the calls in order), expected/ (the project
// after) and result.txt (what an agent reads). OCTOFS_UPDATE_SCENARIOS=1 writes expected/ and
// result.txt anew, for a reader to check in the diff.

import assert from "node:assert/strict";
import { fromFileUrl, listFiles } from "./support/trees.ts";
import { temporaryDirectory } from "./support/octofs.ts";
import { testSession } from "./support/session.ts";

const SCENARIOS = fromFileUrl(new URL("./scenarios/", import.meta.url));
const UPDATE = Deno.env.get("OCTOFS_UPDATE_SCENARIOS") === "1";

interface ScenarioCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** What another program writes before this call: path -> text. */
  readonly meanwhile?: { readonly [path: string]: string };
}

for (const entry of [...Deno.readDirSync(SCENARIOS)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (!entry.isDirectory) continue;
  Deno.test(`scenario ${entry.name}`, async () => {
    const folder = `${SCENARIOS}${entry.name}`;
    await using project = await temporaryDirectory();
    for (const [path, bytes] of listFiles(`${folder}/input`)) {
      writeFile(`${project.path}/${path}`, bytes);
    }
    const calls: ScenarioCall[] = JSON.parse(Deno.readTextFileSync(`${folder}/calls.json`));
    const result = (await runCalls(project.path, calls)).replaceAll(project.path, "<root>");
    if (UPDATE) update(folder, { project: project.path, result });
    assert.equal(result, Deno.readTextFileSync(`${folder}/result.txt`));
    assert.deepEqual(listFiles(project.path), listFiles(`${folder}/expected`));
  });
}

async function runCalls(root: string, calls: readonly ScenarioCall[]): Promise<string> {
  await using session = await testSession(root);
  const parts: string[] = [];
  for (const { tool, arguments: args, meanwhile = {} } of calls) {
    for (const [path, text] of Object.entries(meanwhile)) {
      Deno.writeTextFileSync(`${root}/${path}`, text);
    }
    const answer = await session.call(tool, args);
    parts.push(
      `>>> ${tool} ${JSON.stringify(args)}${answer.isError ? " (error)" : ""}\n${answer.text}\n`,
    );
  }
  return parts.join("\n");
}

function update(folder: string, { project, result }: { project: string; result: string }): void {
  Deno.writeTextFileSync(`${folder}/result.txt`, result);
  Deno.removeSync(`${folder}/expected`, { recursive: true });
  for (const [path, bytes] of listFiles(project)) writeFile(`${folder}/expected/${path}`, bytes);
}

function writeFile(path: string, bytes: Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeFileSync(path, bytes);
}
