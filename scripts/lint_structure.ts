// Owns: the lint rules that hold the shape of the code: import direction, platform access, size.
// Must not know: what any file does.

interface Layer {
  readonly name: string;
  readonly holds: (file: string) => boolean;
  /** Layers it may import, itself included. */
  readonly imports: readonly string[];
}

/** The part of shell/ that starts programs; the rest only reads text. */
const SHELL_RUNNING = /^shell\/(?:run|process|output)[a-z_]*\.ts$/;

const LAYERS: readonly Layer[] = [
  { name: "text", holds: (file) => file.startsWith("text/"), imports: ["text"] },
  {
    name: "shell rules",
    holds: (file) => file.startsWith("shell/") && !SHELL_RUNNING.test(file),
    imports: ["shell rules"],
  },
  {
    name: "fs",
    holds: (file) => file.startsWith("fs/"),
    imports: ["text", "fs"],
  },
  {
    name: "shell",
    holds: (file) => SHELL_RUNNING.test(file),
    imports: ["text", "shell rules", "fs", "shell"],
  },
  {
    name: "tools",
    holds: (file) => file.startsWith("tools/"),
    imports: ["text", "shell rules", "fs", "shell", "tools"],
  },
];

/** Files that may touch the platform; every other one gets what it needs handed in. */
const PLATFORM_FILES =
  /^(?:main|start|stdio|sandbox[a-z_]*|config[a-z_]*)\.ts$|^engine\/[a-z_]+\.ts$|^fs\/(?:local[a-z_]*|ssh_connection|search_worker|search_pool)\.ts$|^shell\/(?:run|process)[a-z_]*\.ts$/;
const PLATFORM_MODULES = /^node:(?:fs|fs\/promises|child_process)$/;
const FILE_LINES = 300;
const FUNCTION_LINES = 60;

/** Path below `src/`, or undefined for a file elsewhere. */
function sourcePath(filename: string): string | undefined {
  const normalized = filename.replaceAll("\\", "/");
  const at = normalized.lastIndexOf("/src/");
  return at === -1 ? undefined : normalized.slice(at + 5);
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.find((layer) => layer.holds(file));
}

function resolveImport(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

const importDirection: Deno.lint.Rule = {
  create(context) {
    const file = sourcePath(context.filename);
    const layer = file === undefined ? undefined : layerOf(file);
    if (file === undefined) return {};
    const check = (node: Deno.lint.Node, specifier: string) => {
      if (PLATFORM_MODULES.test(specifier) && !PLATFORM_FILES.test(file)) {
        context.report({
          node,
          message: `${file} may not import ${specifier}`,
          hint:
            "Only the files that own a platform edge touch it; take what you need as a parameter.",
        });
      }
      if (layer === undefined || !specifier.startsWith(".")) return;
      const imported = resolveImport(file, specifier);
      const target = layerOf(imported)?.name ?? "the top level";
      if (layer.imports.includes(target)) return;
      context.report({
        node,
        message: `${layer.name} may not import ${target} (${imported})`,
        hint: "Move the shared part down, or hand it in from above.",
      });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ImportExpression: (node) => {
        if (node.source.type === "Literal") check(node, String(node.source.value));
      },
    };
  },
};

const platformAccess: Deno.lint.Rule = {
  create(context) {
    const file = sourcePath(context.filename);
    if (file === undefined || PLATFORM_FILES.test(file)) return {};
    return {
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || node.object.name !== "Deno") return;
        context.report({
          node,
          message: `${file} may not use Deno directly`,
          hint:
            "Only main, start, stdio, sandbox, fs/local*, fs/ssh_connection and shell/run touch the platform.",
        });
      },
    };
  },
};

const size: Deno.lint.Rule = {
  create(context) {
    if (sourcePath(context.filename) === undefined) return {};
    const { text } = context.sourceCode;
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
    const checkFunction = (node: Deno.lint.Node) => {
      const lines = lineOf(node.range[1]) - lineOf(node.range[0]) + 1;
      if (lines <= FUNCTION_LINES) return;
      context.report({
        node,
        message: `a function of ${lines} lines; at most ${FUNCTION_LINES}`,
        hint: "Name a part of it and move that out.",
      });
    };
    return {
      Program(node) {
        const lines = text.trimEnd().split("\n").length;
        if (lines > FILE_LINES) {
          context.report({
            node,
            message: `a file of ${lines} lines; at most ${FILE_LINES}`,
            hint: "Split it where a reader would look.",
          });
        }
      },
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
    };
  },
};

const plugin: Deno.lint.Plugin = {
  name: "octofs",
  rules: { "import-direction": importDirection, "platform-access": platformAccess, size },
};

export default plugin;
