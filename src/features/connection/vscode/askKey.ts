import * as vscode from 'vscode';
import { isKeyText } from '../../../platform/keys/keySources.ts';
import { asText } from '../../../platform/messages/asText.ts';
import { showError } from '../../../platform/messages/show.ts';
import type { Connection } from '../../../policy/connection.ts';

const t = vscode.l10n.t;

/** Asks for a key, or offers the key in SVC_API_KEY. Returns undefined if there is no key. */
export async function askKey(
  { baseUrl }: Connection,
  isSecondStep: boolean,
  source?: 'environment',
): Promise<string | undefined> {
  const fromEnvironment = (process.env.SVC_API_KEY ?? '').trim();
  if (source === 'environment' || (fromEnvironment !== '' && (await wantsEnvironment()))) {
    if (isKeyText(fromEnvironment)) return fromEnvironment;
    void showError(
      t(
        'The environment variable SVC_API_KEY contains no valid key: it is empty or contains characters other than visible ASCII.',
      ),
    );
    return undefined;
  }
  const typed = await vscode.window.showInputBox({
    title: isSecondStep
      ? t('Step 2 of 2: API key for {0}', asText(new URL(baseUrl).host))
      : t('API key for {0}', asText(new URL(baseUrl).host)),
    prompt: t('The key is sent only to {0}.', new URL(baseUrl).origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || isKeyText(text.trim())
        ? null
        : t(
            'A key contains only visible ASCII characters. This text contains a space, a control character or an invisible character.',
          ),
  });
  const key = typed?.trim();
  return key === '' ? undefined : key;
}

async function wantsEnvironment(): Promise<boolean> {
  const use = t('Use SVC_API_KEY from the environment');
  const chosen = await vscode.window.showQuickPick([use, t('Enter an API key')], {
    title: t('API key'),
    ignoreFocusOut: true,
  });
  return chosen === use;
}
