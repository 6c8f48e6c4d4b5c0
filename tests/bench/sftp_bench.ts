// Measures remote file work over a loopback sshd against OpenSSH's own programs in the same run,
// and prints ratios: times alone say nothing on a shared machine.
//
// Run: deno run -A tests/bench/sftp_bench.ts

import { SshPool } from "../../src/fs/ssh_pool.ts";
import { run, startSshd, whyNoSshd } from "../support/sshd.ts";

const LOOPBACK = "127.0.0.1";

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

const sshd = await startSshd();
const directory = await Deno.makeTempDir({ prefix: "octofs-bench-" });
const pool = new SshPool({ timeoutSeconds: 20, sshArguments: sshd.sshArguments });
const fileSystem = pool.fileSystem({ host: LOOPBACK, port: sshd.port });
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
} finally {
  await pool.close();
  await sshd.stop();
  await Deno.remove(directory, { recursive: true });
}
