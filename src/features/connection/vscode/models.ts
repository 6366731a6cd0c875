import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import { asText, nothingItem } from '../../../platform/messages/asText.ts';
import { cardText } from '../../../platform/messages/cardWords.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readLayers } from '../../../platform/settings/settingsReader.ts';
import { resolveSetting } from '../../../policy/resolveSetting.ts';
import type { Session } from '../../../session/session.ts';
import { isServiceError, type ServiceError } from '../../../util/errors.ts';
import { modelUse } from './describeModel.ts';
import { applyModel, chatModelKey, type SelectedModel } from './modelScope.ts';

const t = vscode.l10n.t;

interface ModelServices {
  readonly keys: ApiKeyStore;
  readonly contextReader: RequestContextReader;
  readonly client: () => Promise<ServiceClient>;
  readonly session: Session;
}

interface ModelItem extends vscode.QuickPickItem {
  /** The ID of the model; null for the model of the settings. */
  readonly modelId?: string | null;
  /** Whether choosing the item loads the list again. */
  readonly reloads?: true;
}

/**
 * Lets the user pick a model from the live list of GET /models or type an identifier, because the list may fail or be
 * incomplete; then asks whether it is for this conversation or for all.
 */
export async function selectModel(services: ModelServices): Promise<SelectedModel | Failure> {
  const controller = new AbortController();
  const pick = vscode.window.createQuickPick<ModelItem>();
  const { session } = services;
  const ofSettings = settingsModel();
  const ofConversation = session.askedModel?.model;
  const current = ofConversation ?? ofSettings;
  // The selection for this conversation can be undone.
  const undo = ofConversation === undefined || ofSettings === null ? [] : [settingsItem(ofSettings)];
  let listed: readonly ModelItem[] = [];
  const show = (): void => {
    const typed = pick.value.trim();
    const isKnown = typed === '' || listed.some(({ modelId }) => modelId === typed);
    pick.items = isKnown ? listed : [...listed, typedItem(typed)];
  };
  pick.title = t('Select a model');
  pick.placeholder = t('Select a model, or enter its identifier');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.onDidChangeValue(show);
  pick.show();
  const chosen = new Promise<string | null | undefined>((resolve) => {
    pick.onDidAccept(() => {
      // The user may press Enter before the typed identifier has been added to the list.
      const [{ modelId, reloads = false } = {} as Partial<ModelItem>] = pick.selectedItems;
      if (reloads) return load();
      const id = modelId === undefined ? pick.value.trim() : modelId;
      if (id !== '') resolve(id);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  function load(): void {
    pick.busy = true;
    void list(services, controller.signal)
      .then(
        (ids) => {
          listed = [...(ids.length === 0 ? [emptyItem()] : ids.map((id) => modelItem(id, current))), ...undo];
        },
        (error: unknown) => {
          if (!isServiceError(error) || error.kind === 'aborted') return;
          const known = current === null ? [] : [modelItem(current, current)];
          listed = [failedItem(error), ...known, ...undo];
        },
      )
      .finally(() => {
        pick.busy = false;
        show();
        if (pick.value.trim() === '') pick.activeItems = listed.filter(({ modelId }) => modelId === current);
      });
  }
  load();
  try {
    const model = await chosen;
    if (model === undefined) return notAsked();
    if (model !== null) return await applyModel(session, model);
    session.selectModel(null);
    return { ok: true, model: ofSettings ?? '', for: 'all' };
  } finally {
    controller.abort();
    pick.dispose();
  }
}

async function list({ keys, contextReader, client }: ModelServices, signal: AbortSignal): Promise<readonly string[]> {
  const connection = contextReader.requireConnection();
  const models = await (await client()).listModels(await keys.endpoint(connection, signal), signal);
  return models.map(({ id }) => id);
}

/**
 * Returns an item for the typed identifier. VS Code puts items with matching labels first, and Enter selects the first item:
 * with a label without text, this item comes after each model whose name contains the typed text.
 */
function typedItem(typed: string): ModelItem {
  const description = t('Use “{0}”', asText(typed));
  return { label: '$(edit)', modelId: typed, description, alwaysShow: true };
}

function emptyItem(): ModelItem {
  const why = t('The service lists no models. Enter an identifier to continue without the list.');
  return { ...nothingItem('refresh', t('Try Again'), why), reloads: true };
}

function failedItem(error: ServiceError): ModelItem {
  const card = describeError(error, { canRetry: false, canContinue: false });
  const why = card === null ? '' : cardText(card);
  const detail = `${why.replace(/[.\s]*$/, '.')} ${t('Enter an identifier to continue without the list.')}`;
  return { ...nothingItem('refresh', t('Try Again'), detail), reloads: true };
}

function modelItem(id: string, current: string | null): ModelItem {
  // The purpose is not in the description, which VS Code matches with the typed text: a word about the purpose must not
  // select a model.
  const use = modelUse(id);
  return {
    label: asText(id),
    modelId: id,
    ...(use === undefined ? {} : { detail: use }),
    ...(id === current ? { description: t('current'), iconPath: new vscode.ThemeIcon('check') } : {}),
  };
}

function settingsItem(model: string): ModelItem {
  const label = t('Use the model of all conversations: {0}', asText(model));
  return { label: `$(discard) ${label}`, modelId: null };
}

function settingsModel(): string | null {
  const resolved = resolveSetting(readLayers([]), chatModelKey);
  return resolved.ok ? String(resolved.value) : null;
}
