import { type ArgumentsOf, type CommandName, readArguments } from './commandArguments.ts';
import { exportAuditLog, startLedger, verifyAuditLog } from './features/audit/vscode/auditCommands.ts';
import { attach } from './features/chat/vscode/commands/attach.ts';
import { explainCode, newChat, openChat } from './features/chat/vscode/commands/chat.ts';
import { purgeLocalData } from './features/chat/vscode/commands/purge.ts';
import { explainTerminal } from './features/chat/vscode/commands/terminal.ts';
import { exportConversation } from './features/chat/vscode/history/exportConversation.ts';
import { showHistory } from './features/chat/vscode/history/showHistory.ts';
import { outcomeIds } from './features/chat/vscode/panelMessages.ts';
import { changeComplianceSetting } from './features/compliance/vscode/changeSetting.ts';
import { showPolicy, showPosture } from './features/compliance/vscode/showPosture.ts';
import { diagnoseConnection } from './features/connection/vscode/diagnose.ts';
import { selectModel } from './features/connection/vscode/models.ts';
import { resumeInlineCompletions, toggleInlineCompletions } from './features/inline/vscode/status.ts';
import { inFront, named, optionalUri, placed } from './platform/commands/namedFile.ts';
import { performAction } from './platform/messages/actions.ts';
import { retryNow } from './platform/messages/waits.ts';
import { asLogged, orFailure } from './platform/messages/withErrorReporting.ts';
import type { Services } from './services.ts';

type Commands = { readonly [Name in CommandName]: (services: Services, ...given: ArgumentsOf<Name>) => unknown };

const code = () => import('./codeCommands.ts');

/** Every command of package.json: its name, and what runs with its parsed arguments. */
const commands: Commands = {
  'svc.openChat': openChat,
  'svc.newChat': newChat,
  'svc.showHistory': showHistory,
  'svc.findInChat': ({ view }) => view.find(),
  'svc.exportConversation': exportConversation,
  'svc.attach': attach,
  'svc.explainCode': (services, uri) => inFront(uri).then(() => explainCode(services)),
  'svc.generateCode': async (services, given) => (await code()).generateCode(services, await inFront(given)),
  'svc.reviewFile': async ({ compliance }, given) => (await compliance.get()).reviewFile(await inFront(given)),
  'svc.reviewChanges': async ({ compliance }, options) => (await compliance.get()).reviewChanges(options),
  'svc.reviewWorkspace': async ({ compliance }, options) => (await compliance.get()).reviewWorkspace(options),
  'svc.showReview': async ({ compliance }) => (await compliance.get()).showReview(),
  'svc.exportReview': async ({ compliance }, options) => (await compliance.get()).exportReview(options),
  'svc.clearReview': async ({ compliance }) => (await compliance.get()).clearReview(),
  'svc.fixFinding': async ({ compliance }, ref) => (await compliance.get()).fixFinding(named(ref)),
  'svc.explainFinding': async ({ compliance }, ref) => (await compliance.get()).explainFinding(named(ref)),
  'svc.suppressFinding': async ({ compliance }, ref) => (await compliance.get()).suppressFinding(named(ref)),
  'svc.editCode': async (services, given) => (await code()).editCode(services, await placed(given)),
  'svc.fixProblems': async (services, given) => (await code()).fixProblems(services, await placed(given)),
  'svc.documentCode': async (services, given) => (await code()).documentCode(services, await placed(given)),
  'svc.generateTests': async (services, given) => (await code()).generateTests(services, await placed(given)),
  'svc.generateCommitMessage': async (services, of) =>
    (await code()).generateCommitMessage(services, { rootUri: optionalUri(of?.rootUri) }),
  'svc.addCommitTrailers': async (services, of) =>
    (await code()).addCommitTrailers(services, { rootUri: optionalUri(of?.rootUri) }),
  'svc.showProvenance': async (services, uri) => inFront(uri).then(async () => (await code()).showProvenance(services)),
  'svc.explainTerminal': explainTerminal,
  // For the title bar: VS Code shows a key below the name of a command there, and cuts both off. These have no key.
  'svc.acceptAll': ({ proposals }, uri) => proposals.accept(optionalUri(uri)),
  'svc.rejectAll': ({ proposals }, uri) => proposals.reject(optionalUri(uri)),
  'svc.acceptProposal': ({ proposals }, uri) => proposals.accept(optionalUri(uri)),
  'svc.rejectProposal': ({ proposals }, uri) => proposals.reject(optionalUri(uri)),
  'svc.acceptHunk': ({ proposals }, uri, line, id) => proposals.acceptHunk(optionalUri(uri), { line, id }),
  'svc.rejectHunk': ({ proposals }, uri, line, id) => proposals.rejectHunk(optionalUri(uri), { line, id }),
  'svc.resumeInlineCompletions': ({ completions }) => resumeInlineCompletions(completions),
  'svc.toggleInlineCompletions': toggleInlineCompletions,
  'svc.useInVSCodeChat': async (services) =>
    (await import('./features/vscodeChat/vscode/useInVSCodeChat.ts')).useInVSCodeChat(services),
  'svc.setApiKey': ({ connect }, options) => connect.setApiKey(options),
  'svc.removeApiKey': ({ connect }) => connect.removeApiKey(),
  'svc.selectConnection': ({ connect }) => connect.selectConnection(),
  'svc.checkHealth': ({ connect }) => connect.checkHealth(),
  'svc.validateToken': ({ connect }) => connect.validateToken(),
  'svc.diagnoseConnection': diagnoseConnection,
  'svc.selectModel': selectModel,
  'svc.chooseTools': async (services) =>
    (await import('./features/tools/vscode/choose/chooseTools.ts')).chooseTools(services),
  'svc.showPosture': showPosture,
  'svc.changeComplianceSetting': changeComplianceSetting,
  'svc.applyAll': ({ view }) => view.applyAll(),
  'svc.previewRequest': ({ view }) => view.previewRequest(),
  'svc.showPolicy': showPolicy,
  'svc.auditLog.open': ({ auditView }) => auditView.show(),
  'svc.auditLog.verify': verifyAuditLog,
  'svc.auditLog.export': exportAuditLog,
  'svc.auditLog.startLedger': startLedger,
  'svc.purgeLocalData': purgeLocalData,
  'svc.retryNow': retryNow,
  'svc.showLog': ({ log }) => log.show(),
  'svc.showFirstSteps': ({ firstSteps }) => firstSteps.show(),
  'svc.showAccessibilityHelp': async (services) =>
    (await import('./features/chat/vscode/commands/accessibilityHelp.ts')).showAccessibilityHelp(services),
  'svc.openSettings': () => performAction('openSettings'),
};

/** Runs a command. A call with invalid arguments, or an error that the user is shown, returns a Failure. */
export function runCommand(services: Services, name: string, given: readonly unknown[]): Promise<unknown> {
  return orFailure(async () => {
    // The two tables have the same keys; TypeScript cannot see that these arguments belong to this command.
    const run = commands[name as CommandName] as (services: Services, ...read: readonly unknown[]) => unknown;
    services.messages.dismiss(outcomeIds.hint);
    try {
      return await run(services, ...readArguments(name as CommandName, given));
    } catch (thrown) {
      throw asLogged(thrown, services.log);
    }
  });
}
