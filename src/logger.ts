// Owns: log lines on stderr, by level; stdout belongs to the protocol.
// Must not know: what is logged.

export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

export type Logger = { readonly [Level in LogLevel]: (message: string) => void };

/** A logger that writes `octofs: level: message` lines up to and including `level`. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const enabled = LOG_LEVELS.indexOf(level);
  const at = (one: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(one) <= enabled) write(`octofs: ${one}: ${message}`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
