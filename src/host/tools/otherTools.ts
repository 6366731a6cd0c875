import * as vscode from 'vscode';
import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../client/chat.ts';
import { withToken } from '../cancellation.ts';
import { userValue } from '../config/settingsReader.ts';
import { resultText } from '../languageModel/messages.ts';
import { isToolName } from './definitions.ts';
import { definitionOf } from './givenTool.ts';

/** Names that the interface accepts; tools with other names are not offered. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The available tools of VS Code, other extensions and MCP servers that the user has allowed. */
export function otherTools(): readonly ToolDefinition[] {
  const allowed = allowedNames();
  return vscode.lm.tools
    .filter(({ name }) => allowed.has(name) && namePattern.test(name) && !isToolName(name))
    .map(definitionOf);
}

/** Reads only the user's own settings: neither a workspace nor a remote machine can enable tools. */
function allowedNames(): ReadonlySet<unknown> {
  const found = userValue('svc.tools.allowed');
  return new Set(Array.isArray(found) ? found : []);
}

/**
 * Runs such a tool; its reads and side effects are outside our control. Throws the tool's error, or a ServiceError for
 * a result that is not text.
 */
export async function runOtherTool(name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  const { content } = await withToken(signal, (token) =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token),
  );
  return resultText(content);
}
