import assert from "node:assert/strict";
import { connectTo, type Program, temporaryDirectory } from "../support/octofs.ts";
import { sourcePath } from "../support/ways_of_starting.ts";

/** The cells of one row of the README's permission table, by the heading of their column. */
type Cells = ReadonlyMap<string, string>;

async function permissionTable(): Promise<ReadonlyMap<string, Cells>> {
  const readme = await Deno.readTextFile(sourcePath("README.md"));
  const [header = "", , ...rows] = readme.slice(readme.indexOf("| started as")).split("\n\n")[0]
    ?.split("\n") ?? [];
  const cells = (row: string) => row.split("|").slice(1, -1).map((cell) => cell.trim());
  const names = cells(header);
  return new Map(rows.map((row) => {
    const values = cells(row);
    const [first = ""] = values;
    return [first, new Map(names.map((name, index) => [name, values[index] ?? ""]))];
  }));
}

/** What the permission system answered, as the running server logs it. */
async function reported(program: Program, args: readonly string[]) {
  await using octofs = await connectTo(program, { args, env: { OCTOFS_LOG: "info" } });
  await octofs.call("workdir", {});
  const line = /info: sandbox: (.*)/.exec(octofs.stderr())?.[1] ?? "";
  return new Map(line.split(" ").map((pair) => pair.split("=") as [string, string]));
}

interface Row {
  /** First cell of the row. */
  readonly started: string;
  readonly program: (root: string) => Program;
  /** What is allowed by hand where the README says so. */
  readonly allowed?: { readonly [kind: string]: string };
}

const DENO = Deno.execPath();
const MAIN = sourcePath("src/main.ts");
const SHELL = { windows: "cmd,taskkill,ssh", linux: "sh,setsid,ssh" }[Deno.build.os as string] ??
  "sh,ssh";
const run = (...args: string[]): Program => ({ command: DENO, args: ["run", ...args] });

const ROWS: readonly Row[] = [
  { started: "`deno run -A` (checkout, bundle, `jsr:`)", program: () => run("-A", MAIN) },
  {
    started: "standalone program",
    // The same worker, started by a runtime that this machine has.
    program: () =>
      run(
        ...["-A", "--unstable-worker-options", sourcePath("tests/support/hole_main.ts")],
        "--test-confinement=worker",
      ),
  },
  {
    started: "`deno run --no-prompt --allow-read=DIR --allow-write=DIR`",
    program: (root) => {
      const data = root.replace(/root$/, "data");
      const flags = [`--allow-read=${root},${data}`, `--allow-write=${root}`];
      return run("--no-prompt", ...flags, "--allow-env=OCTOFS_LOG", `--allow-run=${SHELL}`, MAIN);
    },
    allowed: { env: "OCTOFS_LOG", run: SHELL },
  },
  {
    started: "`deno run --allow-read --allow-write`",
    program: () =>
      run("--no-prompt", "--allow-read", "--allow-write", "--allow-env=OCTOFS_LOG", MAIN),
    allowed: { env: "OCTOFS_LOG", run: "none" },
  },
];

const COLUMNS: readonly { readonly heading: string; readonly kinds: readonly string[] }[] = [
  { heading: "read", kinds: ["read"] },
  { heading: "write", kinds: ["write"] },
  { heading: "run", kinds: ["run"] },
  { heading: "environment", kinds: ["env"] },
  { heading: "network, system, native code, imports", kinds: ["net", "sys", "ffi", "import"] },
];

/** The words of a cell as the extents of a report. */
function meant(cell: string, kind: string, places: { root: string; data: string }): string {
  const both = `${places.root},${places.data}`;
  switch (cell) {
    case "none":
    case "all":
      return cell;
    case "the allowed directories":
      return both;
    case "the allowed directories, not read only":
      return places.root;
    case "what you allow":
      return kind === "read" ? both : kind === "write" ? places.root : "none";
    case "`sh`, `setsid`, `ssh`":
      return SHELL;
    default:
      throw new Error(`the README says "${cell}" of ${kind}, which no test understands`);
  }
}

