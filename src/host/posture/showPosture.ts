import * as vscode from 'vscode';
import { type Posture, sourceOf } from '../../protocol/posture.ts';
import { asText } from '../asText.ts';
import { managedText } from '../messages/describeManaged.ts';
import type { Services } from '../services.ts';

const t = vscode.l10n.t;

/** Lists the headers of the next request and which layer set each; choosing one opens its setting. */
export async function showPosture({ contextReader, next }: Pick<Services, 'contextReader' | 'next'>): Promise<Posture> {
  const { posture } = contextReader.read(next.about);
  const items = [
    ...posture.problems.map((problem) => ({
      label: `$(error) ${t('Nothing is sent')}`,
      detail: asText(problem),
      setting: '',
    })),
    ...posture.headers.map((header) => ({
      label: `$(${header.isManaged ? 'lock' : 'shield'}) ${asText(`${header.name}: ${header.value}`)}`,
      detail: asText(t('asked for by {0}', sourceOf(header))),
      setting: header.setting,
    })),
    { label: `$(gear) ${t('All compliance settings')}`, setting: 'svc.compliance' },
  ];
  const title = posture.headers.length === 0 ? t('No Svc header is asked for') : t('Svc headers of the next request');
  // Callers from code do not wait for the list: the posture is the result, and the list is for the user.
  void vscode.window.showQuickPick(items, { title, matchOnDetail: true }).then((chosen) => {
    if (chosen !== undefined) {
      void vscode.commands.executeCommand('workbench.action.openSettings', chosen.setting || '@ext:svc.svc-coder');
    }
  });
  return posture;
}

/** Shows the administrator's policy as it currently applies, or why it does not. */
export async function showPolicy({
  managed,
  documents,
}: Pick<Services, 'managed' | 'documents'>): Promise<{ readonly ok: true; readonly state: string }> {
  await managed.read();
  await documents.show(`${t('Managed Policy')}.txt`, managedText(managed.state, managed.path));
  return { ok: true, state: managed.state.state };
}
