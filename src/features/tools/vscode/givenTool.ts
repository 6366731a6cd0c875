import { isObject } from '../../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../../client/chat.ts';

/** The tool names that the interface accepts. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The fields of a VS Code tool that are sent. */
export interface GivenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
}

/** The definition, in a request, of a tool of VS Code, an extension or an MCP server. */
export function definitionOf({ name, description, inputSchema }: GivenTool): ToolDefinition {
  return isObject(inputSchema) ? { name, description, schema: inputSchema } : { name, description };
}

/**
 * Whether a tool of another extension with this name can be offered in the panel: the names of `own` tools are
 * reserved.
 */
export function canBeOffered(name: string, own: { has(name: string): boolean }): boolean {
  return namePattern.test(name) && !own.has(name);
}
