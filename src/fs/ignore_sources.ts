// Owns: where ignore files lie and reading them: in a directory, above it, and the user's own.
// Must not know: what the rules mean (ignore_rules.ts), how trees are walked.

import type { FileSystem } from "./file_system.ts";
import { type DirectoryRules, IgnoreScope } from "./ignore_rules.ts";

/**
 * What lies outside the directories that may be read, taken before that right is given up: the user's
 * own excludes, and for each allowed directory the rules above it, outermost first.
 */
export interface OutsideRules {
  readonly globalExcludes: string;
  readonly above: ReadonlyMap<string, readonly NamedRules[]>;
}

/** The rules of one directory on the way down to another. */
export interface NamedRules {
  /** Last part of the directory's path. */
  readonly name: string;
  readonly rules: DirectoryRules;
}

export const NO_OUTSIDE_RULES: OutsideRules = { globalExcludes: "", above: new Map() };

/** Larger ignore files are no ignore files. */
const MAX_BYTES = 1 << 20;

/** Reads the rules of one directory; `names` are what it holds, where that is known. */
export async function readDirectoryRules(
  fileSystem: FileSystem,
  directory: string,
  names?: ReadonlySet<string>,
): Promise<DirectoryRules> {
  const read = (name: string) =>
    names === undefined || names.has(name)
      ? readText(fileSystem, joinPath(directory, name))
      : undefined;
  const [gitignore, ignore, repository] = await Promise.all([
    read(".gitignore"),
    read(".ignore"),
    names === undefined || names.has(".git") ? readExclude(fileSystem, directory) : undefined,
  ]);
  return {
    ...(gitignore === undefined ? {} : { gitignore }),
    ...(ignore === undefined ? {} : { ignore }),
    ...repository,
  };
}

/**
 * The rules in force inside `root`. `boundary` is the allowed directory around it: rules of the
 * directories between them hold, those above it as they were found at the start. Without a
 * boundary the rules up to the repository's top hold.
 */
export async function scopeInside(
  fileSystem: FileSystem,
  root: string,
  { boundary, outside = NO_OUTSIDE_RULES }: {
    readonly boundary?: string | undefined;
    readonly outside?: OutsideRules;
  },
): Promise<IgnoreScope> {
  const chain: NamedRules[] = [];
  const directories = directoriesDownTo(root, boundary);
  const rules = await Promise.all(directories.map((path) => readDirectoryRules(fileSystem, path)));
  const top = boundary === undefined ? rules.findLastIndex(({ isRepository }) => isRepository) : 0;
  // Outside any repository, and without a boundary, only the directory's own rules are its business.
  const first = top === -1 ? directories.length - 1 : top;
  if (boundary !== undefined) chain.push(...outside.above.get(boundary) ?? []);
  for (let index = first; index < directories.length; index++) {
    chain.push({ name: lastPart(directories[index] ?? ""), rules: rules[index] ?? {} });
  }
  const [outermost, ...inner] = chain;
  let scope = IgnoreScope.outermost(outside.globalExcludes, outermost?.rules);
  for (const { name, rules: own } of inner) scope = scope.enter(name, own);
  return scope;
}

/** The rules of a directory in a tree, and the names in it that tell of them. */
export interface SeenRules {
  readonly path: string;
  readonly telling: readonly string[];
  readonly rules: DirectoryRules;
}

export async function readSeenRules(
  fileSystem: FileSystem,
  path: string,
  telling: readonly string[],
): Promise<SeenRules> {
  const rules = await readDirectoryRules(fileSystem, path, new Set(telling));
  return { path, telling, rules };
}

export interface UserEnvironment {
  readonly home: string | undefined;
  readonly configHome: string | undefined;
}

