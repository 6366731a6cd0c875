import type * as vscode from 'vscode';
import { newFileLines } from '../../../edits/newFile.ts';
import type { AnswerBlock, ReadAnswer } from '../../../edits/reading/answer.ts';
import { wholeOf } from '../common/places.ts';
import { alone, type ForFile, instead } from './codeForFiles.ts';
import { linesWith, Misplaced, withSecrets } from './placing/placed.ts';
import { withSecretsBack } from './secretKeeper.ts';
import { type Target, wholeTarget } from './target.ts';
import { languageFor, requireWhole } from './useCode.ts';

/** The text of a file that code is placed in. */
export interface TextToChange {
  readonly uri: vscode.Uri;
  /** It is null if there is no file. */
  readonly document: vscode.TextDocument | null;
  /** The proposed lines, or else those of the document; null if there will be no file. */
  readonly lines: readonly string[] | null;
}

/** Returns the text of a file with blocks of an answer in their places, each placed in the text with the blocks before it. */
export async function placedBlocks(
  { uri, document, lines: before }: TextToChange,
  read: ReadAnswer,
  { name, blocks }: Pick<ForFile, 'name' | 'blocks'>,
): Promise<readonly string[]> {
  const languageId = document?.languageId ?? (await languageFor(blocks[0]?.language ?? ''));
  const { lines: first, rest } =
    before === null ? firstText(blocks, languageId, name) : { lines: before, rest: blocks };
  const target: Target = document === null ? { kind: 'untitled', languageId } : wholeTarget(document);
  let lines = first;
  for (const block of rest) {
    const whole = await withSecrets(target, alone(read, block), async (...of) => (await withSecretsBack(...of)).whole);
    lines = await linesWith(whole, { uri, lines, languageId, places: [wholeOf(lines)], mode: 'apply' });
  }
  return lines;
}

interface FirstText {
  readonly lines: readonly string[];
  /** The blocks that change it. */
  readonly rest: readonly AnswerBlock[];
}

/** The text of a new file: the blocks before the first change together, or else only the first one. */
function firstText(blocks: readonly AnswerBlock[], languageId: string, name: string): FirstText {
  const change = blocks.findIndex(isChange);
  for (const count of [change === -1 ? blocks.length : change, 1]) {
    const lines = newFileLines(blocks.slice(0, count), languageId, name);
    if (typeof lines === 'string') continue;
    requireWhole(lines.join('\n'), instead);
    return { lines, rest: blocks.slice(count) };
  }
  throw new Misplaced([]);
}

function isChange({ changes }: AnswerBlock): boolean {
  return changes?.changes.some(({ old }) => old.some((line) => line.trim() !== '')) === true;
}
