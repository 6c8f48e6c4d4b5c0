// Owns: the calls that stand for refused commands of sed, awk, ls and find.
// Must not know: which commands are refused (misuse_test), the words around the calls.

import { deepEqual } from "node:assert/strict";
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

check("sed and awk", [
  ["sed -n 10,20p f", 'view path="f" start=10 end=20'],
  ["sed -n '10,20p' f", 'view path="f" start=10 end=20'],
  ["sed -n 5p f", 'view path="f" start=5 end=5'],
  ["sed -n '10,$p' f", 'view path="f" start=10'],
  ["sed -n '$p' f", 'view path="f" start=-1'],
  ["sed -n '10,+5p' f", 'view path="f" start=10 end=15'],
  ["sed -n '1,10p;11q' f", 'view path="f" start=1 end=10'],
  ["sed -n '1,2p;8,9p' f", 'view path="f" start=1 end=2', 'view path="f" start=8 end=9'],
  ["sed -n -e 1,5p f", 'view path="f" start=1 end=5'],
  ["sed 20q f", 'view path="f" start=1 end=20'],
  ["sed -n '/foo/p' f", 'view path="f" content="foo"'],
  ["sed -n '/a\\/b.c/p' f", 'view path="f" content="a/b.c" regex=true'],
  ["sed s/a/b/ f", 'view path="f"'],
  [
    "sed -i s/a/b/ f",
    'text_editor command="str_replace" path="f" old_text="a" new_text="b"',
  ],
  [
    "sed -i 's/foo/bar/g' f",
    'text_editor command="str_replace" path="f" old_text="foo" new_text="bar" replace_all=true',
  ],
  [
    "sed -i.bak -e 's|/usr|/opt|g' f",
    'text_editor command="str_replace" path="f" old_text="/usr" new_text="/opt" replace_all=true',
  ],
  [
    "sed -i 's/1\\.0/1.1/' f",
    'text_editor command="str_replace" path="f" old_text="1.0" new_text="1.1"',
  ],
  [
    "sed -i s/a/b/ f g",
    'text_editor command="str_replace" path="f" old_text="a" new_text="b"',
    'text_editor command="str_replace" path="g" old_text="a" new_text="b"',
  ],
  [
    "sed -i 's/a\\/b/c\\nd/' f",
    'text_editor command="str_replace" path="f" old_text="a/b" new_text="c\\nd"',
  ],
  [
    "sed -i 's/a.*b/c/' f",
    'view path="f" content="a.*b" regex=true',
    'batch_edit path="f" operations=[{"operation":"replace","start":"N:hh","end":"N:hh","content":"…"}]   # with the ids that it shows',
  ],
  [
    "sed -i 's/foo/[&]/' f",
    'view path="f" content="foo"',
    'batch_edit path="f" operations=[{"operation":"replace","start":"N:hh","end":"N:hh","content":"…"}]   # with the ids that it shows',
  ],
  [
    "sed -i 5,7d f",
    'view path="f" start=5 end=7',
    'batch_edit path="f" operations=[{"operation":"delete","start":"N:hh","end":"N:hh","content":""}]   # with the ids that it shows',
  ],
  [
    "sed -i '3a new line' f",
    'view path="f" start=3 end=3',
    'batch_edit path="f" operations=[{"operation":"insert","start":"N:hh","content":"…"}]   # with the ids that it shows',
  ],
  [
    "sed -i s/foo/bar/g src/*.ts",
    'view path="src" pattern="src/*.ts" content="foo"   # then text_editor or batch_edit on each file',
  ],
  ["sed -n 2,3p src/*.ts", 'view path="src" pattern="src/*.ts"   # then each file that it lists'],
  ["sed -n /foo/p a b", 'view path="a|b" content="foo"'],
  ["sed -n /foo/p src/*.ts", 'view path="src" pattern="src/*.ts" content="foo"'],
  ["sed -i '' 's/a/b/' f", 'text_editor command="str_replace" path="f" old_text="a" new_text="b"'],
  [
    "sed -i -e s/a/b/ -e s/c/d/g f",
    'text_editor command="str_replace" path="f" old_text="a" new_text="b"',
    'text_editor command="str_replace" path="f" old_text="c" new_text="d" replace_all=true',
  ],
  [
    "sed -i 's/a/b/; s|c|d|' f",
    'text_editor command="str_replace" path="f" old_text="a" new_text="b"',
    'text_editor command="str_replace" path="f" old_text="c" new_text="d"',
  ],
  ["sed -i 's/a;s/b/' f", 'text_editor command="str_replace" path="f" old_text="a;s" new_text="b"'],
  [
    "sed -i '/foo/d' f",
    'view path="f" content="foo"',
    'batch_edit path="f" operations=[{"operation":"delete","start":"N:hh","end":"N:hh","content":""}]   # with the ids that it shows',
  ],
  [
    "sed -i '$a end' f",
    'view path="f" start=-1 end=-1',
    'batch_edit path="f" operations=[{"operation":"insert","start":"N:hh","content":"…"}]   # with the ids that it shows',
  ],
  [
    "sed -i '5,$d' f",
    'view path="f" start=5 end=-1',
    'batch_edit path="f" operations=[{"operation":"delete","start":"N:hh","end":"N:hh","content":""}]   # with the ids that it shows',
  ],
  ["awk 'NR>=2 && NR<=3 {print NR\": \"$0}' f", 'view path="f" start=2 end=3'],
  ["awk NR==5 f", 'view path="f" start=5 end=5'],
  ["awk 'NR>=10 && NR<=20' f", 'view path="f" start=10 end=20'],
  ["awk 'NR==3,NR==9' f", 'view path="f" start=3 end=9'],
  ["awk 'NR>5{print}' f", 'view path="f" start=6'],
  ["awk '/foo/{print}' f", 'view path="f" content="foo"'],
  ["awk '{s+=$1} END{print s}' f", 'view path="f"'],
]);

