import * as vscode from 'vscode';
import type { KeySource } from '../../../platform/keys/keySources.ts';
import { asText } from '../../../platform/messages/asText.ts';
import type { RowText } from './describeCompliance.ts';
import { setBy } from './describeCompliance.ts';

const t = vscode.l10n.t;

/** Describes the source of the API key, who chose it and, if a credential helper said so, who the key is for. */
export function describeKey(source: KeySource, subject: string | undefined): RowText {
  const name = t('API Key');
  switch (source.is) {
    case 'stored':
      return row(`${name}: ${t('stored')}`, '', t('It is in VS Code’s secret storage'));
    case 'environment':
      return row(
        `${name}: ${t('from the environment')}`,
        setBy([{ layer: 'managed' }]),
        t('It is read from {0} for each request', source.variable),
      );
    case 'helper':
      return row(
        `${name}: ${t('from a credential helper')}`,
        setBy([{ layer: source.by }]),
        subject === undefined
          ? t('{0} prints it. It is only in memory', source.helper.command[0])
          : t('{0} prints it, for {1}. It is only in memory', source.helper.command[0], subject),
      );
  }
}

function row(label: string, description: string, detail: string): RowText {
  return { label, description, detail: asText(detail) };
}
