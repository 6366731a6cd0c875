import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import {
  type Failure,
  failureOf,
  showFailure,
  withErrorReporting,
} from '../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import { isServiceError } from '../../../util/errors.ts';
import type { Lazy } from '../../../util/lazy.ts';
import type { LanguageModels } from './languageModels.ts';
import { vendor } from './register.ts';
import { type OtherModel, settingsBypassingSvc } from './settingsBypassingSvc.ts';

const t = vscode.l10n.t;

interface UsedInChat {
  readonly ok: true;
  /** The number of models that the service listed. */
  readonly models: number;
  /** The settings of this VS Code that send requests to other models. */
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
}: {
  readonly languageModels: Lazy<LanguageModels>;
  readonly contextReader: RequestContextReader;
}): Promise<UsedInChat | Failure> {
  try {
    const { host } = new URL(contextReader.requireConnection().baseUrl);
    const listed = await withErrorReporting(t('Getting models from {0}…', host), host, async (signal) => {
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

/** Shows the steps until the user closes them; each change is visible immediately. */
async function showSteps(ids: readonly string[]): Promise<void> {
  for (;;) {
    const chosen = await vscode.window.showQuickPick(stepsFor(ids), {
      title: t('Svc models in VS Code chat: {0}', ids.length),
      placeHolder: t('VS Code chat uses the same headers, checks and audit log as the Svc panel'),
      ignoreFocusOut: true,
    });
    if (chosen?.run === undefined) return;
    await chosen.run();
    if (chosen.alwaysShow !== true) return;
  }
}

function stepsFor(ids: readonly string[]): readonly Step[] {
  const bypassing = settingsBypassingSvc(settingOf);
  return [
    {
      label: `$(list-selection) ${t('1. Choose which Svc models to show in chat')}`,
      detail: t('Opens VS Code’s model management. Chat then works without a GitHub account.'),
      run: () => vscode.commands.executeCommand('workbench.action.chat.manage'),
    },
    ...bypassing.filter(({ canBeOurs }) => canBeOurs).map((other, index) => utilityStep(other, ids, index + 2)),
    {
      label: `$(comment-discussion) ${t('Open VS Code Chat')}`,
      detail: t('Select a Svc model below the chat input.'),
      run: () => vscode.commands.executeCommand('workbench.action.chat.open'),
    },
    { label: t('Good to know'), kind: vscode.QuickPickItemKind.Separator },
    ...bypassing
      .filter(({ canBeOurs }) => !canBeOurs)
      .map(({ setting, what }) => ({ label: `$(warning) ${setting}`, detail: usageOf(what) })),
    {
      label: `$(warning) ${t('VS Code keeps its chats on the disk')}`,
      detail: t(
        'Zero retention does not apply to them. Files that VS Code adds are sent as text: excluded files are recognized only by their content.',
      ),
    },
  ];
}

function utilityStep({ setting, what }: OtherModel, ids: readonly string[], number: number): Step {
  return {
    label: `$(warning) ${t('{0}. Select a Svc model for {1}', number, setting)}`,
    detail: usageOf(what),
    // This marks steps after which the list of steps is shown again.
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

function usageOf(what: OtherModel['what']): string {
  switch (what) {
    case 'utility':
      return t('Side tasks, such as ranking search results, use another model until you set it.');
    case 'small':
      return t('Titles, summaries and commit messages use another model until you set it.');
    case 'fallback':
      return t('If one of the two settings above is empty, VS Code uses GitHub Copilot’s models.');
    case 'risk':
      return t('VS Code asks another model to assess the risk of tool calls.');
    case 'plan':
      return t('The Plan and Explore agents may use another model.');
    case 'inline':
      return t('Inline chat may use another model.');
  }
}
