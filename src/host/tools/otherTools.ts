import * as vscode from 'vscode';
import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../client/chat.ts';
import { withToken } from '../cancellation.ts';
import { userValue } from '../config/settingsReader.ts';
import { resultText } from '../languageModel/messages.ts';
import { isToolName } from './definitions.ts';
import { definitionOf } from './givenTool.ts';

/** What the interface takes as a name; a tool that is called otherwise cannot be offered. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools of VS Code, other extensions and MCP servers that the user has put on the list, as far as they are there. */
export function otherTools(): readonly ToolDefinition[] {
  const allowed = allowedNames();
  return vscode.lm.tools
    .filter(({ name }) => allowed.has(name) && namePattern.test(name) && !isToolName(name))
    .map(definitionOf);
}

/** Of the user's own settings alone: neither a workspace nor a remote machine brings tools into play. */
function allowedNames(): ReadonlySet<unknown> {
  const found = userValue('svc.tools.allowed');
  return new Set(Array.isArray(found) ? found : []);
}

/** Runs such a tool: what it reads and does is its own affair. Throws what it throws, or a ServiceError for what is no text. */
export async function runOtherTool(name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  const { content } = await withToken(signal, (token) =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token),
  );
  return resultText(content);
}
