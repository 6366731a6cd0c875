import * as z from 'zod/mini';
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
import { acceptChanges, rejectChanges, undoChanges } from './features/edits/vscode/changes/changeCommands.ts';
import { resumeInlineCompletions, toggleInlineCompletions } from './features/inline/vscode/status.ts';
import {
  type ArgumentsOf,
  exported,
  fromMenu,
  line,
  readArguments,
  shortName,
  uri,
  uris,
  words,
} from './platform/commands/commandArguments.ts';
import { inFront, named, optionalUri, placed } from './platform/commands/namedFile.ts';
import { performAction } from './platform/messages/actions.ts';
import { retryNow } from './platform/messages/waits.ts';
import { asLogged, orFailure } from './platform/messages/withErrorReporting.ts';
import { requireTrust } from './platform/settings/trust.ts';
import { compliance, complianceFields } from './policy/compliance/compliance.ts';
import { modes } from './protocol/mode.ts';
import type { Services } from './services.ts';

const instruction = z.strictObject({ instruction: z.optional(words) });
const edit = z.strictObject({
  instruction: z.optional(words),
  uri: z.optional(uri),
  start: z.optional(line),
  end: z.optional(line),
});
const review = z.strictObject({
  frameworks: z.optional(z.array(shortName).check(z.maxLength(100))),
  include: z.optional(z.string().check(z.maxLength(1_000))),
  confirmed: z.optional(z.boolean()),
});
const finding = z.strictObject({ uri, id: z.string().check(z.maxLength(1_000)) });
const suppression = z.extend(finding, { reason: z.optional(z.string().check(z.maxLength(2_000))) });
// The object is not strict, because the source control menu passes everything that it knows about a repository.
const repository = z.object({ rootUri: z.optional(uri) });
const lineOrMenu = z.union([line, fromMenu]);
const change = z.strictObject({
  setting: z.optional(z.enum(complianceFields.map((field) => compliance[field].setting))),
  value: z.optional(z.union([z.null(), z.boolean(), shortName, z.array(shortName).check(z.maxLength(100))])),
  scope: z.optional(z.enum(['user', 'workspace', 'folder'])),
  folder: z.optional(uri),
});

interface Trust {
  /**
   * The reason why the command is refused in Restricted Mode. A command that sends a request omits it: dispatch refuses and
   * records the request.
   */
  readonly trust?: 'sending' | 'settings';
}

interface Command extends Trust {
  /** The schemas of the arguments, in order: an editor menu passes the URI of its document first. */
  readonly schemas: readonly z.ZodMiniType[];
  /** Parses the arguments, checks trust, and runs. */
  readonly run: (services: Services, given: readonly unknown[]) => unknown;
}

function command<const Schemas extends readonly z.ZodMiniType[]>(
  schemas: Schemas,
  run: (services: Services, ...read: ArgumentsOf<Schemas>) => unknown,
  needs: Trust = {},
): Command {
  return {
    ...needs,
    schemas,
    run: (services, given) => {
      const read = readArguments(schemas, given);
      if (needs.trust !== undefined) requireTrust(needs.trust);
      return run(services, ...read);
    },
  };
}

const code = () => import('./codeCommands.ts');

