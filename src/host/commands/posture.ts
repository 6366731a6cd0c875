import * as vscode from 'vscode';
import type { Posture } from '../../protocol/messages.ts';
import { settingOf } from '../describePolicy.ts';
import type { KeyStore } from '../secrets.ts';
import { readStanding } from '../standing.ts';

const t = vscode.l10n.t;

/** Lists each header that the next request carries and who asked for it; choosing one opens its setting. */
export async function showPosture(keys: KeyStore, folders: readonly string[]): Promise<Posture> {
  const { posture } = readStanding(keys, folders);
  const items = [
    ...posture.problems.map((problem) => ({ label: `$(error) ${t('Nothing is sent')}`, detail: problem, setting: '' })),
    ...posture.headers.map(({ name, value, source }) => ({
      label: `$(shield) ${name}: ${value}`,
      detail: t('asked for by {0}', source),
      setting: settingOf(name) ?? '',
    })),
    { label: `$(gear) ${t('All compliance settings')}`, setting: 'svc.compliance' },
  ];
  const title = posture.headers.length === 0 ? t('No Svc header is asked for') : t('Svc headers of the next request');
  // Not awaited by callers from code: the posture is the result, the list is for a person.
  void vscode.window.showQuickPick(items, { title, matchOnDetail: true }).then((chosen) => {
    if (chosen !== undefined) {
      void vscode.commands.executeCommand('workbench.action.openSettings', chosen.setting || '@ext:svc.svc-coder');
    }
  });
  return posture;
}
