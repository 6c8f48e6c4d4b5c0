// Owns: an engine in a worker thread with permissions of its own, where the program can start one.
// Must not know: what the messages mean, which permissions are right.

import type { EngineProcessHost } from "./process.ts";
import type { EnginePlan } from "./plan.ts";
import type { EngineLink, FromEngine, ToEngine } from "./messages.ts";

/** Starts `entry` as an engine thread. Deno ends the process where `worker-options` is not switched on. */
export function startEngineWorker(
  entry: string,
  permissions: Deno.PermissionOptionsObject,
): EngineLink {
  const worker = new Worker(entry, {
    type: "module",
    name: ENGINE_WORKER,
    deno: { permissions },
  } as WorkerOptions);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = () => {
    worker.terminate();
    end();
  };
  const link: EngineLink = {
    send: (message) => worker.postMessage(message),
    onMessage: () => {},
    ended,
    kill: stop,
  };
  worker.onmessage = ({ data }: MessageEvent<FromEngine | "closed">) => {
    if (data === "closed") stop();
    else link.onMessage(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    console.error(`octofs: error: ${event.message}`);
    stop();
  };
  return link;
}

const ENGINE_WORKER = "octofs-engine";

interface EngineScope {
  readonly name: string;
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null;
  postMessage(message: FromEngine | "closed"): void;
}

/** True in the thread that `startEngineWorker` started. */
export function isEngineWorker(): boolean {
  return "WorkerGlobalScope" in globalThis &&
    (globalThis as unknown as EngineScope).name === ENGINE_WORKER;
}

/** Hands every message on to an engine that is started with the plan. */
export function relayTo(start: (plan: EnginePlan) => EngineLink) {
  return (send: (message: FromEngine) => void): EngineProcessHost => {
    let link: EngineLink | undefined;
    return {
      receive: (message) => {
        if (message.kind === "open") {
          link = start(message.plan);
          link.onMessage = send;
          // An engine that ends by itself takes its process along, so that the front notices.
          void link.ended.then(() => Deno.exit(1));
        }
        link?.send(message);
      },
      close: async () => {
        link?.send({ kind: "close" });
        await link?.ended;
      },
    };
  };
}

/** Serves as an engine thread until told to close. */
export function serveEngineWorker(
  makeHost: (send: (message: FromEngine) => void) => EngineProcessHost,
): void {
  const scope = globalThis as unknown as EngineScope;
  const host = makeHost((message) => scope.postMessage(message));
  scope.onmessage = ({ data }) => {
    if (data.kind !== "close") return host.receive(data);
    void host.close().finally(() => scope.postMessage("closed"));
  };
}
