import { attach } from './host/commands/attach.ts';
import { exportAuditLog, verifyAuditLog } from './host/commands/audit.ts';
import { explainCode, newChat, openChat } from './host/commands/chat.ts';
import { diagnoseConnection } from './host/commands/diagnose.ts';
import { exportConversation } from './host/commands/exportConversation.ts';
import { generateCode } from './host/commands/generate.ts';
import { showHistory } from './host/commands/history.ts';
import { selectModel } from './host/commands/models.ts';
import { showPolicy, showPosture } from './host/commands/posture.ts';
import { purgeLocalData } from './host/commands/purge.ts';
import { explainTerminal } from './host/commands/terminal.ts';
import { purgeHistory } from './host/history.ts';
import { toggleInlineCompletions } from './host/inlineCompletions/status.ts';
import type { Parts } from './parts.ts';

/** What VS Code or another extension calls a command with; each command reads its own. */
// biome-ignore lint/suspicious/noExplicitAny: VS Code's own type of a command's arguments.
type Command = (...args: any[]) => unknown;

/** Every command of package.json, by its name; a test proves the two equal. */
export function commandsOf(parts: Parts): Readonly<Record<string, Command>> {
  const { log, keys, managed, standing, storage, version } = parts;
  const {
    audit,
    client,
    dispatch,
    session,
    store,
    documents,
    attachments,
    contextRoom,
    view,
    proposals,
    review,
    connect,
    compliance,
  } = parts;
  const writing = { dispatch, proposals, review };
  const code = () => import('./host/commands/codeCommands.ts');
  return {
    'svc.openChat': (options) => openChat(view, session, options),
    'svc.newChat': () => newChat(view, session),
    'svc.showHistory': () => showHistory(view, session, store),
    'svc.exportConversation': (options) => exportConversation(session, standing, options),
    'svc.attach': (uri, uris) => attach(view, attachments, () => contextRoom.get(), uri, uris),
    'svc.explainCode': () => explainCode(view, session),
    'svc.generateCode': (options) => generateCode(writing, options),
    'svc.reviewFile': async (options) => (await compliance.get()).reviewFile(options),
    'svc.reviewChanges': async (options) => (await compliance.get()).reviewChanges(options),
    'svc.reviewWorkspace': async (options) => (await compliance.get()).reviewWorkspace(options),
    'svc.showReview': async () => (await compliance.get()).showReview(),
    'svc.exportReview': async (options) => (await compliance.get()).exportReview(options),
    'svc.clearReview': async () => (await compliance.get()).clearReview(),
    'svc.fixFinding': async (options) => (await compliance.get()).fixFinding(options),
    'svc.explainFinding': async (options) => (await compliance.get()).explainFinding(options),
    'svc.suppressFinding': async (options) => (await compliance.get()).suppressFinding(options),
    'svc.editCode': async (options) => (await code()).editCode(writing, options),
    'svc.fixProblems': async (options) => (await code()).fixProblems(writing, options),
    'svc.documentCode': async (options) => (await code()).documentCode(writing, options),
    'svc.generateTests': async (options) => (await code()).generateTests(writing, options),
    'svc.generateCommitMessage': async (chosen) => (await code()).generateCommitMessage(writing, chosen),
    'svc.explainTerminal': () => explainTerminal(view, session),
    'svc.acceptProposal': (uri) => proposals.accept(uri),
    'svc.rejectProposal': (uri) => proposals.reject(uri),
    'svc.acceptHunk': (uri, line) => proposals.acceptHunk(uri, line),
    'svc.rejectHunk': (uri, line) => proposals.rejectHunk(uri, line),
    'svc.toggleInlineCompletions': () => toggleInlineCompletions(),
    'svc.useInVSCodeChat': async () => {
      const { useInVSCodeChat } = await import('./host/languageModel/useInVSCodeChat.ts');
      return useInVSCodeChat(() => parts.languageModels.get(), standing);
    },
    'svc.setApiKey': (options) => connect.setApiKey(options),
    'svc.removeApiKey': () => connect.removeApiKey(),
    'svc.selectConnection': () => connect.selectConnection(),
    'svc.checkHealth': () => connect.checkHealth(),
    'svc.validateToken': () => connect.validateToken(),
    'svc.diagnoseConnection': () =>
      diagnoseConnection({ keys, standing, client, documents, version, folders: session.folders }),
    'svc.selectModel': () => selectModel(keys, standing, client),
    'svc.showPosture': () => showPosture(standing, session.folders),
    'svc.previewRequest': () => view.previewRequest(),
    'svc.showPolicy': () => showPolicy(managed, documents),
    'svc.auditLog.open': () => parts.auditView.show(),
    'svc.auditLog.verify': () => verifyAuditLog(audit),
    'svc.auditLog.export': (options) => exportAuditLog(audit, standing, options),
    'svc.purgeLocalData': (options) =>
      purgeLocalData({ session, view, keys, audit, purgeHistory: () => purgeHistory(storage, log) }, options),
    'svc.showLog': () => log.show(),
    'svc.showFirstSteps': () => parts.firstSteps.show(),
  };
}
