import type { Attachment } from '../../send/message/attachment.ts';
import { withoutThoughts } from '../../util/text/thoughts.ts';
import { fenceWords, forContext, markWords } from './codeWords.ts';
import { blocksIn } from './fences.ts';
import { isLong, pieceWords } from './pieces.ts';

type Parts = readonly (string | Attachment)[];

/**
 * Asks for changed code: each part comes back in its own fence, in order; if one is long, only the changes come back.
 * `owners`: the class that each part is a member of, if any.
 */
export function editParts(
  instruction: string,
  codes: readonly Attachment[],
  related: readonly Attachment[],
  owners: readonly (string | undefined)[] = [],
): Parts {
  return [
    `Change this code as asked. ${formWords(codes)} ${markWords}`,
    instruction,
    ...whereWords(codes, owners),
    ...codes,
    ...forContext(related),
  ];
}

/** The form of the answer: long code comes back in pieces, other code as a whole. */
function formWords(codes: readonly Attachment[]): string {
  const fence = fenceWords(codes.map(({ text }) => text));
  if (inPieces(codes)) {
    const what = codes.length === 1 ? 'the changes' : `the changes of these ${codes.length} parts`;
    return `Answer with only code: ${what}, in one fenced block, without explanation. ${fence} ${pieceWords('code')}`;
  }
  const form =
    codes.length === 1
      ? 'the whole of the changed code in one fenced block, without explanation.'
      : `${codes.length} fenced blocks, one for each part in this order, whole, without explanation.`;
  const keep = 'Keep what is not asked to change, line for line, and the indentation; leave nothing out.';
  return `Answer with only code: ${form} ${fence} ${keep}`;
}

function inPieces(codes: readonly Attachment[]): boolean {
  return codes.some(({ text }) => isLong(text.replace(/\r?\n$/, '').split('\n').length));
}

/**
 * States which lines of a file are to come back, because a model that sees more of the file tends to return all of it, or too
 * little. Imports do not belong in a part: models put them inside it, or leave them out. Returns an empty array for a whole file.
 */
function whereWords(codes: readonly Attachment[], owners: readonly (string | undefined)[]): readonly string[] {
  const parts = codes.map((code, index) => partWords(code, owners[index])).filter((words) => words !== null);
  if (parts.length === 0) return [];
  // A part that starts at the first line contains the imports of the file.
  const imports = codes.some(({ firstLine }) => firstLine > 1)
    ? 'If it needs an import that the file lacks, put the import alone into a block before.'
    : '';
  const frame = inPieces(codes) ? '' : 'Begin with its first line and end with its last.';
  return [[`The code is ${listed(parts)}.`, frame, imports].filter((words) => words !== '').join(' ')];
}

/**
 * Returns a text such as `lines 42 to 54 of src/queue.ts, a member of Queue, indented by 2 spaces`, or null for a whole
 * file.
 */
function partWords({ label, text }: Attachment, owner: string | undefined): string | null {
  const [, path, first, last = first] = /^(.*):(\d+)(?:-(\d+))?$/.exec(label) ?? [];
  if (path === undefined) return null;
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return `${lines} of ${path}${owner === undefined ? '' : `, a member of ${owner}`}${indentWords(text)}`;
}

function indentWords(text: string): string {
  const [indent = ''] = /^[ \t]*/.exec(text) ?? [];
  if (indent === '') return '';
  const unit = indent.startsWith('\t') ? 'tab' : 'space';
  return `, indented by ${indent.length} ${unit}${indent.length === 1 ? '' : 's'}`;
}

function listed(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1)}`;
}

/** A problem in code, from VS Code's Problems panel. */
export interface Problem {
  /** The line number in the file, counted from 1. */
  readonly line: number;
  readonly message: string;
}

export function fixInstruction(problems: readonly Problem[]): string {
  return ['Fix these problems:', ...problems.map(({ line, message }) => `- line ${line}: ${oneLine(message)}`)].join(
    '\n',
  );
}

export const documentInstruction =
  'Document this code: add the documentation comments that its language has, where they are missing. Change nothing else.';

/** Asks for a test file; `sample` is one of the workspace, as a style example. */
export function testParts(
  code: Attachment,
  path: string,
  sample: Attachment | null,
  related: readonly Attachment[],
): Parts {
  const ask = `Write tests for this code, for the new file ${path}. Answer with only code, in one fenced block, without explanation. ${fenceWords([code.text])}`;
  const like = sample === null ? [] : ['Follow the ways of this test of the same workspace:', sample];
  return [ask, code, ...like, ...forContext(related)];
}

/**
 * Asks for tests in an existing file. `tests` is its text, which the answer replaces; `code` is what the tests test, or
 * null if that is in the file itself.
 */
export function moreTestParts(
  code: Attachment | null,
  path: string,
  tests: readonly Attachment[],
  related: readonly Attachment[],
): Parts {
  const what = code === null ? 'Add the tests that are missing in' : 'Add tests for this code to';
  const fence = fenceWords(tests.map(({ text }) => text));
  const form = inPieces(tests)
    ? `the changes of the test file in one fenced block, without explanation. ${fence} Follow the ways of its tests. ${pieceWords('file')}`
    : `the whole of the changed test file in one fenced block, without explanation. ${fence} Keep its tests, line for line, and follow their ways; leave nothing out.`;
  const ask = `${what} the test file ${path}, which exists. Answer with only code: ${form} ${markWords}`;
  return [ask, ...(code === null ? [] : [code]), 'The test file:', ...tests, ...forContext(related)];
}

/** Asks for a commit message in the style of earlier ones; `beginning` is the part that the user has written. */
export function commitParts(diffs: readonly Attachment[], before: readonly string[], beginning = ''): Parts {
  const ask =
    'Write a commit message for these changes. Answer with only the message, without a fence or explanation: one line of at most 72 characters; if needed a blank line and a few more.';
  const style =
    before.length === 0
      ? []
      : [`Follow the style of the last ones:\n${before.map((line) => `- ${oneLine(line)}`).join('\n')}`];
  const begun =
    beginning.trim() === ''
      ? []
      : [`The message begins with these words of the user. Answer with what comes after them: ${oneLine(beginning)}`];
  return [ask, ...style, ...begun, ...diffs];
}

/** A paragraph that ends with a colon. No commit message begins with one. */
const introduces = /^(?:[^\n]+\n)*[^\n]*:\s*$/;
/** An introduction before a message without a fence: a line with a colon that begins with one of these words. */
const introduction = /^(?:here|sure|okay|certainly|of course|hier|gerne)\b[^\n]*:[ \t]*\n\s*\n/i;

/**
 * The message in an answer to a request for only a message: removes thoughts before it, and a fence or quotes around all
 * of it, which models add anyway. Text in backticks within it stays.
 */
export function commitMessage(answer: string): string {
  const text = withoutThoughts(answer).text.trim();
  const [block, ...others] = blocksIn(text);
  const before = text.slice(0, text.search(/^(?:`{3}|~{3})/m));
  const isWhole = before === '' && block?.end === text.length;
  const isFenced = block !== undefined && others.length === 0 && (isWhole || introduces.test(before));
  const inside = isFenced ? block.code.trim() : text.replace(introduction, '').trim();
  return /^(["'`])((?:(?!\1).)*)\1$/s.exec(inside)?.[2]?.trim() ?? inside;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
