import * as vscode from 'vscode';
import type { ModelEntry } from '../../../client/chat.ts';
import type { ServiceClient } from '../../../client/serviceClient.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import { withSignal } from '../../../platform/messages/cancellation.ts';
import { requireWhole } from '../../../platform/messages/incomplete.ts';
import { showingWaits, waitNotification } from '../../../platform/messages/waits.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { allFolders } from '../../../platform/settings/settingsReader.ts';
import { estimateTokens, tokensPerMessage } from '../../../send/budget/tokens.ts';
import type { ConfirmSend } from '../../../send/confirmation.ts';
import type { Dispatch } from '../../../send/dispatch.ts';
import type { Outgoing } from '../../../send/outgoing.ts';
import { ServiceError } from '../../../util/errors.ts';
import { warnIfContradicted } from '../../compliance/vscode/describeReceipt.ts';
import { allowedTools } from '../../tools/vscode/ruledTools.ts';
import type { KnownModels } from './knownModels.ts';
import { toLanguageModelError } from './languageModelError.ts';
import { outgoingMessages, textOfMessage } from './messages.ts';
import { oneAtATime } from './oneAtATime.ts';
import { bodyOptions, offerOf } from './requestOptions.ts';

const t = vscode.l10n.t;

interface LanguageModelParts {
  readonly dispatch: Dispatch;
  /** Asks the user whether a request may be sent. */
  readonly confirmSend: ConfirmSend;
  readonly contextReader: RequestContextReader;
  readonly keys: ApiKeyStore;
  readonly known: KnownModels;
  readonly client: () => Promise<ServiceClient>;
}

/** Makes the service's models available to VS Code's chat and other extensions, through the same gate as the panel. */
export class LanguageModels {
  readonly #parts: LanguageModelParts;
  readonly #confirmSend: ConfirmSend;

  constructor(parts: LanguageModelParts) {
    this.#parts = parts;
    this.#confirmSend = oneAtATime(parts.confirmSend);
  }

  /** Loads the list from the service. Throws errors that VS Code can show. */
  async refresh(token: vscode.CancellationToken): Promise<void> {
    await this.#convertingErrors(token, '', (signal) => this.list(signal));
  }

  /** Loads the list from the service and stores it for silent callers. Throws a ServiceError. */
  async list(signal: AbortSignal): Promise<readonly ModelEntry[]> {
    const { contextReader, keys, client, known } = this.#parts;
    contextReader.requireFeature('languageModel');
    const connection = contextReader.requireConnection();
    const models = await (await client()).listModels(await keys.endpoint(connection, signal), signal);
    await known.remember(connection, models);
    return models;
  }

  /** Sends the messages from VS Code and reports the parts of the answer. Throws errors that VS Code can show. */
  async respond(
    model: string,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    { modelOptions, tools, toolMode }: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    await this.#convertingErrors(token, model, async (signal, cancel) => {
      const outgoing: Outgoing = {
        action: 'languageModel',
        messages: outgoingMessages(messages, { instructions: t('VS Code’s instructions') }),
        modelKey: 'svc.model.chat',
        askedModel: { model },
        // The request does not state its folder, so the policies of all folders of the window apply.
        folders: allFolders(),
        ...offerOf(tools && allowedTools(this.#parts.contextReader.toolRules, tools), toolMode),
        ...bodyOptions(modelOptions),
      };
      const { events, origin } = await showingWaits(this.#parts.dispatch, waitNotification(cancel)).send(
        outgoing,
        this.#confirmSend,
        signal,
      );
      let hasParts = false;
      let finishReason: string | undefined;
      for await (const batch of events) {
        for (const event of batch) {
          if (event.type === 'text-delta') progress.report(new vscode.LanguageModelTextPart(event.text));
          if (event.type === 'tool-call') progress.report(callPart(event.call, outgoing));
          hasParts ||= event.type === 'tool-call' || (event.type === 'text-delta' && event.text.trim() !== '');
          if (event.type === 'finish') finishReason = event.finishReason;
          if (event.type === 'receipt') warnIfContradicted(event.receipt);
        }
      }
      requireWhole(finishReason, hasParts, origin);
    });
  }

  countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
    if (typeof text === 'string') return estimateTokens(text);
    return estimateTokens(textOfMessage(text)) + tokensPerMessage;
  }

  async #convertingErrors<T>(
    token: vscode.CancellationToken,
    model: string,
    work: (signal: AbortSignal, cancel: () => void) => Promise<T>,
  ): Promise<T> {
    try {
      return await withSignal(token, work);
    } catch (error) {
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      throw toLanguageModelError(error, model);
    }
  }
}

function callPart(
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: object },
  { offer }: Outgoing,
): vscode.LanguageModelToolCallPart {
  if (offer?.tools.some((tool) => tool.name === name) !== true) {
    throw new ServiceError('protocol', 'The answer calls a tool that was not offered.', { code: 'tool-call' });
  }
  return new vscode.LanguageModelToolCallPart(id, name, input);
}
