import { codeBlocks, proseOf } from './prompt.ts';

/** The maximum length in characters of a line of a summary. */
const maxLine = 120;
const maxQuestions = 20;

/** Svc Coder asks for a summary of the conversation. */
export function asksForSummary(prompt: string): boolean {
  return prompt.startsWith('Write down this conversation for whoever continues it');
}

/** A summary of the messages of the user: the first question, the files, and all questions. */
export function summaryAnswer(users: readonly string[]): string {
  const questions = users.map((text) => lineOf(proseOf(text))).filter((line) => line !== '');
  const names = new Set(users.flatMap(codeBlocks).flatMap(({ name }) => name ?? []));
  const files = [...names].map((name) => `- ${name}`);
  return [
    ...['## Goal', questions[0] ?? 'None.', ''],
    ...['## Decisions and their reasons', 'None.', ''],
    ...['## Facts found', ...(files.length === 0 ? ['None.'] : files), ''],
    ...['## Changes made or proposed', 'None.', ''],
    ...['## Open and next', ...questions.slice(-maxQuestions).map((line) => `- ${line}`)],
  ].join('\n');
}

function lineOf(text: string): string {
  const [line = ''] = text.split('\n').filter((each) => each.trim() !== '');
  return line.length <= maxLine ? line : `${line.slice(0, maxLine)}…`;
}