/** Reads what lies outside `directories`, which are canonical; missing rights leave it out. */
export async function readOutsideRules(
  fileSystem: FileSystem,
  directories: readonly string[],
  environment: UserEnvironment,
): Promise<OutsideRules> {
  const above = new Map<string, readonly NamedRules[]>();
  for (const directory of directories) {
    const ancestors = directoriesDownTo(directory).slice(0, -1);
    const rules = await Promise.all(ancestors.map((path) => readDirectoryRules(fileSystem, path)));
    const own = await readDirectoryRules(fileSystem, directory);
    const top = rules.findLastIndex(({ isRepository }) => isRepository);
    const chain = own.isRepository || top === -1 ? [] : ancestors.slice(top)
      .map((path, index) => ({ name: lastPart(path), rules: rules[top + index] ?? {} }));
    above.set(directory, chain);
  }
  return { globalExcludes: await readGlobalExcludes(fileSystem, environment), above };
}

async function readGlobalExcludes(
  fileSystem: FileSystem,
  { home, configHome }: UserEnvironment,
): Promise<string> {
  const config = configHome || (home && joinPath(home, ".config"));
  const files = [config && joinPath(config, "git/config"), home && joinPath(home, ".gitconfig")];
  let excludes = config && joinPath(config, "git/ignore");
  for (const file of files) {
    const text = file === undefined ? undefined : await readText(fileSystem, file);
    const named = text === undefined ? undefined : excludesFileOf(text);
    if (named === undefined) continue;
    excludes = home !== undefined && named.startsWith("~/")
      ? joinPath(home, named.slice(2))
      : named;
  }
  return excludes === undefined ? "" : await readText(fileSystem, excludes) ?? "";
}

/** `core.excludesFile` of a git configuration; included configurations are not followed. */
function excludesFileOf(config: string): string | undefined {
  let inCore = false;
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]\s]+)[^\]]*\]/.exec(line);
    if (section) inCore = section[1]?.toLowerCase() === "core" && !line.includes('"');
    const value = /^\s*excludesfile\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (inCore && value) found = value.replace(/^"(.*)"$/, "$1");
  }
  return found;
}

/** The exclude file of a repository whose top is `directory`; a worktree's `.git` is a file. */
async function readExclude(
  fileSystem: FileSystem,
  directory: string,
): Promise<DirectoryRules | undefined> {
  const git = joinPath(directory, ".git");
  try {
    const { kind } = await fileSystem.stat(git);
    if (kind === "directory") {
      const exclude = await readText(fileSystem, joinPath(git, "info/exclude"));
      return { isRepository: true, ...(exclude === undefined ? {} : { exclude }) };
    }
    const pointer = /^gitdir: (.+?)\s*$/m.exec(await readText(fileSystem, git) ?? "")?.[1];
    if (kind !== "file" || pointer === undefined) return undefined;
    const gitDirectory = pointer.startsWith("/") ? pointer : joinPath(directory, pointer);
    const common = (await readText(fileSystem, joinPath(gitDirectory, "commondir")))?.trim();
    const shared = common === undefined
      ? gitDirectory
      : common.startsWith("/")
      ? common
      : joinPath(gitDirectory, common);
    const exclude = await readText(fileSystem, joinPath(shared, "info/exclude"));
    return { isRepository: true, ...(exclude === undefined ? {} : { exclude }) };
  } catch {
    return undefined;
  }
}

async function readText(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  try {
    const { kind, size } = await fileSystem.stat(path);
    if (kind !== "file" || size > MAX_BYTES) return undefined;
    // A link is followed on purpose: these files are rules, not answers.
    return new TextDecoder().decode(await fileSystem.readFile(await fileSystem.realPath(path)));
  } catch {
    return undefined;
  }
}

/** The directories from `top` (or the root) down to `path`, itself the last. */
function directoriesDownTo(path: string, top?: string): string[] {
  const directories = [path];
  for (let at = path; at !== top;) {
    const slash = Math.max(at.lastIndexOf("/"), at.lastIndexOf("\\"));
    const parent = slash <= 0 ? at.slice(0, slash + 1) : at.slice(0, slash);
    if (parent === at || parent === "") break;
    directories.unshift(parent);
    at = parent;
  }
  return directories;
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}
