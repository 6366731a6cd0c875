import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { compliance } from '../../../policy/compliance/compliance.ts';
import { postureLines } from '../../../protocol/posture.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';

const t = vscode.l10n.t;

/**
 * Shows the security level in the status bar and the other headers in the tooltip; a click shows the compliance settings.
 * While the address or the key is missing, the item states this, and a click asks for it.
 */
export class StatusItem extends Disposable {
  readonly #item = this._register(
    vscode.window.createStatusBarItem('svc.status', vscode.StatusBarAlignment.Right, 100),
  );
  readonly #contextReader: RequestContextReader;
  readonly #next: NextRequest;

  constructor(contextReader: RequestContextReader, next: NextRequest) {
    super();
    this.#contextReader = contextReader;
    this.#next = next;
    this.#item.name = t('Svc model and compliance settings');
    this._register(contextReader.onDidChange(() => this.#update()));
    this._register(next.onDidChange(() => this.#update()));
    this.#update();
    this.#item.show();
  }

  #update(): void {
    const { model, posture, host, missing } = this.#contextReader.read(this.#next.about);
    const { isPending = false, problems } = posture;
    const isBlocked = problems.length > 0 && !isPending;
    const level = posture.headers.find(({ name }) => name === compliance.securityLevel.header)?.value;
    const settingsWord = isPending ? posture.short : level;
    const connectedWord = missing === undefined ? settingsWord : missingWord(missing);
    const word = isBlocked ? t('blocked') : connectedWord;
    const icon = isBlocked ? 'error' : missing === undefined ? 'shield' : 'key';
    this.#item.command = missing === undefined ? 'svc.showPosture' : 'svc.setApiKey';
    this.#item.text = `$(${icon}) ${asText(word === undefined ? 'Svc' : `Svc: ${word}`)}`;
    this.#item.backgroundColor = isBlocked ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const service =
      missing === 'key' ? t('No API key is stored for {0}', host) : host || t('No service address is set');
    const step = missing === undefined ? [] : [t('Select to connect')];
    this.#item.tooltip = asText([service, ...step, t('Model: {0}', model), ...postureLines(posture)].join('\n'));
    const settings = isPending
      ? t('Svc: model {0}, {1}', model, posture.label)
      : t('Svc: model {0}, compliance settings {1}', model, (isBlocked ? word : posture.label) || t('none'));
    const label = missing === undefined ? settings : `Svc: ${[service, ...step].join('. ')}`;
    this.#item.accessibilityInformation = { label };
  }
}

function missingWord(missing: 'address' | 'key'): string {
  return missing === 'key' ? t('no key') : t('no address');
}
