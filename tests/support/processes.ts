// Owns: looking for living processes, so that a test can prove that it left none.
// Must not know: who started them.

/** Process ids whose command line holds `marker`; one that has ended and waits to be reaped is not alive. */
export async function livingProcesses(marker: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-A", "-o", "pid=", "-o", "stat=", "-o", "args="],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, state] = /^\s*(\d+)\s+(\S+)\s/.exec(line) ?? [];
    return pid === undefined || state?.startsWith("Z") || !line.includes(marker)
      ? []
      : [Number(pid)];
  });
}

/** Waits until `condition` holds; throws after ten seconds. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const limit = performance.now() + 10_000;
  while (!await condition()) {
    if (performance.now() > limit) throw new Error("waited ten seconds in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