/** All commands of package.json, each with the schemas of its arguments and the function that it runs. */
export const commands = {
  'svc.openChat': command([z.strictObject({ prompt: z.optional(words) })], openChat),
  'svc.newChat': command([], newChat),
  'svc.showHistory': command([], showHistory),
  'svc.findInChat': command([], ({ view }) => view.find()),
  'svc.exportConversation': command([exported('markdown', 'json')], exportConversation),
  'svc.attach': command([uri, uris], attach),
  'svc.explainCode': command([uri], (services, document) => inFront(document).then(() => explainCode(services))),
  'svc.generateCode': command([z.union([uri, instruction])], async (services, given) =>
    (await code()).generateCode(services, await inFront(given)),
  ),
  'svc.reviewFile': command([z.union([uri, review])], async ({ compliance }, given) =>
    (await compliance.get()).reviewFile(await inFront(given)),
  ),
  'svc.reviewChanges': command([review], async ({ compliance }, options) =>
    (await compliance.get()).reviewChanges(options),
  ),
  'svc.reviewWorkspace': command([review], async ({ compliance }, options) =>
    (await compliance.get()).reviewWorkspace(options),
  ),
  'svc.showReview': command([], async ({ compliance }) => (await compliance.get()).showReview()),
  'svc.exportReview': command([exported('sarif', 'markdown')], async ({ compliance }, options) =>
    (await compliance.get()).exportReview(options),
  ),
  'svc.clearReview': command([], async ({ compliance }) => (await compliance.get()).clearReview()),
  'svc.fixFinding': command([finding], async ({ compliance }, ref) => (await compliance.get()).fixFinding(named(ref))),
  'svc.explainFinding': command([finding], async ({ compliance }, ref) =>
    (await compliance.get()).explainFinding(named(ref)),
  ),
  'svc.suppressFinding': command([suppression], async ({ compliance }, ref) =>
    (await compliance.get()).suppressFinding(named(ref)),
  ),
  'svc.editCode': command([z.union([uri, edit])], async (services, given) =>
    (await code()).editCode(services, await placed(given)),
  ),
  'svc.fixProblems': command([z.union([uri, edit])], async (services, given) =>
    (await code()).fixProblems(services, await placed(given)),
  ),
  'svc.documentCode': command([z.union([uri, edit])], async (services, given) =>
    (await code()).documentCode(services, await placed(given)),
  ),
  'svc.generateTests': command([z.union([uri, edit])], async (services, given) =>
    (await code()).generateTests(services, await placed(given)),
  ),
  'svc.generateCommitMessage': command([repository], async (services, of) =>
    (await code()).generateCommitMessage(services, { rootUri: optionalUri(of?.rootUri) }),
  ),
  'svc.addCommitTrailers': command(
    [repository],
    async (services, of) => (await code()).addCommitTrailers(services, { rootUri: optionalUri(of?.rootUri) }),
    { trust: 'sending' },
  ),
  'svc.showProvenance': command([uri], (services, document) =>
    inFront(document).then(async () => (await code()).showProvenance(services)),
  ),
  'svc.explainTerminal': command([], explainTerminal),
  // These commands are for the title bar, in which VS Code shows a key below the name of a command and cuts both off. They have
  // no key.
  'svc.acceptAll': command([uri], ({ proposals }, document) => proposals.decisions.accept(optionalUri(document))),
  'svc.rejectAll': command([uri], ({ proposals }, document) => proposals.decisions.reject(optionalUri(document))),
  'svc.acceptProposal': command([uri], ({ proposals }, document) => proposals.decisions.accept(optionalUri(document))),
  'svc.rejectProposal': command([uri], ({ proposals }, document) => proposals.decisions.reject(optionalUri(document))),
  'svc.acceptHunk': command([uri, lineOrMenu, line], ({ proposals }, document, at, id) =>
    proposals.decisions.acceptHunk(optionalUri(document), { line: at, id }),
  ),
  'svc.rejectHunk': command([uri, lineOrMenu, line], ({ proposals }, document, at, id) =>
    proposals.decisions.rejectHunk(optionalUri(document), { line: at, id }),
  ),
  'svc.acceptChanges': command([], acceptChanges),
  'svc.rejectChanges': command([], rejectChanges),
  'svc.undoChanges': command([], undoChanges),
  'svc.resumeInlineCompletions': command([], ({ completions }) => resumeInlineCompletions(completions)),
  'svc.toggleInlineCompletions': command([], toggleInlineCompletions),
  'svc.useInVSCodeChat': command([], async (services) =>
    (await import('./features/vscodeChat/vscode/useInVSCodeChat.ts')).useInVSCodeChat(services),
  ),
  'svc.setApiKey': command([z.strictObject({ source: z.optional(z.literal('environment')) })], ({ connect }, options) =>
    connect.setApiKey(options),
  ),
  'svc.removeApiKey': command([], ({ connect }) => connect.removeApiKey()),
  'svc.selectConnection': command([], ({ connect }) => connect.selectConnection(), { trust: 'settings' }),
  'svc.checkHealth': command([], ({ connect }) => connect.checkHealth()),
  'svc.validateToken': command([], ({ connect }) => connect.validateToken()),
  'svc.diagnoseConnection': command([], diagnoseConnection),
  'svc.selectModel': command([], selectModel, { trust: 'settings' }),
  'svc.chooseMode': command(
    [z.strictObject({ mode: z.optional(z.enum(modes)) })],
    async (services, options) =>
      (await import('./features/chat/vscode/mode/chooseMode.ts')).chooseMode(services, options),
    { trust: 'settings' },
  ),
  'svc.chooseTools': command(
    [],
    async (services) => (await import('./features/tools/vscode/choose/chooseTools.ts')).chooseTools(services),
    { trust: 'settings' },
  ),
  'svc.showPosture': command([], showPosture),
  'svc.changeComplianceSetting': command([change], changeComplianceSetting, { trust: 'settings' }),
  'svc.applyAll': command([], ({ view }) => view.applyAll()),
  'svc.previewRequest': command([], ({ view }) => view.previewRequest()),
  'svc.showPolicy': command([], showPolicy),
  'svc.auditLog.open': command([], ({ auditView }) => auditView.show()),
  'svc.auditLog.verify': command([], verifyAuditLog),
  'svc.auditLog.export': command([exported('evidence', 'jsonl', 'csv', 'usage')], exportAuditLog),
  'svc.auditLog.startLedger': command([], startLedger),
  'svc.purgeLocalData': command(
    [z.strictObject({ keys: z.optional(z.boolean()), audit: z.optional(z.boolean()) })],
    purgeLocalData,
  ),
  'svc.retryNow': command([], retryNow),
  'svc.showLog': command([], ({ log }) => log.show()),
  'svc.showFirstSteps': command([], ({ firstSteps }) => firstSteps.show()),
  'svc.showAccessibilityHelp': command([], async (services) =>
    (await import('./features/chat/vscode/commands/accessibilityHelp.ts')).showAccessibilityHelp(services),
  ),
  'svc.openSettings': command([], () => performAction('openSettings')),
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** Runs a command. Returns a Failure for invalid arguments and for errors that are shown to the user. */
export function runCommand(services: Services, name: string, given: readonly unknown[]): Promise<unknown> {
  return orFailure(async () => {
    services.messages.dismiss(outcomeIds.hint);
    try {
      return await commands[name as CommandName].run(services, given);
    } catch (thrown) {
      throw asLogged(thrown, services.log);
    }
  });
}
