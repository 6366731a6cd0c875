import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { isOfGitExtension } from '../gitExtension.ts';

/**
 * The entry point of the suite inside an extension host, with the signature that VS Code's test runners expect: rejects
 * when a test failed. The results are also written to the file that SVC_TEST_RESULTS names, which outlives the host: with
 * the name of each test before it begins, and with null at the end.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: 90_000, reporter: 'spec', color: false });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  if (process.env.SVC_TEST_PLACE === 'virtual') await import('./virtual.test.ts');
  else if (process.env.SVC_TEST_PLACE === 'empty') await import('./emptyWindow.test.ts');
  else await importAll();
  // Runs a single suite during development: SVC_TEST_GREP=proposals.
  if (process.env.SVC_TEST_GREP !== undefined) mocha.grep(process.env.SVC_TEST_GREP);
  const failures: { title: string; message: string }[] = [];
  const passed: { title: string; ms: number }[] = [];
  const results = process.env.SVC_TEST_RESULTS;
  const write = (next: string | null): void => {
    if (results !== undefined) writeFileSync(results, JSON.stringify({ passed, failures, next }));
  };
  const failed = await new Promise<number>((resolve) => {
    const others = new Set(process.listeners('uncaughtException'));
    const runner = mocha.run(resolve);
    // VS Code's own extensions run in this host, too: what they do not catch is no failure of the test that runs. VS Code
    // wraps each listener, so that Mocha's is not found by its function.
    runner.once('start', () => {
      const added = process.listeners('uncaughtException').filter((listener) => !others.has(listener));
      for (const listener of added) process.off('uncaughtException', listener);
      process.on('uncaughtException', (error) => {
        if (!isOfGitExtension(error)) runner.uncaught(error);
      });
    });
    runner.on('test', (test) => write(test.fullTitle()));
    runner.on('pass', (test) => passed.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.on('fail', (test, error: Error) => {
      failures.push({ title: test.fullTitle(), message: `${error.stack ?? String(error)}\n${windowState()}` });
    });
  });
  write(null);
  if (failed > 0) throw new Error(`${failed} of the tests failed.`);
}

/** What a test that waited in vain had in front of it. */
function windowState(): string {
  const { activeTextEditor, tabGroups } = vscode.window;
  const tabs = tabGroups.all.flatMap(({ tabs }) =>
    tabs.map(({ label, isActive }) => (isActive ? `[${label}]` : label)),
  );
  return `in front: ${activeTextEditor?.document.uri ?? 'no editor'}; tabs: ${tabs.join(', ')}`;
}

/** Suites for a folder on the disk. */
async function importAll(): Promise<void> {
  // Before any suite creates a git repository.
  await import('./noRepository.test.ts');
  // Before the workspace is a git repository, and contains more than one.
  await import('./ignoreFiles.test.ts');
  await import('./oddFiles.test.ts');
  await import('./outdated.test.ts');
  await import('./excludedContent.test.ts');
  await import('./connect.test.ts');
  await import('./credentialHelper.test.ts');
  await import('./chat.test.ts');
  await import('./notebooks.test.ts');
  await import('./links.test.ts');
  await import('./commands.test.ts');
  await import('./generate.test.ts');
  await import('./edits.test.ts');
  await import('./provenance.test.ts');
  await import('./decisions.test.ts');
  await import('./movedFiles.test.ts');
  await import('./schemas.test.ts');
  await import('./answers.test.ts');
  await import('./applyAll.test.ts');
  await import('./workspaceFiles.test.ts');
  await import('./fileForBlock.test.ts');
  await import('./symbols.test.ts');
  await import('./refusedCode.test.ts');
  // Before the workspace becomes a git repository.
  await import('./waysIn.test.ts');
  await import('./context.test.ts');
  await import('./instructions.test.ts');
  await import('./currentFile.test.ts');
  await import('./editCommands.test.ts');
  await import('./relatedFiles.test.ts');
  await import('./askedWords.test.ts');
  await import('./gitDiff.test.ts');
  await import('./provenanceNotes.test.ts');
  await import('./network.test.ts');
  await import('./diagnose.test.ts');
  await import('./compliance.test.ts');
  await import('./deliveredPolicy.test.ts');
  await import('./auditKinds.test.ts');
  await import('./pageMarks.test.ts');
  await import('./keptOnDisk.test.ts');
  await import('./history.test.ts');
  await import('./panelChanges.test.ts');
  await import('./panelMessages.test.ts');
  await import('./starters.test.ts');
  await import('./waits.test.ts');
  await import('./inlineKept.test.ts');
  await import('./inlinePauses.test.ts');
  await import('./review.test.ts');
  await import('./modelList.test.ts');
  await import('./languageModel.test.ts');
  await import('./participant.test.ts');
  await import('./features.test.ts');
  await import('./tools.test.ts');
  await import('./changes.test.ts');
  await import('./changeSets.test.ts');
  await import('./modes.test.ts');
  await import('./goOn.test.ts');
  await import('./modeSteps.test.ts');
  await import('./undoneDiffs.test.ts');
  await import('./proposeAll.test.ts');
  await import('./runTask.test.ts');
  await import('./chooseTools.test.ts');
  await import('./selectModel.test.ts');
  await import('./places.test.ts');
  await import('./settings.test.ts');
  await import('./keys.test.ts');
  await import('./neighbor.test.ts');
}
