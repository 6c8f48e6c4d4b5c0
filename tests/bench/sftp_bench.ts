// Measures remote file work over a loopback sshd against OpenSSH's own programs in the same run,
// and prints ratios: times alone say nothing on a shared machine.
//
// Run: deno run -A tests/bench/sftp_bench.ts

import { SshPool } from "../../src/fs/ssh_pool.ts";
import { startDelayProxy } from "../support/delay_proxy.ts";
import { type TestSession, testSession } from "../support/session.ts";
import { LOOPBACK, pathWithSsh } from "../support/ssh_login.ts";
import { run, startSshd, whyNoSshd } from "../support/sshd.ts";

/** Milliseconds there and back, for the tools over a long line. */
const ROUND_TRIP = 50;

if (whyNoSshd !== undefined) {
  console.log(whyNoSshd);
  Deno.exit(0);
}

async function time(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    await work(round);
    // The first round warms up.
    if (round > 0) times.push(performance.now() - start);
  }
  return times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0;
}

function row(what: string, measured: number, yardstick: number): void {
  const ratio = (measured / yardstick).toFixed(2);
  console.log(
    `${what.padEnd(60)} ${measured.toFixed(1).padStart(8)} ms ${
      yardstick.toFixed(1).padStart(8)
    } ms  ${ratio}x`,
  );
}

async function inLanes(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

// One name for the host key, so that the delaying proxy in front of the server is the same host.
const sshd = await startSshd({ clientConfig: ["Host *", "  HostKeyAlias octofs-bench"] });
const hostKey = await Deno.readTextFile(sshd.knownHostsFile);
await Deno.writeTextFile(sshd.knownHostsFile, hostKey.replace(/^\S+/, "octofs-bench"));
const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "octofs-bench-" }));
const pool = new SshPool({ timeoutSeconds: 20, sshArguments: sshd.sshArguments });
const fileSystem = pool.fileSystem({ host: LOOPBACK, port: sshd.port });
Deno.env.set("PATH", await pathWithSsh(sshd));
const sftp = ["-q", ...sshd.sshArguments, "-P", String(sshd.port)];
try {
  const line = "  const value = compute(1, 'some text of a usual length');\n";
  for (let index = 0; index < 200; index++) {
    await Deno.mkdir(`${directory}/tree/d${index}`, { recursive: true });
    for (let file = 0; file < 10; file++) {
      await Deno.writeTextFile(`${directory}/tree/d${index}/f${file}.ts`, line.repeat(40));
    }
  }
  const large = new Uint8Array(100 << 20);
  for (let start = 0; start < large.length; start += 65_536) {
    crypto.getRandomValues(large.subarray(start, start + 65_536));
  }
  await Deno.writeFile(`${directory}/large`, large);
  await Deno.writeTextFile(`${directory}/lines`, line.repeat((100 << 20) / line.length));
  await Deno.writeTextFile(`${directory}/800.ts`, line.repeat(800));
  const connect = await time(3, async () => {
    const fresh = new SshPool({ timeoutSeconds: 20, sshArguments: sshd.sshArguments });
    await fresh.fileSystem({ host: LOOPBACK, port: sshd.port }).stat("/");
    await fresh.close();
  });
  await fileSystem.stat("/");

  console.log(`${"".padEnd(60)} ${"octofs".padStart(11)} ${"OpenSSH".padStart(11)}  ratio`);
  const login = ["-p", String(sshd.port), LOOPBACK];
  const command = await time(3, () => run("ssh", ...sshd.sshArguments, ...login, "true"));
  row("connect, one stat, close / ssh host true", connect, command);

  const walk = await time(5, async () => {
    await fileSystem.readDirectory(`${directory}/tree`);
    await inLanes(200, (index) => fileSystem.readDirectory(`${directory}/tree/d${index}`));
  });
  const find = ["find", `${directory}/tree`, "-type", "f"];
  const found = await time(3, () => run("ssh", ...sshd.sshArguments, ...login, ...find));
  row("walk 200 directories, 2,000 files / ssh host find", walk, found);
  const control = [...sshd.sshArguments, `-oControlPath=${sshd.directory}/c`];
  await run(
    "sh",
    "-c",
    `ssh ${control.join(" ")} -fNM -oControlPersist=60 ${login.join(" ")} >/dev/null 2>&1`,
  );
  const shared = await time(5, () => run("ssh", ...control, ...login, ...find));
  row("the same / find over a connection that is already up", walk, shared);

  const readAll = await time(
    3,
    () =>
      inLanes(
        2000,
        (index) =>
          fileSystem.readFile(`${directory}/tree/d${Math.trunc(index / 10)}/f${index % 10}.ts`),
      ),
  );
  const copied = await time(
    2,
    (round) =>
      run("sftp", ...sftp, "-r", `${LOOPBACK}:${directory}/tree`, `${directory}/copy${round}`),
  );
  row("read all 2,000 files / sftp -r", readAll, copied);

  const read = await time(2, () => fileSystem.readFile(`${directory}/large`));
  const got = await time(
    2,
    () => run("sftp", ...sftp, `${LOOPBACK}:${directory}/large`, `${directory}/got`),
  );
  row("read 100 MiB / sftp get", read, got);
  const written = await time(
    2,
    (round) => fileSystem.writeNewFile(`${directory}/new${round}`, large),
  );
  await Deno.writeTextFile(`${directory}/batch`, `put ${directory}/large ${directory}/put\n`);
  const put = await time(2, () => run("sftp", ...sftp, "-b", `${directory}/batch`, LOOPBACK));
  row("write 100 MiB, flushed / sftp put", written, put);
  const range = await time(
    50,
    () => fileSystem.readFile(`${directory}/large`, { offset: 50_000_000, length: 40_000 }),
  );
  const whole = await time(50, () => fileSystem.readFile(`${directory}/tree/d0/f0.ts`));
  row("40 KB in the middle of 100 MiB / a small file", range, whole);

  const library = await time(10, () => fileSystem.readFile(`${directory}/800.ts`));
  await measureTools(sshd.port, { walk: found, copy: copied, library });
  await using proxy = startDelayProxy(sshd.port, ROUND_TRIP);
  console.log(`\nThe same with ${ROUND_TRIP} ms of delay`);
  const far = pool.fileSystem({ host: LOOPBACK, port: proxy.port });
  await far.stat("/");
  const farLogin = ["-p", String(proxy.port), LOOPBACK];
  await measureTools(proxy.port, {
    walk: await time(2, () => run("ssh", ...sshd.sshArguments, ...farLogin, ...find)),
    copy: 0,
    library: await time(3, () => far.readFile(`${directory}/800.ts`)),
  });
} finally {
  await pool.close();
  await sshd.stop();
  await Deno.remove(directory, { recursive: true });
}

