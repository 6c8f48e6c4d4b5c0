// Owns: reading a scenario folder, laying out its input, making its calls on an open session.
// Must not know: where the project is, what is compared.

import { fromFileUrl, listFiles } from "./trees.ts";
import type { Answer } from "./octofs.ts";

const SCENARIOS = fromFileUrl(new URL("../scenarios/", import.meta.url));

interface ScenarioCall {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** What another program writes before this call: path -> text. */
  readonly meanwhile?: { readonly [path: string]: string };
}

export interface Scenario {
  readonly name: string;
  readonly folder: string;
}

/** All scenarios by name. */
export function listScenarios(): readonly Scenario[] {
  return [...Deno.readDirSync(SCENARIOS)].filter(({ isDirectory }) => isDirectory)
    .sort((a, b) => a.name < b.name ? -1 : 1)
    .map(({ name }) => ({ name, folder: SCENARIOS + name }));
}

/** Puts the project of a scenario into a directory of this machine. */
export function layOut({ folder }: Scenario, directory: string): void {
  for (const [path, bytes] of listFiles(`${folder}/input`)) {
    writeFile(`${directory}/${path}`, bytes);
  }
}

/** Makes the calls in a session over `directory`; gives what an agent reads. */
export async function runCalls(
  { folder }: Scenario,
  { session, directory }: {
    readonly session: { call(tool: string, args: Record<string, unknown>): Promise<Answer> };
    readonly directory: string;
  },
): Promise<string> {
  const calls: ScenarioCall[] = JSON.parse(Deno.readTextFileSync(`${folder}/calls.json`));
  const parts: string[] = [];
  for (const { tool, arguments: args, meanwhile = {} } of calls) {
    for (const [path, text] of Object.entries(meanwhile)) {
      Deno.writeTextFileSync(`${directory}/${path}`, text);
    }
    const answer = await session.call(tool, args);
    parts.push(
      `>>> ${tool} ${JSON.stringify(args)}${answer.isError ? " (error)" : ""}\n${answer.text}\n`,
    );
  }
  return parts.join("\n");
}

export function writeFile(path: string, bytes: Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeFileSync(path, bytes);
}
