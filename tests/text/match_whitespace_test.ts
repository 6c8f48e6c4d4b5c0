// Owns: proof of the whitespace rung and of re-indentation.
// Must not know: the other rungs.

import { testAnswers, testReplaced } from "../support/replace_rows.ts";

const GO = "func f() {\n\tif err != nil {\n\t\treturn err\n\t}\n}\n";
const PYTHON =
  "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
const TWO = "a {\n  b {\n    c()\n  }\n}\n";

testReplaced([
  [
    "tabs in the file, four spaces sent",
    GO,
    "    if err != nil {\n        return err\n    }",
    "    if err != nil {\n        log(err)\n        return err\n    }",
    "func f() {\n\tif err != nil {\n\t\tlog(err)\n\t\treturn err\n\t}\n}\n",
  ],
  [
    "four spaces become one tab at every depth",
    GO,
    "    if err != nil {\n        return err\n    }",
    "    if err != nil {\n        for {\n            if x {\n                y()\n            }\n        }\n    }",
    "func f() {\n\tif err != nil {\n\t\tfor {\n\t\t\tif x {\n\t\t\t\ty()\n\t\t\t}\n\t\t}\n\t}\n}\n",
  ],
  [
    "two spaces a level become tabs",
    GO,
    "  if err != nil {\n    return err\n  }",
    "  if err != nil {\n    if x {\n      y()\n    }\n  }",
    "func f() {\n\tif err != nil {\n\t\tif x {\n\t\t\ty()\n\t\t}\n\t}\n}\n",
  ],
  [
    "eight spaces for one tab",
    GO,
    "        if err != nil {\n                return err\n        }",
    "        if err != nil {\n                if x {\n                        y()\n                }\n        }",
    "func f() {\n\tif err != nil {\n\t\tif x {\n\t\t\ty()\n\t\t}\n\t}\n}\n",
  ],
  [
    "one tab too few",
    "f {\n\t\ta\n\t\t\tb\n}\n",
    "\ta\n\t\tb",
    "\ta\n\t\tc\n\t\t\td",
    "f {\n\t\ta\n\t\t\tc\n\t\t\t\td\n}\n",
  ],
  [
    "spaces in the file, tabs sent",
    TWO,
    "\tb {\n\t\tc()\n\t}",
    "\tb {\n\t\tif d {\n\t\t\te()\n\t\t}\n\t}",
    "a {\n  b {\n    if d {\n      e()\n    }\n  }\n}\n",
  ],
  [
    "four spaces sent for two",
    TWO,
    "    b {\n        c()\n    }",
    "    b {\n        if d {\n            e()\n        }\n    }",
    "a {\n  b {\n    if d {\n      e()\n    }\n  }\n}\n",
  ],
  [
    "indentation left out altogether, block moved as one",
    PYTHON,
    "def f(self):\n    return 1\n\ndef g(self):\n    return 2",
    "def f(self):\n    return 3\n\ndef g(self):\n    if x:\n        return 4",
    "class A:\n    def f(self):\n        return 3\n\n    def g(self):\n        if x:\n            return 4\n",
  ],
  [
    "every level flattened: lines keep the file's",
    PYTHON,
    "class A:\ndef f(self):\nreturn 1",
    "class A:\ndef f(self):\nx = 5\nreturn x",
    "class A:\n    def f(self):\n        x = 5\n        return x\n\n    def g(self):\n        return 2\n",
  ],
  [
    "flattened: a line put in after an opening line is of its body",
    "if a:\n    b()\nc()\n",
    "if a:\nb()\nc()\n",
    "if a:\nnew()\nb()\nc()\n",
    "if a:\n    new()\n    b()\nc()\n",
  ],
  [
    "new text shallower than all of the old",
    "a {\n\tb {\n\t\tc()\n\t}\n}\n",
    "        c()",
    "        c()\n    }\n    d {",
    "a {\n\tb {\n\t\tc()\n\t}\n\td {\n\t}\n}\n",
  ],
  [
    "a nested line beside a single old line",
    "f() {\n\tx()\n}\n",
    "    x()",
    "    if y {\n        x()\n    }",
    "f() {\n\tif y {\n\t\tx()\n\t}\n}\n",
  ],
  [
    "outermost line, file indented by tabs",
    "a( 1)\n\tb\n",
    "a(  1)",
    "if x {\n    a(1)\n}",
    "if x {\n\ta(1)\n}\n\tb\n",
  ],
  [
    "aligned lines stay aligned",
    "\tf(a,\n\t  b)\n",
    "    f(a,\n      b)",
    "    f(a,\n      b,\n      c)",
    "\tf(a,\n\t  b,\n\t  c)\n",
  ],
  [
    "a line aligned anew keeps its distance",
    "\tx = 1\n",
    "    x  = 1",
    "    x = f(1,\n          2)",
    "\tx = f(1,\n\t      2)\n",
  ],
  [
    "a shift, spaces both",
    "f() {\n    g() {\n        a()\n        b()\n    }\n}\n",
    "    a()\n    b()",
    "    a()\n    if c {\n        b()\n    }",
    "f() {\n    g() {\n        a()\n        if c {\n            b()\n        }\n    }\n}\n",
  ],
  [
    "eight spaces a level in the file, four sent",
    "f() {\n        a()\n        b()\n}\n",
    "    a()\n    b()",
    "    a()\n    if c {\n        b()\n    }",
    "f() {\n        a()\n        if c {\n                b()\n        }\n}\n",
  ],
  [
    "indents equal: a deep line stays as deep",
    "    a  (1)\n    b\n",
    "    a (1)\n    b",
    "    a(2)\n                b",
    "    a(2)\n                b\n",
  ],
  [
    "indents equal: steps of the new text stay as wide as they are",
    "f:\n    a  1\n    b\n",
    "    a 1\n    b",
    "    a 1\n    b\n      c\n        d",
    "f:\n    a  1\n    b\n      c\n        d\n",
  ],
  [
    "a first line that is no whole level deeper",
    "f {\n\ta\n\t\tb\n}\n",
    "    a\n        b",
    "      x\n    a",
    "f {\n\t  x\n\ta\n}\n",
  ],
  [
    "first line copied without its indentation",
    "f {\n\tif x {\n\t\ta()\n\t}\n}\n",
    "if x {\n        a()",
    "if x {\n        b()\n    } else {\n        a()",
    "f {\n\tif x {\n\t\tb()\n\t} else {\n\t\ta()\n\t}\n}\n",
  ],
  [
    "first line copied without its indentation, tabs",
    "f {\n\tif  x {\n\t\ta()\n\t}\n}\n",
    "if x {\n\t\ta()",
    "if x {\n\t\tb()\n\t} else {\n\t\ta()",
    "f {\n\tif  x {\n\t\tb()\n\t} else {\n\t\ta()\n\t}\n}\n",
  ],
  [
    "first line copied without its indentation, closing line sent",
    "f {\n    g {\n        if  x {\n            a()\n        }\n    }\n}\n",
    "if x {\n            a()\n        }",
    "if x {\n            a()\n        }\n        if y {\n            b()\n        }",
    "f {\n    g {\n        if  x {\n            a()\n        }\n        if y {\n            b()\n        }\n    }\n}\n",
  ],
  [
    "blank lines stay blank",
    GO,
    "    if err != nil {\n        return err\n    }",
    "    if err != nil {\n\n    \n        return err\n    }",
    "func f() {\n\tif err != nil {\n\n\n\t\treturn err\n\t}\n}\n",
  ],
  ["inner whitespace", "x  =   1;\ny\n", "x = 1;", "x = 2;", "x = 2;\ny\n"],
  [
    "lines that new text repeats stay as they are",
    "x  =   1;\ny  =  2;\n",
    "x = 1;\ny = 2;",
    "x = 1;\ny = 3;",
    "x  =   1;\ny = 3;\n",
  ],
  ["blanks at the end of a line", "a  \nb\n", "a\nb", "a\nc", "a  \nc\n"],
  ["blanks at the end that were sent", "a\nb\n", "a \nb", "a \nc", "a\nc\n"],
  ["outer blank lines do not count", "a\nb\n", "\n\na\nb\n\n", "\n\na\nc\n\n", "a\nc\n"],
  ["outer blank lines that are new", "\ta\nb\n", " a\nb", " a\n\nc\n\n", "\ta\n\nc\n\n"],
  ["an inner blank line with blanks", "a\n \t\nb\n", "a\n\nb", "a\n\nc", "a\n \t\nc\n"],
  ["newline at the end of the texts or not", "\ta\n\tb\n", "  a\n", "  x", "\tx\n\tb\n"],
  ["newline sent where the file has none", "x\n\ta", "  a\n", "  b\n", "x\n\tb"],
  ["newline sent where the file has none, same indent", "x\na", "a\n", "b\n", "x\nb"],
  [
    "lines added at the end of a file without newline",
    "x\n\ta",
    "  a",
    "  a\n  b\n",
    "x\n\ta\n\tb",
  ],
  ["lines deleted", "a\n\tb\nc\n", "  b", "", "a\nc\n"],
  ["last line deleted, no final newline", "a\n\tb", "  b", "", "a"],
  ["everything deleted", "\tb", "  b", "", ""],
  [
    "CRLF stays",
    "f {\r\n\ta\r\n}\r\n",
    "f {\n  a\n}",
    "f {\n  a\n  b\n}",
    "f {\r\n\ta\r\n\tb\r\n}\r\n",
  ],
  [
    "mixed endings stay",
    "\ta\r\n\tb\n\tc\r\nd\n",
    "  a\n  b\n  c",
    "  a\n  x\n  c",
    "\ta\r\n\tx\n\tc\r\nd\n",
  ],
  [
    "mixed endings stay when lines are added",
    "\ta\r\n\tb\n\tc\r\nd\n",
    "  a\n  b\n  c",
    "  a\n  b\n  x\n  c",
    "\ta\r\n\tb\n\tx\n\tc\r\nd\n",
  ],
  ["dollar signs", "\ta\n", "  a", "  $& $$ $1", "\t$& $$ $1\n"],
  ["backslashes", "\ta\n", "  a", "  b\\n\\t\\\\", "\tb\\n\\t\\\\\n"],
  ["byte order mark", "\ufeff\ta\n", "  a", "  b", "\ufeff\tb\n"],
  ["a moved line keeps its text", "\ta  1\n\tb\n", "  a 1\n  b", "  b\n  a 1", "\tb\n\ta  1\n"],
], { rung: "whitespace" });