check("ls and find", [
  ["ls", 'view path="."'],
  ["ls src", 'view path="src"'],
  ["ls -la src", 'view path="src" include_hidden=true'],
  ["ls src lib", 'view path="src"', 'view path="lib"'],
  ["ls -d */", 'view path="." pattern="*/**" max_depth=1'],
  ["ls src/*/", 'view path="src" pattern="src/*/**"'],
  ["ls src/{a,b}.ts", 'view path="src" pattern="src/{a,b}.ts"'],
  ["find src lib -name '*.ts'", 'view path="src" pattern="*.ts"', 'view path="lib" pattern="*.ts"'],
  ["find src lib | xargs grep foo", 'view path="src|lib" content="foo"'],
  ["find . -type d", 'view path="."'],
  ["find . -type d -name foo", 'view path="." pattern="**/foo/**"'],
  ["find . -path '*/foo' -type d", 'view path="." pattern="**/foo/**"'],
  [
    "find . -path ./node_modules -prune -o -name '*.ts' -print",
    'view path="." pattern="*.ts|!node_modules/**"',
  ],
  [
    "find . -type d \\( -name .git -o -name dist \\) -prune -o -type f -print",
    'view path="." pattern="!**/.git/**|!**/dist/**"',
  ],
  [
    "find . -name '*.o' | xargs rm -f",
    'view path="." pattern="*.o"',
    'shell command="rm -- …"   # with the files to delete',
  ],
  ["ls *.ts", 'view path="." pattern="*.ts"'],
  ["ls src | grep foo", 'view path="src" pattern="*foo*"'],
  ["cd sub && ls", 'view path="sub"'],
  ["find", 'view path="."'],
  ["find src -name '*.ts'", 'view path="src" pattern="*.ts"'],
  ["find . -type f -name '*.ts' -o -name '*.tsx'", 'view path="." pattern="*.ts|*.tsx"'],
  ["find . \\( -name a -o -name b \\) -print", 'view path="." pattern="a|b"'],
  ["find . -iname '*.Md'", 'view path="." pattern="*.[mM][dD]"'],
  [
    "find . -name '*.js' -not -path './node_modules/*'",
    'view path="." pattern="*.js|!node_modules/**"',
  ],
  ["find . -path '*/test/*' -name a.ts", 'view path="."'],
  ["find src -maxdepth 2", 'view path="src" max_depth=2'],
  ["find src -mtime -1 -name '*.ts'", 'view path="src" pattern="*.ts"'],
  ["find src -name '*.ts' | xargs grep -n foo", 'view path="src" pattern="*.ts" content="foo"'],
  [
    "find . -name '*.ts' -print0 | xargs -0 grep foo",
    'view path="." pattern="*.ts" content="foo"',
  ],
  ["find . -name '*.py' -exec grep -l foo {} +", 'view path="." pattern="*.py" content="foo"'],
  ["find . -name '*.py' -exec grep -l foo {} \\;", 'view path="." pattern="*.py" content="foo"'],
  [
    "find . -name '*.o' -delete",
    'view path="." pattern="*.o"',
    'shell command="rm -- …"   # with the files to delete',
  ],
]);
