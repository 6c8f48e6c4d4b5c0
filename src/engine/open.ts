// Owns: opening the engine of a plan in the way that the start allows, and judging what it may really do.
// Must not know: the protocol, what a tool does.

import type { Engine } from "./engine.ts";
import { EngineClient } from "./client.ts";
import { type EnginePlan, RootError } from "./plan.ts";
import type { AllowedDirectories } from "../fs/allowed_directories.ts";
import { createLogger, type Logger } from "../logger.ts";
import {
  type Confinement,
  grantsFor,
  mayRunShell,
  permissionFlags,
  relayFlags,
  workerPermissions,
} from "../sandbox.ts";
import { formatReport, type PermissionReport, reportPermissions } from "../sandbox_report.ts";
import { availableTools } from "../tools/registry.ts";

/** The program that is running, as far as another engine of it must be started. */
export interface Program {
  /** URL of the module to start again. */
  readonly entry: string;
  /** Replaces layer one in tests that show what layer two refuses by itself. */
  readonly gate?: AllowedDirectories;
  /** Replaces the choice by how the program was started, in tests of a way that is not theirs. */
  readonly confinement?: Confinement;
}

export interface OpenOptions {
  readonly confinement: Confinement;
  readonly program: Program;
  readonly logger: Logger;
  /** Refuses an engine that may do more than the plan says. */
  readonly requireSandbox: boolean;
}

/** Opens the engine; where it cannot be confined as chosen, none is given. Throws RootError. */
export async function openEngine(plan: EnginePlan, options: OpenOptions): Promise<Engine> {
  const { confinement, program, logger } = options;
  const accept = (report: PermissionReport) => judge(report, options);
  if (confinement.kind === "start" || confinement.kind === "none") {
    const engine = await openHere(plan, program);
    accept(reportPermissions(plan));
    return engine;
  }
  const start = await starter(confinement.kind, program);
  const client = new EngineClient({ plan, start, accept, logger });
  await client.open();
  return client;
}

/** Opens the session of the plan in this process or thread. */
export async function openHere(plan: EnginePlan, { gate }: Program): Promise<Engine> {
  const { openPlannedSession } = await import("./planned_session.ts");
  const tools = availableTools({ shell: plan.shell && mayRunShell() });
  const logger = createLogger(plan.logLevel, (line) => console.error(line));
  return await openPlannedSession(plan, { tools, logger, ...(gate ? { gate } : {}) });
}

async function starter(kind: "process" | "worker", { entry }: Program) {
  if (kind === "process") {
    const { startEngineProcess } = await import("./process.ts");
    return (plan: EnginePlan) => {
      const grants = grantsFor(plan);
      const flags = permissionFlags(grants);
      return flags === undefined
        ? startEngineProcess(entry, { flags: relayFlags(grants), command: "engine-relay" })
        : startEngineProcess(entry, { flags, command: "engine" });
    };
  }
  const { startEngineWorker } = await import("./worker.ts");
  return (plan: EnginePlan) => startEngineWorker(entry, workerPermissions(grantsFor(plan)));
}

/** The engine of a process that only hands messages on to a worker with the permissions of the plan. */
export async function openRelay({ entry }: Program) {
  const { relayTo, startEngineWorker } = await import("./worker.ts");
  return relayTo((plan) => startEngineWorker(entry, workerPermissions(grantsFor(plan))));
}

/** Compares what the permission system says with what was chosen, and says so in the log. */
function judge(report: PermissionReport, options: OpenOptions): void {
  const { confinement, logger, requireSandbox } = options;
  const layers = confinement.kind === "none" || report.beyond.length > 0 ? 1 : 2;
  logger.info(`sandbox: layers=${layers} confinement=${confinement.kind} ${formatReport(report)}`);
  if (layers === 2) return;
  const reach = `the Deno permission layer is not active: ${report.beyond.join(", ")} may be ` +
    "reached, outside the allowed directories";
  // Narrowed on purpose and yet wide: nothing that was said of this engine holds.
  const isBroken = confinement.kind === "process" || confinement.kind === "worker";
  if (requireSandbox || isBroken) throw new RootError(reach, true);
  // Of the other kind the start has said it already.
  if (confinement.kind === "start") logger.warn(reach);
}
