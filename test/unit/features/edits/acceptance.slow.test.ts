import assert from 'node:assert/strict';
import { ChangeSet, type FileChange } from '../../../../src/features/edits/common/changeSet.ts';
import type { Files } from '../../../../src/features/edits/common/writeChanges.ts';
import type { WritableChanges } from '../../../../src/features/edits/vscode/changes/writableChanges.ts';
import type { AuditEntry } from '../../../../src/send/audit.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { MemoryFiles } from '../../../tools/memoryFiles.ts';

type Module = typeof import('../../../../src/features/edits/vscode/changes/acceptance.ts');

type KeptFile = Awaited<ReturnType<WritableChanges['files']['keep']>>;

/** Files in memory, with their bytes for an undo. */
function kept(memory: MemoryFiles): Files<NonNullable<KeptFile>> {
  return {
    lines: (path) => memory.lines(path),
    digest: (path) => memory.digest(path),
    watch: (path) => memory.watch(path),
    write: (...of) => memory.write(...of),
    rename: (...of) => memory.rename(...of),
    delete: (path) => memory.delete(path),
    settle: () => memory.settle(),
    keep: async (path) => ({ bytes: Buffer.from((await memory.keep(path)) ?? ''), unsaved: null, mode: null }),
    restore: (path, file) => memory.restore(path, file && Buffer.from(file.bytes).toString()),
  };
}

