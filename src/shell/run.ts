// Owns: running a command in a process group of its own: start, capture, time limit, cancel, end of the session.
// Must not know: which commands are wanted, how output is shown, tools.

import type { GroupMember } from "./group_members.ts";
import type { CollectedOutput } from "./output_collector.ts";
import { StreamReader } from "./process_stream.ts";
import {
  availableGroupMaker,
  groupExists,
  type GroupSignal,
  listGroup,
  signalGroup,
  signalProcess,
  spawnGroup,
  StartError,
} from "./process_group.ts";
import type { GroupMaker } from "./shell_program.ts";

export interface RunOptions {
  /** Absolute local path. */
  readonly directory: string;
  /** Milliseconds until the group is ended; absent: no limit. */
  readonly timeout?: number | undefined;
  readonly signal: AbortSignal;
  /** Answer once the command has survived its first moments, and leave it running. */
  readonly background?: boolean | undefined;
  /** Called every `heartbeatInterval` milliseconds while the caller waits. */
  readonly heartbeat?: (state: { readonly elapsed: number; readonly bytes: number }) => void;
  readonly heartbeatInterval?: number;
}

export type RunEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" }
  /** Still running, as asked for. */
  | { readonly kind: "background" };

export interface RunResult {
  /** Process id of the shell, which is also the id of the group. */
  readonly pid: number;
  readonly end: RunEnd;
  readonly stdout: CollectedOutput;
  readonly stderr: CollectedOutput;
  /** What lives on in the group after the command has ended; undefined when nothing does. */
  readonly survivors: readonly GroupMember[] | undefined;
  /** Something that is not in the group any more still holds the output open. */
  readonly isHeldOpen: boolean;
}

// Long enough for a compiler to remove its temporary files, short enough for a client that waits.
const TERM_GRACE = 1500;
const KILL_GRACE = 1000;
// After the command's end its last output is already in the pipe, so a short silence means that all is read.
const SILENCE = 60;
const DRAIN_LIMIT = 2000;
const STARTUP = 300;
// A server that passes on one message in five seconds must not lose every other one.
const HEARTBEAT = 3000;

/** Starts commands and remembers their groups, so that the session's end is theirs too. */
export class ShellRunner {
  readonly #groups = new Map<number, RunningGroup>();
  readonly #ended = new AbortController();
  #maker: GroupMaker = availableGroupMaker();

