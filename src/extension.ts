import * as vscode from 'vscode';
import { chatViewId } from './features/chat/vscode/chatViewId.ts';
import { StatusItem } from './features/compliance/vscode/statusItem.ts';
import { NextRequest } from './features/context/vscode/nextRequest.ts';
import { SvcCodeActions } from './features/edits/vscode/commands/codeActions.ts';
import { closeEndedProposals } from './features/edits/vscode/shown/endedProposals.ts';
import { registerInlineCompletions } from './features/inline/vscode/register.ts';
import { registerNotes } from './features/provenance/vscode/register.ts';
import { KnownModels } from './features/vscodeChat/vscode/knownModels.ts';
import { registerLanguageModels, registerParticipant } from './features/vscodeChat/vscode/register.ts';
import { KeySources } from './platform/keys/keySources.ts';
import { ManagedPolicyFile } from './platform/settings/managed.ts';
import { RequestContextReader } from './platform/settings/requestContextReader.ts';
import { SettingsFiles } from './platform/settings/settingsFiles.ts';
import { Lazy } from './util/lazy.ts';

let close: () => Promise<void> = async () => undefined;

/**
 * Shows the status bar item and registers everything else. The services (createServices.ts) are created on first use, so that an
 * idle window does not pay for them.
 */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Svc', { log: true });
  const managed = new ManagedPolicyFile(context);
  const keySources = new KeySources(context.secrets, context.globalState, () => managed.state);
  const files = new SettingsFiles(
    context.globalStorageUri,
    async () => (await import('./policy/files/settingsText.ts')).readSettingsText,
  );
  const contextReader = new RequestContextReader(keySources, managed, files);
  const next = new NextRequest();
  const known = new KnownModels(context.globalState, keySources, contextReader);

  const later = new Lazy(async () => {
    // The managed policy also applies to the command that triggered loading.
    const loaded = [import('./createServices.ts'), import('./commands.ts'), managed.read()] as const;
    const [{ createServices }, { runCommand }] = await Promise.all(loaded);
    return { ...createServices({ context, log, keySources, managed, contextReader, next, known }), runCommand };
  });
  const services = async () => (await later.get()).services;
  const names: readonly { readonly command: string }[] = context.extension.packageJSON.contributes.commands;

  void closeEndedProposals();
  close = () => later.ifMade((made) => made.close());
  context.subscriptions.push(
    log,
    keySources,
    managed,
    files,
    next,
    managed.onDidReplace(async (entry) => (await services()).audit.note(entry)),
    { dispose: () => later.ifMade((made) => made.dispose()) },
    new StatusItem(contextReader, next),
    vscode.window.registerWebviewViewProvider(chatViewId, {
      resolveWebviewView: async (view) => (await services()).view.resolveWebviewView(view),
    }),
    vscode.languages.registerCodeActionsProvider({ pattern: '**' }, new SvcCodeActions(), SvcCodeActions.metadata),
    registerInlineCompletions(async () => (await services()).completions),
    registerLanguageModels(known, contextReader, async () => (await services()).languageModels.get()),
    registerParticipant(
      async () => (await services()).participant.get(),
      vscode.Uri.joinPath(context.extensionUri, 'media', 'svc.svg'),
    ),
    registerNotes(async () => (await services()).notes.get()),
  );
  for (const { command } of names) {
    const registered = vscode.commands.registerCommand(command, async (...args) => {
      const { services, runCommand } = await later.get();
      await managed.refresh();
      return runCommand(services, command, args);
    });
    context.subscriptions.push(registered);
  }
}

/** Resolves when all pending writes are on the disk. */
export function deactivate(): Promise<void> {
  return close();
}
