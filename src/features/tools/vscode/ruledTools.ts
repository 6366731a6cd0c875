import * as vscode from 'vscode';
import { type RuledTool, type ToolRefusal, type ToolRules, toolRefusal } from '../../../policy/managed/toolRules.ts';

const t = vscode.l10n.t;

/** The MCP server of a tool, null for a tool of no server, or `unknown` if VS Code does not name the server. */
export function mcpNameOf(tool: vscode.LanguageModelToolInformation): RuledTool['mcp'] {
  if (!tool.tags.includes('mcp')) return null;
  // Newer versions of VS Code have this name, with the server before the last slash; the typings omit it.
  const { fullReferenceName } = tool as { readonly fullReferenceName?: unknown };
  const slash = typeof fullReferenceName === 'string' ? fullReferenceName.lastIndexOf('/') : -1;
  if (typeof fullReferenceName !== 'string' || slash < 1) return 'unknown';
  return { server: fullReferenceName.slice(0, slash), tool: fullReferenceName.slice(slash + 1) };
}

/** Returns why the rules forbid a tool of the panel, or null if they allow it. */
export function ownRefusal(rules: ToolRules, name: string): ToolRefusal | null {
  return toolRefusal(rules, { name, mcp: null });
}

/** Returns why the rules forbid a tool of VS Code, an extension or an MCP server, or null if they allow it. */
export function otherRefusal(rules: ToolRules, name: string): ToolRefusal | null {
  const tool = vscode.lm.tools.find((known) => known.name === name);
  return toolRefusal(rules, { name, mcp: tool === undefined ? 'unknown' : mcpNameOf(tool) });
}

/** The tools of VS Code, other extensions and MCP servers that the rules allow. */
export function allowedTools<T extends { readonly name: string }>(rules: ToolRules, tools: readonly T[]): readonly T[] {
  return tools.filter(({ name }) => otherRefusal(rules, name) === null);
}

/** Returns why the user cannot select a tool. */
export function describeRefusal(refusal: ToolRefusal): string {
  switch (refusal) {
    case 'denied':
      return t('The managed policy denies this tool.');
    case 'notAllowed':
      return t('The managed policy does not list this tool as allowed.');
    case 'unknownServer':
      return t('The managed policy has rules for MCP servers, and VS Code does not name the server of this tool.');
  }
}
