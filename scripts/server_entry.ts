// Owns: `server.json`, the entry for the MCP registry, made from deno.json and the released files.

import manifest from "../deno.json" with { type: "json" };

/** The repository that releases are downloaded from; the release workflow knows it better than a fork. */
export const REPOSITORY = Deno.env.get("GITHUB_REPOSITORY") ?? "muvon/octofs";
export const DESCRIPTION =
  "Files for coding agents: hash-checked line edits, search and shell, sandboxed";

/** The text of the entry; `sums` are the checksums of the released files by name. */
export function serverEntry(sums: ReadonlyMap<string, string>): string {
  const [owner = "", name = ""] = REPOSITORY.split("/");
  const releases = `https://github.com/${REPOSITORY}/releases/download/v${manifest.version}`;
  const packages = [...sums].filter(([file]) => file.endsWith(".mcpb")).map(([file, sum]) => ({
    registryType: "mcpb",
    identifier: `${releases}/${file}`,
    version: manifest.version,
    fileSha256: sum,
    transport: { type: "stdio" },
  }));
  const entry = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: `io.github.${owner.toLowerCase()}/${name}`,
    title: "octofs",
    description: DESCRIPTION,
    repository: { url: `https://github.com/${REPOSITORY}`, source: "github" },
    version: manifest.version,
    packages,
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
