import * as vscode from 'vscode';
import { compliance } from '../../policy/compliance/compliance.ts';
import { postureLines } from '../../protocol/posture.ts';
import { Disposable } from '../../util/disposable.ts';
import { asText } from '../asText.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import type { NextRequest } from './nextRequest.ts';

const t = vscode.l10n.t;

/** The security level in the status bar; the tooltip has the rest, and a click shows the compliance settings. */
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
    this.#item.command = 'svc.showPosture';
    this._register(contextReader.onDidChange(() => this.#update()));
    this._register(next.onDidChange(() => this.#update()));
    this.#update();
    this.#item.show();
  }

  #update(): void {
    const { model, posture, host } = this.#contextReader.read(this.#next.about);
    const isBlocked = posture.problems.length > 0;
    const level = posture.headers.find(({ name }) => name === compliance.securityLevel.header)?.value;
    const word = isBlocked ? t('blocked') : level;
    this.#item.text = `$(${isBlocked ? 'error' : 'shield'}) ${asText(word === undefined ? 'Svc' : `Svc: ${word}`)}`;
    this.#item.backgroundColor = isBlocked ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const lines = [host || t('No service address is set'), t('Model: {0}', model), ...postureLines(posture)];
    this.#item.tooltip = asText(lines.join('\n'));
    this.#item.accessibilityInformation = {
      label: t('Svc: model {0}, compliance settings {1}', model, (isBlocked ? word : posture.label) || t('none')),
    };
  }
}
