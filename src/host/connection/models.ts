import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient.ts';
import type { ModelKey } from '../../policy/requestOptions.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { asText } from '../asText.ts';
import type { ApiKeyStore } from '../config/apiKeyStore.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import { readLayers } from '../config/settingsReader.ts';
import { requireTrust } from '../config/trust.ts';
import { writeSetting } from '../config/writeSetting.ts';
import { describeError } from '../messages/describeError.ts';
import { type Failure, failureOf, notAsked, showFailure } from '../messages/withErrorReporting.ts';

const t = vscode.l10n.t;

interface ModelItem extends vscode.QuickPickItem {
  readonly modelId?: string;
}

/**
 * Lets the user pick a model from the live list of GET /models or type an identifier, because the list may fail or be
 * incomplete. Writes the choice to the scope that already sets the value, else to the user's settings.
 */
export async function selectModel(
  keys: ApiKeyStore,
  contextReader: RequestContextReader,
  client: () => Promise<ServiceClient>,
  key: ModelKey = 'svc.model.chat',
): Promise<{ ok: true; model: string } | Failure> {
  try {
    requireTrust('settings');
    return await chooseModel(keys, contextReader, client, key);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}

async function chooseModel(
  keys: ApiKeyStore,
  contextReader: RequestContextReader,
  client: () => Promise<ServiceClient>,
  key: ModelKey,
): Promise<{ ok: true; model: string } | Failure> {
  const controller = new AbortController();
  const pick = vscode.window.createQuickPick<ModelItem>();
  const current = currentModel(key);
  let listed: readonly ModelItem[] = [];
  const show = (): void => {
    const typed = pick.value.trim();
    const isKnown = typed === '' || listed.some(({ modelId }) => modelId === typed);
    pick.items = isKnown ? listed : [...listed, typedItem(typed)];
  };
  pick.title = t('Model for {0}', key);
  pick.placeholder = t('Choose a model, or type an identifier');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.onDidChangeValue(show);
  pick.show();
  const chosen = new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => {
      // The user may press Enter before the typed identifier has become an item of the list.
      const id = pick.selectedItems[0]?.modelId ?? pick.value.trim();
      if (id !== '') resolve(id);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  void list(keys, contextReader, client, controller.signal).then(
    (ids) => {
      listed = ids.map((id) => modelItem(id, current));
      pick.busy = false;
      show();
      if (pick.value.trim() === '') pick.activeItems = listed.filter(({ modelId }) => modelId === current);
    },
    (error: unknown) => {
      if (!isServiceError(error) || error.kind === 'aborted') return;
      const card = describeError(error, { canRetry: false, canContinue: false });
      const detail = [card?.detail, t('Type an identifier to go on without the list.')].filter(Boolean).join(' ');
      listed = [
        { label: `$(warning) ${asText(card?.title ?? '')}`, detail: asText(detail), alwaysShow: true },
        ...(current === null ? [] : [modelItem(current, current)]),
      ];
      pick.busy = false;
      show();
    },
  );
  try {
    const model = await chosen;
    if (model === undefined) return notAsked();
    await writeSetting(key, model, targetOf(key));
    return { ok: true, model };
  } finally {
    controller.abort();
    pick.dispose();
  }
}

async function list(
  keys: ApiKeyStore,
  contextReader: RequestContextReader,
  client: () => Promise<ServiceClient>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const connection = contextReader.requireConnection();
  const apiKey = await keys.get(connection);
  if (apiKey === undefined) throw new ServiceError('auth', 'No key is stored.', { code: 'no-key' });
  const models = await (await client()).listModels({ baseUrl: connection.baseUrl, apiKey }, signal);
  return models.map(({ id }) => id);
}

/**
 * An item for the typed identifier. VS Code sorts items whose labels match first, and Enter takes the first item: with
 * an empty label, this item comes after each model whose name contains the typed text.
 */
function typedItem(typed: string): ModelItem {
  const description = t('Use “{0}” as typed', asText(typed));
  return { label: '$(edit)', modelId: typed, description, alwaysShow: true };
}

function modelItem(id: string, current: string | null): ModelItem {
  return {
    label: asText(id),
    modelId: id,
    ...(id === current ? { description: t('current'), iconPath: new vscode.ThemeIcon('check') } : {}),
  };
}

function currentModel(key: ModelKey): string | null {
  const resolved = resolveSetting(readLayers([]), key);
  return resolved.ok ? String(resolved.value) : null;
}

function targetOf(key: ModelKey): vscode.ConfigurationTarget {
  const inspected = vscode.workspace.getConfiguration().inspect(key);
  return inspected?.workspaceValue === undefined
    ? vscode.ConfigurationTarget.Global
    : vscode.ConfigurationTarget.Workspace;
}
