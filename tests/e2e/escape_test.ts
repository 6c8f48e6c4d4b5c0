import assert from "node:assert/strict";
import { connect, type Connection, temporaryDirectory } from "../support/octofs.ts";

/** Paths that lead outside, or nowhere; R is the root, O a directory beside it. */
const PATHS: readonly { readonly name: string; readonly path: string; readonly says: RegExp }[] = [
  { name: "parent", path: "..", says: /outside the directories/ },
  { name: "dots", path: "dir/../../O/secret.txt", says: /outside the directories/ },
  { name: "sibling with the root as prefix", path: "R_secret/x.txt", says: /outside the direct/ },
  { name: "absolute", path: "O/secret.txt", says: /outside the directories/ },
  { name: "system file", path: "/etc/passwd", says: /outside the directories/ },
  { name: "link to a directory", path: "to_outside/secret.txt", says: /outside the directories/ },
  { name: "link to a file", path: "to_secret", says: /outside the directories/ },
  { name: "chain of links", path: "chain/secret.txt", says: /outside the directories/ },
  { name: "link back inside", path: "to_outside/back/in.txt", says: /\|inside$/m },
  { name: "dangling link", path: "dangling", says: /outside the directories/ },
  { name: "below a dangling link", path: "dangling/new.txt", says: /outside the directories/ },
  { name: "new file below a linked parent", path: "to_outside/a/b.txt", says: /outside the dir/ },
  { name: "file URL", path: "file://O/secret.txt", says: /outside the directories/ },
  { name: "file URL, encoded", path: "file://R/%2e%2e/O/secret.txt", says: /outside the direct/ },
  { name: "percent-encoded dots", path: "%2e%2e/O/secret.txt", says: /No such|not a dir|R\/%2e/ },
  { name: "NUL", path: "in.txt\0/../../O/secret.txt", says: /NUL/ },
  { name: "own root through /proc", path: "/proc/self/rootO/secret.txt", says: /outside|denied/ },
  { name: "own root through /proc, listed", path: "/proc/self/root", says: /outside|denied/ },
  {
    name: "own directory through /proc",
    path: "/proc/self/cwd/../O/secret.txt",
    says: /outs|deni/,
  },
  { name: "open file through /dev", path: "/dev/fd/0", says: /outside|denied/ },
  { name: "home", path: "~/.ssh/id_rsa", says: /outside|home directory/ },
  { name: "wrapped in quotes", path: '"O/secret.txt"', says: /outside the directories/ },
  { name: "behind an @", path: "@../O/secret.txt", says: /outside the directories/ },
  { name: "ssh option as a host", path: "ssh://-oProxyCommand=touch%20O/x/y", says: /option/ },
  { name: "ssh option as a user", path: "ssh://-oProxyCommand=x@host/y", says: /option/ },
  { name: "ssh option in brackets", path: "ssh://[-oProxyCommand=x]/y", says: /option|IPv6/ },
  { name: "ssh host with a line break", path: "ssh://a%0Ab/y", says: /control|blank/ },
  { name: "a very long name", path: "x".repeat(300), says: /too long|No such/ },
  { name: "a very long path", path: "d/".repeat(5000) + "x", says: /too long|No such/ },
];

interface Use {
  readonly name: string;
  readonly call: (octofs: Connection, path: string) => ReturnType<Connection["call"]>;
}

/** Every path argument that there is, the second ones too. */
const USES: readonly Use[] = [
  { name: "view", call: (octofs, path) => octofs.call("view", { path }) },
  { name: "search", call: (octofs, path) => octofs.call("view", { path, content: "secret" }) },
  {
    name: "create",
    call: (octofs, path) =>
      octofs.call("text_editor", { command: "create", path, content: "x\n", overwrite: true }),
  },
  {
    name: "str_replace",
    call: (octofs, path) =>
      octofs.call("text_editor", {
        command: "str_replace",
        path,
        old_text: "secret",
        new_text: "x",
      }),
  },
  {
    name: "undo_edit",
    call: (octofs, path) => octofs.call("text_editor", { command: "undo_edit", path }),
  },
  {
    name: "batch_edit",
    call: (octofs, path) =>
      octofs.call("batch_edit", {
        path,
        operations: [{ operation: "insert", start: 0, content: "x" }],
      }),
  },
  {
    name: "extract_lines from",
    call: (octofs, path) =>
      octofs.call("extract_lines", {
        from_path: path,
        from_start: 1,
        append_path: "in.txt",
        append_line: -1,
      }),
  },
  {
    name: "extract_lines to",
    call: (octofs, path) =>
      octofs.call("extract_lines", {
        from_path: "in.txt",
        from_start: 1,
        append_path: path,
        append_line: -1,
      }),
  },
  { name: "workdir", call: (octofs, path) => octofs.call("workdir", { path }) },
];

async function tree(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) found.push(...await tree(path));
    else found.push(isFile ? `${path}: ${await Deno.readTextFile(path)}` : path);
  }
  return found.sort();
}

async function makePlaces(base: string): Promise<string> {
  const root = `${base}/R`;
  for (const path of [`${root}/dir`, `${base}/O`, `${base}/R_secret`]) {
    await Deno.mkdir(path, { recursive: true });
  }
  await Deno.writeTextFile(`${root}/in.txt`, "inside\n");
  await Deno.writeTextFile(`${base}/O/secret.txt`, "secret\n");
  await Deno.writeTextFile(`${base}/R_secret/x.txt`, "secret\n");
  await Deno.symlink(`${base}/O`, `${root}/to_outside`);
  await Deno.symlink(`${base}/O/secret.txt`, `${root}/to_secret`);
  await Deno.symlink("to_outside", `${root}/chain`);
  await Deno.symlink(root, `${base}/O/back`);
  await Deno.symlink(`${base}/O/gone`, `${root}/dangling`);
  return root;
}

