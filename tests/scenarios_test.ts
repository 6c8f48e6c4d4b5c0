// Owns: running every scenario folder: the calls on a copy of input/, compared byte for byte.
//
// A folder holds input/ (the project before), calls.json (the calls in order), expected/ (the project
// after) and result.txt (what an agent reads). OCTOFS_UPDATE_SCENARIOS=1 writes expected/ and
// result.txt anew, for a reader to check in the diff.

import assert from "node:assert/strict";
import { temporaryDirectory } from "./support/octofs.ts";
import { layOut, listScenarios, runCalls, writeFile } from "./support/scenarios.ts";
import { testSession } from "./support/session.ts";
import { listFiles } from "./support/trees.ts";

const UPDATE = Deno.env.get("OCTOFS_UPDATE_SCENARIOS") === "1";

for (const scenario of listScenarios()) {
  Deno.test(`scenario ${scenario.name}`, async () => {
    const { folder } = scenario;
    await using project = await temporaryDirectory();
    layOut(scenario, project.path);
    await using session = await testSession(project.path);
    const said = await runCalls(scenario, { session, directory: project.path });
    const result = said.replaceAll(project.path, "<root>");
    if (UPDATE) update(folder, { project: project.path, result });
    assert.equal(result, Deno.readTextFileSync(`${folder}/result.txt`));
    assert.deepEqual(listFiles(project.path), listFiles(`${folder}/expected`));
  });
}

function update(folder: string, { project, result }: { project: string; result: string }): void {
  Deno.writeTextFileSync(`${folder}/result.txt`, result);
  Deno.removeSync(`${folder}/expected`, { recursive: true });
  for (const [path, bytes] of listFiles(project)) writeFile(`${folder}/expected/${path}`, bytes);
}