  /** Runs `command` to its end, its time limit or its cancel. Throws StartError. */
  async run(command: string, options: RunOptions): Promise<RunResult> {
    if (this.#ended.signal.aborted) throw new StartError("session_ended", "the session has ended");
    if (options.signal.aborted) throw new StartError("cancelled", "the call was cancelled");
    void this.#forgetEnded();
    const group = new RunningGroup(this.#spawn(command, options.directory));
    this.#groups.set(group.pid, group);
    const end = await this.#waitForEnd(group, options);
    if (end.kind === "timed_out" || end.kind === "cancelled") await group.end();
    if (end.kind === "background") return group.result(end, undefined);
    await group.drain();
    const survivors = await group.livingMembers();
    if (survivors === undefined && group.isDrained) this.#groups.delete(group.pid);
    return group.result(end, survivors);
  }

  /** Ends every group, also those that commands left behind; nothing can be started afterwards. */
  async killAll(): Promise<void> {
    this.#ended.abort();
    await Promise.all([...this.#groups.values()].map((group) => group.end()));
    this.#groups.clear();
  }

  #spawn(command: string, directory: string): Deno.ChildProcess {
    try {
      return spawnGroup(command, { directory, maker: this.#maker });
    } catch (error) {
      const isMissing = error instanceof StartError && error.reason === "no_program";
      if (!isMissing || this.#maker === "spawn") throw error;
      this.#maker = "spawn";
      return spawnGroup(command, { directory, maker: this.#maker });
    }
  }

  async #waitForEnd(group: RunningGroup, options: RunOptions): Promise<RunEnd> {
    const { timeout, heartbeat, background } = options;
    const started = performance.now();
    const stop = AbortSignal.any([options.signal, this.#ended.signal]);
    const timers: ReturnType<typeof setTimeout>[] = [];
    const { promise, resolve } = Promise.withResolvers<RunEnd>();
    const cancel = (): void => resolve({ kind: "cancelled" });
    stop.addEventListener("abort", cancel, { once: true });
    if (timeout !== undefined) {
      const expire = (): void => {
        resolve({ kind: "timed_out" });
        if (background) void group.end();
      };
      const timer = setTimeout(expire, timeout);
      if (background) void group.ended.then(() => clearTimeout(timer));
      else timers.push(timer);
    }
    if (background) timers.push(setTimeout(() => resolve({ kind: "background" }), STARTUP));
    if (heartbeat !== undefined) {
      timers.push(setInterval(() => {
        heartbeat({ elapsed: performance.now() - started, bytes: group.bytes });
      }, options.heartbeatInterval ?? HEARTBEAT));
    }
    try {
      return await Promise.race([group.ended, promise]);
    } finally {
      timers.forEach(clearTimeout);
      stop.removeEventListener("abort", cancel);
    }
  }

  /** A number that is free again may be given to a group of someone else. */
  async #forgetEnded(): Promise<void> {
    for (const [pid, group] of this.#groups) {
      if (group.hasEnded && group.isDrained && !await groupExists(pid)) this.#groups.delete(pid);
    }
  }
}

/** One command with everything that it started and that stayed in its group. */
class RunningGroup {
  readonly pid: number;
  readonly ended: Promise<RunEnd>;
  hasEnded = false;
  isDrained = false;
  readonly #stdout: StreamReader;
  readonly #stderr: StreamReader;
  readonly #drained: Promise<void>;
  #ending: Promise<void> | undefined;

  constructor(child: Deno.ChildProcess) {
    this.pid = child.pid;
    this.#stdout = new StreamReader(child.stdout);
    this.#stderr = new StreamReader(child.stderr);
    this.#drained = Promise.all([this.#stdout.done, this.#stderr.done]).then(() => {
      this.isDrained = true;
    });
    this.ended = child.status.then(({ code, signal }) => {
      this.hasEnded = true;
      return signal === null ? { kind: "exited", code } : { kind: "signalled", signal };
    });
  }

  get bytes(): number {
    return this.#stdout.total + this.#stderr.total;
  }

  /** The output so far. What comes later is read, so that the writer does not stop, and dropped. */
  result(end: RunEnd, survivors: readonly GroupMember[] | undefined): RunResult {
    return {
      pid: this.pid,
      end,
      stdout: this.#stdout.take(),
      stderr: this.#stderr.take(),
      survivors,
      isHeldOpen: !this.isDrained,
    };
  }

  /** Waits until the pipes are closed, or silent although something keeps them open. */
  async drain(): Promise<void> {
    const limit = performance.now() + DRAIN_LIMIT;
    // Two silences in a row: one may only mean that this process was too busy to read.
    for (let silences = 0; silences < 2 && performance.now() < limit;) {
      const before = this.bytes;
      if (await settlesWithin(this.#drained, SILENCE)) return;
      silences = this.bytes === before ? silences + 1 : 0;
    }
  }

  /** Ends the group: asks, waits a little, insists. Resolves also when something survives that. */
  end(): Promise<void> {
    this.#ending ??= this.#endGroup();
    return this.#ending;
  }

  /** Undefined when nothing lives; empty when something does that cannot be named. */
  async livingMembers(): Promise<readonly GroupMember[] | undefined> {
    if (!await groupExists(this.pid)) return undefined;
    const members = await listGroup(this.pid);
    return members?.length === 0 ? undefined : members ?? [];
  }

  async #endGroup(): Promise<void> {
    await this.#signal("SIGTERM");
    if (await this.#isGoneWithin(TERM_GRACE)) return;
    await this.#signal("SIGKILL");
    await this.#isGoneWithin(KILL_GRACE);
  }

  async #signal(signal: GroupSignal): Promise<void> {
    if (await groupExists(this.pid)) await signalGroup(this.pid, signal);
    else if (!this.hasEnded) await signalProcess(this.pid, signal);
  }

  async #isGoneWithin(milliseconds: number): Promise<boolean> {
    const limit = performance.now() + milliseconds;
    for (let wait = 5; performance.now() < limit; wait = Math.min(wait * 2, 200)) {
      await settlesWithin(new Promise(() => {}), wait);
      const isCertain = wait < 40 ? !await groupExists(this.pid) : !await this.livingMembers();
      if (this.hasEnded && isCertain) return true;
    }
    return false;
  }
}

async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: expired, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  const settled = promise.then(() => true as const);
  try {
    return await Promise.race([settled, expired]);
  } finally {
    clearTimeout(timer);
  }
}
