// Owns: the forms a model wraps around a path: quotes, backticks, blanks, `@`, escapes, file URLs. PURE.
// Must not know: the disk; the workspace decides whether a cleaned form is used.

export interface CleanedPath {
  readonly path: string;
  /** What was taken off, for the hint. */
  readonly removed: string;
  /** `wrapper`: certainly not part of a name. `prefix`: may well be one, as in `@types/x`. */
  readonly certainty: "wrapper" | "prefix";
}

/** The path without what a model may have put around it, or undefined where there is nothing to clean. */
export function cleanPath(raw: string): CleanedPath | undefined {
  const removed: string[] = [];
  let path = raw;
  let certainty: CleanedPath["certainty"] = "prefix";
  const take = (what: string, next: string, sure: boolean) => {
    if (next === path || next === "") return;
    removed.push(what);
    path = next;
    if (sure) certainty = "wrapper";
  };
  take("outer blanks", path.trim(), true);
  const quoted = /^(["'`])(.*)\1$/s.exec(path);
  if (quoted) take("quotes", (quoted[2] ?? "").trim(), true);
  if (/^file:\/\//i.test(path)) take("the file:// scheme", pathOfFileUrl(path), true);
  if (path.startsWith("@")) take("the leading @", path.slice(1), false);
  if (/\\[ '"()[\]&]/.test(path)) {
    take("backslash escapes", path.replace(/\\([ '"()[\]&])/g, (_, escaped) => escaped), true);
  }
  return removed.length === 0 ? undefined : { path, removed: removed.join(", "), certainty };
}

/** The local path of a `file://` URL, percent-decoding included; the text itself if it is not a valid one. */
export function pathOfFileUrl(url: string): string {
  try {
    const { pathname, hostname } = new URL(url);
    const path = decodeURIComponent(pathname);
    if (hostname !== "" && hostname !== "localhost") return `//${hostname}${path}`;
    return path.replace(/^\/([A-Za-z]:)/, (_, drive) => drive);
  } catch {
    return url;
  }
}

/** A name as it compares when typography does not count: Unicode form, spaces, quotes, dashes. */
export function foldName(name: string): string {
  return name.normalize("NFC")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u2018\u2019\u201b\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, "");
}

/** The names most like `wanted`, nearest first; only those that are alike at all. */
export function nearestNames(wanted: string, names: readonly string[], limit = 3): string[] {
  const target = foldName(wanted).toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(target, foldName(name).toLowerCase()) }))
    .filter(({ name, distance }) =>
      distance <= Math.max(2, Math.max(target.length, name.length) / 2)
    )
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + change,
        ),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
