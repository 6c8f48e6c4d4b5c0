// Owns: the calls that stand for a refused command.
// Must not know: which commands are refused (misuse_test), the words around the calls.

import { deepEqual, equal, match } from "node:assert/strict";
import fc from "../support/property.ts";
import { judgeCommand } from "../../src/shell/misuse.ts";

type Row = readonly [command: string, ...calls: string[]];

function callsFor(command: string): readonly string[] {
  const verdict = judgeCommand(command, { localDirectories: ["/p"], platform: "posix" });
  return verdict.kind === "misuse" ? verdict.findings.flatMap((one) => one.calls) : [verdict.kind];
}

function check(name: string, rows: readonly Row[]): void {
  Deno.test(`translation: ${name}`, () => {
    deepEqual(rows.map(([command]) => [command, ...callsFor(command)]), rows);
  });
}

check("grep and rg", [
  ['grep -rn "foo bar" src', 'view path="src" content="foo bar"'],
  ["grep foo f", 'view path="f" content="foo"'],
  ["grep foo a b", 'view path="a|b" content="foo"'],
  ["grep -r foo", 'view path="." content="foo"'],
  ["grep foo < f", 'view path="f" content="foo"'],
  ["grep -e a -e b f", 'view path="f" content="a|b" regex=true'],
  ["grep --regexp=foo f", 'view path="f" content="foo"'],
  ["grep -efoo f", 'view path="f" content="foo"'],
  ["grep -- -x f", 'view path="f" content="-x"'],
  ["grep -i Foo f", 'view path="f" content="(?i)Foo" regex=true'],
  ["grep -w foo f", 'view path="f" content="\\\\bfoo\\\\b" regex=true'],
  ["grep -x foo f", 'view path="f" content="^foo$" regex=true'],
  ["grep -wE 'a|b' f", 'view path="f" content="\\\\b(?:a|b)\\\\b" regex=true'],
  ["grep -E 'a(b|c)+' f", 'view path="f" content="a(b|c)+" regex=true'],
  ["egrep 'a|b' f", 'view path="f" content="a|b" regex=true'],
  ["grep 'a|b' f", 'view path="f" content="a|b"'],
  ["grep 'a\\|b' f", 'view path="f" content="a|b" regex=true'],
  ["grep 'load(x.y' f", 'view path="f" content="load\\\\(x.y" regex=true'],
  ["grep -F 'a.b[0]' f", 'view path="f" content="a.b[0]"'],
  ["fgrep 'a.*' f", 'view path="f" content="a.*"'],
  ["grep '^import' f", 'view path="f" content="^import" regex=true'],
  ["grep 'a\\.b' f", 'view path="f" content="a.b"'],
  ["grep '[[:space:]]x' f", 'view path="f" content="[\\\\s]x" regex=true'],
  ["grep -A 3 foo f", 'view path="f" content="foo" context=3'],
  ["grep -B2 -A5 foo f", 'view path="f" content="foo" context=5'],
  ["grep -C1 foo f", 'view path="f" content="foo" context=1'],
  ["grep -2 foo f", 'view path="f" content="foo" context=2'],
  ["grep --context=4 foo f", 'view path="f" content="foo" context=4'],
  ["grep -rl foo src", 'view path="src" content="foo"'],
  ["grep -rn foo --include='*.ts' src", 'view path="src" pattern="*.ts" content="foo"'],
  [
    "grep -rn foo --include=*.ts --include=*.js --exclude='*.d.ts' .",
    'view path="." pattern="*.ts|*.js|!*.d.ts" content="foo"',
  ],
  [
    "grep -rn --exclude-dir=node_modules foo .",
    'view path="." content="foo"',
  ],
  ["grep foo *.ts", 'view path="." pattern="*.ts" content="foo"'],
  ["grep foo src/*.ts src/*.js", 'view path="src" pattern="src/*.ts|src/*.js" content="foo"'],
  ["grep foo src/*.ts lib/*.ts"],
  ["grep -v foo f"],
  ["grep -f patterns f"],
  ['grep "$X" f'],
  ["grep foo $F"],
  ["grep -rn foo src | head -20", 'view path="src" content="foo"'],
  ["grep -q x f && deploy", 'view path="f" content="x"'],
  ["rg foo", 'view path="." content="foo"'],
  ["rg 'fn \\w+' src", 'view path="src" content="fn \\\\w+" regex=true'],
  ["rg -F 'a(' src", 'view path="src" content="a("'],
  ["rg -t ts foo", 'view path="." pattern="*.{ts,tsx,mts,cts}" content="foo"'],
  ["rg -tpy -g '!test_*' foo", 'view path="." pattern="*.{py,pyi}|!test_*" content="foo"'],
  ["rg -S foo", 'view path="." content="(?i)foo" regex=true'],
  ["rg -S Foo", 'view path="." content="Foo"'],
  ["rg --hidden foo", 'view path="." content="foo" include_hidden=true'],
  ["rg -uu foo", 'view path="." content="foo" include_hidden=true include_ignored=true'],
  ["rg --files -g '*.md' docs", 'view path="docs" pattern="*.md"'],
  ["rg --files a b", 'view path="a"', 'view path="b"'],
  ["grep x {a,b}.ts", 'view path="." pattern="{a,b}.ts" content="x"'],
]);

