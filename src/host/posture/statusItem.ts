import * as vscode from 'vscode';
import { postureLines } from '../../protocol/posture.ts';
import { Disposable } from '../../util/disposable.ts';
import { asText } from '../asText.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import type { NextRequest } from './nextRequest.ts';

const t = vscode.l10n.t;

/** Model and posture in the status bar; a click shows the posture. */
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
    this.#item.name = t('Svc model and posture');
    this.#item.command = 'svc.showPosture';
    this._register(contextReader.onDidChange(() => this.#update()));
    this._register(next.onDidChange(() => this.#update()));
    this.#update();
    this.#item.show();
  }

  #update(): void {
    const { model, posture, host } = this.#contextReader.read(this.#next.about);
    const isBlocked = posture.problems.length > 0;
    const label = isBlocked ? t('blocked') : posture.label;
    this.#item.text = `$(${isBlocked ? 'error' : 'shield'}) ${asText(['Svc', model, label].filter((part) => part !== '').join(' · '))}`;
    this.#item.backgroundColor = isBlocked ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = asText([host || t('No address is set'), ...postureLines(posture)].join('\n'));
    this.#item.accessibilityInformation = { label: t('Svc: model {0}, posture {1}', model, label || t('none')) };
  }
}
