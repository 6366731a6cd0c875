import * as vscode from 'vscode';
import type { Starter } from '../../protocol/starter.ts';

const t = vscode.l10n.t;

/** The suggestions of an empty panel: slash commands, so that choosing one shows how to type the next. */
export function starters(): readonly Starter[] {
  return [
    { text: '/explain ', label: t('Explain the selected code'), icon: 'lightbulb-sparkle' },
    { text: '/tests ', label: t('Write tests for the selected code'), icon: 'beaker' },
    { text: '/review ', label: t('Review the selected code'), icon: 'search' },
  ];
}
