// Owns: that a command on paths which the file tools cannot serve runs, and no other.
// Must not know: how a line is split (misuse_test), the translated calls.

import { deepEqual } from "node:assert/strict";
import { judgeCommand } from "../../src/shell/misuse.ts";

const OPTIONS = {
  localDirectories: ["/home/u/project", "/srv/shared"],
  platform: "posix",
} as const;

/** Kinds of the findings in order, or what else the verdict is. */
function verdictOf(command: string): string {
  const verdict = judgeCommand(command, OPTIONS);
  return verdict.kind === "misuse"
    ? verdict.findings.map((finding) => finding.kind).join(" ")
    : verdict.kind;
}

type Row = readonly [command: string, verdict: string];

const ROWS: { readonly [group: string]: readonly Row[] } = {
  "paths outside the allowed directories": [
    ["cat /etc/hosts", "runs"],
    ["cat /etc/hosts /etc/passwd", "runs"],
    ["cat /etc/hosts f", "read"],
    ["cat /home/u/project/f", "read"],
    ["cat /home/u/project", "read"],
    ["cat /home/u/project2/f", "runs"],
    ["cat /home/u/project/../other/f", "runs"],
    ["cat /etc/../home/u/project/f", "read"],
    ["cat /srv/shared/f", "read"],
    ["ls /", "runs"],
    ["ls /home/u", "runs"],
    ["ls /tmp src", "list"],
    ["find / -name x", "runs"],
    ["find /usr /opt -name x", "runs"],
    ["find /usr . -name x", "list"],
    ["grep -r foo /usr/include", "runs"],
    ["grep foo", "search"],
    ["grep -rn /etc/hosts", "search"],
    ["grep -e foo /etc/hosts", "runs"],
    ["grep -f patterns /etc/hosts", "runs"],
    ["rg --files /usr/share", "runs"],
    ["rg -g '*.h' foo /usr/include", "runs"],
    ["sed -n 1,5p /etc/hosts", "runs"],
    ["sed -n -e 1p /etc/hosts", "runs"],
    ["sed -n 1,5p f", "edit"],
    ["awk -F: '{print $1}' /etc/passwd", "runs"],
    ["awk -v x=1 -f prog.awk /etc/passwd", "runs"],
    ["head -n 5 /var/log/syslog", "runs"],
    ["head -5 /var/log/*.log", "runs"],
    ["tail -f /var/log/syslog", "runs"],
    ["cat < /etc/hosts", "runs"],
    ["cat ~/.bashrc", "runs"],
    ["cat $HOME/.bashrc", "runs"],
    ['cat "$HOME/.bashrc"', "runs"],
    ["cat '~/x'", "read"],
    ["cat $FILE", "read"],
    ["cat /var/log/$NAME", "runs"],
    ["cat /etc/hosts > copy", "runs"],
    ["cat ../f", "read"],
    ["cd /etc && cat hosts", "runs"],
    ["cd /etc && ls", "runs"],
    ["cd /home/u/project/src && cat f", "read"],
    ["cd /etc && cd .. && ls", "runs"],
    ["(cd /etc); cat f", "read"],
    ["(cd /etc && cat hosts)", "runs"],
    ['cd "$X" && cat f', "read"],
    ["cd && ls", "runs"],
    ["bash -c 'cat /etc/hosts'", "runs"],
  ],
  "nothing to serve": [
    ["grep --version", "runs"],
    ["ls --help", "runs"],
    ["rg --version", "runs"],
    ["rg -V", "runs"],
    ["grep -V", "runs"],
    ["rg --type-list", "runs"],
    ["find --version", "runs"],
    ["find -help", "runs"],
    ["find . --version", "list"],
    ["cat", "read"],
    ["cat -", "read"],
    ["", "runs"],
    ["  \n\t ", "runs"],
    [";;", "runs"],
    ["&&", "runs"],
    [")", "runs"],
    ["| cat f", "read"],
  ],
  "POSIX blanks only": [
    ["cat\tf", "read"],
    // A carriage return or no-break space is a part of the name, as it is for the shell.
    ["cat\r f", "runs"],
    ["cat\u00a0f", "runs"],
    ["make;\tcat f", "read"],
    ["make \r;cat f", "read"],
  ],
};

for (const [group, rows] of Object.entries(ROWS)) {
  Deno.test(`misuse: ${group}`, () => {
    deepEqual(rows.map(([command]) => [command, verdictOf(command)]), rows);
  });
}

Deno.test("misuse: on Windows `\\` separates a path and programs end in .exe", () => {
  const rows: readonly Row[] = [
    ["C:\\tools\\grep.exe x f", "search"],
    ["CAT f", "read"],
    ["type f", "runs"],
    ["dir", "runs"],
    ["cat src\\main.ts", "read"],
    ["cat D:\\other\\f", "runs"],
    ["cat C:\\project\\f", "read"],
  ];
  const judge = (command: string): string => {
    const verdict = judgeCommand(command, {
      localDirectories: ["C:\\project"],
      platform: "windows",
    });
    return verdict.kind === "misuse"
      ? verdict.findings.map((one) => one.kind).join(" ")
      : verdict.kind;
  };
  deepEqual(rows.map(([command]) => [command, judge(command)]), rows);
});
