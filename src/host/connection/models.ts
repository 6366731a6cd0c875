import * as vscode from 'vscode';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import { isServiceError } from '../../util/errors.ts';
import { asText } from '../asText.ts';
import { readLayers } from '../config/settingsReader.ts';
import { requireTrust } from '../config/trust.ts';
import { describeError } from '../messages/errors/describeError.ts';
import { type Failure, notAsked } from '../messages/withErrorReporting.ts';
import type { Services } from '../services.ts';
import { applyModel, chatModelKey, type SelectedModel } from './modelScope.ts';

const t = vscode.l10n.t;

type ModelServices = Pick<Services, 'keys' | 'contextReader' | 'client' | 'session'>;

interface ModelItem extends vscode.QuickPickItem {
  /** null: that of the settings. */
  readonly modelId?: string | null;
}

/**
 * Lets the user pick a model from the live list of GET /models or type an identifier, because the list may fail or be
 * incomplete; then asks whether it is for this conversation or for all.
 */
export async function selectModel(services: ModelServices): Promise<SelectedModel | Failure> {
  requireTrust('settings');
  const controller = new AbortController();
  const pick = vscode.window.createQuickPick<ModelItem>();
  const { session } = services;
  const ofSettings = settingsModel();
  const ofConversation = session.askedModel?.model;
  const current = ofConversation ?? ofSettings;
  // What the user selected for this conversation can be undone.
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
      // The user may press Enter before the typed identifier has become an item of the list.
      const [{ modelId } = {}] = pick.selectedItems;
      const id = modelId === undefined ? pick.value.trim() : modelId;
      if (id !== '') resolve(id);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  void list(services, controller.signal).then(
    (ids) => {
      listed = [...ids.map((id) => modelItem(id, current)), ...undo];
      pick.busy = false;
      show();
      if (pick.value.trim() === '') pick.activeItems = listed.filter(({ modelId }) => modelId === current);
    },
    (error: unknown) => {
      if (!isServiceError(error) || error.kind === 'aborted') return;
      const card = describeError(error, { canRetry: false, canContinue: false });
      const detail = [card?.detail, t('Enter an identifier to continue without the list.')].filter(Boolean).join(' ');
      listed = [
        { label: `$(warning) ${asText(card?.title ?? '')}`, detail: asText(detail), alwaysShow: true },
        ...(current === null ? [] : [modelItem(current, current)]),
        ...undo,
      ];
      pick.busy = false;
      show();
    },
  );
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
  const apiKey = await keys.require(connection);
  const models = await (await client()).listModels({ baseUrl: connection.baseUrl, apiKey }, signal);
  return models.map(({ id }) => id);
}

/**
 * An item for the typed identifier. VS Code sorts items whose labels match first, and Enter takes the first item: with
 * an empty label, this item comes after each model whose name contains the typed text.
 */
function typedItem(typed: string): ModelItem {
  const description = t('Use “{0}”', asText(typed));
  return { label: '$(edit)', modelId: typed, description, alwaysShow: true };
}

function modelItem(id: string, current: string | null): ModelItem {
  return {
    label: asText(id),
    modelId: id,
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
