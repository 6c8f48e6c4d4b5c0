import assert from "node:assert/strict";
import { LocalFileSystem } from "../../src/fs/local.ts";
import { PathError } from "../../src/fs/path_error.ts";
import { type ResolveOptions, Workspace } from "../../src/fs/workspace.ts";
import { temporaryDirectory } from "../support/octofs.ts";

interface Row {
  readonly raw: string;
  readonly options?: Partial<ResolveOptions>;
  /** The path below R it becomes, or the kind of the refusal. */
  readonly becomes: string;
  readonly hint?: RegExp;
}

/** R is the root, M a further directory, D one that may only be read, H the home directory, O outside. */
const ROWS: readonly Row[] = [
  { raw: "a.txt", becomes: "R/a.txt" },
  { raw: "./a.txt", becomes: "R/a.txt" },
  { raw: "dir/../a.txt", becomes: "R/a.txt" },
  { raw: "R/a.txt", becomes: "R/a.txt" },
  { raw: "R//a.txt", becomes: "R/a.txt" },
  { raw: "dir/", becomes: "R/dir" },
  { raw: "M/m.txt", becomes: "M/m.txt" },
  { raw: "M/new.txt", options: { purpose: "write", expect: "any" }, becomes: "M/new.txt" },
  { raw: "D/d.txt", becomes: "D/d.txt" },
  { raw: "D/d.txt", options: { purpose: "write" }, becomes: "outside" },
  { raw: "D/new.txt", options: { purpose: "write", expect: "any" }, becomes: "outside" },
  { raw: "..", becomes: "outside" },
  { raw: "../O/secret.txt", becomes: "outside" },
  { raw: "O/secret.txt", becomes: "outside" },
  { raw: "R_sibling/x", becomes: "outside" },
  { raw: "to_outside/secret.txt", becomes: "outside" },
  { raw: "to_outside/new.txt", options: { purpose: "write", expect: "any" }, becomes: "outside" },
  { raw: "dangling", options: { purpose: "write", expect: "any" }, becomes: "outside" },
  { raw: "dangling/new", options: { purpose: "write", expect: "any" }, becomes: "outside" },
  { raw: "to_dir/inner.txt", becomes: "R/dir/inner.txt" },
  { raw: "to_outside", options: { purpose: "write", link: "keep" }, becomes: "R/to_outside" },
  { raw: "to_outside/to_in", options: { purpose: "write", link: "keep" }, becomes: "outside" },
  { raw: "~/home.txt", becomes: "outside" },
  { raw: "~/R/a.txt", becomes: "R/a.txt" },
  { raw: "$HOME/x", options: { purpose: "write", expect: "any" }, becomes: "variable" },
  { raw: "~root/x", options: { purpose: "write", expect: "any" }, becomes: "other_home" },
  { raw: "", becomes: "empty" },
  { raw: "  ", becomes: "empty" },
  { raw: "a\0b", becomes: "invalid" },
  { raw: "gone.txt", becomes: "missing" },
  { raw: "file://R/a.txt", becomes: "R/a.txt", hint: /file:\/\/ scheme/ },
  { raw: "file://R/with%20blank.txt", becomes: "R/with blank.txt", hint: /file:\/\/ scheme/ },
  { raw: "file://O/secret.txt", becomes: "outside" },
  { raw: "file://R/..%2fO/secret.txt", becomes: "outside" },
  { raw: "file://R/%2e%2e/O/secret.txt", becomes: "outside" },
  { raw: "..%2fO%2fsecret.txt", becomes: "missing" },
  { raw: '"a.txt"', becomes: "R/a.txt", hint: /quotes/ },
  { raw: "`../O/secret.txt`", becomes: "outside" },
  { raw: " a.txt ", becomes: "R/a.txt", hint: /blanks/ },
  { raw: "@a.txt", becomes: "R/a.txt", hint: /leading @/ },
  { raw: "@../O/secret.txt", becomes: "outside" },
  { raw: "with\\ blank.txt", becomes: "R/with blank.txt", hint: /backslash/ },
  { raw: "with\u00a0blank.txt", becomes: "R/with blank.txt", hint: /differs only/ },
  { raw: "-rf", becomes: "R/-rf" },
];

interface Places {
  readonly workspace: Workspace;
  readonly placed: (text: string) => string;
}

