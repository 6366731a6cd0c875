import * as vscode from 'vscode';
import type { ServiceClient } from './client/serviceClient.ts';
import { ChatViewProvider } from './host/chatView/chatViewProvider.ts';
import { explainCode, newChat, openChat } from './host/commands/chat.ts';
import { ConnectCommands } from './host/commands/connect.ts';
import { diagnoseConnection } from './host/commands/diagnose.ts';
import { generateCode } from './host/commands/generate.ts';
import { selectModel } from './host/commands/models.ts';
import { showPosture } from './host/commands/posture.ts';
import { DiagnosisReport } from './host/diagnosisReport.ts';
import { Proposals } from './host/edits/proposals.ts';
import { readNetwork } from './host/networkSettings.ts';
import { KeyStore } from './host/secrets.ts';
import { circumstances } from './host/standing.ts';
import { StatusItem } from './host/statusItem.ts';
import { createDispatch } from './session/dispatch.ts';
import { Session } from './session/session.ts';

/** settings and secret -> policy -> gate -> client -> session -> view */
export function activate({
  extension,
  extensionUri,
  secrets,
  globalState,
  subscriptions,
}: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Svc', { log: true });
  const keys = new KeyStore(secrets, globalState);

  // The client and undici in it are a bundle of their own, loaded at the first request.
  let loaded: Promise<ServiceClient> | undefined;
  const client = (): Promise<ServiceClient> => {
    loaded ??= import('./client/serviceClient.ts').then(({ createServiceClient }) =>
      createServiceClient({
        logger: log,
        userAgent: `svc-coder/${extension.packageJSON.version}`,
        network: readNetwork,
      }),
    );
    return loaded;
  };

  const dispatch = createDispatch({ circumstances, apiKey: (connection) => keys.get(connection), client });
  const session = new Session(dispatch);
  const view = new ChatViewProvider(extensionUri, session, keys, log);
  const proposals = new Proposals();
  const report = new DiagnosisReport();
  const connect = new ConnectCommands(keys, client);
  const command = vscode.commands.registerCommand;

  subscriptions.push(
    log,
    keys,
    session,
    view,
    proposals,
    report,
    new StatusItem(keys),
    { dispose: () => loaded?.then((created) => created.dispose()) },
    vscode.window.registerWebviewViewProvider(ChatViewProvider.viewId, view),
    command('svc.openChat', (options) => openChat(view, session, options)),
    command('svc.newChat', () => newChat(view, session)),
    command('svc.explainCode', () => explainCode(view, session)),
    command('svc.generateCode', (options) => generateCode(dispatch, proposals, options)),
    command('svc.acceptProposal', () => proposals.accept()),
    command('svc.rejectProposal', () => proposals.reject()),
    command('svc.setApiKey', (options) => connect.setApiKey(options)),
    command('svc.removeApiKey', () => connect.removeApiKey()),
    command('svc.selectConnection', () => connect.selectConnection()),
    command('svc.checkHealth', () => connect.checkHealth()),
    command('svc.validateToken', () => connect.validateToken()),
    command('svc.diagnoseConnection', () =>
      diagnoseConnection({ keys, client, report, folders: session.folders, version: extension.packageJSON.version }),
    ),
    command('svc.selectModel', () => selectModel(keys, client)),
    command('svc.showPosture', () => showPosture(keys, session.folders)),
    command('svc.showLog', () => log.show()),
  );
}
