import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Acceptance } from '../../../src/features/edits/vscode/changes/acceptance.ts';
import { Changes } from '../../../src/features/edits/vscode/changes/changes.ts';
import type { ProposedFiles } from '../../../src/features/tools/vscode/own/tool.ts';
import { requireManaged } from '../../../src/gate/admit.ts';
import type { Feature } from '../../../src/policy/managed/managedPolicy.ts';
import type { ChangedFileView, ChangesView } from '../../../src/protocol/changesView.ts';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { Emitter } from '../../../src/util/event.ts';
import { inForce } from '../../tools/managedPolicy.ts';
import { withProperty } from './dialogs.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
// Each test has its own folder: VS Code keeps the text of a file for a while after it was deleted.
let count = 0;
const named = (name: string): string => `sets${count}/${name}`;
const at = (name: string): string => join(folder.fsPath, named(name));
const read = (name: string): string => readFileSync(at(name), 'utf8');
const first = 'a\nb\nc\nd\ne\nf\ng\n';

/** The changes of the panel, with a conversation and diffs of the test. */
describe('proposed changes that the panel shows', () => {
  let changes: Changes;
  let proposed: ProposedFiles;
  let requiresReview: boolean;
  let disabledFeatures: readonly Feature[];
  let opened: string[];
  let audited: AuditEntry[];
  const session = { conversation: { id: 'one', turns: [] }, isBusy: false, onDidChange: new Emitter<never>().event };

  beforeEach(() => {
    count += 1;
    mkdirSync(at(''), { recursive: true });
    writeFileSync(at('a.ts'), first);
    [requiresReview, disabledFeatures, opened, audited] = [false, [], [], []];
    session.conversation.id = 'one';
    const note = async (entry: AuditEntry): Promise<void> => void audited.push(entry);
    changes = new Changes({
      session: session as never,
      proposals: {
        open: async (target) => {
          opened.push(target.kind === 'document' ? target.document.uri.path : target.kind);
        },
        refresh: async () => undefined,
      },
      acceptance: new Acceptance({
        audit: { record: note, note },
        onAccepted: async () => undefined,
        isAuditRequired: () => false,
        conversation: () => session.conversation.id,
      }),
      policy: {
        get requiresReview() {
          return requiresReview;
        },
        requireFeature: (feature) => requireManaged(inForce({ disabledFeatures }), feature),
        onDidChange: () => new vscode.Disposable(() => undefined),
      },
    });
    proposed = changes.proposedIn('one');
  });
  afterEach(async () => {
    changes.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(at(''), { recursive: true, force: true });
  });

  const view = (): ChangesView => changes.view() ?? assert.fail('nothing is shown');
  const file = (name: string): ChangedFileView =>
    view().files.findLast(({ path }) => path === named(name)) ?? assert.fail(`${name} is not shown`);
  const edit = async (oldString: string, newString: string): Promise<void> => {
    proposed.noteRead(vscode.Uri.file(at('a.ts')), null);
    await proposed.edit({ path: named('a.ts'), oldString, newString });
  };
  const decide = (name: string, decision: 'accept' | 'reject'): Promise<void> => {
    const { id, version } = file(name);
    return changes.decide(id, version, decision);
  };
  const others = /^Error: Nothing was decided: these are not the changes that were shown/;
  const refuses = (deciding: Promise<unknown>, words: RegExp): Promise<void> =>
    assert.rejects(deciding, (error) => words.test(`Error: ${(error as Error).message}`));

  it('changes are accepted after the diff of each file was open, if the managed policy requires it', async () => {
    requiresReview = true;
    await edit('c', 'C');
    await proposed.write(named('new.ts'), 'new\n');
    assert.deepEqual(
      view().files.map(({ mustReview }) => mustReview),
      [true, true],
    );
    for (const deciding of [() => decide('a.ts', 'accept'), () => changes.decideAll('accept', view().shown)])
      await refuses(deciding(), /managed policy requires that you open these diffs first: .*a\.ts/);
    assert.deepEqual([read('a.ts'), audited], [first, []]);
    await changes.open(file('a.ts').id);
    assert.deepEqual([file('a.ts').mustReview, file('new.ts').mustReview], [undefined, true]);
    await refuses(changes.decideAll('accept'), /diffs first: \S*new\.ts$/);
    assert.equal(read('a.ts'), first);
    // What is proposed after that was not in the diff.
    await edit('g', 'G');
    assert.equal(file('a.ts').mustReview, true);
    await refuses(decide('a.ts', 'accept'), /diffs first: \S*a\.ts$/);
    await changes.open(file('a.ts').id);
    await decide('a.ts', 'accept');
    assert.equal(read('a.ts'), first.replace('c', 'C').replace('g', 'G'));
    await decide('new.ts', 'reject');
    assert.equal(opened.length, 2);
  });

  const turnedOff = /Your administrator has turned this off\. Turned off by the managed policy: changes\./;

  it('changes that wait are neither written nor carried over if the administrator turns changes off', async () => {
    await edit('c', 'C');
    await decide('a.ts', 'accept');
    const written = first.replace('c', 'C');
    await edit('g', 'G');
    await proposed.write(named('new.ts'), 'new\n');
    disabledFeatures = ['changes'];
    await refuses(decide('a.ts', 'accept'), turnedOff);
    await refuses(changes.decideAll('accept'), turnedOff);
    writeFileSync(at('a.ts'), `own\n${written}`);
    disabledFeatures = [];
    await refuses(decide('a.ts', 'accept'), /have changed since/);
    disabledFeatures = ['changes'];
    const { id, version, canCarryOver } = file('a.ts');
    assert.equal(canCarryOver, true);
    await refuses(changes.carryOver(id, version), turnedOff);
    assert.deepEqual([file('a.ts').state, opened], ['stale', []]);
    writeFileSync(at('a.ts'), written);
    // What is written can be undone, and what waits can be rejected.
    assert.equal(await changes.undo(), true);
    await changes.decideAll('reject');
    assert.deepEqual([read('a.ts'), file('new.ts').state], [first, 'rejected']);
  });

  it('files are not deleted if the administrator changes the policy while the user is asked', async () => {
    await proposed.delete(named('a.ts'));
    const answer = (change: () => void) => async (): Promise<string> => {
      change();
      return 'Delete';
    };
    const askedThen = (change: () => void, words: RegExp): Promise<void> =>
      withProperty(
        ({ window }) => window,
        'showWarningMessage',
        { configurable: true, value: answer(change) },
        () => refuses(decide('a.ts', 'accept'), words),
      );
    await askedThen(() => {
      disabledFeatures = ['changes'];
    }, turnedOff);
    disabledFeatures = [];
    await askedThen(() => {
      requiresReview = true;
    }, /requires that you open these diffs first/);
    assert.deepEqual([read('a.ts'), audited], [first, []]);
  });

  it('changes are not decided if more was proposed in the meantime', async () => {
    await edit('c', 'C');
    const { id, version } = file('a.ts');
    const { shown } = view();
    await edit('g', 'G');
    for (const decision of ['accept', 'reject'] as const) {
      await refuses(changes.decide(id, version, decision), others);
      await refuses(changes.decideAll(decision, shown), others);
    }
    assert.deepEqual([read('a.ts'), file('a.ts').state], [first, 'proposed']);
    let drawn = 0;
    const listening = changes.onDidChange(() => {
      drawn += 1;
    });
    await refuses(changes.decideAll('accept', shown), others);
    listening.dispose();
    assert.equal(drawn, 1, 'the page shows the present state then');
    await changes.decideAll('accept', view().shown);
    assert.equal(read('a.ts'), first.replace('c', 'C').replace('g', 'G'));
    assert.equal(file('a.ts').state, 'accepted');
  });

  it('changes are not decided in place of those of another conversation', async () => {
    await edit('c', 'C');
    const { id, version } = file('a.ts');
    const { shown } = view();
    session.conversation.id = 'two';
    await changes.proposedIn('two').write(named('new.ts'), 'new\n');
    await refuses(changes.decide(id, version, 'accept'), others);
    await refuses(changes.decideAll('accept', shown), others);
    await changes.decideAll('accept', view().shown);
    const written = view().shown;
    session.conversation.id = 'one';
    await refuses(changes.undo(written), others);
    session.conversation.id = 'two';
    await refuses(changes.undo(shown), others);
    assert.deepEqual([read('a.ts'), read('new.ts')], [first, 'new\n']);
    assert.equal(await changes.undo(written), true);
  });

  it('two clicks decide a change once, and undo one accept', async () => {
    await edit('c', 'C');
    const { id, version } = file('a.ts');
    await Promise.all([changes.decide(id, version, 'accept'), changes.decide(id, version, 'accept')]);
    await proposed.write(named('new.ts'), 'new\n');
    const { shown: all } = view();
    await Promise.all([changes.decideAll('accept', all), changes.decideAll('accept', all)]);
    assert.equal(audited.filter(({ kind }) => kind === 'changes-accept').length, 2);
    const { shown } = view();
    const [undone, again] = await Promise.allSettled([changes.undo(shown), changes.undo(shown)]);
    assert.deepEqual([undone.status, again.status], ['fulfilled', 'rejected']);
    assert.equal(read('a.ts'), first.replace('c', 'C'));
  });

  it('changes of files that have changed are carried over to the present text, and shown there', async () => {
    await edit('c', 'C');
    await edit('g', 'G');
    writeFileSync(at('a.ts'), `own\n${first}`);
    await refuses(decide('a.ts', 'accept'), /have changed since/);
    const { id, version, state, canCarryOver } = file('a.ts');
    assert.deepEqual([state, canCarryOver, opened], ['stale', true, []]);
    await refuses(changes.carryOver(id, version + 1), others);
    requiresReview = true;
    await changes.carryOver(id, version);
    assert.deepEqual([file('a.ts').state, file('a.ts').added, file('a.ts').removed], ['proposed', 2, 2]);
    assert.equal(opened.length, 1, 'its diff is open');
    assert.equal(read('a.ts'), `own\n${first}`);
    // The page still shows the outdated file.
    await refuses(changes.decide(id, version, 'accept'), others);
    await decide('a.ts', 'accept');
    assert.equal(read('a.ts'), `own\n${first.replace('c', 'C').replace('g', 'G')}`);
    assert.equal(await changes.undo(), true);
    assert.equal(read('a.ts'), `own\n${first}`);
  });

  it('changes without exactly one place in the present text stay outdated', async () => {
    await edit('c', 'C');
    await edit('g', 'G');
    writeFileSync(at('a.ts'), first.replace('f', 'own'));
    await refuses(decide('a.ts', 'accept'), /have changed since/);
    const { id, version } = file('a.ts');
    await refuses(changes.carryOver(id, version), /cannot be carried over: not each part of it has exactly one place/);
    assert.deepEqual([file('a.ts').state, opened], ['stale', []]);
    writeFileSync(at('a.ts'), first);
    await decide('a.ts', 'accept');
    assert.equal(read('a.ts'), first.replace('c', 'C').replace('g', 'G'));
    // A new file, and a deletion, are not carried over.
    await proposed.write(named('new.ts'), 'new\n');
    writeFileSync(at('new.ts'), 'own\n');
    await refuses(decide('new.ts', 'accept'), /have changed since/);
    assert.equal(file('new.ts').canCarryOver, undefined);
    await changes.carryOver(file('new.ts').id, file('new.ts').version);
    assert.equal(file('new.ts').state, 'stale');
  });

  it('the deletion of a file that is not text is named as such, and can be shown', async () => {
    writeFileSync(at('logo.png'), Uint8Array.from([0, 1, 2, 255, 0, 10, 13]));
    await proposed.delete(named('logo.png'));
    const { note, added, removed, id } = file('logo.png');
    assert.deepEqual([note, added, removed], ['deleted · binary file', 0, 0]);
    await changes.open(id);
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /logo\.png/);
  });
});
