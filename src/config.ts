// Owns: what each MCP client wants to read in order to start this program, and where.
// Must not know: the protocol, what the program does once it is started.

import { fileURLToPath } from "node:url";
import type { ClientName } from "./cli.ts";

export interface ClientConfiguration {
  /** The text for the client's file, and nothing else, so that it can be redirected into one. */
  readonly text: string;
  /** Where it goes, for a person. */
  readonly where: string;
}

interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** The configuration of a client for the program whose entry module this is. */
export function clientConfiguration(client: ClientName, entry: string): ClientConfiguration {
  // A client that neither runs in the project nor names it as a root has to be told.
  const here = ["--path", Deno.cwd()];
  switch (client) {
    case "claude-code":
      return {
        text: `claude mcp add --scope user octofs -- ${shellLine(startOf(entry))}\n`,
        where: "Run this once. For one project only, use `--scope project` in its directory.",
      };
    case "claude-desktop":
      return {
        text: json({ mcpServers: { octofs: startOf(entry, here) } }),
        where: "Settings, Developer, Edit Config: claude_desktop_config.json. " +
          "It has no project of its own: --path names the directory to work in.",
      };
    case "cursor":
      return {
        text: json({ mcpServers: { octofs: startOf(entry, ["--path", "${workspaceFolder}"]) } }),
        where: "~/.cursor/mcp.json, or .cursor/mcp.json in one project.",
      };
    case "vscode":
      return {
        text: json({ servers: { octofs: { type: "stdio", ...startOf(entry) } } }),
        where: ".vscode/mcp.json, or the command `MCP: Open User Configuration` for all projects.",
      };
    case "windsurf":
      return {
        text: json({ mcpServers: { octofs: startOf(entry, here) } }),
        where: "~/.codeium/windsurf/mcp_config.json. --path names the directory to work in.",
      };
    case "codex":
      return { text: toml(startOf(entry)), where: "~/.codex/config.toml" };
    case "zed":
      return {
        text: json({
          context_servers: { octofs: { source: "custom", ...startOf(entry), env: {} } },
        }),
        where: "settings.json (the command `zed: open settings`), beside what is there.",
      };
  }
}

/** How this very program is started again, with absolute paths: clients have a PATH of their own. */
function startOf(entry: string, options: readonly string[] = []): Start {
  const command = Deno.execPath();
  if (Deno.build.standalone) return { command, args: ["mcp", ...options] };
  // Every octofs of this version, wherever a copy of it lies in the cache.
  const published = /^https:\/\/jsr\.io\/(@[^/]+\/[^/]+)\/([^/]+)\//.exec(entry);
  const program = published
    ? `jsr:${published[1]}@${published[2]}`
    : entry.startsWith("file:")
    ? fileURLToPath(entry)
    : entry;
  return { command, args: ["run", "-A", program, "mcp", ...options] };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toml({ command, args }: Start): string {
  // A JSON string is a TOML basic string.
  const list = args.map((argument) => JSON.stringify(argument)).join(", ");
  return `[mcp_servers.octofs]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`;
}

function shellLine({ command, args }: Start): string {
  return [command, ...args].map((word) => {
    if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
    return Deno.build.os === "windows" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
  }).join(" ");
}
