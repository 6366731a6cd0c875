import { isObject } from '../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../client/chat.ts';

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
