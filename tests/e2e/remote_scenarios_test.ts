// Owns: every scenario again on an ssh host: what an agent reads and what is written are the same.

import assert from "node:assert/strict";
import { connect, temporaryDirectory } from "../support/octofs.ts";
import { layOut, listScenarios, runCalls } from "../support/scenarios.ts";
import { LOOPBACK, pathWithSsh, testSsh, withSshd } from "../support/ssh_login.ts";
import { listFiles } from "../support/trees.ts";

testSsh("every scenario answers and writes on an ssh host as it does at home", async () => {
  await withSshd({}, async (sshd) => {
    // Of the server alone: other tests run in this process meanwhile.
    const env = { PATH: await pathWithSsh(sshd) };
    const answers: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const scenario of listScenarios()) {
      await using project = await temporaryDirectory();
      layOut(scenario, project.path);
      const host = `ssh://${LOOPBACK}:${sshd.port}`;
      const root = host + project.path;
      await using session = await connect({ args: ["--path", root], env });
      const said = await runCalls(scenario, { session, directory: project.path });
      const { folder, name } = scenario;
      // Where an absolute path leads outside, the host is said too; at home there is none to say.
      const hostSaid = new RegExp(` \\(it resolves to ${host}/[^)]*\\)`, "g");
      answers[name] = said.replaceAll(root, "<root>").replaceAll(project.path, "<root>")
        .replaceAll(hostSaid, "");
      expected[name] = Deno.readTextFileSync(`${folder}/result.txt`);
      assert.deepEqual(listFiles(project.path), listFiles(`${folder}/expected`), name);
    }
    const different = Object.keys(expected).filter((name) => answers[name] !== expected[name]);
    assert.deepEqual(answers, expected, `different: ${different.join(", ")}`);
  });
});
