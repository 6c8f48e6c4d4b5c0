// Owns: the one place where tests take protocol schemas from the SDK, with their types.

// The package names no types for paths that end in .js.
// @ts-types="@modelcontextprotocol/sdk/types"
export * from "@modelcontextprotocol/sdk/types.js";
