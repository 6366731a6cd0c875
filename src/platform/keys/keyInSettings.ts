import * as vscode from 'vscode';
import type { LayerRef } from '../../policy/requestPolicy.ts';
import type { Card } from '../../protocol/card.ts';
import { actionLabel } from '../messages/cardWords.ts';
import { describeLayer } from '../messages/describePolicy.ts';

const t = vscode.l10n.t;

export interface KeyInFile {
  readonly file: string;
  readonly line: number;
}

/** Returns the warning about a key in the settings. It states the location and the fix, but never the key. */
export function keyInSettings(
  files: readonly KeyInFile[],
  layers: readonly (LayerRef & { readonly setting: string })[],
): Card | null {
  const named = layers.map((layer) => t('{0} in {1} settings', layer.setting, describeLayer(layer)));
  const places = named.length > 0 ? named : files.map(({ file, line }) => t('{0}, line {1}', file, line));
  if (places.length === 0) return null;
  const setting = layers.find((layer) => /^svc\.[A-Za-z.]{1,80}$/.test(layer.setting))?.setting;
  return {
    severity: 'warning',
    title: t('Your settings contain an API key. It is not used'),
    detail: t(
      'Location: {0}. Remove the key there, and run Svc: Set API Key (Token)… to store it. If others can read those settings, replace the key.',
      places.join(', '),
    ),
    actions: [
      { id: 'setApiKey', label: actionLabel('setApiKey') },
      { id: 'openSettings', label: actionLabel('openSettings'), ...(setting === undefined ? {} : { setting }) },
    ],
  };
}