for (const { started, program, allowed } of ROWS) {
  Deno.test(`the README's permission table is true: ${started}`, async () => {
    await using directory = await temporaryDirectory();
    const places = { root: `${directory.path}/root`, data: `${directory.path}/data` };
    await Deno.mkdir(places.root);
    await Deno.mkdir(places.data);
    const cells = (await permissionTable()).get(started);
    assert.ok(cells, `no such row: ${started}`);
    const args = ["--path", places.root, "--allow-read", places.data];
    const report = await reported(program(places.root), args);
    const isConfined = !cells.get("that code runs in")?.includes("without");
    assert.equal(report.get("layers"), isConfined ? "2" : "1");
    const runsIn = cells.get("that code runs in") ?? "";
    const confinement = report.get("confinement") ?? "";
    assert.ok(
      confinement === "start" || confinement === "none"
        ? runsIn.startsWith("the only process")
        : runsIn.includes(confinement),
      confinement,
    );
    for (const { heading, kinds } of COLUMNS) {
      for (const kind of kinds) {
        const expected: string = allowed?.[kind] ?? meant(cells.get(heading) ?? "", kind, places);
        assert.equal(report.get(kind), expected, kind);
      }
    }
  });
}

Deno.test("the README's permission table has no row that is not tested", async () => {
  const rows = [...(await permissionTable()).keys()];
  assert.deepEqual(rows, ROWS.map(({ started }) => started));
});

Deno.test("without the right to run programs, the shell tool is not offered", async () => {
  await using directory = await temporaryDirectory();
  const bare = run("--no-prompt", `-R=${directory.path}`, `-W=${directory.path}`, MAIN);
  await using octofs = await connectTo(bare, { args: ["--path", directory.path] });
  const { tools } = await octofs.client.listTools();
  assert.equal(tools.some(({ name }) => name === "shell"), false);
  assert.equal(octofs.stderr(), "");
  const remote = await octofs.call("view", { path: "ssh://host/x" });
  assert.match(remote.text, /may not run `ssh`/);
});

Deno.test("--no-shell takes the shell from the engine's permissions too", async () => {
  await using directory = await temporaryDirectory();
  const report = await reported(run("-A", MAIN), ["--path", directory.path, "--no-shell"]);
  assert.equal(report.get("run"), "ssh");
});

const REQUIRED: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: "all may be read and written", flags: ["--allow-read", "--allow-write"] },
  { name: "all may be read", flags: ["--allow-read", "--allow-write=ROOT"] },
  { name: "all may be written", flags: ["--allow-read=ROOT,DATA", "--allow-write"] },
  { name: "more than the root", flags: ["--allow-read=PARENT", "--allow-write=PARENT"] },
  { name: "the read-only directory", flags: ["--allow-read=PARENT", "--allow-write=ROOT,DATA"] },
];

for (const { name, flags } of REQUIRED) {
  Deno.test(`--require-sandbox refuses to start where ${name}`, async () => {
    await using directory = await temporaryDirectory();
    await Deno.mkdir(`${directory.path}/root`);
    await Deno.mkdir(`${directory.path}/data`);
    const placed = flags.map((flag) =>
      flag.replace("PARENT", directory.path).replace("ROOT", `${directory.path}/root`)
        .replace("DATA", `${directory.path}/data`)
    );
    const { code, stdout, stderr } = await new Deno.Command(DENO, {
      args: [
        ...["run", "--no-prompt", ...placed, MAIN, "mcp", "--require-sandbox"],
        ...["--path", `${directory.path}/root`, "--allow-read", `${directory.path}/data`],
      ],
      stdin: "null",
    }).output();
    const words = new TextDecoder().decode(stderr);
    assert.equal(code, 2, words);
    assert.match(words, /^octofs: [^\n]*permission layer is not active[^\n]*\n$/);
    assert.equal(stdout.length, 0);
  });
}

const BINARY = sourcePath(
  `dist/octofs-${Deno.build.target}${Deno.build.os === "windows" ? ".exe" : ""}`,
);
const noBinary = await Deno.stat(BINARY).then(
  () => undefined,
  () =>
    "skipped: no compiled program, `deno task build` makes it where Deno's runtime can be fetched",
);

Deno.test({
  name: `the compiled program is confined in a worker${noBinary ? ` (${noBinary})` : ""}`,
  ignore: noBinary !== undefined,
}, async () => {
  await using directory = await temporaryDirectory();
  const args = ["--path", directory.path, "--require-sandbox"];
  const report = await reported({ command: BINARY, args: [] }, args);
  assert.equal(report.get("layers"), "2");
  assert.equal(report.get("confinement"), "worker");
  assert.equal(report.get("read"), directory.path);
  assert.equal(report.get("write"), directory.path);
  assert.equal(report.get("run"), SHELL);
  for (const kind of ["env", "net", "sys", "ffi", "import"]) {
    assert.equal(report.get(kind), "none", kind);
  }
});
