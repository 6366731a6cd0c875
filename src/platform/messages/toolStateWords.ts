import * as vscode from 'vscode';
import type { ToolStepState } from '../../protocol/toolStepState.ts';

const t = vscode.l10n.t;

export function toolStateWords(state: ToolStepState): string {
  switch (state) {
    case 'waiting':
      return t('waiting for the previous call');
    case 'asking':
      return t('Waiting for your approval');
    case 'running':
      return t('running');
    case 'done':
      return t('done');
    case 'failed':
      return t('failed');
    case 'refused':
      return t('refused');
    case 'denied':
      return t('denied');
    case 'stopped':
      return t('stopped');
    case 'capped':
      return t('not run: the turn was stopped');
  }
}
