// Owns: the user's own ssh against a real sshd: how it is called, and logins of every kind.

import assert from "node:assert/strict";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { sshArgv } from "../../src/fs/ssh_connection.ts";
import { SshPool } from "../../src/fs/ssh_pool.ts";
import { run, type Sshd, whyNoSshd } from "../support/sshd.ts";
import {
  expectedHome,
  failureOf,
  homeOf,
  LOOPBACK,
  testSsh,
  waitFor,
  withSshd,
} from "../support/ssh_login.ts";

Deno.test("ssh is called so that it never asks, and never takes the destination for an option", () => {
  const argv = sshArgv({ user: "me", host: "host", port: 2222 }, {
    timeoutSeconds: 7,
    sshArguments: ["-F", "file"],
  });
  assert.deepEqual(argv.slice(0, 2), ["-F", "file"]);
  assert.deepEqual(argv.slice(-8), ["-p", "2222", "-l", "me", "-s", "--", "host", "sftp"]);
  for (const setting of ["BatchMode=yes", "ConnectTimeout=7", "ServerAliveInterval=3"]) {
    assert.ok(argv.includes(`-o${setting}`), setting);
  }
  assert.ok(!argv.some((argument) => /StrictHostKeyChecking|UserKnownHostsFile/i.test(argument)));
});

testSsh("a key, an alias, an RSA key and a forced command of the configuration", async () => {
  const clientConfig = [
    "Host my-alias",
    "  HostName 127.0.0.1",
    "  Port %PORT%",
    // What would break an SFTP channel if it were not switched off.
    "  RemoteCommand echo disturbance",
    "  LocalForward 1 127.0.0.1:1",
    "  ExitOnForwardFailure yes",
    "  LogLevel QUIET",
  ];
  await withSshd({ clientKey: "rsa", clientConfig }, async (sshd) => {
    const home = await expectedHome();
    const { port, user, sshArguments } = sshd;
    assert.equal(await homeOf({ host: LOOPBACK, port }, sshArguments), home);
    assert.equal(await homeOf({ host: LOOPBACK, port, user }, sshArguments), home);
    assert.equal(await homeOf({ host: "my-alias" }, sshArguments), home);
  });
});

testSsh("an IPv6 address", async () => {
  await withSshd({ address: "::1" }, async ({ port, sshArguments }) => {
    assert.equal(await homeOf({ host: "::1", port }, sshArguments), await expectedHome());
  });
}, whyNoSshd ?? (hasIpv6() ? undefined : "skipped: no IPv6 loopback on this machine"));

testSsh("a jump through a second sshd", async () => {
  await withSshd({}, async (inner) => {
    await withSshd({}, async (outer) => {
      // Each server has keys of its own, so the jump needs them by host.
      const config = `${outer.directory}/jump_config`;
      await Deno.writeTextFile(
        config,
        [
          block("jump", outer),
          block("inner", inner),
          "  ProxyJump jump",
          "Host *",
          "  IdentitiesOnly yes",
          "  IdentityAgent none",
          "  GlobalKnownHostsFile /dev/null",
          "",
        ].join("\n"),
      );
      assert.equal(await homeOf({ host: "inner" }, ["-F", config]), await expectedHome());
      const message = await failureOf({ host: "inner" }, ["-F", config, "-oHostName=127.0.0.9"]);
      assert.match(message, /ssh said:/);
    });
  });
});

testSsh("a key that only the agent has", async () => {
  await withSshd({}, async (sshd) => {
    const socket = `${sshd.directory}/agent`;
    const agent = new Deno.Command("ssh-agent", {
      args: ["-D", "-a", socket],
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      await waitFor(socket);
      const environment = { SSH_AUTH_SOCK: socket };
      const added = await new Deno.Command("ssh-add", {
        args: ["-q", sshd.keyFile],
        env: environment,
      }).output();
      assert.ok(added.success);
      await Deno.remove(sshd.keyFile);
      const withAgent = [`-oIdentityAgent=${socket}`, ...sshd.sshArguments];
      const target = { host: LOOPBACK, port: sshd.port };
      assert.equal(await homeOf(target, withAgent), await expectedHome());
      assert.match(await failureOf(target, sshd.sshArguments), /refused the login/);
    } finally {
      agent.kill();
      await agent.status;
    }
  });
});

testSsh("a shared master connection is used and left alone", async () => {
  await withSshd({}, async (sshd) => {
    const target = { host: LOOPBACK, port: sshd.port };
    const shared = [...sshd.sshArguments, `-oControlPath=${sshd.directory}/c`];
    const port = ["-p", String(sshd.port)];
    await new Deno.Command("ssh", {
      args: [...shared, "-oBatchMode=yes", "-oControlPersist=60", "-fNM", ...port, LOOPBACK],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    await waitFor(`${sshd.directory}/c`);
    assert.equal(await homeOf(target, shared), await expectedHome());
    assert.equal(await sshd.connections(), 1);
    await run("ssh", ...shared, ...port, "-O", "check", LOOPBACK);
    await run("ssh", ...shared, ...port, "-O", "exit", LOOPBACK);
    // With ControlMaster in the configuration, the connection still does not become a master itself.
    assert.equal(await homeOf(target, [...shared, "-oControlMaster=auto"]), await expectedHome());
    await assert.rejects(Deno.lstat(`${sshd.directory}/c`));
  });
});

testSsh(
  "calls that begin together share one connection, and closing leaves no process",
  async () => {
    await withSshd({}, async (sshd) => {
      const pool = new SshPool({ timeoutSeconds: 10, sshArguments: sshd.sshArguments });
      const target = { host: LOOPBACK, port: sshd.port };
      assert.equal(await sshd.connections(), 0);
      assert.equal(pool.fileSystem(target), pool.fileSystem({ ...target }));
      assert.equal(pool.fileSystem(target).key, `ssh://${LOOPBACK}:${sshd.port}`);
      const homes = await Promise.all(
        Array.from({ length: 20 }, () => pool.fileSystem(target).realPath(".")),
      );
      assert.equal(new Set(homes).size, 1);
      assert.equal(await sshd.connections(), 1);
      await pool.close();
      await assert.rejects(pool.fileSystem(target).realPath("/"), FileSystemError);
      const mine = await run("ps", "-o", "args=", "--ppid", String(Deno.pid));
      assert.doesNotMatch(mine, /^ssh /m);
    });
  },
);

function block(name: string, sshd: Sshd): string {
  return [
    `Host ${name}`,
    `  HostName ${LOOPBACK}`,
    `  Port ${sshd.port}`,
    `  IdentityFile ${sshd.keyFile}`,
    `  UserKnownHostsFile ${sshd.knownHostsFile}`,
  ].join("\n");
}

function hasIpv6(): boolean {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}
