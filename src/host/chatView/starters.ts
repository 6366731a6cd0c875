import * as vscode from 'vscode';
import type { Starter } from '../../protocol/starter.ts';

const t = vscode.l10n.t;

/** What an empty panel offers to ask: slash commands, so that choosing one shows how the next is typed. */
export function starters(): readonly Starter[] {
  return [
    { text: '/explain ', label: t('Explain the selected code'), icon: 'lightbulb-sparkle' },
    { text: '/tests ', label: t('Write tests for the selected code'), icon: 'beaker' },
    { text: '/review ', label: t('Review the selected code'), icon: 'search' },
  ];
}