testReplaced([
  [
    "each by its own indentation",
    "\ta\nx\n\t\ta\n",
    "  a ",
    "  b\n    c",
    "\tb\n\t\tc\nx\n\t\tb\n\t\t\tc\n",
  ],
  ["lines deleted at the end", "x\n\ta\n\ta", "  a", "", "x"],
  ["lines deleted at the end, one kept", "\ta\n\ta\n\tb", "  a", "", "\tb"],
], { rung: "whitespace", replaceAll: true });

testAnswers("whitespace stops", [
  ["two windows", "\ta\nx\n\t\ta\n", "  a", "  b", {
    kind: "ambiguous",
    rung: "whitespace",
    lines: [0, 2],
    total: 2,
  }],
  ["overlapping windows", "\ta\n\ta\n\ta\n", "  a\n  a", "x", {
    kind: "ambiguous",
    lines: [0, 1],
    total: 2,
  }],
  ["first and last line only", "if a {\n  x\n}\n", "if a {\n  invented\n}", "y", {
    kind: "missing",
  }],
  ["two lines, one invented", "l1\nl2\n", " l1\nl9\n", "y", { kind: "missing" }],
  ["part of a line", "\tfoo(a,  b)\n", "foo(a, b)", "y", { kind: "found" }],
  ["part of a longer line", "\tx = foo(a,  b)\n", "foo(a, b)", "y", { kind: "missing" }],
  ["a blank line too few", "a\n\n\tb\n", "a\n  b", "y", { kind: "missing" }],
  ["nothing but blanks", "abc\n", " \n\t\n", "X", { kind: "missing" }],
  ["the same after re-indentation", "\ta\n\tb\n", "  a\n  b ", "  a\n  b", {
    kind: "no_change",
    why: "equal_result",
  }],
  ["words run together", "a b\n", "ab", "x", { kind: "missing" }],
  ["case", "\tabc\n", "  ABC", "x", { kind: "missing" }],
]);

testAnswers("whitespace tells", [
  ["that it re-indented", "\ta\n", "  a", "  b", {
    rung: "whitespace",
    notes: ["reindented"],
    places: 1,
    multiline: false,
  }],
  ["that it did not", "a  1\n", "a 1", "a 2", { rung: "whitespace", notes: [] }],
]);
