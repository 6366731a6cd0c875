import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { inRestrictedMode } from './dialogs.ts';
import { effectsOf } from './effects.ts';
import { until } from './stage.ts';

type Shown = RegExp | 'opens';

const noFile = /^Open a file/;
const noFinding = /^There is no compliance finding at the cursor/;
const noProposal = /^There are no proposed changes to accept or reject/;
const noDiff = /^No diff with changes is open/;
const noAddress = /^The address of the Svc service is not set/;

/**
 * What each command says or asks in a window without a folder, a file, an address and a key. `opens`: a view, a page or
 * an editor, which is what the user sees.
 */
const shown: Readonly<Record<string, Shown>> = {
  'svc.openChat': 'opens',
  'svc.newChat': 'opens',
  'svc.showHistory': /^Conversations in this workspace/,
  'svc.findInChat': 'opens',
  'svc.exportConversation': /^There is no conversation to export/,
  'svc.attach': /^There is no file to add. Open a file or a folder first/,
  'svc.explainCode': noFile,
  'svc.generateCode': noAddress,
  'svc.resumeInlineCompletions': /^Svc inline suggestions are no longer paused/,
  'svc.toggleInlineCompletions': noFile,
  'svc.editCode': noFile,
  'svc.fixProblems': noFile,
  'svc.documentCode': noFile,
  'svc.generateTests': noFile,
  'svc.addCommitTrailers': /^No git repository is open/,
  'svc.showProvenance': noFile,
  'svc.explainTerminal': /^Select text in the terminal first/,
  'svc.generateCommitMessage': /^No git repository is open/,
  'svc.acceptProposal': noDiff,
  'svc.rejectProposal': noDiff,
  'svc.acceptAll': noDiff,
  'svc.rejectAll': noDiff,
  'svc.acceptHunk': noDiff,
  'svc.rejectHunk': noDiff,
  'svc.acceptChanges': noProposal,
  'svc.rejectChanges': noProposal,
  'svc.undoChanges': /^There are no accepted changes to undo/,
  'svc.reviewFile': noFile,
  'svc.reviewChanges': /^There are no changes to review/,
  'svc.reviewWorkspace': /^Open a folder to review its files/,
  'svc.showReview': /^There is no review yet/,
  'svc.exportReview': /^There is no review yet/,
  'svc.clearReview': /^There are no compliance findings to clear/,
  'svc.fixFinding': noFinding,
  'svc.explainFinding': noFinding,
  'svc.suppressFinding': noFinding,
  'svc.useInVSCodeChat': noAddress,
  'svc.setApiKey': /^Step 1 of 2: address of the Svc service/,
  'svc.removeApiKey': noAddress,
  'svc.selectConnection': /^Connection in this workspace/,
  'svc.selectModel': /^Select a model/,
  'svc.chooseMode': /^Choose a mode/,
  'svc.chooseTools': /^Configure Tools/,
  'svc.checkHealth': noAddress,
  'svc.validateToken': noAddress,
  'svc.diagnoseConnection': noAddress,
  'svc.showPosture': /^Compliance settings of the next request/,
  'svc.changeComplianceSetting': /^Which compliance setting/,
  'svc.applyAll': /^No answer in this chat has several blocks of code that name a file/,
  'svc.previewRequest': 'opens',
  'svc.showPolicy': 'opens',
  'svc.auditLog.open': 'opens',
  'svc.auditLog.verify': /^The audit log is intact/,
  'svc.auditLog.export': /^Export the audit log/,
  'svc.auditLog.startLedger': /^Start a new audit ledger/,
  'svc.purgeLocalData': /^Conversations and drafts will be deleted/,
  'svc.retryNow': /^No request is waiting/,
  'svc.showLog': 'opens',
  'svc.showFirstSteps': 'opens',
  'svc.showAccessibilityHelp': 'opens',
  'svc.openSettings': 'opens',
};

const isUntrusted = /this workspace is not trusted/;

/** The commands that send or change something, of those that need no file in front: in Restricted Mode, they say so. */
const refusedUntrusted = [
  ...['svc.generateCode', 'svc.addCommitTrailers', 'svc.generateCommitMessage', 'svc.reviewChanges'],
  ...['svc.useInVSCodeChat', 'svc.setApiKey', 'svc.removeApiKey', 'svc.selectConnection', 'svc.selectModel'],
  ...['svc.chooseMode', 'svc.chooseTools', 'svc.checkHealth', 'svc.validateToken', 'svc.diagnoseConnection'],
  'svc.changeComplianceSetting',
];

describe('a command of the palette with nothing to act on', () => {
  const contributed: readonly { readonly command: string }[] =
    vscode.extensions.getExtension('svc.svc-coder')?.packageJSON.contributes.commands ?? [];
  const quiet = Object.keys(shown).filter((command) => shown[command] !== 'opens');

  before(async () => {
    await vscode.extensions.getExtension('svc.svc-coder')?.activate();
    assert.equal(vscode.workspace.workspaceFolders, undefined);
  });

  /** Runs a command while the panel, which would show its message, is hidden. */
  const run = async (command: string) => {
    let result: unknown;
    const effects = await effectsOf(async () => {
      result = await vscode.commands.executeCommand(command);
    });
    return { effects, result };
  };

  it('is in the table of this test', () => {
    assert.deepEqual(Object.keys(shown).sort(), contributed.map(({ command }) => command).sort());
  });

  for (const command of quiet) {
    it(`says what is missing, or asks for it: ${command}`, async () => {
      const { effects } = await run(command);
      assert.equal(effects.length, 1, JSON.stringify(effects));
      const wanted = shown[command];
      assert.ok(wanted instanceof RegExp);
      assert.match(effects[0]?.text ?? '', wanted);
    });
  }

  for (const command of refusedUntrusted) {
    it(`says that the workspace is not trusted: ${command}`, () =>
      inRestrictedMode(async () => {
        const { effects } = await run(command);
        assert.equal(effects.length, 1, JSON.stringify(effects));
        assert.match(effects[0]?.text ?? '', isUntrusted);
      }));
  }

  // At the end: the panel shows the messages of other commands while it is visible.
  for (const command of Object.keys(shown).filter((each) => shown[each] === 'opens')) {
    it(`opens what it names: ${command}`, async () => {
      const before = vscode.window.tabGroups.activeTabGroup.activeTab;
      const { effects, result } = await run(command);
      assert.deepEqual(effects, []);
      assert.ok((result as { readonly ok?: boolean } | undefined | null)?.ok !== false);
      const isEditor = [
        'svc.showPolicy',
        'svc.auditLog.open',
        'svc.showFirstSteps',
        'svc.openSettings',
        'svc.showAccessibilityHelp',
      ].includes(command);
      if (!isEditor) return;
      await until(
        vscode.window.tabGroups.onDidChangeTabs,
        () => vscode.window.tabGroups.activeTabGroup.activeTab !== before,
      );
    });
  }
});
