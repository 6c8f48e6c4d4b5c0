// Owns: a large real source file, lib/_tsc.js of the typescript package, for tests that need one.
// Must not know: what is tested.

const VERSION = "5.9.3";

/** Bytes of the file (some 6 MB), or why it could not be had. */
export async function typescriptCompiler(): Promise<Uint8Array | { readonly unavailable: string }> {
  const folder = await Deno.makeTempDir({ prefix: "octofs-typescript-" });
  try {
    await run("npm", ["pack", "--silent", `typescript@${VERSION}`], folder);
    await run("tar", ["-xzf", `typescript-${VERSION}.tgz`, "package/lib/_tsc.js"], folder);
    return await Deno.readFile(`${folder}/package/lib/_tsc.js`);
  } catch (error) {
    return { unavailable: error instanceof Error ? error.message : String(error) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const output = await new Deno.Command(command, { args: [...args], cwd, stdin: "null" }).output();
  if (output.success) return;
  throw new Error(`${command} ${args[0]}: ${new TextDecoder().decode(output.stderr).trim()}`);
}
