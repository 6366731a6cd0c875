import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { Disposable } from '../../../util/disposable.ts';

const t = vscode.l10n.t;

/** The result of a review as text. */
export interface ResultWords {
  /** A short summary. */
  readonly title: string;
  /** The full result in one sentence, including the title. */
  readonly sentence: string;
  readonly isComplete: boolean;
}

/** The status bar item of the last review. It stays until the review is cleared; a click opens the report. */
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
