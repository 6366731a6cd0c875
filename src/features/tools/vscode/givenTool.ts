import { isObject } from '../../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../../client/chat.ts';

/** Names that the interface accepts. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The fields of a VS Code tool that are sent. */
export interface GivenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
}

/** The definition of a tool of VS Code, an extension or an MCP server for a request. */
export function definitionOf({ name, description, inputSchema }: GivenTool): ToolDefinition {
  return isObject(inputSchema) ? { name, description, schema: inputSchema } : { name, description };
}

/** Whether another extension's tool of that name can be offered in the panel: `own` tools keep their names. */
export function canBeOffered(name: string, own: { has(name: string): boolean }): boolean {
  return namePattern.test(name) && !own.has(name);
}