check("cat, less and more", [
  ["cat f", 'view path="f"'],
  ["cat -n src/a.ts", 'view path="src/a.ts"'],
  ["cat a b", 'view path="a"', 'view path="b"'],
  ["cat < f", 'view path="f"'],
  ["less +G f", 'view path="f"'],
  ["cat *.md", 'view path="." pattern="*.md"   # then each file that it lists'],
  ["cat f | head -30", 'view path="f" start=1 end=30'],
  ["cat f | tail -n 5", 'view path="f" start=-5'],
  ["cat a b | grep x", 'view path="a|b" content="x"'],
  ["cat *.log | grep x", 'view path="." pattern="*.log" content="x"'],
  ["cat 'a|b' | grep x", 'view path="a|b"'],
  ["cat {a,b}.ts", 'view path="." pattern="{a,b}.ts"   # then each file that it lists'],
  ["cat {a}.ts", 'view path="{a}.ts"'],
  ["cat '{a,b}.ts'", 'view path="{a,b}.ts"'],
  ["cat f | grep -n 'x y'", 'view path="f" content="x y"'],
  ["cat f | sed -n 3,9p", 'view path="f" start=3 end=9'],
  [
    "cat package.json | jq .name",
    'view path="package.json"',
    'shell command="jq .name < package.json"',
  ],
  [
    "cat 'a b' | sort | uniq -c",
    'view path="a b"',
    "shell command=\"sort < 'a b' | uniq -c\"",
  ],
  ["cat a b | sort", 'view path="a"', 'view path="b"'],
  ["cat a > b", 'shell command="cp -- a b"'],
  [
    "cat a >> b",
    'extract_lines from_path="a" from_start="1" from_end="N" append_path="b" append_line="-1"   # N: the number of its last line',
  ],
  ["cat"],
  ["cat $F"],
  ["cat $(mktemp)"],
  ["cd d && cat f", 'view path="d/f"'],
  ["cd src; cd ../lib && cat x.c", 'view path="lib/x.c"'],
  ["cd /p/src && cat f", 'view path="/p/src/f"'],
  ['cd "$X" && cat f'],
]);

check("head and tail", [
  ["head f", 'view path="f" start=1 end=10'],
  ["head -50 f", 'view path="f" start=1 end=50'],
  ["head -n 5 f", 'view path="f" start=1 end=5'],
  ["head -n5 f", 'view path="f" start=1 end=5'],
  ["head --lines=5 f", 'view path="f" start=1 end=5'],
  ["head -n -5 f", 'view path="f" start=1 end=-6'],
  ["head -5 a b", 'view path="a" start=1 end=5', 'view path="b" start=1 end=5'],
  ["head -c 100 f", 'view path="f"'],
  ["head -n $N f", 'view path="f"'],
  ["tail f", 'view path="f" start=-10'],
  ["tail -n 20 f", 'view path="f" start=-20'],
  ["tail -20 f", 'view path="f" start=-20'],
  ["tail -n +20 f", 'view path="f" start=20'],
  ["tail +20 f", 'view path="f" start=20'],
  ["tail -f log", 'view path="log" start=-10'],
  ["tail -fn 3 log", 'view path="log" start=-3'],
  ["head -20 f | tail -5", 'view path="f" start=16 end=20'],
  ["tail -n +20 f | head -5", 'view path="f" start=20 end=24'],
]);

