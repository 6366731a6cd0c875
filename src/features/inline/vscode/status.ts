import * as vscode from 'vscode';
import { mayUseLaterAnswers } from '../../../platform/messages/answerEnds.ts';
import { asText } from '../../../platform/messages/asText.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { type Failure, failureOf, showFailure } from '../../../platform/messages/withErrorReporting.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import { Disposable } from '../../../util/disposable.ts';
import { isServiceError } from '../../../util/errors.ts';
import { isEnabledFor } from './enabled.ts';
import type { InlineCompletions } from './inlineCompletions.ts';

const t = vscode.l10n.t;

/** Shows in the language status item whether completions are active, and if not, why. */
export class InlineCompletionStatus extends Disposable {
  readonly #completions: InlineCompletions;
  readonly #item = this._register(vscode.languages.createLanguageStatusItem('svc.inlineCompletions', '*'));

  #pauseEnds: NodeJS.Timeout | undefined;

  constructor(completions: InlineCompletions) {
    super();
    this.#completions = completions;
    this.#item.name = t('Svc inline suggestions');
    this._register(completions.onDidChange(() => this.#update()));
    this._register(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
    this._register({ dispose: () => clearTimeout(this.#pauseEnds) });
    this.#update();
  }

  #update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const isOn = document !== undefined && isEnabledFor(document);
    this.#item.busy = this.#completions.isBusy;
    this.#item.text = isOn ? t('Svc inline suggestions: on') : t('Svc inline suggestions: off');
    this.#item.severity = vscode.LanguageStatusSeverity.Information;
    this.#item.detail = document?.languageId ?? '';
    this.#item.command = {
      command: 'svc.toggleInlineCompletions',
      title: isOn ? t('Turn Off') : t('Turn On'),
    };
    const pause = isOn ? this.#completions.pauseFor(document) : null;
    clearTimeout(this.#pauseEnds);
    if (pause === null) return;
    if (Number.isFinite(pause.until)) this.#pauseEnds = setTimeout(() => this.#update(), pause.until - Date.now() + 1);
    const isHere = pause.where === 'document';
    this.#item.text = isHere ? t('Svc inline suggestions: paused in this file') : t('Svc inline suggestions: paused');
    this.#item.severity = vscode.LanguageStatusSeverity.Warning;
    const why = asText(describeError(pause.error, { canRetry: false, canContinue: false })?.title ?? '');
    this.#item.detail = Number.isFinite(pause.until)
      ? t('{0}. Inline suggestions resume at {1}.', why, new Date(pause.until).toLocaleTimeString(vscode.env.language))
      : t('{0}. Inline suggestions resume when the settings, the key or the managed policy change.', why);
    this.#item.command = { command: 'svc.resumeInlineCompletions', title: t('Resume') };
  }
}

/** Ends all pauses. If an answer may have been incomplete, the user decides whether such answers are used. */
export async function resumeInlineCompletions(completions: InlineCompletions): Promise<{ readonly ok: boolean }> {
  const document = vscode.window.activeTextEditor?.document;
  const pause = document === undefined ? null : completions.pauseFor(document);
  if (pause?.error.code === 'doubtful-end' && !(await mayUseLaterAnswers())) return { ok: false };
  completions.resume();
  showHint(t('Svc inline suggestions are no longer paused.'));
  return { ok: true };
}

/** Switches completions on or off for the language of the active editor, in the user's own settings. */
export async function toggleInlineCompletions(): Promise<{ readonly ok: boolean; readonly isOn?: boolean } | Failure> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    showHint(t('Open a file first. Inline suggestions are turned on per language.'));
    return { ok: false };
  }
  const wanted = !isEnabledFor(document);
  const place = { uri: document.uri, languageId: document.languageId };
  try {
    await writeSetting('svc.inlineCompletions.enabled', wanted, vscode.ConfigurationTarget.Global, place);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
  const isOn = isEnabledFor(document);
  showHint(toggledWords(wanted, isOn, document.languageId));
  return { ok: isOn === wanted, isOn };
}

function toggledWords(wanted: boolean, isOn: boolean, languageId: string): string {
  // A workspace may switch completions off for its users.
  if (wanted && !isOn) return t('This workspace turns off inline suggestions.');
  return isOn
    ? t('Svc inline suggestions: on for {0} (user settings).', languageId)
    : t('Svc inline suggestions: off for {0} (user settings).', languageId);
}
