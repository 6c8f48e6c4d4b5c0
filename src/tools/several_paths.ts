// Owns: a path argument that names several paths, separated by `|`.
// Must not know: what is shown of them.

import type { ResolvedPath } from "../fs/workspace.ts";
import { type ToolContext, ToolError } from "./tool.ts";

/** As many as there may be globs in a pattern. */
const MOST_PATHS = 64;

/** One path, or several separated by `|`; a path that really holds a `|` wins. */
export async function resolvePaths(
  raw: string,
  { workspace }: ToolContext,
): Promise<readonly ResolvedPath[]> {
  const options = { purpose: "read", expect: "existing" } as const;
  const parts = raw.split("|").map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length < 2) return [await workspace.resolve(raw, options)];
  const whole = await workspace.resolve(raw, options).catch(() => undefined);
  if (whole !== undefined) return [whole];
  if (parts.length > MOST_PATHS) {
    throw new ToolError(
      `\`path\` names ${parts.length} paths separated by |; at most ${MOST_PATHS} fit in one call. ` +
        "Name a directory that holds them, or send the rest in another call.",
    );
  }
  return await Promise.all(parts.map((part) => workspace.resolve(part, options)));
}
