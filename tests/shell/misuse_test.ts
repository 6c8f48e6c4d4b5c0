// Owns: which command lines are refused, of what kind, and which run.
// Must not know: the translated calls (misuse_translation_test), the words of the message.

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
  "every program of the contract, bare": [
    ["cat f", "read"],
    ["head f", "read"],
    ["tail f", "read"],
    ["less f", "read"],
    ["more f", "read"],
    ["grep x f", "search"],
    ["egrep x f", "search"],
    ["fgrep x f", "search"],
    ["rg x", "search"],
    ["find .", "list"],
    ["ls", "list"],
    ["sed s/a/b/ f", "edit"],
    ["awk 1 f", "edit"],
  ],
  "programs that only look like them": [
    ["cats f", "runs"],
    ["catalog", "runs"],
    ["git grep foo", "runs"],
    ["lsof -i", "runs"],
    ["zgrep x f.gz", "runs"],
    ["gfind", "runs"],
    ["./ls.sh", "runs"],
    ["./cat/run", "runs"],
    ["npm run sed", "runs"],
    ["make find", "runs"],
    ["docker exec c cat /app/x", "runs"],
    ["ssh host cat f", "runs"],
    ["tee f", "runs"],
    ["sort f", "runs"],
    ["wc -l f", "runs"],
    ["cut -f1 f", "runs"],
    ["diff a b", "runs"],
    ["jq . f", "runs"],
    ["bat f", "runs"],
  ],
  "a pipeline is judged by its first program": [
    ["cargo build 2>&1 | grep error", "runs"],
    ["go test ./... | grep FAIL", "runs"],
    ["git log | head -5", "runs"],
    ["kubectl logs p | grep a | grep -v b | tail", "runs"],
    ["npm test |& tail -20", "runs"],
    ["make 2>&1 | tee log | sed -n 1,5p", "runs"],
    ["git diff --stat | cat", "runs"],
    ["ps aux | awk '{print $2}' | xargs kill", "runs"],
    ["echo a | grep -q a && echo yes", "runs"],
    ["make | { grep error || true; }", "runs"],
    ["make | (grep error; true)", "runs"],
    ["cat f | grep x", "read"],
    ["grep -rn foo src | head -20", "search"],
    ["ls -l | wc -l", "list"],
    ["find . -name '*.ts' | xargs wc -l", "list"],
    ["cat f|less", "read"],
    ["echo a || cat f", "read"],
    // After `|` the line may go on in the next one.
    ["git log |\n  grep x", "runs"],
    ["git log |&\n\n  # a comment\n  grep x |\n\thead", "runs"],
    ["git log | # a comment\n  grep x\ncat f", "read"],
    ["cat <<A |\nls\nA\ngrep x", "runs"],
    ["cat f |\ngrep x", "read"],
  ],
  "the line is split where the shell splits it": [
    ["cd d && cat f", "read"],
    ["make && cat out.txt", "read"],
    ["make; cat out.txt", "read"],
    ["make || cat out.txt", "read"],
    ["make & cat out.txt", "read"],
    ["make\ncat out.txt", "read"],
    ["make;cat out.txt", "read"],
    ["make&&cat out.txt", "read"],
    ["grep -q x f && deploy", "search"],
    ["ls; cat f; grep x f", "list read search"],
    ["echo $(cat f)", "read"],
    ["echo `cat f`", "read"],
    ["V=$(cat VERSION) make", "read"],
    ["V=$(cat VERSION)", "read"],
    ["kill $(ls run | head -1)", "list"],
    ["echo $(echo $(cat f))", "read"],
    ["echo `echo \\`cat f\\``", "read"],
    ["(cat f)", "read"],
    ["(cd x && cat f) > out", "read"],
    ["{ cat a; cat b; } > c", "read read"],
    ["make \\\n  && cat f", "read"],
    ["ca\\\nt f", "read"],
    ["make | tee $(ls x)", "list"],
  ],
  "redirections are not operators": [
    ["make 2>&1", "runs"],
    ["make &> log", "runs"],
    ["make >& log", "runs"],
    ["make > cat", "runs"],
    ["make > ls 2> grep", "runs"],
    ["make 2>&1 >/dev/null", "runs"],
    ["ls x 2>/dev/null", "list"],
    ["2>/dev/null cat f", "read"],
    ["< f cat", "read"],
    ["cat<f", "read"],
    ["make >&2; cat f", "read"],
    ["make 2>&1 & cat f", "read"],
    ["diff <(grep a x) <(cat y)", "runs"],
    ["bash -c 'grep x <(make)'", "runs"],
    ["grep x <(make) f", "search"],
  ],
  "quotes, escapes and comments hide": [
    ["echo 'cat f; grep x'", "runs"],
    ['echo "cat f && grep x"', "runs"],
    ["git commit -m 'use grep; ls'", "runs"],
    ['git commit -m "fix cat && ls"', "runs"],
    ['git commit -m "use `grep` here"', "runs"],
    ['echo "$(cat f)"', "runs"],
    ["echo a\\;cat f", "runs"],
    ["echo a \\&\\& cat f", "runs"],
    ["echo a\\\\;cat f", "read"],
    ["echo $'it\\'s; cat f'", "runs"],
    ["make # cat f", "runs"],
    ["# cat f", "runs"],
    ["make # x\ncat f", "read"],
    ["echo a#b; cat f", "read"],
    ["echo 'it'\"'\"'s' ; cat f", "read"],
    ["echo 'open", "runs"],
    ["echo 'a\nb'; cat f", "read"],
    ["echo ${x:-'a;cat f'}", "runs"],
    ["echo ${x;cat f}", "runs"],
    ["echo $((1 + (2))) ; cat f", "read"],
    ["echo $((1 + 2))", "runs"],
  ],
  "here-documents are text": [
    ["python3 <<EOF\nimport os\ncat f\nEOF", "runs"],
    ["python3 <<'EOF'\ngrep = 1\nls\nEOF\ncat f", "read"],
    ["python3 <<-EOF\n\tgrep x\n\tEOF\ncat f", "read"],
    ["a <<A; b <<B\ncat 1\nA\ncat 2\nB\nmake", "runs"],
    ["git commit -F - <<'EOF'\nuse `cat` & grep\nEOF", "runs"],
    ['git commit -m "$(cat <<\'EOF\'\nfix: (a) it\'s "b"\nEOF\n)"', "runs"],
    ["cat <<EOF | kubectl apply -f -\nls: 1\nEOF", "runs"],
    ["cat <<< hello", "runs"],
    ["python3 <<EOF\nnever closed\ncat f", "runs"],
    ["cat > f <<'EOF'\nx\nEOF", "write"],
    ["cat <<EOF > f\nx\nEOF", "write"],
    ["cat >> f <<EOF\nx\nEOF", "write"],
    ["cat > /etc/motd <<EOF\nx\nEOF", "runs"],
    ["cat > /dev/null <<EOF\nx\nEOF", "runs"],
    ["make <<EOF && cat f\nx\nEOF", "read"],
  ],
  "what stands before the program is skipped": [
    ["FOO=1 cat f", "read"],
    ["A=1 B='x y' C=$D grep x f", "search"],
    ["/bin/cat f", "read"],
    ["/usr/bin/grep x f", "search"],
    ["\\cat f", "read"],
    ["'cat' f", "read"],
    ['"/bin/ls" src', "list"],
    ["c'a't f", "read"],
    ["command cat f", "read"],
    ["command -p cat f", "read"],
    ["command -v cat", "runs"],
    ["env cat f", "read"],
    ["env A=1 B=2 cat f", "read"],
    ["env -i cat f", "runs"],
    ["exec cat f", "read"],
    ["time cat f", "read"],
    ["! grep -q x f", "search"],
    ["bash -c 'cat f'", "read"],
    ["sh -c 'make && grep x f'", "search"],
    ["bash -lc 'cat f'", "read"],
    ["bash -c 'make | grep x'", "runs"],
    ['bash -c "$CMD"', "runs"],
    ["bash cat", "runs"],
    ["eval 'cat f'", "read"],
    ["sudo cat f", "runs"],
    ["$PROGRAM f", "runs"],
    ["FOO=cat", "runs"],
    ["FOO=cat make", "runs"],
  ],
  "reserved words and compound commands": [
    ["if grep -q x f; then make; fi", "search"],
    ["if make; then cat f; else ls; fi", "read list"],
    ["for f in a b; do cat $f; done", "read"],
    ["for f in cat ls; do echo $f; done", "runs"],
    ["for f in $(ls); do echo $f; done", "list"],
    ["while read l; do echo $l; done < f", "runs"],
    ["until grep -q up log; do sleep 1; done", "search"],
    ["case $x in cat) make;; ls|grep) make;; esac", "runs"],
    ["case $x in a) cat f;; esac", "read"],
    ["case $x in (a) make;; (cat) make;; esac; ls", "list"],
    ["case cat in\n  cat)\n    make\n    ;;\n  *) cat f ;;\nesac", "read"],
    ["f() { cat x; }", "read"],
    ["cat() { make; }", "runs"],
    ["if make; then echo ok; fi | grep ok", "runs"],
  ],
};

