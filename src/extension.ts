import * as vscode from 'vscode';
import { chatViewId } from './host/chatView/chatViewId.ts';
import { SvcCodeActions } from './host/commands/codeActions.ts';
import { ApiKeyStore } from './host/config/apiKeyStore.ts';
import { ManagedPolicyFile } from './host/config/managed.ts';
import { RequestContextReader } from './host/config/requestContextReader.ts';
import { SettingsFiles } from './host/config/settingsFiles.ts';
import { closeEndedProposals } from './host/edits/endedProposals.ts';
import { registerInlineCompletions } from './host/inlineCompletions/register.ts';
import { KnownModels } from './host/languageModel/knownModels.ts';
import { registerLanguageModels } from './host/languageModel/register.ts';
import { registerParticipant } from './host/participant/register.ts';
import { NextRequest } from './host/posture/nextRequest.ts';
import { StatusItem } from './host/posture/statusItem.ts';
import { Lazy } from './util/lazy.ts';

let close: () => Promise<void> = async () => undefined;

/**
 * Shows the status bar item and registers everything else. The rest (parts.ts) is assembled on first use, so that an
 * idle window does not pay for it.
 */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Svc', { log: true });
  const keys = new ApiKeyStore(context.secrets, context.globalState);
  const managed = new ManagedPolicyFile(context.extensionMode);
  const files = new SettingsFiles(
    context.globalStorageUri,
    async () => (await import('./policy/files/settingsText.ts')).readSettingsText,
  );
  const contextReader = new RequestContextReader(keys, managed, files);
  const next = new NextRequest();
  const known = new KnownModels(context.globalState, keys, contextReader);

  const later = new Lazy(async () => {
    // The managed policy also applies to the command that triggered loading.
    const loaded = [import('./parts.ts'), import('./commands.ts'), managed.read()] as const;
    const [{ assemble }, { commandsOf }] = await Promise.all(loaded);
    const parts = assemble({ context, log, keys, managed, contextReader, next, known });
    return { parts, commands: commandsOf(parts) };
  });
  const names: readonly { readonly command: string }[] = context.extension.packageJSON.contributes.commands;

  void closeEndedProposals();
  close = () => later.ifMade(({ parts }) => parts.close());
  context.subscriptions.push(
    log,
    keys,
    managed,
    files,
    next,
    managed.onDidReplace(async (entry) => (await later.get()).parts.audit.note(entry)),
    { dispose: () => later.ifMade(({ parts }) => parts.dispose()) },
    new StatusItem(contextReader, next),
    vscode.window.registerWebviewViewProvider(chatViewId, {
      resolveWebviewView: async (view) => (await later.get()).parts.view.resolveWebviewView(view),
    }),
    vscode.languages.registerCodeActionsProvider({ pattern: '**' }, new SvcCodeActions(), SvcCodeActions.metadata),
    registerInlineCompletions(async () => (await later.get()).parts.completions),
    registerLanguageModels(known, contextReader, async () => (await later.get()).parts.languageModels.get()),
    registerParticipant(
      async () => (await later.get()).parts.participant.get(),
      vscode.Uri.joinPath(context.extensionUri, 'media', 'svc.svg'),
    ),
    ...names.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args) => (await later.get()).commands[command]?.(...args)),
    ),
  );
}

/** Resolves when all pending writes are on the disk. */
export function deactivate(): Promise<void> {
  return close();
}
