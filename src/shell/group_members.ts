// Owns: reading what `ps` prints as the living processes of one group.
// Must not know: how ps is started, what is done with them.

export interface GroupMember {
  readonly pid: number;
  readonly command: string;
}

/** Asks every POSIX `ps` for process, group, state and command line; after `=`, a list would be a heading. */
export const LIST_PROCESSES = ["-A", "-o", "pid=", "-o", "pgid=", "-o", "stat=", "-o", "args="];

/** The group's processes; one that has ended and waits for its parent (`Z`) does not count. */
export function readGroupMembers(listing: string, group: number): readonly GroupMember[] {
  return listing.split("\n").flatMap((line) => {
    const [, pid, groupId, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const counts = Number(groupId) === group && !state?.startsWith("Z");
    return counts ? [{ pid: Number(pid), command: (command ?? "").trim() }] : [];
  });
}
