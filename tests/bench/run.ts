// Runs every bench of this folder, one after the other so that none disturbs another.
//
// Each prints ratios to a yardstick of the same run; a bench that lacks its yardstick says so.

import { fromFileUrl } from "../support/trees.ts";

const folder = fromFileUrl(new URL("./", import.meta.url));
const names = [...Deno.readDirSync(folder)].map((entry) => entry.name)
  .filter((name) => name.endsWith("_bench.ts")).sort();
let failed = 0;
for (const name of names) {
  console.log(`\n== ${name}`);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", folder + name],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (code !== 0) failed++;
}
if (failed > 0) console.error(`${failed} of ${names.length} benches failed`);
Deno.exit(failed === 0 ? 0 : 1);
