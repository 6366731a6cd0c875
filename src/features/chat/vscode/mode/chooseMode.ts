import * as vscode from 'vscode';
import { asText } from '../../../../platform/messages/asText.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import { type Failure, notAsked } from '../../../../platform/messages/withErrorReporting.ts';
import { whyModeOff } from '../../../../platform/settings/toolsEnabled.ts';
import { type Mode, modes } from '../../../../protocol/mode.ts';
import { type ModeParts, useMode } from './useMode.ts';
import { modeDetail, modeLabel, modeOffWords } from './viewMode.ts';

const t = vscode.l10n.t;

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: Mode;
  readonly isLocked: boolean;
}

/** The mode of the next question. */
export interface SelectedMode {
  readonly ok: true;
  readonly mode: Mode;
}

/** Lets the user choose the mode of the next questions of this conversation; a caller can name it. */
export async function chooseMode(
  parts: ModeParts,
  options?: { readonly mode?: Mode | undefined },
): Promise<SelectedMode | Failure> {
  const { id } = parts.session.conversation;
  const mode = options?.mode ?? (await askMode(parts));
  // Another conversation may have been opened in the meantime.
  if (mode === undefined || parts.session.conversation.id !== id) return notAsked();
  const why = await useMode(parts, mode);
  if (why === null) return { ok: true, mode };
  if (why !== '') showHint(why, { isWarning: true });
  return notAsked();
}

/** Shows the modes. One that the settings or the policy forbid is shown with the reason, and cannot be chosen. */
function askMode({ session, contextReader }: ModeParts): Promise<Mode | undefined> {
  const { promise, resolve } = Promise.withResolvers<Mode | undefined>();
  const pick = vscode.window.createQuickPick<ModeItem>();
  pick.title = t('Choose a mode');
  pick.placeholder = t('For the next questions of this conversation');
  pick.matchOnDetail = true;
  pick.items = modes.map((mode): ModeItem => {
    const why = modeOffWords(mode, whyModeOff(contextReader, mode));
    const label = modeLabel(mode);
    const current = { description: t('current'), iconPath: new vscode.ThemeIcon('check') };
    return {
      mode,
      isLocked: why !== '',
      label: why === '' ? label : `$(lock) ${label}`,
      // The reason can have the name of a workspace folder.
      detail: why === '' ? modeDetail(mode) : asText(why),
      ...(mode === session.mode ? current : {}),
    };
  });
  pick.activeItems = pick.items.filter(({ mode }) => mode === session.mode);
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item?.isLocked === false) resolve(item.mode);
  });
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  return promise.finally(() => pick.dispose());
}