async function makePlaces(base: string): Promise<Places> {
  const [root = "", more = "", data = "", outside = ""] = ["R", "M", "D", "O"]
    .map((name) => `${base}/${name}`);
  for (const path of [`${root}/dir`, more, data, outside, `${root}_sibling`]) {
    await Deno.mkdir(path, { recursive: true });
  }
  const files = [
    ...["a.txt", "with blank.txt", "dir/inner.txt", "-rf"].map((name) => `${root}/${name}`),
    ...[`${more}/m.txt`, `${data}/d.txt`, `${outside}/secret.txt`, `${base}/home.txt`],
    `${root}_sibling/x`,
  ];
  for (const file of files) await Deno.writeTextFile(file, "x\n");
  await Deno.symlink(outside, `${root}/to_outside`);
  await Deno.symlink(`${root}/a.txt`, `${outside}/to_in`);
  await Deno.symlink("dir", `${root}/to_dir`);
  await Deno.symlink(`${outside}/gone`, `${root}/dangling`);
  const local = new LocalFileSystem();
  const workspace = new Workspace({
    local,
    allowed: [
      { fileSystem: local, path: root, writable: true },
      { fileSystem: local, path: more, writable: true },
      { fileSystem: local, path: data, writable: false },
    ],
    homeDirectory: base,
    environment: (name) => name === "HOME" ? base : undefined,
  });
  const absolute = (text: string) => text.replace(/(^|file:\/\/)([RMDO])(?=\/|_)/, `$1${base}/$2`);
  return { workspace, placed: absolute };
}

const ignore = Deno.build.os === "windows";
const note = ignore ? " (skipped: making links needs a right on Windows)" : "";

for (const { raw, options, becomes, hint } of ROWS) {
  const how = options === undefined ? "" : ` ${JSON.stringify(options)}`;
  Deno.test({ name: `${JSON.stringify(raw)}${how} is ${becomes}${note}`, ignore }, async () => {
    await using directory = await temporaryDirectory();
    const { workspace, placed } = await makePlaces(directory.path);
    const resolving = workspace.resolve(placed(raw), {
      purpose: "read",
      expect: "existing",
      ...options,
    });
    if (!becomes.includes("/")) {
      const error = await resolving.then(() => undefined, (reason) => reason);
      assert.ok(error instanceof PathError, `${raw} was let through: ${error}`);
      assert.equal(error.problem.kind, becomes);
      return;
    }
    const resolved = await resolving;
    assert.equal(resolved.path, placed(becomes));
    if (hint) assert.match(resolved.hints.join("\n"), hint);
    else assert.deepEqual(resolved.hints, []);
  });
}

Deno.test("the refusal names the path, where it led, and the allowed directories", async () => {
  await using directory = await temporaryDirectory();
  const { workspace, placed } = await makePlaces(directory.path);
  const error = await workspace.resolve("to_outside/secret.txt", {
    purpose: "read",
    expect: "existing",
  }).catch((reason) => reason);
  assert.ok(error instanceof PathError && error.problem.kind === "outside");
  assert.equal(error.problem.raw, "to_outside/secret.txt");
  assert.equal(error.problem.resolved, placed("O/secret.txt"));
  assert.deepEqual(error.problem.allowed, [
    placed("R/x").slice(0, -2),
    placed("M/x").slice(0, -2),
    `${placed("D/x").slice(0, -2)} (read only)`,
  ]);
});

Deno.test("relative paths follow the working directory, and a reset goes back to the root", async () => {
  await using directory = await temporaryDirectory();
  const { workspace, placed } = await makePlaces(directory.path);
  const options = { purpose: "read", expect: "existing" } as const;
  await workspace.changeDirectory("dir");
  assert.equal((await workspace.resolve("inner.txt", options)).path, placed("R/dir/inner.txt"));
  assert.equal((await workspace.resolve("../a.txt", options)).display, placed("R/a.txt"));
  await assert.rejects(workspace.changeDirectory("../.."), PathError);
  assert.equal((await workspace.resolve("inner.txt", options)).display, "inner.txt");
  workspace.resetDirectory();
  assert.equal((await workspace.resolve("a.txt", options)).path, placed("R/a.txt"));
});

Deno.test("a root that nobody named takes no relative writes where no project can be", async () => {
  const local = new LocalFileSystem();
  const workspace = new Workspace({
    local,
    allowed: [{ fileSystem: local, path: "/", writable: true }],
    rootIsGuessed: true,
  });
  const options = { purpose: "write", expect: "any" } as const;
  const error = await workspace.resolve("octofs-new-file", options).catch((reason) => reason);
  assert.ok(error instanceof PathError);
  assert.equal(error.problem.kind, "guessed_root");
  assert.equal((await workspace.resolve("/octofs-new-file", options)).path, "/octofs-new-file");
});
