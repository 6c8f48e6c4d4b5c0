// Owns: which entries the ignore files of a tree exclude, directory by directory, as git decides it.
// Must not know: how ignore files are found and read (ignore_sources.ts), hidden names, globs of a call.
//
// `npm:ignore` judges the rules. It looks at parent directories too, by the one rule file it knows; here
// several files judge a path, so a directory that was entered although one file excludes it is
// included again in that file's eyes. Rules without a slash judge names alone: their answers are kept.

import ignore, { type Ignore } from "ignore";

/** The texts of the ignore files of one directory. */
export interface DirectoryRules {
  readonly gitignore?: string;
  /** `.ignore`, which beats every `.gitignore`. */
  readonly ignore?: string;
  /** `.git/info/exclude`, where the directory is the top of a repository. */
  readonly exclude?: string;
  /** The directory is the top of a repository: the `.gitignore` files above it do not reach in. */
  readonly isRepository?: boolean;
}

type Verdict = "ignored" | "included" | "none";

/** The rules that are in force inside one directory; immutable. */
export class IgnoreScope {
  /** All levels; the first that has a word on an entry decides. */
  readonly #inOrder: readonly RuleLevel[];

  private constructor(
    /** Equal for scopes of one directory that decide alike. */
    readonly source: string,
    /** Of `.ignore` files, the deepest first. */
    private readonly dotIgnore: readonly RuleLevel[],
    /** Of `.gitignore` files up to the repository's top, the deepest first. */
    private readonly gitignore: readonly RuleLevel[],
    private readonly exclude: RuleLevel | undefined,
    private readonly global: RuleLevel | undefined,
  ) {
    const own = [exclude, global].filter((level) => level !== undefined);
    this.#inOrder = [...dotIgnore, ...gitignore, ...own];
  }

  /** The outermost scope; `globalExcludes` is the text of the user's own excludes file. */
  static outermost(globalExcludes = "", rules: DirectoryRules = {}): IgnoreScope {
    const source = JSON.stringify(globalExcludes);
    return new IgnoreScope(source, [], [], undefined, RuleLevel.of(globalExcludes)).with(rules);
  }

  /** The scope inside the subdirectory `name`, whether or not the rules exclude it. */
  enter(name: string, rules: DirectoryRules = {}): IgnoreScope {
    if (this.#inOrder.length === 0) return this.with(rules);
    return new IgnoreScope(
      `${this.source}/`,
      this.dotIgnore.map((level) => level.enter(name)),
      this.gitignore.map((level) => level.enter(name)),
      this.exclude?.enter(name),
      this.global?.enter(name),
    ).with(rules);
  }

  /** True when the entry `name` of this directory is excluded. */
  ignores(name: string, isDirectory: boolean): boolean {
    for (const level of this.#inOrder) {
      const verdict = level.verdict(name, isDirectory);
      if (verdict !== "none") return verdict === "ignored";
    }
    return false;
  }

  /** The same scope with the rules of the directory itself, which was entered without them. */
  with(rules: DirectoryRules): IgnoreScope {
    const dotIgnore = RuleLevel.of(rules.ignore);
    const gitignore = RuleLevel.of(rules.gitignore);
    if (!dotIgnore && !gitignore && !rules.isRepository) return this;
    const outer = rules.isRepository ? [] : this.gitignore;
    return new IgnoreScope(
      this.source + JSON.stringify(rules),
      dotIgnore ? [dotIgnore, ...this.dotIgnore] : this.dotIgnore,
      gitignore ? [gitignore, ...outer] : outer,
      rules.isRepository ? RuleLevel.of(rules.exclude) : this.exclude,
      rules.isRepository ? this.global?.atTop() : this.global,
    );
  }
}

/** The rules of one file, seen from a directory at or below the file's own. */
class RuleLevel {
  private constructor(
    /** The last group of the file first. */
    private readonly groups: readonly RuleGroup[],
    /** Path of the directory from the file's own, with a slash at the end, or empty. */
    private readonly prefix: string,
  ) {}

  static of(text: string | undefined): RuleLevel | undefined {
    const groups = text === undefined ? [] : groupRules(text);
    return groups.length === 0 ? undefined : new RuleLevel(groups, "");
  }

  enter(name: string): RuleLevel {
    const prefix = `${this.prefix}${name}/`;
    return new RuleLevel(this.groups.map((group) => group.entering(prefix)), prefix);
  }

  /** The same rules as if their file lay here. */
  atTop(): RuleLevel {
    return new RuleLevel(this.groups, "");
  }

  verdict(name: string, isDirectory: boolean): Verdict {
    const marked = isDirectory ? `${name}/` : name;
    for (const group of this.groups) {
      const verdict = group.verdict(marked, this.prefix);
      if (verdict !== "none") return verdict;
    }
    return "none";
  }
}

/** Neighbouring rules of one file that either all judge names or all judge paths. */
interface RuleGroup {
  verdict(markedName: string, prefix: string): Verdict;
  /** The group as it judges inside the directory, which was entered whatever the group says of it. */
  entering(directory: string): RuleGroup;
}

class NameRules implements RuleGroup {
  readonly #engine: Ignore;
  readonly #known = new Map<string, Verdict>();

  constructor(lines: readonly string[]) {
    this.#engine = newEngine(lines);
  }

  verdict(markedName: string): Verdict {
    let verdict = this.#known.get(markedName);
    if (verdict === undefined) {
      verdict = ask(this.#engine, markedName);
      this.#known.set(markedName, verdict);
    }
    return verdict;
  }

  entering(): RuleGroup {
    return this;
  }
}

class PathRules implements RuleGroup {
  readonly #engine: Ignore;

  constructor(lines: readonly string[] | Ignore) {
    this.#engine = "ignores" in lines ? lines : newEngine(lines);
  }

  verdict(markedName: string, prefix: string): Verdict {
    return ask(this.#engine, prefix + markedName);
  }

  entering(directory: string): RuleGroup {
    if (ask(this.#engine, directory) !== "ignored") return this;
    const included = `!/${directory.replace(/[\\*?[\]!#]/g, "\\$&").replace(/ (?=\/$)/, "\\ ")}`;
    return new PathRules(newEngine([]).add(this.#engine).add({ pattern: included }));
  }
}

function newEngine(lines: readonly string[]): Ignore {
  // Case counts, as it does for git where file names differ by case.
  return ignore({ ignorecase: false }).add(lines.join("\n"));
}

function ask(engine: Ignore, path: string): Verdict {
  const { ignored, unignored } = engine.test(path);
  return ignored ? "ignored" : unignored ? "included" : "none";
}

function groupRules(text: string): RuleGroup[] {
  const groups: { namesOnly: boolean; lines: string[] }[] = [];
  for (const line of text.replace(/^\ufeff/, "").split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const namesOnly = !line.replace(/^!/, "").replace(/\/?[ \r]*$/, "").includes("/");
    const last = groups.at(-1);
    if (last?.namesOnly === namesOnly) last.lines.push(line);
    else groups.push({ namesOnly, lines: [line] });
  }
  return groups.reverse().map(({ namesOnly, lines }) =>
    namesOnly ? new NameRules(lines) : new PathRules(lines)
  );
}
