// Owns: what is said of paths on an ssh host: the host by name, and steps that can be taken there.

import assert from "node:assert/strict";
import { FileSystemError } from "../../src/fs/file_system.ts";
import { fileErrorMessage } from "../../src/tools/path_messages.ts";
import { connect, programUnderTest, temporaryDirectory } from "../support/octofs.ts";
import { LOOPBACK, pathWithSsh, testSsh, withSshd } from "../support/ssh_login.ts";

const PLACE = "ssh://me@db.example:2222";

const ROWS: readonly (readonly [code: "read_only" | "permission_denied", text: RegExp])[] = [
  ["read_only", /the user can .*`ssh -p 2222 -l me db\.example 'chmod u\+w \/a\/b'`/],
  ["permission_denied", /The user that ssh logs in as on ssh:\/\/me@db\.example:2222 has no right/],
];

for (const [code, text] of ROWS) {
  Deno.test(`${code} on a host names the host and no step of this machine`, () => {
    const said = fileErrorMessage(new FileSystemError(code, "/a/b", { place: PLACE }), "b");
    assert.match(said, text);
    assert.doesNotMatch(said, /shell command=|runs octofs/);
  });
}

testSsh("errors name the host, and every spelling of a host is the same host", async () => {
  await withSshd(
    { clientConfig: ["Host alias", "  HostName 127.0.0.1", "  Port %PORT%"] },
    async (sshd) => {
      const PATH = await pathWithSsh(sshd);
      await using project = await temporaryDirectory();
      await using local = await temporaryDirectory();
      await Deno.writeTextFile(`${project.path}/a.txt`, "one\n", { mode: 0o444 });
      await Deno.writeTextFile(`${project.path}/b.txt`, "one\n");
      const host = `ssh://${LOOPBACK}:${sshd.port}`;
      const edit = { command: "str_replace", old_text: "one", new_text: "two" };
      {
        await using octofs = await connect({ args: ["--path", local.path], env: { PATH } });
        const locked = await octofs.call("text_editor", {
          ...edit,
          path: `${host}${project.path}/a.txt`,
        });
        assert.match(
          locked.text,
          new RegExp(`^${host}${project.path}/a.txt is read-only on its host`),
        );
        const missing = await octofs.call("view", { path: `${host}${project.path}/none` });
        assert.match(missing.text, new RegExp(`resolved to ${host}${project.path}/none`));
        const path = `ssh://alias${project.path}/b.txt`;
        const edited = await octofs.call("text_editor", { ...edit, path });
        assert.equal(edited.isError, false, edited.text);
        const other = `ssh://${sshd.user}@${LOOPBACK}:${sshd.port}${project.path}/b.txt`;
        const undone = await octofs.call("text_editor", { command: "undo_edit", path: other });
        assert.equal(undone.isError, false, undone.text);
        assert.equal(await Deno.readTextFile(`${project.path}/b.txt`), "one\n");
        assert.equal(await sshd.connections(), 1);
      }
      await using confined = await connect({
        args: ["--path", `${host}${project.path}`],
        env: { PATH },
      });
      for (const spelling of ["ssh://alias", `ssh://${sshd.user}@${LOOPBACK}:${sshd.port}`]) {
        const outside = await confined.call("view", { path: `${spelling}/etc/hostname` });
        assert.match(outside.text, /is outside the directories/, spelling);
      }
    },
  );
});

testSsh("a root that cannot be reached is said although the client has gone", async () => {
  await withSshd({}, async (sshd) => {
    const PATH = await pathWithSsh(sshd);
    for (
      const [place, words] of [
        [`ssh://${LOOPBACK}:1/x`, /--path .* cannot be used: .*refused the connection/],
        [`ssh://${LOOPBACK}:${sshd.port}/none`, /--path .*\/none does not exist/],
      ] as const
    ) {
      const { command, args } = programUnderTest();
      const output = await new Deno.Command(command, {
        args: [...args, "mcp", "--path", place],
        env: { PATH },
        stdin: "null",
      }).output();
      assert.match(new TextDecoder().decode(output.stderr), words);
      assert.equal(output.stdout.length, 0);
    }
  });
});

testSsh(
  "ssh gets the user's home and agent, however narrow the rights of its parent are",
  async () => {
    await using directory = await temporaryDirectory();
    const seen = `${directory.path}/environment`;
    await Deno.writeTextFile(`${directory.path}/ssh`, `#!/bin/sh\nenv > '${seen}'\nexit 1\n`, {
      mode: 0o755,
    });
    const env = {
      PATH: `${directory.path}:${Deno.env.get("PATH")}`,
      HOME: Deno.env.get("HOME") ?? "/",
      SSH_AUTH_SOCK: `${directory.path}/agent`,
    };
    await using octofs = await connect({ args: ["--path", directory.path], env });
    assert.equal((await octofs.call("view", { path: "ssh://nowhere.example/x" })).isError, true);
    const lines = (await Deno.readTextFile(seen)).split("\n");
    for (const [name, value] of Object.entries(env)) {
      assert.ok(
        lines.includes(`${name}=${value}`),
        name,
      );
    }
  },
);
