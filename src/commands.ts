import type * as vscode from 'vscode';
import { type ArgumentsOf, type CommandName, commandArguments, readArguments } from './commandArguments.ts';
import { exportAuditLog, verifyAuditLog } from './host/audit/auditCommands.ts';
import { attach } from './host/commands/attach.ts';
import { explainCode, newChat, openChat } from './host/commands/chat.ts';
import { generateCode } from './host/commands/generate.ts';
import { bringToFront, requireInside, uriOf } from './host/commands/namedFile.ts';
import { purgeLocalData } from './host/commands/purge.ts';
import { explainTerminal } from './host/commands/terminal.ts';
import type { UriArgument } from './host/commands/wrongArgument.ts';
import { retryNow } from './host/confirm/waits.ts';
import { diagnoseConnection } from './host/connection/diagnose.ts';
import { selectModel } from './host/connection/models.ts';
import { exportConversation } from './host/history/exportConversation.ts';
import { purgeHistory } from './host/history/history.ts';
import { showHistory } from './host/history/showHistory.ts';
import { resumeInlineCompletions, toggleInlineCompletions } from './host/inlineCompletions/status.ts';
import { orFailure } from './host/messages/withErrorReporting.ts';
import { showPolicy, showPosture } from './host/posture/showPosture.ts';
import type { Parts } from './parts.ts';

type Commands = { readonly [Name in CommandName]: (...given: ArgumentsOf<Name>) => unknown };

/**
 * Every command of package.json, by name; a test checks that the two lists are equal. A call with invalid arguments
 * returns a Failure.
 */
export function commandsOf(parts: Parts): Readonly<Record<string, (...given: readonly unknown[]) => unknown>> {
  const commands = typedCommands(parts);
  const names = Object.keys(commandArguments) as CommandName[];
  return Object.fromEntries(names.map((name) => [name, (...given) => call(commands, name, given)]));
}

function call<Name extends CommandName>(commands: Commands, name: Name, given: readonly unknown[]): Promise<unknown> {
  // The two tables have the same keys; TypeScript cannot see that these arguments belong to this command.
  const run = commands[name] as (...read: readonly unknown[]) => unknown;
  return orFailure(async () => run(...readArguments(name, given)));
}