describe('the acceptance of changes', () => {
  let made: Module;
  before(async () => {
    made = await hostModule<Module>('src/features/edits/vscode/changes/acceptance.ts', 'en');
  });

  const stage = ({ isAuditRequired = false, mustRecord = false, conversation = (): string => 'one' } = {}) => {
    const records: AuditEntry[] = [];
    const state = { isLogBroken: false };
    const record = async (entry: AuditEntry): Promise<void> => {
      if (state.isLogBroken) throw new ServiceError('gate', 'disk full', { code: 'audit-unwritable', file: '/log' });
      records.push(entry);
    };
    const acceptance = new made.Acceptance({
      audit: { record, note: (entry) => record(entry).catch(() => undefined) },
      onAccepted: async () => undefined,
      isAuditRequired: () => isAuditRequired,
      conversation,
    });
    const files = new MemoryFiles({ 'a.ts': 'one\n' });
    const propose = (path = 'a.ts'): { readonly changes: WritableChanges } => {
      const set = new ChangeSet({ ignoresCase: false });
      set.write(path, ['two', ''], files.linesNow(path));
      const changes: WritableChanges = {
        ...{ id: 'set', set, files: kept(files), mustRecord },
        isShown: () => true,
        fileOf: () => undefined,
        sourceOf: () => ({}),
        languageOf: () => 'typescript',
      };
      return { changes };
    };
    const accept = ({ changes }: ReturnType<typeof propose>): Promise<string> =>
      acceptance.next(() => acceptance.write(changes, [{ change: changes.set.changes[0] ?? assert.fail() }]));
    const undo = (): Promise<boolean> => acceptance.next(() => acceptance.undo());
    return { acceptance, state, records, files, propose, accept, undo };
  };

  it('writes nothing that cannot be recorded, where that is required', async () => {
    for (const required of [{ isAuditRequired: true }, { mustRecord: true }]) {
      const { state, files, propose, accept, undo } = stage(required);
      state.isLogBroken = true;
      assert.equal(await accept(propose()), 'Nothing was written: the audit log cannot be written.');
      assert.equal(files.texts.get('a.ts'), 'one\n');
      assert.equal(await undo(), false);
      state.isLogBroken = false;
      assert.equal(await accept(propose()), '');
      assert.equal(files.texts.get('a.ts'), 'two\n');
    }
  });

  it('writes the change of a diff without a record, where none is required', async () => {
    const { state, files, propose, accept, records } = stage();
    state.isLogBroken = true;
    assert.equal(await accept(propose()), '');
    assert.equal(files.texts.get('a.ts'), 'two\n');
    assert.deepEqual(records, []);
  });

  it('undoes one accept after the other, those of the conversation only, and none twice', async () => {
    let id = 'one';
    const { acceptance, files, propose, accept, records, undo } = stage({ conversation: () => id });
    await accept(propose());
    id = 'two';
    files.texts.set('a.ts', 'three\n');
    const { changes } = propose();
    await accept({ changes });
    assert.equal(acceptance.lastOf(changes)?.conversation, 'two');
    assert.deepEqual(await Promise.all([undo(), undo()]), [true, false]);
    assert.equal(files.texts.get('a.ts'), 'three\n');
    id = 'one';
    await assert.rejects(undo(), { message: 'a.ts has changed since, so it was not restored.' });
    assert.equal(files.texts.get('a.ts'), 'three\n');
    assert.equal(await undo(), false);
    assert.deepEqual(
      records.slice(-2).map((entry) => entry.kind === 'changes-undone' && [entry.files, entry.leftAlone]),
      [
        [1, 0],
        [0, 1],
      ],
    );
  });

  it('does not undo while the owner of the changes forbids it, and can do it later', async () => {
    const { acceptance, files, propose, accept, undo } = stage();
    let why: string | null = null;
    const { changes } = propose();
    const guarded = { ...changes, whyNot: () => why };
    await accept({ changes: guarded });
    why = 'Wait.';
    assert.equal(acceptance.whyNot(guarded, 'reject'), 'Wait.');
    await assert.rejects(undo(), { message: 'Wait.' });
    why = null;
    assert.equal(await undo(), true);
    assert.equal(files.texts.get('a.ts'), 'one\n');
  });

  it('writes nothing if the policy forbids it when the questions before it were answered', async () => {
    const { files, propose, accept, records } = stage();
    const { changes } = propose();
    const asked: unknown[] = [];
    const whyNot: WritableChanges['whyNot'] = (...of) => {
      asked.push(of);
      return 'Off.';
    };
    assert.equal(await accept({ changes: { ...changes, whyNot } }), 'Off.');
    assert.deepEqual([files.texts.get('a.ts'), records], ['one\n', []]);
    assert.deepEqual(asked, [['accept', changes.set.changes]]);
  });

  it('knows the files that can run in a build until their accept is undone, of single diffs, too', async () => {
    const { acceptance, files } = stage();
    const set = new ChangeSet({ ignoresCase: false });
    for (const path of ['package.json', 'b.ts', 'old.sh', 'gone.sh']) files.texts.set(path, 'one\n');
    for (const path of ['package.json', 'b.ts']) set.write(path, ['two', ''], files.linesNow(path));
    set.write('Makefile', ['all:', ''], null);
    set.rename('old.sh', 'new.sh', files.linesNow('old.sh'), false);
    set.delete('gone.sh', files.linesNow('gone.sh'));
    const changes: WritableChanges = {
      ...{ id: 'set', set, files: kept(files), mustRecord: false },
      isShown: () => true,
      fileOf: () => undefined,
      sourceOf: () => ({}),
      languageOf: () => 'typescript',
    };
    const [deletion, others] = [true, false].map((isDeletion) =>
      set.changes.filter(({ to }) => (to === null) === isDeletion),
    );
    assert.deepEqual([deletion?.length, others?.length, acceptance.buildFiles.written], [1, 4, []]);
    const accept = (chosen: readonly FileChange[] = []): Promise<string> =>
      acceptance.next(() =>
        acceptance.write(
          changes,
          chosen.map((change) => ({ change })),
        ),
      );
    assert.equal(await accept(others), '');
    assert.deepEqual(acceptance.buildFiles.written, ['package.json', 'Makefile', 'new.sh']);
    files.texts.set('Makefile', 'own\n');
    await assert.rejects(acceptance.undo(), { message: 'Makefile has changed since, so it was not restored.' });
    assert.deepEqual(acceptance.buildFiles.written, ['Makefile']);
  });

  it('no longer knows a file that can run in a build after an undo, even if the file was renamed before', async () => {
    const { acceptance, files, propose, accept, undo } = stage();
    let path = 'build.sh';
    const acceptOne = async (): Promise<void> => {
      files.texts.set(path, 'one\n');
      const { changes } = propose(path);
      assert.equal(await accept({ changes: { ...changes, pathOf: () => path } }), '');
    };
    await acceptOne();
    assert.deepEqual(acceptance.buildFiles.written, ['build.sh']);
    path = 'run.sh';
    assert.equal(await undo(), true);
    assert.deepEqual(acceptance.buildFiles.written, []);
    await acceptOne();
    assert.deepEqual(acceptance.buildFiles.written, ['run.sh']);
  });

  it('can undo the last 100 accepts, and no more than fits into 64 MiB', async () => {
    const undoable = async (accepts: number, text: string): Promise<number> => {
      const { files, propose, accept, undo } = stage();
      for (let at = 0; at < accepts; at += 1) {
        files.texts.set('a.ts', text);
        await accept(propose());
      }
      for (let undone = 0; ; undone += 1) {
        files.texts.set('a.ts', 'two\n');
        if (!(await undo())) return undone;
        assert.equal(files.texts.get('a.ts'), text);
      }
    };
    assert.equal(await undoable(103, 'one\n'), 100);
    const mebibytes = (count: number): string => 'x'.repeat(count * 1024 * 1024);
    assert.equal(await undoable(4, mebibytes(30)), 2);
    assert.equal(await undoable(2, mebibytes(65)), 1);
  });

  it('rejects hunks that are open, and records it when no part of the change is open', async () => {
    const { acceptance, propose, records } = stage();
    const { changes } = propose();
    const [change] = changes.set.changes;
    assert.ok(change !== undefined);
    await acceptance.rejectHunks({ changes, change }, change.draft.hunks);
    await acceptance.rejectHunks({ changes, change }, change.draft.hunks);
    assert.deepEqual(records, [{ kind: 'changes-rejected', set: 'set', files: 1 }]);
  });
});
