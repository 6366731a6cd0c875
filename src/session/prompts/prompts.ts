import type { Attachment } from '../../send/message/attachment.ts';
import type { Question, TurnAction } from '../conversation/turn.ts';
import { fenceWords, forContext, insertMark } from './codeWords.ts';
import { codeRule } from './houseRules.ts';
import { inLanguage, inLanguageOfWords } from './language.ts';

/** The parts of a user message: the user's text (or the text of an action), the attachments, and what is out of date. */
export function partsOf({
  action,
  prompt,
  command,
  attachments,
  outdated,
}: Question & { readonly outdated?: readonly string[] }): readonly (string | Attachment)[] {
  const instruction = command?.text ?? (action === 'explain' ? explainPrompt : prompt);
  return [instruction, ...attachments, ...outdatedWords(outdated)];
}

/** Tells the model that the text in an earlier question is out of date. */
function outdatedWords(labels: readonly string[] = []): readonly string[] {
  return labels.length === 0 ? [] : [`Changed or removed since they were attached above: ${labels.join(', ')}.`];
}

const explainPrompt =
  'Explain this code: what it does, how it does it, and what a reader should watch out for. Answer in Markdown.';

/** The prompt of each slash command; text that the user adds follows it. */
const slashPrompts = {
  explain: explainPrompt,
  generate:
    'Write the code that is asked for. Fit it to the code below, where there is any. Answer with the code, and with no more words than are needed to use it.',
  fix: 'Find what is wrong with this code and correct it. Say in a sentence or two what was wrong, then give the corrected code.',
  tests:
    'Write unit tests for this code, in the test framework that its project uses, or else in the most usual one for its language. Cover the edge cases and what should fail. Answer with the complete test file.',
  docs: 'Write documentation comments for this code in the form that is usual for its language. Say what it does, its parameters, what it returns and how it fails. Change nothing else, and answer with the documented code.',
  review:
    'Review this code as a careful colleague would: errors first, then security and data protection, then what makes it hard to maintain. For each finding give the place, what is wrong, and how to mend it. Say so where there is nothing to find.',
  commit:
    'Write a commit message for this diff: a subject in the imperative with at most 72 characters, a blank line, then what changed and why, as far as the diff shows it. Answer with the message alone.',
} as const;

export type SlashName = keyof typeof slashPrompts;

export const slashNames = Object.keys(slashPrompts) as readonly SlashName[];

/** The equivalent editor action of each slash command: an administrator who disables the action disables both. */
const slashActions = {
  explain: 'explain',
  generate: 'generate',
  fix: 'generate',
  tests: 'generate',
  docs: 'generate',
  review: 'review',
  commit: 'generate',
} as const satisfies Record<SlashName, TurnAction>;

/**
 * The action of a question for the managed policy and the audit log. A slash command has the action of what it does, regardless
 * of what a stored turn claims; a prompt of the workspace, which has a folder, is chat.
 */
export function actionOf({ action, command }: Pick<Question, 'action' | 'command'>): TurnAction {
  const builtIn = command?.folder === undefined ? slashNames.find((name) => name === command?.name) : undefined;
  return builtIn === undefined ? action : slashActions[builtIn];
}

/**
 * The commands whose answer contains sentences for the user. The answers of the other commands become part of the
 * project.
 */
const proseCommands: readonly SlashName[] = ['explain', 'generate', 'fix', 'review'];

/**
 * The commands whose answer contains code for a file. They need the code rule, because the house rules are sent only
 * with chat questions.
 */
const codeCommands: readonly SlashName[] = ['generate', 'fix', 'tests', 'docs'];

/** The text that is sent for a slash command, followed by the user's text. `language`: see languageName(). */
export function slashText(name: SlashName, words: string, language: string | null): string {
  const prompt = codeCommands.includes(name) ? `${slashPrompts[name]}\n${codeRule}` : slashPrompts[name];
  return withWords(proseCommands.includes(name) ? asked(prompt, words, language) : prompt, words);
}

function asked(prompt: string, words: string, language: string | null): string {
  return words.trim() === '' ? inLanguage(prompt, language) : inLanguageOfWords(prompt);
}

/** A prompt, followed by the text that the user typed after its name. */
export function withWords(prompt: string, words: string): string {
  return words.trim() === '' ? prompt : `${prompt}\n\n${words.trim()}`;
}

/** The text that is sent for `/explain`. With `isAround`, the attachments are the code and its surroundings. */
export function explainText(words: string, language: string | null, isAround: boolean): string {
  const text = slashText('explain', words, language);
  return isAround ? `${text}\n\n${aroundWords}` : text;
}

/** Precedes the code to explain if its surroundings are sent with it. */
export const aroundWords =
  'The first part below is the code that is meant; the others stand around it in its file, for context only.';

/** Returns the name after a `/` at the very start of a message and the text after it, or null for any other message. */
export function slashIn(text: string): { readonly name: string; readonly words: string } | null {
  const [, name, words = ''] = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? [];
  return name === undefined ? null : { name, words };
}

/** The parts of the message that asks for code only. */
export function generateParts(
  instruction: string,
  languageId: string,
  {
    around,
    isBegun = false,
    related = [],
  }: {
    /** The file, with a mark where the code is inserted. */
    readonly around: Attachment | null;
    /** Whether the mark is in a line that is only half-written. */
    readonly isBegun?: boolean;
    readonly related?: readonly Attachment[];
  },
): readonly (string | Attachment)[] {
  const ask = `Write ${languageId} code that does the following. Answer with only code, in one fenced block, without explanation. ${fenceWords(around === null ? [] : [around.text])}`;
  const where = isBegun
    ? `The line with ${insertMark} in this file is half-written: give it whole from its beginning, with the lines that it needs after it. Give only this: not the function or class around it.`
    : `It replaces the line marked ${insertMark} in this file, at its indentation. Give only what goes there: not the function or class around it, and nothing that the file has already.`;
  const place = `${where} If it needs an import that the file lacks, put the import alone into a block before.`;
  return [ask, instruction, ...(around === null ? [] : [place, around]), ...forContext(related)];
}

export type ParticipantCommand = 'chat' | 'explain' | 'generate' | 'review';

/** The parts of a question in VS Code's own chat: the text of its command, the user's text, the attachments. */
export function participantParts(
  command: ParticipantCommand,
  prompt: string,
  attachments: readonly (string | Attachment)[],
  language: string | null,
): readonly (string | Attachment)[] {
  const asks = { chat: '', explain: explainPrompt, generate: generatePrompt, review: reviewPrompt };
  const ask = command === 'chat' ? '' : asked(asks[command], prompt, language);
  return [...[ask, prompt].filter((words) => words.trim() !== ''), ...attachments];
}

const generatePrompt = 'Write code that does the following, in one fenced block, and say in a sentence how it is used.';
const reviewPrompt =
  'Review this code: mistakes, risks for security and for personal data, and what could be simpler, each with its line. Answer in Markdown.';

/** Asks for a summary of the conversation before it. */
export const summaryPrompt = [
  'Write down this conversation for whoever continues it, under these headings and in this order, without introduction:',
  'Goal. Decisions and their reasons. Facts found (files with paths, names, numbers, commands, error texts). Changes made or',
  'proposed, file by file, and which the user accepted or rejected. Open and next. Leave out what was settled and undone.',
  'Copy names, paths and numbers exactly. Instructions of the project are sent again anyway: do not repeat them.',
  'Write in the language of the questions.',
].join('\n');
