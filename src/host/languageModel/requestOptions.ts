import type { ToolOffer } from '../../client/chat.ts';
import type { Outgoing } from '../../session/dispatch/outgoing.ts';
import { definitionOf, type GivenTool } from '../tools/givenTool.ts';

/** VS Code's number for "one has to be called". */
const required = 2;

export function offerOf(tools: readonly GivenTool[] = [], toolMode: number): Pick<Outgoing, 'offer'> {
  if (tools.length === 0) return {};
  const offer: ToolOffer = { tools: tools.map(definitionOf), choice: toolMode === required ? 'required' : 'auto' };
  return { offer };
}

/**
 * What is taken from the options of whoever asks: `max_tokens` and `temperature`, where they are numbers of the
 * interface. The settings come first in both. Nothing else goes on: not what begins with `_`, which is VS Code's own,
 * and not what the interface document does not know.
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
