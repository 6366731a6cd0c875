import * as vscode from 'vscode';
import type { JsonObject } from '../../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../../client/chat.ts';
import { withToken } from '../../../platform/messages/cancellation.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readToolSwitches, userTools, whyChangesOff, whyTasksOff } from '../../../platform/settings/toolsEnabled.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { resultText } from '../../context/vscode/toolResult.ts';
import { canBeOffered, definitionOf } from './givenTool.ts';
import { ownTools } from './own/ownTools.ts';
import { allowedTools, ownRefusal } from './ruledTools.ts';

/** The available tools of VS Code, other extensions and MCP servers that the user has allowed. */
export function otherTools(): readonly ToolDefinition[] {
  const allowed = new Set(userTools('svc.tools.allowed'));
  return vscode.lm.tools.filter(({ name }) => allowed.has(name) && canBeOffered(name, ownTools)).map(definitionOf);
}

/**
 * Runs a tool that is not ours; its reads and side effects are outside our control. It is unknown which files its
 * result is about. Throws the tool's error, or a ServiceError for a result that is not text.
 */
export async function runOtherTool(name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  const { content } = await withToken(signal, (token) =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token),
  );
  return resultText(content);
}

/** Our own tools that a mode has: those that propose and run need a switch of their own, and a plan runs nothing. */
export function ownToolsIn(mode: Mode, contextReader: Parameters<typeof whyChangesOff>[0]): typeof ownTools {
  const proposes = mode === 'change' && whyChangesOff(contextReader) === null;
  const runs = mode !== 'plan' && whyTasksOff(contextReader) === null;
  return new Map(
    [...ownTools].filter(([, tool]) => (proposes || tool.proposes !== true) && (runs || tool.asks === null)),
  );
}

/** The tools that the model may call now; empty if tools are off. Other tools may change anything, so a plan has none. */
export function offeredTools(
  contextReader: Pick<RequestContextReader, 'requireFeature' | 'toolRules'>,
  mode: Mode,
): readonly ToolDefinition[] {
  const { off, disabled } = readToolSwitches(contextReader);
  if (off !== null || !disabled.ok) return [];
  const { toolRules } = contextReader;
  const svcTools = [...ownToolsIn(mode, contextReader).values()].map(({ definition }) => definition);
  return [
    ...svcTools.filter(({ name }) => ownRefusal(toolRules, name) === null),
    ...(mode === 'plan' ? [] : allowedTools(toolRules, otherTools())),
  ].filter(({ name }) => !disabled.names.has(name));
}
