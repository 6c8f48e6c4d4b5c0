// Owns: the least that a server on the MCP package is: the yardstick for starting and for memory.

import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "../support/sdk_types.ts";

const server = new Server({ name: "minimal", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [] }));
await server.connect(new StdioServerTransport());
