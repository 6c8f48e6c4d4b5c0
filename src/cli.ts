// Owns: argv -> command or usage error, and the help texts. PURE.
// Must not know: the disk, the session, the protocol.

export interface ServeOptions {
  /** Project root as given; the client's roots or the current directory where absent. */
  readonly path: string | undefined;
  readonly allow: readonly string[];
  readonly allowRead: readonly string[];
  readonly shell: boolean;
  readonly requireSandbox: boolean;
  /** Seconds. */
  readonly sshTimeout: number;
}

export type Command =
  | { readonly kind: "mcp"; readonly options: ServeOptions }
  | {
    readonly kind: "call";
    readonly options: ServeOptions;
    readonly tool: string;
    readonly json: string;
  }
  /** Started by octofs itself: the part that works on files, on pipes to its front. */
  | { readonly kind: "engine" | "engine-relay" }
  | { readonly kind: "config"; readonly client: ClientName }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "usage_error"; readonly message: string };

const DEFAULT_SSH_TIMEOUT_SECONDS = 10;

const REMOVED_OPTIONS: { readonly [name: string]: string } = {
  "--line-mode":
    "removed in 0.9.0: line ids with hashes are now the only mode, since bare numbers go stale silently",
  "--hint-mode":
    "removed in 0.9.0: hints are now always given, since they are what prevents the next failed call",
};

const OPTIONS_HELP = `Options:
  --path DIR            project root (default: the client's first root, else the current directory);
                        DIR may be ssh://[user@]host[:port]/path
  --allow DIR           a further directory the tools may read and write (repeatable)
  --allow-read DIR      a further directory the tools may read (repeatable)
  --no-shell            do not offer the shell tool
  --require-sandbox     refuse to start unless Deno's permission layer is active
  --ssh-timeout SECONDS seconds to wait for an ssh connection (default: ${DEFAULT_SSH_TIMEOUT_SECONDS})
`;

const MCP_HELP = `Usage: octofs mcp [options]

Serves MCP over stdio: view, text_editor, batch_edit, extract_lines, shell and workdir.

${OPTIONS_HELP}
Environment:
  OCTOFS_LOG            error, warn, info or debug: what is logged on stderr (default: warn)
`;

const CALL_HELP = `Usage: octofs call TOOL JSON [options]

Runs one tool call and prints its text. Exit code 0; 1 when the tool answered an error; 2 for bad usage.
Example: octofs call view '{"path": "README.md", "start": 1, "end": 10}'

${OPTIONS_HELP}`;

export const CLIENT_NAMES = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "windsurf",
  "codex",
  "zed",
] as const;
export type ClientName = typeof CLIENT_NAMES[number];

const CONFIG_HELP = `Usage: octofs config CLIENT

Prints what to put where, so that the client starts this program. Nothing is written.
Clients: ${CLIENT_NAMES.join(", ")}
`;

const HELP = `octofs: files for coding agents, over MCP

Usage:
  octofs mcp [options]              serve MCP over stdio
  octofs call TOOL JSON [options]   run one tool call and print its text
  octofs config CLIENT              print the configuration for an MCP client
  octofs --help | --version
  octofs mcp --help

${OPTIONS_HELP}`;

/** Reads the command line; `version` is printed by --version. */
export function parseCommandLine(argv: readonly string[], version: string): Command {
  const [first, ...rest] = argv;
  switch (first) {
    case undefined:
      return {
        kind: "usage_error",
        message: "no command given; try `octofs mcp` or `octofs --help`",
      };
    case "-h":
    case "--help":
    case "help":
      return { kind: "print", text: HELP };
    case "-V":
    case "--version":
      return { kind: "print", text: `octofs ${version}\n` };
    case "mcp":
      return wantsHelp(rest) ? { kind: "print", text: MCP_HELP } : parseMcp(rest);
    case "call":
      return wantsHelp(rest) ? { kind: "print", text: CALL_HELP } : parseCall(rest);
    case "config":
      return wantsHelp(rest) ? { kind: "print", text: CONFIG_HELP } : parseConfig(rest);
    case "engine":
    case "engine-relay":
      return { kind: first };
    default: {
      const removed = REMOVED_OPTIONS[first.split("=")[0] ?? ""];
      const reason = removed ? `${first} was ${removed}` : `unknown command "${first}"`;
      return {
        kind: "usage_error",
        message: `${reason}; commands are mcp, call and config, see --help`,
      };
    }
  }
}

