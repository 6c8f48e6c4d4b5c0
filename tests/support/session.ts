// Owns: a session in this process over a directory, for tests that need no protocol.
// Must not know: what is tested.

import { createLogger } from "../../src/logger.ts";
import { openSession } from "../../src/start.ts";
import { availableTools } from "../../src/tools/registry.ts";
import type { Answer } from "./octofs.ts";

export interface TestSession extends AsyncDisposable {
  readonly call: (name: string, args: unknown) => Promise<Answer>;
}

/** Opens a session whose root is `root`. */
export async function testSession(
  root: string,
  options: { readonly allow?: readonly string[]; readonly allowRead?: readonly string[] } = {},
): Promise<TestSession> {
  const log: string[] = [];
  const session = await openSession({
    options: {
      path: root,
      allow: options.allow ?? [],
      allowRead: options.allowRead ?? [],
      shell: true,
      requireSandbox: false,
      sshTimeout: 5,
    },
    tools: availableTools({ shell: true }),
    logger: createLogger("error", (line) => log.push(line)),
  });
  return {
    async call(name, args) {
      const running = { signal: new AbortController().signal, progress: () => {} };
      const result = await session.call({ name, arguments: args }, running);
      const text = result.content.map((part) => part.type === "text" ? part.text : `[${part.type}]`)
        .join("\n");
      if (log.length > 0) throw new Error(`the session logged a bug:\n${log.join("\n")}`);
      return { text, isError: result.isError };
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
}