const ignore = Deno.build.os === "windows";
const note = ignore ? " (skipped: making links needs a right on Windows)" : "";

for (const use of USES) {
  Deno.test({ name: `escape through the path of ${use.name}${note}`, ignore }, async (test) => {
    await using directory = await temporaryDirectory();
    const base = directory.path;
    const root = await makePlaces(base);
    await using octofs = await connect({ args: ["--path", root] });
    const before = await tree(base);
    for (const { name, path, says } of PATHS) {
      const isInside = name === "link back inside" || /^(?:percent|a very long)/.test(name);
      // A name that is only odd is a name like any other: it may be created.
      if (isInside && use.name !== "view") continue;
      await test.step(name, async () => {
        const aimed = path.replace(/(^|file:\/\/|root|%20|")([RO])(?=\/|_)/, `$1${base}/$2`);
        const { text, isError } = await use.call(octofs, aimed);
        if (name === "link back inside") return assert.match(text, says);
        assert.equal(isError, true, text);
        assert.match(text, says);
        assert.doesNotMatch(text, /\|secret/);
      });
    }
    assert.deepEqual(await tree(base), before);
  });
}

Deno.test(
  { name: `escape by delete: the link goes, its target stays${note}`, ignore },
  async () => {
    await using directory = await temporaryDirectory();
    const root = await makePlaces(directory.path);
    await using octofs = await connect({ args: ["--path", root] });
    const remove = (path: string) => octofs.call("text_editor", { command: "delete", path });
    assert.equal((await remove("to_outside/secret.txt")).isError, true);
    assert.equal((await remove("to_secret")).isError, false);
    assert.equal((await remove("dangling")).isError, false);
    assert.equal(await Deno.readTextFile(`${directory.path}/O/secret.txt`), "secret\n");
    await assert.rejects(Deno.lstat(`${root}/to_secret`), Deno.errors.NotFound);
  },
);

Deno.test(
  { name: `a listing and a search do not follow links outside${note}`, ignore },
  async () => {
    await using directory = await temporaryDirectory();
    const root = await makePlaces(directory.path);
    await using octofs = await connect({ args: ["--path", root] });
    const listing = await octofs.call("view", { path: "." });
    assert.doesNotMatch(listing.text, /^(?:to_outside|chain)\/|secret\.txt\t/m);
    const found = await octofs.call("view", { path: ".", content: "secret", include_hidden: true });
    assert.doesNotMatch(found.text, /\|secret/);
  },
);

Deno.test({ name: `every spelling of the root is the root${note}`, ignore }, async () => {
  await using directory = await temporaryDirectory();
  const root = await makePlaces(directory.path);
  const alias = `${directory.path}/alias`;
  await Deno.symlink(root, alias);
  await using octofs = await connect({ args: ["--path", alias, "--require-sandbox"] });
  for (const path of ["in.txt", `${root}/in.txt`, `${alias}/in.txt`]) {
    assert.match((await octofs.call("view", { path })).text, /\|inside/, path);
  }
  const made = { command: "create", path: `${alias}/made.txt`, content: "made\n" };
  assert.equal((await octofs.call("text_editor", made)).isError, false);
  assert.equal(await Deno.readTextFile(`${root}/made.txt`), "made\n");
});

Deno.test(
  { name: `the directory as the shell spells it is the root too${note}`, ignore },
  async () => {
    await using directory = await temporaryDirectory();
    const root = await makePlaces(directory.path);
    const alias = `${directory.path}/alias`;
    await Deno.symlink(root, alias);
    await using octofs = await connect({ cwd: alias, env: { PWD: alias } });
    assert.match((await octofs.call("view", { path: `${alias}/in.txt` })).text, /\|inside/);
  },
);

Deno.test(
  { name: `the root / holds every file, and devices are not opened${note}`, ignore },
  async () => {
    await using directory = await temporaryDirectory();
    await Deno.writeTextFile(`${directory.path}/in.txt`, "inside\n");
    await using octofs = await connect({ args: ["--path", "/"], cwd: directory.path });
    const viewed = await octofs.call("view", { path: `${directory.path}/in.txt` });
    assert.match(viewed.text, /\|inside/);
    const relative = await octofs.call("view", { path: `${directory.path.slice(1)}/in.txt` });
    assert.match(relative.text, /\|inside/);
    assert.equal((await octofs.call("view", { path: "/dev/zero" })).isError, true);
  },
);

Deno.test({ name: `a path with a comma is confined too${note}`, ignore }, async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/Smith, John`;
  await Deno.mkdir(root);
  await Deno.writeTextFile(`${root}/in.txt`, "inside\n");
  await Deno.writeTextFile(`${directory.path}/secret.txt`, "secret\n");
  await using octofs = await connect({
    args: ["--path", root, "--require-sandbox"],
    env: { OCTOFS_LOG: "info" },
  });
  assert.match((await octofs.call("view", { path: "in.txt" })).text, /\|inside/);
  assert.equal((await octofs.call("view", { path: "../secret.txt" })).isError, true);
  assert.match(octofs.stderr(), /sandbox: layers=2/);
});

const DECEIVING = ["gpj\u202ecod.txt", "a\u200bb.txt", "a\nb.txt"];

Deno.test("a new file does not get a name that shows as another", async () => {
  await using directory = await temporaryDirectory();
  await using octofs = await connect({ args: ["--path", directory.path] });
  for (const path of DECEIVING) {
    const made = await octofs.call("text_editor", { command: "create", path, content: "x\n" });
    assert.equal(made.isError, true, path);
    assert.match(made.text, /U\+[0-9A-F]{4}/);
  }
});