check("writing by cat", [
  [
    "cat > f <<'EOF'\nhello \"x\"\n\ty $z\nEOF",
    'text_editor command="create" path="f" content="hello \\"x\\"\\n\\ty $z\\n"',
  ],
  ["cat <<EOF > d/f\na\nEOF", 'text_editor command="create" path="d/f" content="a\\n"'],
  [
    "cat > f <<EOF\na \\$x \\\\ \\`\nEOF",
    'text_editor command="create" path="f" content="a $x \\\\ `\\n"',
  ],
  [
    "cat > f <<EOF\n$x\nEOF",
    'text_editor command="create" path="f" content="<the text of the here-document>"',
  ],
  [
    `cat > f <<'EOF'\n${"x".repeat(500)}\nEOF`,
    'text_editor command="create" path="f" content="<the text of the here-document>"',
  ],
  ["cat > f", 'text_editor command="create" path="f" content=""'],
  [
    "cat >> f <<'EOF'\na\nEOF",
    'batch_edit path="f" operations=[{"operation":"insert","start":"-1","content":"a\\n"}]',
  ],
]);

check("what is printed is safe to send", [
  ["cat -- -rf", 'view path="./-rf"'],
  ["cat '~'", 'view path="./~"'],
  ["cat '~/x'", 'view path="./~/x"'],
  ["cat 'a\"b'", 'view path="a\\"b"'],
  ["cat 'a\\b'", 'view path="a\\\\b"'],
  ["cat 'a\nb'", 'view path="a\\nb"'],
  ["cat 'a\u202eb'", 'view path="a\\u202eb"'],
  ["cat @f", 'view path="./@f"'],
  ["grep x 'a|b'"],
  ["cat ''"],
]);

Deno.test("translation: whatever stands behind a program, the calls are sound", () => {
  const program = fc.constantFrom(
    ...["cat", "head", "tail", "less", "grep", "rg", "find", "ls", "sed", "awk", "egrep", "cat >"],
  );
  const part = fc.constantFrom(
    ..."a 'b c' \"d\" -n -i -e -E -r -v -w -C3 -5 +5 -rf -- - * src/*.ts [ab] $x ~ ~/y /etc/x /p/f s/a/b/g"
      .split(" "),
    ..."-name -o ! ( ) -exec {} ; + -i.bak 1,5p $p 5d /re/p NR==1 --include=*.ts -maxdepth 2 a|b a\\|b"
      .split(" "),
    ..."< f|> g|>> g|<<E|\nE\n|| head -3|| grep x|| jq .|&& make".split("|"),
    "'\u202e'",
    "'a\nb'",
    "\u{1f600}",
  );
  fc.assert(
    fc.property(program, fc.array(part, { maxLength: 8 }), (name, parts) => {
      for (const call of callsFor([name, ...parts].join(" "))) {
        // Printable, so that what is shown is what is sent.
        equal(/[\p{Cc}\p{Cf}]/u.test(call), false, call);
        const values = [...call.matchAll(/=("(?:[^"\\]|\\.)*")/g)].map((match) => match[1] ?? "");
        for (const value of values) equal(typeof JSON.parse(value), "string");
        match(
          call,
          /^(?:view|text_editor|batch_edit|extract_lines|shell|runs|too_deep)(?: \w+=|$)/,
        );
        equal(/(?:path|from_path)="-/.test(call), false, call);
      }
    }),
    { numRuns: 5000 },
  );
});
