import type { ToolOffer } from '../../../client/chat.ts';
import type { Outgoing } from '../../../send/outgoing.ts';
import { definitionOf, type GivenTool } from '../../tools/vscode/givenTool.ts';

/** VS Code's value for "a tool call is required". */
const required = 2;

export function offerOf(tools: readonly GivenTool[] = [], toolMode: number): Pick<Outgoing, 'offer'> {
  if (tools.length === 0) return {};
  const offer: ToolOffer = { tools: tools.map(definitionOf), choice: toolMode === required ? 'required' : 'auto' };
  return { offer };
}

/**
 * Uses `max_tokens` and `temperature` from the caller's options if they are valid numbers for the interface. The settings
 * take precedence for both. All other options are dropped, such as those that start with `_` (internal to VS Code) and those
 * that the interface document does not define.
 */
export function bodyOptions(
  given: Readonly<Record<string, unknown>> = {},
): Pick<Outgoing, 'maxTokens' | 'temperature'> {
  const { max_tokens: maxTokens, temperature } = given;
  return {
    ...(typeof maxTokens === 'number' && Number.isSafeInteger(maxTokens) && maxTokens > 0 ? { maxTokens } : {}),
    ...(typeof temperature === 'number' && Number.isFinite(temperature) && temperature >= 0 ? { temperature } : {}),
  };
}
