import assert from "node:assert/strict";
import { connectTo, temporaryDirectory } from "../support/octofs.ts";
import { runProgram } from "../support/raw_program.ts";
import manifest from "../../deno.json" with { type: "json" };

interface Row {
  readonly name: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly stdout?: RegExp;
  /** Where given, stderr must be this one line. */
  readonly stderr?: RegExp;
}

const ROWS: readonly Row[] = [
  { name: "help", args: ["--help"], code: 0, stdout: /octofs mcp [\s\S]*octofs call TOOL JSON/ },
  { name: "short help", args: ["-h"], code: 0, stdout: /octofs mcp/ },
  {
    name: "help of mcp",
    args: ["mcp", "--help"],
    code: 0,
    stdout:
      /--path DIR[\s\S]*--allow DIR[\s\S]*--allow-read DIR[\s\S]*--no-shell[\s\S]*--require-sandbox[\s\S]*--ssh-timeout[\s\S]*OCTOFS_LOG/,
  },
  { name: "help of call", args: ["call", "--help"], code: 0, stdout: /Exit code 0; 1 .*; 2 / },
  { name: "version", args: ["--version"], code: 0, stdout: versionLine() },
  { name: "no command", args: [], code: 2, stderr: /no command/ },
  { name: "unknown command", args: ["serve"], code: 2, stderr: /unknown command "serve"/ },
  { name: "unknown option", args: ["mcp", "--verbose"], code: 2, stderr: /--verbose/ },
  { name: "unknown option of call", args: ["call", "view", "{}", "--x"], code: 2, stderr: /--x/ },
  { name: "missing value at the end", args: ["mcp", "--path"], code: 2, stderr: /--path .*value/ },
  {
    name: "missing value before an option",
    args: ["mcp", "--path", "--no-shell"],
    code: 2,
    stderr: /--path .*value/,
  },
  { name: "empty value", args: ["mcp", "--allow="], code: 2, stderr: /--allow .*value/ },
  { name: "value for a flag", args: ["mcp", "--no-shell=1"], code: 2, stderr: /--no-shell/ },
  { name: "timeout in words", args: ["mcp", "--ssh-timeout", "soon"], code: 2, stderr: /soon/ },
  { name: "timeout of zero", args: ["mcp", "--ssh-timeout=0"], code: 2, stderr: /--ssh-timeout/ },
  {
    name: "removed --line-mode",
    args: ["mcp", "--line-mode", "hash"],
    code: 2,
    stderr: /--line-mode .*0\.9\.0.*only/,
  },
  {
    name: "removed --hint-mode with =",
    args: ["mcp", "--hint-mode=off"],
    code: 2,
    stderr: /--hint-mode .*0\.9\.0/,
  },
  {
    name: "removed option of call",
    args: ["call", "view", "{}", "--line-mode=number"],
    code: 2,
    stderr: /--line-mode .*0\.9\.0/,
  },
  { name: "config of no client", args: ["config"], code: 2, stderr: /claude-code.*zed/ },
  { name: "config of an unknown one", args: ["config", "vim"], code: 2, stderr: /claude-code/ },
  { name: "help of config", args: ["config", "--help"], code: 0, stdout: /Clients: claude-code/ },
  { name: "operand of mcp", args: ["mcp", "src"], code: 2, stderr: /--path/ },
  {
    name: "missing root",
    args: ["mcp", "--path", "no/such/root"],
    code: 2,
    stderr: /--path no\/such\/root .*exist/,
  },
  {
    name: "root that is a file",
    args: ["mcp", "--path", "file.txt"],
    code: 2,
    stderr: /file\.txt .*not a directory/,
  },
  {
    name: "missing allowed directory",
    args: ["mcp", "--path", ".", "--allow", "gone"],
    code: 2,
    stderr: /--allow gone .*exist/,
  },
  {
    name: "missing readable directory",
    args: ["mcp", "--path", ".", "--allow-read=gone"],
    code: 2,
    stderr: /--allow-read gone .*exist/,
  },
  {
    name: "ssh root with an option for a host",
    args: ["mcp", "--path", "ssh://-oProxyCommand=x/y"],
    code: 2,
    stderr: /ssh:\/\/-oProxyCommand/,
  },
  { name: "call without arguments", args: ["call", "view"], code: 2, stderr: /JSON/ },
  { name: "call with too many", args: ["call", "view", "{}", "{}"], code: 2, stderr: /JSON/ },
  { name: "call of no tool", args: ["call", "cat", "{}"], code: 2, stderr: /"cat".*view/ },
  { name: "call with half a JSON", args: ["call", "view", '{"a":'], code: 2, stderr: /not JSON/ },
  {
    name: "call in a missing root",
    args: ["call", "view", "{}", "--path", "gone"],
    code: 2,
    stderr: /--path gone .*exist/,
  },
  {
    name: "call that works",
    args: ["call", "view", '{"path": "file.txt"}'],
    code: 0,
    stdout: /^1:[0-9a-f]{2}\|content\n/,
  },
  {
    name: "call that a tool refuses",
    args: ["call", "view", '{"path": "gone.txt"}'],
    code: 1,
    stdout: /gone\.txt/,
  },
  {
    name: "call of shell without shell",
    args: ["call", "shell", '{"command": "true"}', "--no-shell"],
    code: 2,
    stderr: /"shell"/,
  },
];

