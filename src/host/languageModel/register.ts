import * as vscode from 'vscode';
import { asText } from '../asText.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import type { KnownModels, OfferedModels } from './knownModels.ts';
import type { LanguageModels } from './languageModels.ts';

export const vendor = 'svc';

/**
 * What VS Code is told of each model, because it must be told something: the interface document shows no limits. Far
 * below what today's models read; a request that is too long is refused by the service, in its own words.
 */
const maxInputTokens = 96_000;
const maxOutputTokens = 32_000;

/** VS Code asks once more for each group a person adds in its model management. */
type Asked = vscode.PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/**
 * Offers the service's models in VS Code's own chat, and to other extensions. Asked silently it answers from what is
 * known; the rest is loaded with the first request.
 */
export function registerLanguageModels(
  known: KnownModels,
  standing: RequestContextReader,
  models: () => Promise<LanguageModels>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    known,
    known.onDidChange(() => changed.fire()),
    standing.onDidChange(() => changed.fire()),
    vscode.lm.registerLanguageModelChatProvider(vendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      async provideLanguageModelChatInformation({ silent, configuration }: Asked, token) {
        // A group has nothing of its own to say: the models are those of the address in use, and are there already.
        if (configuration !== undefined) return [];
        if (!silent) await (await models()).refresh(token);
        return informationOf(known.offered());
      },
      async provideLanguageModelChatResponse(model, messages, options, progress, token) {
        await (await models()).respond(model.id, messages, options, progress, token);
      },
      async provideTokenCount(_model, text) {
        return (await models()).countTokens(text);
      },
    }),
  );
}

function informationOf({ host, models }: OfferedModels): vscode.LanguageModelChatInformation[] {
  return models.map(({ id, name = id }) => ({
    id,
    name: asText(name),
    family: id,
    version: '',
    tooltip: asText(vscode.l10n.t('{0} at {1}, with the Svc headers of your settings', id, host)),
    maxInputTokens,
    maxOutputTokens,
    capabilities: { toolCalling: true, imageInput: false },
  }));
}
