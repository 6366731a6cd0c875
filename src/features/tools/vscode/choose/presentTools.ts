import * as vscode from 'vscode';
import { isObject } from '../../../../client/answer/answerShape.ts';
import { definitionOf } from '../givenTool.ts';
import { mcpNameOf } from '../ruledTools.ts';
import type { PresentTool } from './toolChoice.ts';
import { tokensOf } from './toolCost.ts';

const t = vscode.l10n.t;

/** The tools that VS Code knows, with their sources, which VS Code does not report to an extension. */
export function presentTools(): readonly PresentTool[] {
  const declared = declaredTools();
  return vscode.lm.tools.map((tool) => {
    const found = declared.get(tool.name);
    const source = found === undefined ? otherSource(tool) : t('Extension: {0}', found.extension);
    const tokens = tokensOf(definitionOf(tool));
    return { name: tool.name, source, description: found?.description ?? tool.description, tokens };
  });
}

interface Declared {
  readonly extension: string;
  /** The description for the user, if there is one. */
  readonly description: string | undefined;
}

/** The tools that extensions declare in their manifests. A manifest is as trustworthy as its extension. */
function declaredTools(): ReadonlyMap<unknown, Declared> {
  const found = new Map<unknown, Declared>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    const tools: unknown = packageJSON?.contributes?.languageModelTools;
    const extension = textOr(packageJSON?.displayName, id);
    for (const tool of Array.isArray(tools) ? tools.filter(isObject) : []) {
      const description = textOr(tool.userDescription, undefined);
      if (!found.has(tool.name)) found.set(tool.name, { extension, description });
    }
  }
  return found;
}

function otherSource(tool: vscode.LanguageModelToolInformation): string {
  const mcp = mcpNameOf(tool);
  if (mcp === null) return t('VS Code and others');
  return mcp === 'unknown' ? t('MCP servers') : t('MCP server: {0}', mcp.server);
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' && value.trim() !== '' ? value : other;
}
