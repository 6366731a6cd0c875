import * as vscode from 'vscode';
import type { LeftOut } from '../../session/budget/leftOut.ts';
import { describeBytes } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/** One line for each part: what it is, its size, and the question it belongs to. */
export function leftOutLines(parts: readonly LeftOut[]): readonly string[] {
  return parts.map(({ kind, label, bytes, question }) => {
    const name =
      kind === 'turn' ? t('turn without its question') : kind === 'result' ? t('result of {0}', label) : label;
    return `${name}, ${describeBytes(bytes)} – ${question.replaceAll(/\s+/g, ' ').trim()}`;
  });
}
