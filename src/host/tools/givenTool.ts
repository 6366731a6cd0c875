import { isObject } from '../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../client/chat.ts';

/** What a tool is to VS Code, as far as we send it. */
export interface GivenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
}

/** A tool of VS Code, an extension or an MCP server, as it goes into a request. */
export function definitionOf({ name, description, inputSchema }: GivenTool): ToolDefinition {
  return isObject(inputSchema) ? { name, description, schema: inputSchema } : { name, description };
}
