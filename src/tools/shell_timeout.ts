// Owns: how long a command of the shell tool may take.
// Must not know: how commands are run or ended.

/** Seconds. Clients that get no progress give up after 60 s; the answer has to be there before. */
export const DEFAULT_TIMEOUT = 50;
/** Seconds. */
export const LONGEST_TIMEOUT = 3600;
