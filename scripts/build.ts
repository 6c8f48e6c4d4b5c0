// Owns: what is released: the one-file bundle, a program for each target, bundles for clients, checksums.
// Usage: deno task build [--bundle-only] [--target TARGET]...
// Exits non-zero where a program could not be built. DENORT_BIN names a runtime for the host's target.

import { parseArgs } from "node:util";
import manifest from "../deno.json" with { type: "json" };
import { clientBundle } from "./client_bundle.ts";
import { shellPrograms } from "../src/sandbox.ts";
import { serverEntry } from "./server_entry.ts";

interface Target {
  readonly name: string;
  readonly os: "linux" | "darwin" | "windows";
}

/** What `deno compile --target` takes. */
const TARGETS: readonly Target[] = [
  { name: "x86_64-unknown-linux-gnu", os: "linux" },
  { name: "aarch64-unknown-linux-gnu", os: "linux" },
  { name: "x86_64-apple-darwin", os: "darwin" },
  { name: "aarch64-apple-darwin", os: "darwin" },
  { name: "x86_64-pc-windows-msvc", os: "windows" },
  { name: "aarch64-pc-windows-msvc", os: "windows" },
];

const DIRECTORY = "dist";
const BUNDLE = `${DIRECTORY}/octofs.js`;

/** The front may do what it hands to its engine, and nothing else: no network, no native code. */
function permissions({ os }: Target): readonly string[] {
  const variables = "HOME,USERPROFILE,PWD,TMPDIR,TEMP,XDG_CONFIG_HOME,OCTOFS_LOG";
  return [
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    `--allow-run=${[...shellPrograms(os), "ssh"]}`,
    `--allow-env=${variables}`,
    "--unstable-worker-options",
  ];
}

async function deno(args: readonly string[]): Promise<string | undefined> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args: [...args] }).output();
  return success ? undefined : new TextDecoder().decode(stderr);
}

async function bundle(): Promise<void> {
  const fault = await deno(["bundle", "--quiet", "--minify", "-o", BUNDLE, "src/main.ts"]);
  if (fault !== undefined) throw new Error(`the bundle could not be made:\n${fault}`);
}

/** Gives the path of the program, or why there is none. */
async function compile(target: Target): Promise<{ path: string } | { reason: string }> {
  const path = `${DIRECTORY}/octofs-${target.name}${target.os === "windows" ? ".exe" : ""}`;
  if (Deno.env.has("DENORT_BIN") && target.name !== Deno.build.target) {
    return { reason: "skipped: DENORT_BIN is a runtime for the host's target only" };
  }
  // As for the engine of a script: see SMALL_HEAP in src/engine/process.ts.
  const heap = "--v8-flags=--max-semi-space-size=4";
  const options = ["--quiet", "--no-check", heap, "--target", target.name, "-o", path];
  const fault = await deno(["compile", ...options, ...permissions(target), BUNDLE]);
  if (fault === undefined) return await check(target, path);
  const lines = fault.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const cause = lines.find((line) => line.includes("error sending request")) ?? lines[0];
  return { reason: `failed: the runtime could not be fetched or written (${cause})` };
}

/** A program for this machine must run; one for another machine is taken as it is. */
async function check(target: Target, path: string): Promise<{ path: string } | { reason: string }> {
  if (target.name !== Deno.build.target) return { path };
  const { stdout } = await new Deno.Command(path, { args: ["--version"] }).output();
  if (new TextDecoder().decode(stdout) === `octofs ${manifest.version}\n`) return { path };
  await Deno.remove(path);
  return { reason: "failed: the program was written, but does not run as octofs" };
}

async function checksum(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      "bundle-only": { type: "boolean" },
      target: { type: "string", multiple: true },
    },
  });
  const wanted = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
  await Deno.mkdir(DIRECTORY, { recursive: true });
  await bundle();
  const made = [BUNDLE];
  let failures = 0;
  for (const target of values["bundle-only"] ? [] : wanted) {
    const result = await compile(target);
    if ("reason" in result) {
      console.log(`octofs-${target.name}: ${result.reason}`);
      failures += result.reason.startsWith("failed") ? 1 : 0;
      continue;
    }
    made.push(result.path);
    const path = `${DIRECTORY}/octofs-${target.name}.mcpb`;
    await Deno.writeFile(path, clientBundle(await Deno.readFile(result.path), target.os));
    made.push(path);
  }
  const sums: [string, string][] = [];
  for (const path of made) {
    const name = path.slice(DIRECTORY.length + 1);
    sums.push([name, await checksum(path)]);
    const { size } = await Deno.stat(path);
    console.log(`${name}: ${(size / 2 ** 20).toFixed(2)} MiB, sha256 ${sums.at(-1)?.[1]}`);
  }
  const lines = sums.map(([name, sum]) => `${sum}  ${name}\n`).join("");
  await Deno.writeTextFile(`${DIRECTORY}/SHA256SUMS`, lines);
  await Deno.writeTextFile(`${DIRECTORY}/server.json`, serverEntry(new Map(sums)));
  if (failures > 0) {
    console.log(`${failures} of ${wanted.length} programs of ${manifest.version} were not built`);
  }
  return failures > 0 ? 1 : 0;
}

Deno.exit(await main());
