import * as vscode from 'vscode';
import { candidatesFor } from '../../../edits/reading/candidates.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { showError } from '../../../platform/messages/show.ts';
import { orFailure } from '../../../platform/messages/withErrorReporting.ts';
import { Refusal } from '../../../platform/pages/callError.ts';
import { applyBlocks } from './applyAll.ts';
import type { CompleteAnswer } from './placing/answer.ts';
import type { Target } from './target.ts';
import type { UseCodeParts } from './useCode.ts';

const t = vscode.l10n.t;

/**
 * Offers code of an answer for files other than the requested one. The diffs open only if the user wants them, so that
 * none takes the focus from the first.
 */
export function offerOthers(
  parts: Pick<UseCodeParts, 'proposals'>,
  { read, source }: CompleteAnswer,
  target: Target,
): void {
  if (target.kind !== 'document') return;
  const { languageId, uri } = target.document;
  const { others } = candidatesFor(read.blocks, { languageId, file: uri.path });
  const files = [...new Set(others.flatMap(({ file = '' }) => (file === '' ? [] : [file])))];
  if (files.length === 0) return;
  const run = async (): Promise<void> => {
    const nothing = (): void => undefined;
    await orFailure(() =>
      applyBlocks(parts, { read, blocks: others, unnamed: 0, attachments: [], source }, nothing),
    ).catch(showRefusal);
  };
  showHint(t('The answer also has code for {0}.', files.join(', ')), { button: { label: t('Show Changes'), run } });
}

/** Shows a Refusal as a message; throws any other error. */
export function showRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  void showError(error.message);
}
