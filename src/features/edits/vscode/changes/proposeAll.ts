import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import { isNotebook } from '../../../../platform/sources/notebook.ts';
import { pathOf, ToolRefusal } from '../../../tools/vscode/own/place.ts';
import { type ChangeRefusal, changeLimits } from '../../common/changeSet.ts';
import { type CodeForFiles, type ForFile, filesOf, Unproposed } from '../codeForFiles.ts';
import { isGuardedFile } from '../confirm.ts';
import { placedBlocks } from '../placedBlocks.ts';
import type { FoundFile } from '../placing/fileForBlock.ts';
import type { Instead } from '../unusableCode.ts';
import { changedWords, hasChanged } from '../useCode.ts';
import type { ProposedChanges } from './proposedChanges.ts';

const t = vscode.l10n.t;

/**
 * Makes all code of an answer that names its file a part of the proposed changes of its conversation, with the limits of the
 * tools but two: the user has seen the answer, so it may replace a file of any number of lines, also one that the model has not
 * read. Throws a Refusal that names what was not proposed.
 */
export async function proposeAll(proposed: ProposedChanges, code: CodeForFiles, ask: Instead['ask']): Promise<void> {
  const unproposed = new Unproposed();
  const changed: string[] = [];
  const unchanged: string[] = [];
  for (const file of await filesOf(code, unproposed)) {
    await unproposed.unless(file.name, async () => {
      const path = pathOf(file.file.uri);
      const { isSame, wasChanged } = await propose(proposed, code, file);
      if (isSame) unchanged.push(path);
      else if (wasChanged) changed.push(path);
    });
  }
  const words = [
    ...(changed.length === 0 ? [] : [changedWords(changed)]),
    ...(unchanged.length === 0 ? [] : [t('The answer changes nothing in {0}.', unchanged.join(', '))]),
  ];
  if (words.length > 0) showHint(words.join(' '));
  unproposed.tell(code, ask);
}

interface Outcome {
  /** Whether the code changes nothing. */
  readonly isSame: boolean;
  /** Whether the file has changed since it was attached. */
  readonly wasChanged: boolean;
}

async function propose(
  proposed: ProposedChanges,
  code: CodeForFiles,
  { name, file, blocks }: ForFile,
): Promise<Outcome> {
  const why = await whyNot(file);
  if (why !== null) throw new Refusal(why);
  let wasChanged = false;
  const refusal = await proposed
    .put(pathOf(file.uri), code.source, (text) => {
      wasChanged = text.document !== null && hasChanged(text.document, code.attachments);
      return placedBlocks(text, code.read, { name, blocks });
    })
    .catch((error: unknown) => {
      throw error instanceof ToolRefusal ? new Refusal(applyInstead()) : error;
    });
  if (refusal !== null && refusal !== 'same') throw new Refusal(words(refusal));
  return { isSame: refusal === 'same', wasChanged };
}

/** Returns why a file is not changed together with others, or null if it may be. */
async function whyNot({ uri, exists }: FoundFile): Promise<string | null> {
  if (isNotebook(uri)) return `${t('It is a notebook.')} ${applyInstead()}`;
  if (await isGuardedFile(uri)) {
    return `${t('This file can run programs on this machine or control what is sent.')} ${applyInstead()}`;
  }
  const isLarge = exists && (await vscode.workspace.fs.stat(uri)).size > changeLimits.fileBytes;
  return isLarge ? words('file-too-long') : null;
}

function applyInstead(): string {
  return t('Use Apply to File for it.');
}

function words(refusal: ChangeRefusal): string {
  switch (refusal) {
    case 'not-there':
    case 'taken':
      return t('Another file or folder has this name, or will have it.');
    case 'deleted':
    case 'renamed':
    case 'stale':
      return t('Accept or reject the proposed change to it first, or ask again.');
    case 'file-too-long':
      return t('It is larger than {0} KiB.', changeLimits.fileBytes / 1024);
    case 'too-many-files':
    case 'set-too-long':
      return t('Too many changes are proposed. Accept or reject some of them first.');
  }
}
