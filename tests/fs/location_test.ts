// Owns: what a path argument names, and that nothing in it can become an option or a command.

import assert from "node:assert/strict";
import fc from "../support/property.ts";
import {
  formatLocation,
  formatTarget,
  isRemote,
  parseLocation,
  type SshTarget,
} from "../../src/fs/location.ts";
import { sshArgv } from "../../src/fs/ssh_connection.ts";

const READ: readonly (readonly [raw: string, target: SshTarget, path: string])[] = [
  ["ssh://host/etc/app", { host: "host" }, "/etc/app"],
  ["ssh://me@host:2222/etc", { user: "me", host: "host", port: 2222 }, "/etc"],
  ["sftp://host/x", { host: "host" }, "/x"],
  ["SSH://host/x", { host: "host" }, "/x"],
  ["ssh://host", { host: "host" }, "~"],
  ["ssh://host/", { host: "host" }, "/"],
  ["ssh://host/~", { host: "host" }, "~"],
  ["ssh://host/~/a b", { host: "host" }, "~/a b"],
  ["ssh://host/~other/x", { host: "host" }, "/~other/x"],
  ["ssh://host:/x", { host: "host" }, "/x"],
  ["ssh://[::1]/x", { host: "::1" }, "/x"],
  ["ssh://[::1]:22/x", { host: "::1", port: 22 }, "/x"],
  ["ssh://[fe80::1%25eth0]/x", { host: "fe80::1%eth0" }, "/x"],
  ["ssh://[::ffff:10.0.0.1]/x", { host: "::ffff:10.0.0.1" }, "/x"],
  ["ssh://a%40b@host/x", { user: "a@b", host: "host" }, "/x"],
  ["ssh://a@b@host/x", { user: "a@b", host: "host" }, "/x"],
  ["ssh://DOMAIN%5Cme@host/x", { user: "DOMAIN\\me", host: "host" }, "/x"],
  ["ssh://my_alias-1.x/x", { host: "my_alias-1.x" }, "/x"],
  ["ssh://bücher.example/x", { host: "bücher.example" }, "/x"],
  ["ssh://host/-rf", { host: "host" }, "/-rf"],
  ["ssh://host/a%20b?c#d", { host: "host" }, "/a%20b?c#d"],
  ["ssh://host/a@b:c/d", { host: "host" }, "/a@b:c/d"],
  ["ssh://host/$(x)`y`';", { host: "host" }, "/$(x)`y`';"],
  ["ssh://host/new\nline", { host: "host" }, "/new\nline"],
];

