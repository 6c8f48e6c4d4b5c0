// Owns: the extract_lines tool: copying lines of one file into another, byte for byte.
// Must not know: how the lines are copied (copy_lines.ts).

import { defineTool } from "./tool.ts";

export const extractLinesTool = defineTool({
  name: "extract_lines",
  title: "Copy lines into a file",
  description:
    "Copies lines of one file byte for byte into a new or existing file, so that code is moved without " +
    "being retyped. Lines are numbers or ids; ids are verified. Answers with the diff in the target.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  fields: {
    from_path: {
      type: "string",
      description: "File to copy from.",
      aliases: ["source", "source_path", "path"],
    },
    from_start: {
      type: "string",
      description: "First line: number or id.",
      aliases: ["start", "start_line", "line_start", "from_line"],
    },
    from_end: {
      type: "string",
      description: "Last line, inclusive; without it one line is copied.",
      optional: true,
      aliases: ["end", "end_line", "line_end", "to_line"],
    },
    append_path: {
      type: "string",
      description: "File to copy into; it is created when missing.",
      aliases: ["target", "target_path", "to_path"],
    },
    append_line: {
      type: "string",
      description:
        "Where: `0` start of the file, `-1` end, or the line (number or id) to copy after.",
    },
  },
  async run(input, context) {
    const { copyLines } = await import("./copy_lines.ts");
    return await copyLines(input, context);
  },
});
