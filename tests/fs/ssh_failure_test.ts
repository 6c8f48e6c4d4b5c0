// Owns: what ssh says when it fails, told apart, with the command that the user is to run.

import assert from "node:assert/strict";
import type { SshTarget } from "../../src/fs/location.ts";
import { explainSshFailure, shellQuote, sshCommand } from "../../src/fs/ssh_failure.ts";

const HOST: SshTarget = { host: "host" };
const OTHER_PORT: SshTarget = { user: "me", host: "db.example", port: 2222 };

const CHANGED = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
The fingerprint for the ED25519 key sent by the remote host is
SHA256:9H8yBLaY0wc0lCMpkhchZAuG8M7LF4GAbpr4yCJJOhs.
Offending ED25519 key in /home/me/my hosts:3
Host key for [db.example]:2222 has changed and you have requested strict checking.
Host key verification failed.`;

const ROWS: readonly (readonly [kind: string, stderr: string, target: SshTarget, said: RegExp])[] =
  [
    [
      "unknown_host_key",
      "Host key verification failed.\r\n",
      OTHER_PORT,
      /`ssh -p 2222 -l me db\.example`/,
    ],
    [
      "unknown_host_key",
      "Host key verification failed.",
      OTHER_PORT,
      /`ssh-keyscan -p 2222 db\.example \| ssh-keygen -lf -`/,
    ],
    [
      "unknown_host_key",
      "No ED25519 host key is known for [10.0.0.7]:2200 and you have requested strict checking.\n" +
      "Host key verification failed.",
      HOST,
      /`ssh host`.*`ssh-keyscan -p 2200 10\.0\.0\.7 \|/,
    ],
    [
      "changed_host_key",
      CHANGED,
      OTHER_PORT,
      /`ssh-keygen -f '\/home\/me\/my hosts' -R '\[db\.example\]:2222'`/,
    ],
    ["changed_host_key", "Host key for alias has changed.", HOST, /`ssh-keygen -R alias`/],
    ["authentication", "me@host: Permission denied (publickey,password).", HOST, /ssh-add/],
    [
      "authentication",
      "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures",
      HOST,
      /`ssh host`/,
    ],
    [
      "name_resolution",
      "ssh: Could not resolve hostname host: Name or service not known",
      HOST,
      /`ssh -G host`/,
    ],
    [
      "name_resolution",
      "ssh: Could not resolve hostname x: No such host is known.",
      HOST,
      /ssh -G/,
    ],
    ["refused", "ssh: connect to host h port 22: Connection refused", HOST, /nothing listens/],
    ["unreachable", "ssh: connect to host h port 22: No route to host", HOST, /no network route/],
    [
      "unreachable",
      "ssh: connect to host h port 22: Network is unreachable",
      HOST,
      /no network route/,
    ],
    ["timed_out", "ssh: connect to host h port 22: Connection timed out", HOST, /did not answer/],
    ["timed_out", "ssh: connect to host h port 22: Operation timed out", HOST, /did not answer/],
    ["timed_out", "Connection timed out during banner exchange", HOST, /did not answer/],
    ["timed_out", "Timeout, server host not responding.", HOST, /did not answer/],
    ["no_sftp", "subsystem request failed on channel 0", HOST, /Subsystem sftp/],
    [
      "configuration",
      "/home/me/.ssh/config: line 3: Bad configuration option: foo",
      HOST,
      /fix the file/,
    ],
    ["configuration", "Bad owner or permissions on /home/me/.ssh/config", HOST, /fix the file/],
    [
      "other",
      "kex_exchange_identification: Connection closed by remote host",
      HOST,
      /the reason\.\nssh said: kex_/,
    ],
    ["other", "", HOST, /the reason\.\nFor the user: try `ssh host`/],
    // A host that let us in as far as the login cannot talk the user into removing its key.
    ["authentication", `${CHANGED}\nme@host: Permission denied (publickey).`, HOST, /ssh-add/],
  ];

Deno.test("tells failures apart and names the user's command", () => {
  for (const [kind, stderr, target, said] of ROWS) {
    const failure = explainSshFailure({ target, reason: "the reason", stderr });
    assert.equal(failure.kind, kind, stderr);
    assert.match(failure.message, said);
    assert.match(failure.message, /^Cannot use ssh:\/\/(me@db\.example:2222|host): /);
    assert.doesNotMatch(failure.message, /StrictHostKeyChecking|@@@/);
  }
});

Deno.test("what a host says cannot reach the terminal or the suggested commands as code", () => {
  const stderr = "\x1b]0;title\x07\x1b[31mred\x1b[0m\u009b2J\u0000\n" +
    "No RSA host key is known for $(touch${IFS}x) and you\n" +
    "Offending RSA key in `id`:1\nHost key for -oProxyCommand=x has changed";
  const { message } = explainSshFailure({ target: HOST, reason: "x", stderr });
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(message, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  const commands = [...message.split("For the user:")[1]?.matchAll(/`([^`]*)`/g) ?? []];
  assert.deepEqual(commands.map((match) => match[1]), ["ssh-keygen -R host", "ssh host"]);
});

Deno.test("a long speech keeps its end and says how much is gone", () => {
  const stderr = `${"x".repeat(5000)}\n${"😀".repeat(700)}the end`;
  const { message } = explainSshFailure({ target: HOST, reason: "x", stderr });
  assert.match(message, /\[4208 characters left out\] x+\n😀+the end/u);
  assert.ok(message.isWellFormed());
});

Deno.test("words survive the shell", async () => {
  const words = [
    "a",
    "a b",
    "it's",
    "$HOME",
    "`id`",
    "a;b",
    "*",
    "~",
    "\\",
    '"',
    "é",
    "a\nb",
    "!x",
    "#x",
  ];
  for (const word of words) {
    const command = new Deno.Command("sh", { args: ["-c", `printf %s ${shellQuote(word)}`] });
    assert.equal(new TextDecoder().decode((await command.output()).stdout), word);
  }
  assert.equal(sshCommand({ user: "a\\b", host: "::1", port: 1 }), "ssh -p 1 -l 'a\\b' ::1");
});
