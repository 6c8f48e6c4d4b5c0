// Owns: the facts of why a path argument was refused.
// Must not know: the words an agent reads (tools/path_messages.ts).

/** Why the gate refused a path; `raw` is the argument, `resolved` the canonical path it led to. */
export type PathProblem =
  | { readonly kind: "empty" }
  | { readonly kind: "invalid"; readonly raw: string; readonly reason: string }
  | { readonly kind: "no_ssh"; readonly raw: string }
  | { readonly kind: "no_home"; readonly raw: string }
  | {
    readonly kind: "outside";
    readonly raw: string;
    readonly resolved: string;
    readonly purpose: "read" | "write";
    readonly allowed: readonly string[];
  }
  | {
    readonly kind: "missing";
    readonly raw: string;
    readonly resolved: string;
    readonly nearest: readonly string[];
    /** The first component on the way that does not exist, where it is not the path itself. */
    readonly firstMissing: string | undefined;
  }
  | { readonly kind: "not_a_directory"; readonly raw: string; readonly resolved: string }
  | { readonly kind: "variable"; readonly raw: string; readonly expanded: string | undefined }
  | { readonly kind: "other_home"; readonly raw: string }
  | { readonly kind: "guessed_root"; readonly raw: string; readonly workingDirectory: string };

/** The gate refused a path. */
export class PathError extends Error {
  override readonly name = "PathError";

  constructor(readonly problem: PathProblem) {
    super(problem.kind);
  }
}

export function invalidPath(raw: string, reason: string): PathError {
  return new PathError({ kind: "invalid", raw, reason });
}

/** Throws where there is a reason to. */
export function refusePath(raw: string, reason: string | undefined): void {
  if (reason !== undefined) throw invalidPath(raw, reason);
}