function wantsHelp(rest: readonly string[]): boolean {
  return rest.includes("--help") || rest.includes("-h");
}

function parseMcp(rest: readonly string[]): Command {
  const parsed = parseOptions(rest);
  if (typeof parsed === "string") return { kind: "usage_error", message: parsed };
  const [extra] = parsed.operands;
  if (extra !== undefined) {
    return {
      kind: "usage_error",
      message: `unexpected argument "${extra}"; the root is given with --path`,
    };
  }
  return { kind: "mcp", options: parsed.options };
}

function parseCall(rest: readonly string[]): Command {
  const parsed = parseOptions(rest);
  if (typeof parsed === "string") return { kind: "usage_error", message: parsed };
  const [tool, json, extra] = parsed.operands;
  if (tool === undefined || json === undefined || extra !== undefined) {
    return {
      kind: "usage_error",
      message: "call takes a tool and its arguments as JSON: octofs call TOOL JSON",
    };
  }
  return { kind: "call", options: parsed.options, tool, json };
}

function parseConfig(rest: readonly string[]): Command {
  const client = CLIENT_NAMES.find((name) => name === rest[0]);
  if (client !== undefined && rest.length === 1) return { kind: "config", client };
  const message = `config takes one client: ${CLIENT_NAMES.join(", ")}`;
  return { kind: "usage_error", message };
}

function parseOptions(
  rest: readonly string[],
): { readonly options: ServeOptions; readonly operands: string[] } | string {
  const options = {
    path: undefined as string | undefined,
    allow: [] as string[],
    allowRead: [] as string[],
    shell: true,
    requireSandbox: false,
    sshTimeout: DEFAULT_SSH_TIMEOUT_SECONDS,
  };
  const operands: string[] = [];
  const pending = [...rest];
  for (let argument = pending.shift(); argument !== undefined; argument = pending.shift()) {
    if (!argument.startsWith("--")) {
      operands.push(argument);
      continue;
    }
    const [name = "", inline] = splitOption(argument);
    if (REMOVED_OPTIONS[name]) return `${name} was ${REMOVED_OPTIONS[name]}`;
    if (name === "--no-shell" || name === "--require-sandbox") {
      if (inline !== undefined) return `${name} takes no value`;
      if (name === "--no-shell") options.shell = false;
      else options.requireSandbox = true;
      continue;
    }
    if (!["--path", "--allow", "--allow-read", "--ssh-timeout"].includes(name)) {
      return `unknown option ${name}, see --help`;
    }
    const value = inline ?? pending.shift();
    // A missing value must not swallow the option after it.
    if (value === undefined || value === "" || (inline === undefined && value.startsWith("--"))) {
      return `${name} needs a value`;
    }
    if (name === "--path") options.path = value;
    else if (name === "--allow") options.allow.push(value);
    else if (name === "--allow-read") options.allowRead.push(value);
    else {
      const seconds = Number(value);
      if (!(seconds > 0 && Number.isFinite(seconds))) {
        return `--ssh-timeout needs seconds, not "${value}"`;
      }
      options.sshTimeout = seconds;
    }
  }
  return { options, operands };
}

function splitOption(argument: string): readonly [string, string | undefined] {
  const equals = argument.indexOf("=");
  if (equals === -1) return [argument, undefined];
  return [argument.slice(0, equals), argument.slice(equals + 1)];
}
