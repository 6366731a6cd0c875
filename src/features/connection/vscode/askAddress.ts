import * as vscode from 'vscode';
import { describeAllowed } from '../../../platform/messages/describeAllowed.ts';
import { type Connection, completeAddress, parseBaseUrl } from '../../../policy/connection.ts';

const t = vscode.l10n.t;

/** The reason why an address cannot be used, or may not work. */
export interface AddressProblem {
  readonly text: string;
  /** Whether the user may use the address anyway, because the service may only be down at the moment. */
  readonly canBeUsed: boolean;
}

/**
 * Asks for the address of the service, as a host name or a URL, and checks it before it is returned. `offered` is the only
 * origin that the administrator allows, which needs only Enter. Returns undefined if the user closes the box.
 */
export function askAddress(
  offered: string | null,
  check: (connection: Connection, signal: AbortSignal) => Promise<AddressProblem | null>,
): Promise<Connection | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection | undefined>();
  const box = vscode.window.createInputBox();
  box.title = t('Step 1 of 2: address of the Svc service');
  box.value = offered ?? '';
  box.prompt =
    offered === null
      ? t(
          'A host name is enough: https:// and /api/v1 are added if they are missing. The address is stored in your user settings as svc.baseUrl.',
        )
      : t('Your administrator allows only this address. It is stored in your user settings as svc.baseUrl.');
  box.placeholder = 'svc.example.com';
  box.ignoreFocusOut = true;
  const closed = new AbortController();
  /** The address that the user was warned about: Enter then uses it. */
  let warnedAddress = '';

  const accept = async (): Promise<void> => {
    const parsed = parseBaseUrl(completeAddress(box.value));
    if (parsed === null) {
      box.validationMessage = t('Allowed: {0}.', describeAllowed({ kind: 'baseUrl' }));
      return;
    }
    const connection = { name: null, ...parsed };
    if (parsed.baseUrl === warnedAddress) return resolve(connection);
    box.busy = true;
    box.enabled = false;
    const problem = await check(connection, closed.signal);
    box.busy = false;
    box.enabled = true;
    if (problem === null) return resolve(connection);
    warnedAddress = problem.canBeUsed ? parsed.baseUrl : '';
    box.validationMessage = problem.canBeUsed
      ? {
          message: t('{0}: {1}. Press Enter again to use this address anyway.', parsed.baseUrl, problem.text),
          severity: vscode.InputBoxValidationSeverity.Warning,
        }
      : problem.text;
  };
  box.onDidAccept(() => void accept().catch(reject));
  box.onDidChangeValue(() => {
    box.validationMessage = undefined;
  });
  box.onDidHide(() => resolve(undefined));
  box.show();
  return promise.finally(() => {
    closed.abort();
    box.dispose();
  });
}