for (const [group, rows] of Object.entries(ROWS)) {
  Deno.test(`misuse: ${group}`, () => {
    deepEqual(rows.map(([command]) => [command, verdictOf(command)]), rows);
  });
}

Deno.test("misuse: what cannot be read to the bottom is not let through, and a reading ends", () => {
  const rows: readonly Row[] = ["$(", '"$(', "${", "(", "`\\`"].map((unit) =>
    [unit.repeat(50_000), unit === "`\\`" ? "runs" : "too_deep"] as const
  );
  const found = rows.map(([command]) => verdictOf(command));
  deepEqual(found, rows.map(([, verdict]) => verdict));
  const long = `${"make 'x' | ".repeat(12_000)}cat`;
  deepEqual(verdictOf(long), "runs");
});

Deno.test("misuse: the verdict says whether other commands stood beside it", () => {
  const isPart = (command: string): boolean | undefined => {
    const verdict = judgeCommand(command, OPTIONS);
    return verdict.kind === "misuse" ? verdict.isPart : undefined;
  };
  const rows: readonly (readonly [command: string, isPart: boolean])[] = [
    ["cat f", false],
    ["cat f | jq .", false],
    ["cat a; cat b", false],
    ["(cat f)", false],
    ["bash -c 'cat f'", false],
    ["make; cat f", true],
    ["echo $(cat f)", true],
    ["cd x && cat f", true],
  ];
  deepEqual(rows.map(([command]) => [command, isPart(command)]), rows);
});