function versionLine(): RegExp {
  return new RegExp(`^octofs ${manifest.version.replaceAll(".", "\\.")}\n$`);
}

for (const row of ROWS) {
  Deno.test(`command line: ${row.name}`, async () => {
    await using directory = await temporaryDirectory();
    await Deno.writeTextFile(`${directory.path}/file.txt`, "content\n");
    const { code, stdout, stderr } = await runProgram(row.args, { cwd: directory.path });
    assert.equal(code, row.code, stderr);
    if (row.stdout) assert.match(stdout, row.stdout);
    else assert.equal(stdout, "");
    if (row.stderr) {
      assert.match(stderr, /^octofs: [^\n]+\n$/, "one line");
      assert.match(stderr, row.stderr);
    }
  });
}

interface ConfigRow {
  readonly client: string;
  /** Reads command and arguments out of the printed text. */
  readonly read: (text: string) => readonly string[];
  readonly where: RegExp;
}

interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

const fromJson =
  (pick: (value: Record<string, Record<string, Start>>) => Start | undefined) => (text: string) => {
    const start = pick(JSON.parse(text));
    return [start?.command ?? "", ...start?.args ?? []];
  };

const CONFIG_ROWS: readonly ConfigRow[] = [
  {
    client: "claude-code",
    read: (text) => text.trim().split(" -- ")[1]?.split(" ") ?? [],
    where: /Run this/,
  },
  {
    client: "claude-desktop",
    read: fromJson((value) => value["mcpServers"]?.["octofs"]),
    where: /claude_desktop_config\.json/,
  },
  {
    client: "cursor",
    read: fromJson((value) => value["mcpServers"]?.["octofs"]),
    where: /\.cursor\/mcp\.json/,
  },
  {
    client: "vscode",
    read: fromJson((value) => value["servers"]?.["octofs"]),
    where: /\.vscode\/mcp\.json/,
  },
  {
    client: "windsurf",
    read: fromJson((value) => value["mcpServers"]?.["octofs"]),
    where: /\.codeium\/windsurf\/mcp_config\.json/,
  },
  {
    client: "codex",
    read: (text) => {
      const [, command, args] = /^\[mcp_servers\.octofs\]\ncommand = (".*")\nargs = (\[.*\])\n$/
        .exec(text) ?? [];
      return [JSON.parse(command ?? '""'), ...JSON.parse(args ?? "[]")];
    },
    where: /\.codex\/config\.toml/,
  },
  {
    client: "zed",
    read: fromJson((value) => value["context_servers"]?.["octofs"]),
    where: /settings\.json/,
  },
];

for (const { client, read, where } of CONFIG_ROWS) {
  Deno.test(`command line: the configuration for ${client} starts this program`, async () => {
    await using directory = await temporaryDirectory();
    const { code, stdout, stderr } = await runProgram(["config", client], { cwd: directory.path });
    assert.equal(code, 0, stderr);
    assert.match(stderr, where);
    const [command = "", ...args] = read(stdout).map((word) =>
      word.replace("${workspaceFolder}", directory.path)
    );
    assert.equal(args.includes("mcp"), true);
    await using octofs = await connectTo(
      { command, args: args.slice(0, args.indexOf("mcp")) },
      { args: args.slice(args.indexOf("mcp") + 1), cwd: directory.path },
    );
    assert.ok((await octofs.call("workdir", {})).text.includes(directory.path));
  });
}

Deno.test("command line: a level of OCTOFS_LOG that does not exist is said, and warn is used", async () => {
  await using directory = await temporaryDirectory();
  const { code, stderr } = await runProgram(["call", "workdir", "{}"], {
    cwd: directory.path,
    env: { OCTOFS_LOG: "loud" },
  });
  assert.equal(code, 0);
  assert.match(stderr, /OCTOFS_LOG=loud .*warn/);
});
