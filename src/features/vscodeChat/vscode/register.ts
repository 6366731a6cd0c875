import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { KnownModels, OfferedModels } from './knownModels.ts';
import type { LanguageModels } from './languageModels.ts';
import type { Participant } from './participant/participant.ts';

export const vendor = 'svc';

/**
 * The limits that VS Code requires for each model; the interface document defines none. They are far below the limits of
 * current models. The service rejects a request that is too long with its own message.
 */
const maxInputTokens = 96_000;
const maxOutputTokens = 32_000;

/** The options of a call. VS Code calls again for each group that the user adds in its model management. */
type ListOptions = vscode.PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/**
 * Registers the service's models for VS Code's chat and other extensions. Silent queries are answered from the stored
 * list; the implementation is loaded with the first request.
 */
export function registerLanguageModels(
  known: KnownModels,
  contextReader: RequestContextReader,
  models: () => Promise<LanguageModels>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    known,
    known.onDidChange(() => changed.fire()),
    contextReader.onDidChange(() => changed.fire()),
    vscode.lm.registerLanguageModelChatProvider(vendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      async provideLanguageModelChatInformation({ silent, configuration }: ListOptions, token) {
        // A group adds nothing: the models of the current address are already listed.
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
    tooltip: asText(vscode.l10n.t('{0} at {1}, with your compliance settings', id, host)),
    maxInputTokens,
    maxOutputTokens,
    capabilities: { toolCalling: true, imageInput: false },
  }));
}

const participantId = 'svc.participant';

/** Registers `@svc` in VS Code's chat; the implementation is loaded with the first question. */
export function registerParticipant(participant: () => Promise<Participant>, icon: vscode.Uri): vscode.Disposable {
  const registered = vscode.chat.createChatParticipant(participantId, async (request, context, response, token) =>
    (await participant()).answer(request, context, response, token),
  );
  registered.iconPath = icon;
  return registered;
}
