import type { Attachment, TurnAction } from './conversation.ts';

/**
 * The content of a user message: the person's words (or, for an action, what it stands for), then what they attached,
 * each in a fence of its own.
 */
export function contentOf(turn: {
  readonly action: TurnAction;
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
}): string {
  return [turn.action === 'explain' ? explainPrompt : turn.prompt, ...turn.attachments.map(quote)].join('\n\n');
}

const explainPrompt =
  'Explain this code: what it does, how it does it, and what a reader should watch out for. Answer in Markdown.';

/** The message that asks for code and nothing else. */
export function generatePrompt(instruction: string, languageId: string, around: Attachment | null): string {
  const ask = [
    `Write ${languageId} code that does the following. Answer with only code, in one fenced block, without explanation.`,
    instruction,
  ];
  if (around !== null) ask.push('It goes into this file, at the line marked <insert here>.', quote(around));
  return ask.join('\n\n');
}

/** The text in a fence longer than any fence inside it, so that the code cannot end it early. */
function quote({ label, languageId, text }: Attachment): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${label}\n${fence}${languageId}\n${text}\n${fence}`;
}
