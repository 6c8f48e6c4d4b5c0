// Owns: fast-check with a seed: the same cases in every run, others where they are asked for.
// Must not know: which properties there are.
//
// OCTOFS_SEED=random, or a number, tries other cases; a failure prints its seed.

import fc from "fast-check";

const wanted = Deno.env.get("OCTOFS_SEED") ?? "1";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

export default fc;
