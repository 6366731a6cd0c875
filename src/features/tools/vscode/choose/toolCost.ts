import type { ToolDefinition } from '../../../../client/chat.ts';
import { estimateTokens } from '../../../../send/budget/tokens.ts';
import type { ToolChoice } from './toolChoice.ts';

/** Estimates the tokens of a definition. Every request with tools contains all definitions. */
export function tokensOf(definition: ToolDefinition): number {
  return estimateTokens(JSON.stringify(definition));
}

interface ToolCost {
  readonly count: number;
  readonly tokens: number;
}

/** The number of tools that are selected and exist, and their tokens. Both are 0 while tools are off. */
export function costOf(choice: ToolChoice): ToolCost {
  const present = new Map(choice.facts.present.map(({ name, tokens }) => [name, tokens]));
  const tokens = choice.rows
    .filter((row) => row.kind !== 'group' && choice.isChecked(row))
    .map((row) =>
      row.kind === 'own' ? tokensOf(row.tool.definition) : row.kind === 'other' ? present.get(row.name) : undefined,
    )
    .filter((known) => known !== undefined);
  return { count: tokens.length, tokens: tokens.reduce((sum, each) => sum + each, 0) };
}