interface Yardsticks {
  /** Milliseconds of `ssh host find`, of `sftp -r` and of reading the 800 lines alone. */
  readonly walk: number;
  readonly copy: number;
  readonly library: number;
}

/** What an agent waits for, from the call to the answer, with the connection up. */
async function measureTools(port: number, { walk, copy, library }: Yardsticks): Promise<void> {
  await using session = await testSession(`ssh://${LOOPBACK}:${port}${directory}`);
  const call = async (tool: string, args: Record<string, unknown>) => {
    const answer = await session.call(tool, args);
    if (answer.isError) throw new Error(answer.text);
  };
  const view = (args: Record<string, unknown>) => call("view", args);
  await view({ path: "800.ts" });
  const list = await time(2, () => view({ path: "tree" }));
  row("view: 200 directories, 2,000 files / ssh host find", list, walk);
  const count = await time(2, () => view({ path: "tree", pattern: "f[0-8].ts" }));
  row("view: 1,800 files with their lines counted / find", count, walk);
  const search = await time(2, () => view({ path: "tree", content: "not in any of them" }));
  row("view content: 2,000 files / sftp -r, near", search, copy || search);
  row("view of 800 lines / reading them", await time(5, () => view({ path: "800.ts" })), library);
  const first = await time(3, () => view({ path: "lines", start: 1, end: 10 }));
  row("view of lines 1 to 10 of 100 MiB / the same", first, library);
  row("a small edit / the same", await time(3, (round) => edit(session, round)), library);
}

async function edit(session: TestSession, round: number): Promise<void> {
  const content = `// round ${round} ${crypto.randomUUID()}`;
  const operations = [{ operation: "insert", start: 0, content }];
  const answer = await session.call("batch_edit", { path: "800.ts", operations });
  if (answer.isError) throw new Error(answer.text);
}