const REFUSED: readonly (readonly [raw: string, reason: RegExp])[] = [
  ["ssh://-oProxyCommand=touch%20x/x", /host .*option/],
  ["ssh://-oProxyCommand=x@host/x", /user .*option/],
  ["ssh://%2DoProxyCommand=x/x", /host .*option/],
  ["ssh://%2DoProxyCommand=x@host/x", /user .*option/],
  ["ssh://[-oProxyCommand=x]/x", /host .*option/],
  ["ssh://[%2DoProxyCommand=x]:22/x", /host .*option/],
  ["ssh://me@-host/x", /host .*option/],
  ["ssh://a%40-oProxyCommand=x/x", /host .*@/],
  ["ssh://a%40b/x", /host .*@/],
  ["ssh://ssh:%2F%2Fhost/x", /not a host/],
  ["ssh://a%2Fb/x", /host .*\//],
  ["ssh://a b/x", /host .*blanks/],
  ["ssh://a%20b/x", /host .*blanks/],
  ["ssh://a%0Ab/x", /host .*blanks/],
  ["ssh://a%00b/x", /host .*blanks/],
  ["ssh://a%C2%A0b/x", /host .*blanks/],
  ["ssh://a%E2%80%8Bb/x", /host .*blanks/],
  ["ssh://u%0D@host/x", /user .*blanks/],
  ["ssh://u%09x@host/x", /user .*blanks/],
  ["ssh://$(touch x)@host/x", /user/],
  ["ssh://`id`@host/x", /user/],
  ["ssh://a;b@host/x", /user/],
  ["ssh://a'b@host/x", /user/],
  ["ssh://a%25h@host/x", /user/],
  ["ssh://a%5C@host/x", /user/],
  ["ssh://h$x/x", /host/],
  ["ssh://h;x/x", /host/],
  ["ssh://h|x/x", /host/],
  ["ssh://h%25h/x", /host/],
  ["ssh://a,b/x", /host/],
  ["ssh://!a/x", /host/],
  ["ssh://*/x", /host/],
  ["ssh:///x", /host .*empty/],
  ["ssh://", /host .*empty/],
  ["ssh://@host/x", /user .*empty/],
  ["ssh://me@/x", /host .*empty/],
  ["ssh://::1/x", /brackets/],
  ["ssh://%3A%3A1/x", /host/],
  ["ssh://[host]/x", /IPv6/],
  ["ssh://[]/x", /IPv6/],
  ["ssh://[::1/x", /not a host/],
  ["ssh://host:0/x", /out of range/],
  ["ssh://host:65536/x", /out of range/],
  ["ssh://host:22x/x", /not a host/],
  ["ssh://host:-1/x", /not a host/],
  ["ssh://host/a\0b", /NUL/],
  ["a\0b", /NUL/],
];

Deno.test("reads remote locations", () => {
  for (const [raw, target, path] of READ) {
    assert.deepEqual(parseLocation(raw), { kind: "ssh", target, path }, raw);
  }
});

Deno.test("refuses what could become an option, a second host or a command", () => {
  for (const [raw, reason] of REFUSED) {
    const parsed = parseLocation(raw);
    assert.equal(parsed.kind, "invalid", raw);
    if (parsed.kind === "invalid") assert.match(parsed.reason, reason, raw);
  }
});

Deno.test("a password in a location is refused and not repeated", () => {
  const parsed = parseLocation("ssh://me:hunter2@host/x");
  assert.equal(parsed.kind, "invalid");
  if (parsed.kind === "invalid") {
    assert.match(parsed.reason, /passwords are not taken/);
    assert.doesNotMatch(parsed.reason, /hunter2/);
  }
});

Deno.test("everything else is a local path", () => {
  for (
    const raw of ["/a", "a/b", "ssh:/x", "ssh", "xssh://h/p", "./ssh://h/p", "C:\\x", "http://h/x"]
  ) {
    assert.equal(isRemote(raw), false, raw);
    assert.deepEqual(parseLocation(raw), { kind: "local", path: raw });
  }
});

Deno.test("what is printed is read back as the same location", () => {
  for (const [, target, path] of READ) {
    const printed = formatLocation({ kind: "ssh", target, path });
    assert.deepEqual(parseLocation(printed), { kind: "ssh", target, path }, printed);
  }
  assert.equal(formatTarget({ user: "me", host: "::1", port: 22 }), "ssh://me@[::1]:22");
});

Deno.test("no location that is accepted puts an option or a blank into the argv of ssh", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "-oProxyCommand=x",
      "%2d",
      "%40",
      "[",
      "]",
      ":",
      "@",
      "%0a",
      "host",
      "22",
      "$(",
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const parsed = parseLocation(`ssh://${parts.join("")}/x`);
      if (parsed.kind !== "ssh") return;
      const { host, user } = parsed.target;
      for (const value of [host, user ?? "x"]) {
        assert.doesNotMatch(value, /^-|[\s\p{C}'"`$;&<>|(){}]/u);
      }
      assert.doesNotMatch(host, /[@/]/);
      const argv = sshArgv(parsed.target, { timeoutSeconds: 5 });
      assert.deepEqual(argv.slice(-3), ["--", host, "sftp"]);
      assert.deepEqual(parseLocation(`${formatTarget(parsed.target)}/x`), {
        ...parsed,
        path: "/x",
      });
    }),
    { numRuns: 2000 },
  );
});
