import type { ToolDefinition } from '../../../client/chat.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readToolSwitches } from '../../../platform/settings/toolsEnabled.ts';
import { toolDefinitions } from './definitions.ts';
import { otherTools } from './otherTools.ts';

/** The tools that the model may call now; none if tools are off. */
export function offeredTools(contextReader: Pick<RequestContextReader, 'requireFeature'>): readonly ToolDefinition[] {
  const { off, disabled } = readToolSwitches(contextReader);
  if (off !== null || !disabled.ok) return [];
  return [...toolDefinitions, ...otherTools()].filter(({ name }) => !disabled.names.has(name));
}
