import * as vscode from 'vscode';
import { isServiceError } from '../../util/errors.ts';
import { asText } from '../asText.ts';
import { writeSetting } from '../config/writeSetting.ts';
import { type Failure, failureOf, showFailure, withErrorReporting } from '../messages/withErrorReporting.ts';
import type { Services } from '../services.ts';
import { vendor } from './register.ts';
import { type OtherModel, settingsBypassingSvc } from './settingsBypassingSvc.ts';

const t = vscode.l10n.t;

export interface UsedInChat {
  readonly ok: true;
  /** The number of models that the service listed. */
  readonly models: number;
  /** Settings of this VS Code that send requests to other models. */
  readonly elsewhere: readonly string[];
}

interface Step extends vscode.QuickPickItem {
  readonly run?: () => Thenable<unknown>;
}

/**
 * Guides the user through the setup of VS Code's chat with the service's models, and returns which settings still use
 * other models. Loads the list of models first, so that VS Code has it.
 */
export async function useInVSCodeChat({
  languageModels,
  contextReader,
}: Pick<Services, 'languageModels' | 'contextReader'>): Promise<UsedInChat | Failure> {
  try {
    const { host } = new URL(contextReader.requireConnection().baseUrl);
    const listed = await withErrorReporting(t('Asking {0} for its models…', host), host, async (signal) => {
      return { ok: true as const, models: await (await languageModels.get()).list(signal) };
    });
    if (!listed.ok) return listed;
    const ids = listed.models.map(({ id }) => id);
    await showSteps(ids);
    return { ok: true, models: ids.length, elsewhere: settingsBypassingSvc(settingOf).map(({ setting }) => setting) };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}

/** Shows the steps until the user closes them; each change is visible at once. */
async function showSteps(ids: readonly string[]): Promise<void> {
  for (;;) {
    const chosen = await vscode.window.showQuickPick(stepsFor(ids), {
      title: t('Svc models in VS Code’s own chat: {0}', ids.length),
      placeHolder: t('They carry the same headers, and pass the same gate and audit log, as the Svc panel'),
      ignoreFocusOut: true,
    });
    if (chosen?.run === undefined) return;
    await chosen.run();
    if (chosen.alwaysShow !== true) return;
  }
}

function stepsFor(ids: readonly string[]): readonly Step[] {
  const others = settingsBypassingSvc(settingOf);
  return [
    {
      label: `$(list-selection) ${t('1. Choose which Svc models the chat offers')}`,
      detail: t('Opens VS Code’s model management. The chat then works without a GitHub account.'),
      run: () => vscode.commands.executeCommand('workbench.action.chat.manage'),
    },
    ...others.filter(({ canBeOurs }) => canBeOurs).map((other, index) => utilityStep(other, ids, index + 2)),
    {
      label: `$(comment-discussion) ${t('Open VS Code’s chat')}`,
      detail: t('Pick a Svc model below its input.'),
      run: () => vscode.commands.executeCommand('workbench.action.chat.open'),
    },
    { label: t('Know before you use it'), kind: vscode.QuickPickItemKind.Separator },
    ...others
      .filter(({ canBeOurs }) => !canBeOurs)
      .map(({ setting, what }) => ({ label: `$(warning) ${setting}`, detail: whatGoes(what) })),
    {
      label: `$(warning) ${t('VS Code keeps its chats on the disk')}`,
      detail: t('Zero retention does not reach them. Files that VS Code puts in are text: exclusions do not see them.'),
    },
  ];
}

function utilityStep({ setting, what }: OtherModel, ids: readonly string[], number: number): Step {
  return {
    label: `$(warning) ${t('{0}. Choose a Svc model for {1}', number, setting)}`,
    detail: whatGoes(what),
    // Returns to the steps.
    alwaysShow: true,
    run: async () => {
      const items = ids.map((id) => ({ label: asText(id), id }));
      const chosen = await vscode.window.showQuickPick(items, { title: setting });
      if (chosen === undefined) return;
      await writeSetting(setting, `${vendor}/${chosen.id}`, vscode.ConfigurationTarget.Global);
    },
  };
}

function settingOf(key: string): unknown {
  const configuration = vscode.workspace.getConfiguration();
  return configuration.inspect(key)?.defaultValue === undefined ? undefined : configuration.get(key);
}

function whatGoes(what: OtherModel['what']): string {
  switch (what) {
    case 'utility':
      return t('Side tasks, such as ranking search results, go to another model until it is set.');
    case 'small':
      return t('Titles, summaries, commit messages and the like go to another model until it is set.');
    case 'fallback':
      return t('Where one of the two above is empty, GitHub Copilot’s models are asked.');
    case 'risk':
      return t('How risky a tool call is, where VS Code asks a model for that, is asked of another model.');
    case 'plan':
      return t('The Plan and Explore agents may use another model.');
    case 'inline':
      return t('Inline chat may use another model.');
  }
}
