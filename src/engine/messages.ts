// Owns: what a front and an engine in another process or thread say to each other.
// Must not know: how messages travel, what a tool does.

import type { CallResult, ToolCall } from "./engine.ts";
import type { EnginePlan } from "./plan.ts";
import type { PermissionReport } from "../sandbox_report.ts";

export type ToEngine =
  | { readonly kind: "open"; readonly plan: EnginePlan }
  | { readonly kind: "call"; readonly id: number; readonly call: ToolCall }
  | { readonly kind: "cancel"; readonly id: number }
  /** Answered at once by an engine that is not stuck. */
  | { readonly kind: "ping" }
  | { readonly kind: "close" };

export type FromEngine =
  | { readonly kind: "opened"; readonly report: PermissionReport }
  /** The plan cannot be opened; `message` is one line for the user. */
  | { readonly kind: "refused"; readonly message: string; readonly isUsage: boolean }
  | { readonly kind: "result"; readonly id: number; readonly result: CallResult }
  | { readonly kind: "progress"; readonly id: number; readonly message: string }
  | { readonly kind: "pong" };

/** The front's end of the way to one engine. */
export interface EngineLink {
  send(message: ToEngine): void;
  /** Set before anything is sent. */
  onMessage: (message: FromEngine) => void;
  /** Resolves when the engine has ended, for whatever reason. */
  readonly ended: Promise<void>;
  kill(): void;
}
