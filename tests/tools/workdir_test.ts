import assert from "node:assert/strict";
import { openProject, testCalls } from "../support/call_rows.ts";

const fails = true as const;

function workdir(args: Record<string, unknown> = {}) {
  return { tool: "workdir", args };
}

testCalls("workdir", [
  {
    name: "empty and absent paths report only",
    files: { "d/a.txt": "" },
    steps: [
      { ...workdir({ path: "d" }) },
      ...[undefined, null, "", " "].map((path) => ({
        ...workdir({ path }),
        says: [/^Working directory: .*\/d\n/],
      })),
    ],
  },
  {
    name: "by another name",
    files: { "d/a.txt": "" },
    steps: [{ ...workdir({ directory: "d" }), says: [/^Working directory: .*\/d\n/] }],
  },
  {
    name: "what it refuses",
    files: { "a.txt": "" },
    steps: [
      { ...workdir({ path: "a.txt" }), fails, says: ["is not a directory"] },
      { ...workdir({ path: "nowhere" }), fails, says: ["No such file or directory"] },
      { ...workdir({ path: ".." }), fails, says: ["is outside the directories"] },
      { ...workdir({ path: "/" }), fails, says: ["is outside the directories"] },
      { ...workdir({ path: {} }), fails, says: ["`path` must be text"] },
      { ...workdir({ path: [] }), fails, says: ["`path` must be text"] },
      { ...workdir({ path: "a\0b" }), fails, says: ["cannot be used"] },
      { ...workdir({ path: "d\ud800" }), fails, says: ["`path` holds half a character"] },
      { ...workdir({ reset: "yes" }), fails, says: ["`reset` must be true or false"] },
      { ...workdir({ path: "x".repeat(10_000_000) }), fails, says: [/^.{1,2000}$/s] },
    ],
  },
]);

Deno.test("workdir: relative paths start from it, and reset returns to the root", async () => {
  await using project = await openProject({ "d/a.txt": "x\n", "a.txt": "y\n" });
  const view = async (path: string) => (await project.call("view", { path })).text;
  const entered = await project.call("workdir", { path: "d" });
  assert.equal(entered.text.split("\n")[0], `Working directory: ${project.root}/d`);
  assert.equal(entered.text.split("\n")[1], `Project root: ${project.root}`);
  assert.match(await view("a.txt"), /\|x$/);
  assert.match(await view("../a.txt"), /\|y$/);
  const reset = await project.call("workdir", { reset: "true" });
  assert.equal(reset.text.split("\n")[0], `Working directory: ${project.root}`);
  assert.match(await view("a.txt"), /\|y$/);
});

Deno.test("workdir: a refused change leaves it where it was", async () => {
  await using project = await openProject({ "d/a.txt": "" });
  await project.call("workdir", { path: "d" });
  await project.call("workdir", { path: "../.." });
  assert.match((await project.call("workdir", {})).text, /^Working directory: .*\/d\n/);
});

Deno.test("workdir: a link that leaves the root is refused", async () => {
  await using project = await openProject();
  Deno.symlinkSync("/", `${project.root}/out`);
  const answer = await project.call("workdir", { path: "out" });
  assert.equal(answer.isError, true);
  assert.match(answer.text, /is outside the directories/);
});
