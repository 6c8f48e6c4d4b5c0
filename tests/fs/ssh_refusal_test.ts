// Owns: everything that can go wrong before an SFTP channel is open, against a real ssh.

import assert from "node:assert/strict";
import { keygen, run, type Sshd, whyNoSshd } from "../support/sshd.ts";
import { failureOf, LOOPBACK, testSsh, withSshd } from "../support/ssh_login.ts";

testSsh("host keys: an unknown and a changed one are refused with the user's command", async () => {
  await withSshd({}, async (sshd) => {
    const target = { host: LOOPBACK, port: sshd.port };
    const known = `${sshd.directory}/known hosts`;
    const args = [`-oUserKnownHostsFile="${known}"`, ...sshd.sshArguments];
    await Deno.writeTextFile(known, "");
    const unknown = await failureOf(target, args);
    assert.match(unknown, /host key is not known here/);
    assert.match(unknown, new RegExp(`\`ssh -p ${sshd.port} ${LOOPBACK}\``));
    assert.equal(await Deno.readTextFile(known), "", "nothing is accepted silently");

    await keygen(`${sshd.directory}/other`, "ed25519");
    const [type, key] = (await Deno.readTextFile(`${sshd.directory}/other.pub`)).split(" ");
    await Deno.writeTextFile(known, `[${LOOPBACK}]:${sshd.port} ${type} ${key}\n`);
    const changed = await failureOf(target, args);
    assert.match(changed, /host key is not the one/);
    const command = /run `(ssh-keygen [^`]*)`/.exec(changed)?.[1] ?? "";
    // The command that was printed does what it says.
    await run("sh", "-c", command);
    assert.match(await failureOf(target, args), /host key is not known here/);
  });
});

testSsh("refusals that are no host key are told apart", async () => {
  await withSshd({}, async (sshd) => {
    const { port, sshArguments, directory } = sshd;
    const target = { host: LOOPBACK, port };
    await keygen(`${directory}/stranger`, "ed25519");
    await keygen(`${directory}/locked`, "ed25519", "passphrase");
    const only = (key: string) => [`-oIdentityFile=${key}`, ...clientWithoutKey(sshd)];
    assert.match(await failureOf(target, only(`${directory}/stranger`)), /refused the login/);
    assert.match(
      await failureOf(target, only(`${directory}/locked`)),
      /refused the login.*ssh-add/s,
    );
    const nobody = { ...target, user: "no-such-user" };
    assert.match(await failureOf(nobody, sshArguments), /-l no-such-user/);
    assert.match(
      await failureOf({ host: LOOPBACK, port: freePort() }, sshArguments),
      /nothing listens/,
    );
    const unnamed = { host: "no-such-host.invalid" };
    assert.match(await failureOf(unnamed, sshArguments), /cannot be resolved/);
    assert.match(await failureOf(target, ["-oNoSuchOption=1"]), /own configuration/);
  });
  await withSshd({ subsystem: null }, async ({ port, sshArguments }) => {
    assert.match(await failureOf({ host: LOOPBACK, port }, sshArguments), /no SFTP subsystem/);
  });
  await withSshd(
    { subsystem: "/bin/echo Welcome to this host" },
    async ({ port, sshArguments }) => {
      assert.match(await failureOf({ host: LOOPBACK, port }, sshArguments), /"Welc".*startup file/);
    },
  );
});

testSsh("a host that accepts and says nothing is given up after the timeout", async () => {
  const listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
  try {
    const target = { host: LOOPBACK, port: listener.addr.port };
    assert.match(await failureOf(target, ["-F", "/dev/null"], 1), /did not answer in time/);
  } finally {
    listener.close();
  }
});

testSsh("with a terminal at hand, a jump host still cannot ask a question", async () => {
  await withSshd({}, async (sshd) => {
    // The ssh that a jump starts by itself knows nothing of BatchMode.
    const config = `${sshd.directory}/jump_config`;
    const jump = ["Host jump", `  HostName ${LOOPBACK}`, `  Port ${sshd.port}`];
    const all = ["Host *", `  UserKnownHostsFile ${sshd.directory}/none`, "  IdentityAgent none"];
    await Deno.writeTextFile(config, [...jump, ...all, ""].join("\n"));
    const script = `${sshd.directory}/client.ts`;
    await Deno.writeTextFile(script, clientScript(["-F", config, "-J", "jump"]));
    const command = `${Deno.execPath()} run -A --no-config ${script}`;
    const { stdout } = await new Deno.Command("script", {
      args: ["-qec", command, "/dev/null"],
      stdin: "null",
    }).output();
    const shown = new TextDecoder().decode(stdout);
    assert.match(shown, /connection_failed .*host key is not known here/s);
    assert.doesNotMatch(shown, /yes\/no/);
  });
}, whyNoSshd ?? (await hasProgram("script") ? undefined : "skipped: no `script` on this machine"));

Deno.test("without ssh, or without the right to run it, the error says which", async () => {
  const script = clientScript([]);
  const outcome = async (args: string[], env: Record<string, string> = {}) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--no-config",
        ...args,
        `data:text/typescript,${encodeURIComponent(script)}`,
      ],
      env,
    });
    const { stdout, stderr } = await command.output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assert.match(await outcome([]), /connection_failed .*may not run `ssh`.*--allow-run=ssh/s);
  const empty = { PATH: "/nonexistent" };
  assert.match(await outcome(["--allow-run"], empty), /connection_failed .*no `ssh` program/s);
});

/** A program of its own that uses one connection and prints how it failed. */
function clientScript(sshArguments: readonly string[]): string {
  const pool = new URL("../../src/fs/ssh_pool.ts", import.meta.url);
  return `import { SshPool } from ${JSON.stringify(pool.href)};
    const pool = new SshPool({ timeoutSeconds: 5, sshArguments: ${JSON.stringify(sshArguments)} });
    await pool.fileSystem({ host: "host" }).stat("/").catch((error) => {
      console.log(error.code, error.message);
    });
    await pool.close();`;
}

async function hasProgram(name: string): Promise<boolean> {
  return await run("sh", "-c", `command -v ${name}`).then(() => true, () => false);
}

function clientWithoutKey(sshd: Sshd): string[] {
  return [
    "-F",
    "/dev/null",
    "-oIdentitiesOnly=yes",
    "-oIdentityAgent=none",
    `-oUserKnownHostsFile=${sshd.knownHostsFile}`,
  ];
}

function freePort(): number {
  const listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
  listener.close();
  return listener.addr.port;
}
