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

/** A review that runs, in the status bar. */
export interface RunningItem {
  /** How far it is. */
  show(progress: string): void;
  /** Without a result, the last one stays. */
  end(result?: ResultWords): void;
}

/**
 * The status bar item of reviews: that one runs and how far it is, else the last result. The result stays until it is
 * cleared; a click opens the report.
 */
export class ResultItem extends Disposable {
  #item: vscode.StatusBarItem | undefined;
  #result: ResultWords | undefined;
  /** How far each running review is; the one that was started last is shown. */
  readonly #running = new Map<RunningItem, string>();

  constructor() {
    super();
    this._register({ dispose: () => this.#remove() });
  }

  begin(): RunningItem {
    const running: RunningItem = {
      show: (progress) => {
        this.#running.set(running, progress);
        this.#draw();
      },
      end: (result = this.#result) => {
        this.#result = result;
        this.#running.delete(running);
        this.#draw();
      },
    };
    running.show('');
    return running;
  }

  /** Removes the result. */
  clear(): void {
    this.#result = undefined;
    this.#draw();
  }

  #draw(): void {
    const progress = [...this.#running.values()].at(-1);
    if (progress !== undefined) this.#drawRunning(progress);
    else if (this.#result !== undefined) this.#drawResult(this.#result);
    else this.#remove();
  }

  #drawRunning(progress: string): void {
    const item = this.#shown();
    const title = t('Svc is reviewing…');
    item.command = undefined;
    item.text = `$(loading~spin) ${progress === '' ? title : t('Review: {0}', progress)}`;
    item.tooltip = title;
    item.accessibilityInformation = { label: progress === '' ? title : `${title} ${progress}` };
    item.backgroundColor = undefined;
  }

  #drawResult({ title, sentence, isComplete }: ResultWords): void {
    const item = this.#shown();
    item.command = 'svc.showReview';
    item.text = `$(${isComplete ? 'checklist' : 'warning'}) ${asText(title)}`;
    item.tooltip = asText(`${sentence}\n${t('Open Report')}`);
    item.accessibilityInformation = { label: sentence };
    item.backgroundColor = isComplete ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
  }

  #shown(): vscode.StatusBarItem {
    if (this.#item !== undefined) return this.#item;
    const item = vscode.window.createStatusBarItem('svc.review', vscode.StatusBarAlignment.Right, 99);
    item.name = t('Svc compliance review');
    item.show();
    this.#item = item;
    return item;
  }

  #remove(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }
}
