import type { Attachment, TurnAction } from './conversation.ts';

/** The parts of a user message: the person's words (or, for an action, what it stands for), then what they attached. */
export function partsOf(turn: {
  readonly action: TurnAction;
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
}): readonly (string | Attachment)[] {
  return [turn.action === 'explain' ? explainPrompt : turn.prompt, ...turn.attachments];
}

const explainPrompt =
  'Explain this code: what it does, how it does it, and what a reader should watch out for. Answer in Markdown.';

/** The parts of the message that asks for code and nothing else. */
export function generateParts(
  instruction: string,
  languageId: string,
  around: Attachment | null,
): readonly (string | Attachment)[] {
  const ask = `Write ${languageId} code that does the following. Answer with only code, in one fenced block, without explanation.`;
  const place = 'It goes into this file, at the line marked <insert here>.';
  return [ask, instruction, ...(around === null ? [] : [place, around])];
}

/** The parts of the message that asks for other code in the place of some lines, and nothing else. */
export function rewriteParts(
  instruction: string,
  languageId: string,
  lines: Attachment,
  around: Attachment,
): readonly (string | Attachment)[] {
  const ask = `Rewrite these ${languageId} lines so that the problem below is solved. Answer with only code, in one fenced block, without explanation: just the lines that take the place of these.`;
  return [ask, instruction, lines, 'They stand in this part of the file.', around];
}

export type ParticipantCommand = 'chat' | 'explain' | 'generate' | 'review';

/** The parts of a question in VS Code's own chat: what its command stands for, the person's words, what they attached. */
export function participantParts(
  command: ParticipantCommand,
  prompt: string,
  attachments: readonly Attachment[],
): readonly (string | Attachment)[] {
  const asks = { chat: '', explain: explainPrompt, generate: generatePrompt, review: reviewPrompt };
  return [...[asks[command], prompt].filter((words) => words.trim() !== ''), ...attachments];
}

const generatePrompt = 'Write code that does the following, in one fenced block, and say in a sentence how it is used.';
const reviewPrompt =
  'Review this code: mistakes, risks for security and for personal data, and what could be simpler, each with its line. Answer in Markdown.';

/** The text in a fence longer than any fence inside it, so that the code cannot end it early. */
export function quote({ label, languageId, text }: Attachment): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${label}\n${fence}${languageId}\n${text}\n${fence}`;
}
