// Owns: messages as lines on byte streams, in time that grows with their length and not with its square.
// Must not know: what the lines mean.

/** UTF-16 units of one line; a longer one is skipped, for it could not be held as one string. */
export const MOST_LINE_UNITS = 256 * 1024 * 1024;

export interface LineReading {
  readonly onLine: (line: string) => void;
  /** Called once for each line that is longer than `limit`, when it begins to be skipped. */
  readonly onOverlong?: () => void;
  readonly limit?: number;
}

/** Hands over every line without its ending; resolves when the stream has ended or broken. */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  { onLine, onOverlong, limit = MOST_LINE_UNITS }: LineReading,
): Promise<void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  const take = (piece: string) => {
    const before = length;
    length += piece.length;
    if (length <= limit) pieces.push(piece);
    else if (before <= limit) {
      pieces = [];
      onOverlong?.();
    }
  };
  try {
    for await (const chunk of stream) {
      const parts = decoder.decode(chunk, { stream: true }).split("\n");
      const last = parts.pop() ?? "";
      for (const part of parts) {
        take(part);
        if (length <= limit) onLine(pieces.join("").replace(/\r$/, ""));
        pieces = [];
        length = 0;
      }
      take(last);
    }
  } catch {
    // A pipe that breaks has ended.
  }
}

/** Writes values as JSON lines; what a reader that is gone does not take is dropped. */
export function lineWriter(
  stream: WritableStream<Uint8Array>,
): (message: unknown) => Promise<void> {
  const writer = stream.getWriter();
  const encoder = new TextEncoder();
  // A reader that is gone shows in the end of the process.
  writer.closed.catch(() => {});
  return (message) => writer.write(encoder.encode(`${JSON.stringify(message)}\n`)).catch(() => {});
}