function typedCommands(parts: Parts): Commands {
  const { log, keys, managed, contextReader, next, storage, version } = parts;
  const {
    audit,
    client,
    dispatch,
    session,
    store,
    documents,
    attachments,
    contextService,
    view,
    proposals,
    confirmSend,
    connect,
    compliance,
  } = parts;
  const writing = { dispatch, proposals, confirmSend };
  const code = () => import('./host/commands/codeCommands.ts');
  return {
    'svc.openChat': (options) => openChat(view, session, options),
    'svc.newChat': () => newChat(view, session),
    'svc.showHistory': () => showHistory(view, session, store),
    'svc.exportConversation': (options) => exportConversation(session, contextReader, options),
    'svc.attach': (uri, uris) =>
      attach(view, attachments, () => contextService.get(), optionalUri(uri), uris?.map(uriOf)),
    'svc.explainCode': async (uri) => {
      await inFront(uri);
      return explainCode(view, session);
    },
    'svc.generateCode': async (given) => generateCode(writing, await inFront(given)),
    'svc.reviewFile': async (given) => (await compliance.get()).reviewFile(await inFront(given)),
    'svc.reviewChanges': async (options) => (await compliance.get()).reviewChanges(options),
    'svc.reviewWorkspace': async (options) => (await compliance.get()).reviewWorkspace(options),
    'svc.showReview': async () => (await compliance.get()).showReview(),
    'svc.exportReview': async (options) => (await compliance.get()).exportReview(options),
    'svc.clearReview': async () => (await compliance.get()).clearReview(),
    'svc.fixFinding': async (ref) => (await compliance.get()).fixFinding(named(ref)),
    'svc.explainFinding': async (ref) => (await compliance.get()).explainFinding(named(ref)),
    'svc.suppressFinding': async (ref) => (await compliance.get()).suppressFinding(named(ref)),
    'svc.editCode': async (given) => (await code()).editCode(writing, await placed(await inFront(given))),
    'svc.fixProblems': async (given) => (await code()).fixProblems(writing, await placed(await inFront(given))),
    'svc.documentCode': async (given) => (await code()).documentCode(writing, await placed(await inFront(given))),
    'svc.generateTests': async (given) => (await code()).generateTests(writing, await placed(await inFront(given))),
    'svc.generateCommitMessage': async (chosen) => {
      const rootUri = optionalUri(chosen?.rootUri);
      const parts = { dispatch, confirmSend, contextReader };
      return (await code()).generateCommitMessage(parts, rootUri === undefined ? undefined : { rootUri });
    },
    'svc.explainTerminal': () => explainTerminal(view, session),
    'svc.acceptProposal': (uri) => proposals.accept(optionalUri(uri)),
    'svc.rejectProposal': (uri) => proposals.reject(optionalUri(uri)),
    'svc.acceptHunk': (uri, line, id) => proposals.acceptHunk(optionalUri(uri), { line, id }),
    'svc.rejectHunk': (uri, line, id) => proposals.rejectHunk(optionalUri(uri), { line, id }),
    'svc.resumeInlineCompletions': () => resumeInlineCompletions(parts.completions),
    'svc.toggleInlineCompletions': () => toggleInlineCompletions(),
    'svc.useInVSCodeChat': async () => {
      const { useInVSCodeChat } = await import('./host/languageModel/useInVSCodeChat.ts');
      return useInVSCodeChat(() => parts.languageModels.get(), contextReader);
    },
    'svc.setApiKey': (options) => connect.setApiKey(options),
    'svc.removeApiKey': () => connect.removeApiKey(),
    'svc.selectConnection': () => connect.selectConnection(),
    'svc.checkHealth': () => connect.checkHealth(),
    'svc.validateToken': () => connect.validateToken(),
    'svc.diagnoseConnection': () =>
      diagnoseConnection({ keys, contextReader, client, documents, version, about: next.about }),
    'svc.selectModel': () => selectModel(keys, contextReader, client),
    'svc.showPosture': () => showPosture(contextReader, next.about),
    'svc.previewRequest': () => view.previewRequest(),
    'svc.showPolicy': () => showPolicy(managed, documents),
    'svc.auditLog.open': () => parts.auditView.show(),
    'svc.auditLog.verify': () => verifyAuditLog(audit),
    'svc.auditLog.export': (options) => exportAuditLog(audit, contextReader, options),
    'svc.purgeLocalData': (options) =>
      purgeLocalData({ session, view, keys, audit, purgeHistory: () => purgeHistory(storage, log) }, options),
    'svc.retryNow': () => retryNow(),
    'svc.showLog': () => log.show(),
    'svc.showFirstSteps': () => parts.firstSteps.show(),
  };
}

function optionalUri(argument: UriArgument | undefined): vscode.Uri | undefined {
  return argument === undefined ? undefined : uriOf(argument);
}

/** Returns the options of a command. If the argument is a URI, as from an editor menu, opens that document first. */
async function inFront<T extends object>(given: UriArgument | T | undefined): Promise<T | undefined> {
  if (given === undefined || !isUri(given)) return given;
  await bringToFront(uriOf(given));
  return undefined;
}

function isUri(given: UriArgument | object): given is UriArgument {
  return typeof given === 'string' || 'scheme' in given;
}

async function placed<T extends { readonly uri?: UriArgument | undefined }>(options: T | undefined) {
  const uri = optionalUri(options?.uri);
  if (uri !== undefined) await requireInside(uri);
  return options === undefined ? undefined : { ...options, uri };
}

function named<T extends { readonly uri: UriArgument }>(ref: T | undefined) {
  return ref === undefined ? undefined : { ...ref, uri: uriOf(ref.uri).toString() };
}
