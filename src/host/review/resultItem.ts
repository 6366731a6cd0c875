import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import { asText } from '../asText.ts';

const t = vscode.l10n.t;

/** What a review came to, in words. */
export interface ResultWords {
  /** In a few words. */
  readonly title: string;
  /** All that is said in one sentence, the title included. */
  readonly sentence: string;
  readonly isComplete: boolean;
}

/** The last review in the status bar, where it stays until it is cleared; a click opens its report. */
export class ResultItem extends Disposable {
  #item: vscode.StatusBarItem | undefined;

  constructor() {
    super();
    this._register({ dispose: () => this.clear() });
  }

  show({ title, sentence, isComplete }: ResultWords): void {
    this.#item ??= vscode.window.createStatusBarItem('svc.review', vscode.StatusBarAlignment.Right, 99);
    this.#item.name = t('Svc compliance review');
    this.#item.command = 'svc.showReview';
    this.#item.text = `$(${isComplete ? 'checklist' : 'warning'}) ${asText(title)}`;
    this.#item.tooltip = asText(`${sentence}\n${t('Open Report')}`);
    this.#item.accessibilityInformation = { label: sentence };
    this.#item.backgroundColor = isComplete ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.show();
  }

  clear(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }
}
