// Owns: the list of tools, in the order in which they are published.
// Must not know: what a tool does.

import { batchEditTool } from "./batch_edit.ts";
import { extractLinesTool } from "./extract_lines.ts";
import { shellTool } from "./shell.ts";
import { textEditorTool } from "./text_editor.ts";
import type { Tool } from "./tool.ts";
import { viewTool } from "./view.ts";
import { workdirTool } from "./workdir.ts";

/** The tools of a session; `shell` is there only where programs may be run. */
export function availableTools(options: { readonly shell: boolean }): readonly Tool[] {
  const shell = options.shell ? [shellTool] : [];
  return [viewTool, textEditorTool, batchEditTool, extractLinesTool, ...shell, workdirTool];
}
