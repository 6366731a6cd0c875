import type { ToolDefinition } from '../../../client/chat.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readToolSwitches } from '../../../platform/settings/toolsEnabled.ts';
import { otherTools } from './otherTools.ts';
import { ownTools } from './own/ownTools.ts';

/** The tools that the model may call now; none if tools are off. */
export function offeredTools(contextReader: Pick<RequestContextReader, 'requireFeature'>): readonly ToolDefinition[] {
  const { off, disabled } = readToolSwitches(contextReader);
  if (off !== null || !disabled.ok) return [];
  const own = [...ownTools.values()].map(({ definition }) => definition);
  return [...own, ...otherTools()].filter(({ name }) => !disabled.names.has(name));
}
