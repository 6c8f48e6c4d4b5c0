// Owns: which program runs a command on which system, and what ends its group there.
// Must not know: how it is started.

import { deepEqual, equal } from "node:assert/strict";
import { readGroupMembers } from "../../src/shell/group_members.ts";
import { endGroupCommand, shellProgram } from "../../src/shell/shell_program.ts";

Deno.test("shell program: sh makes no group by itself, so setsid or the start does", () => {
  deepEqual(shellProgram("a 'b'", { system: "posix", maker: "setsid" }), {
    program: "setsid",
    args: ["sh", "-c", "a 'b'"],
    isDetached: false,
    isRaw: false,
  });
  deepEqual(shellProgram("a 'b'", { system: "posix", maker: "spawn" }), {
    program: "sh",
    args: ["-c", "a 'b'"],
    isDetached: true,
    isRaw: false,
  });
});

Deno.test("shell program: cmd gets the line as it stands, in one pair of quotes", () => {
  deepEqual(shellProgram('dir "C:\\a b" & echo "x"', { system: "windows", maker: "spawn" }), {
    program: "cmd",
    args: ["/D", "/S", "/C", '"dir "C:\\a b" & echo "x""'],
    isDetached: true,
    isRaw: true,
  });
});

Deno.test("shell program: what ends a group", () => {
  equal(endGroupCommand(42, "posix"), "kill -- -42");
  equal(endGroupCommand(42, "windows"), "taskkill /T /F /PID 42");
});

Deno.test("group members: those of the group that live, from what ps prints", () => {
  const listing = [
    "    1     1 Ss   /sbin/init",
    "  100   100 Ss   sh -c make",
    "  101   100 S+   make -j 8",
    "  102   100 Z    [cc] <defunct>",
    " 1100  1100 R    ps -A",
    "  103   100 R    cc 1 2 3",
    "",
  ].join("\n");
  deepEqual(readGroupMembers(listing, 100), [
    { pid: 100, command: "sh -c make" },
    { pid: 101, command: "make -j 8" },
    { pid: 103, command: "cc 1 2 3" },
  ]);
  deepEqual(readGroupMembers(listing, 10), []);
  deepEqual(readGroupMembers("", 1), []);
});
