import type { ChangedFileView, ChangesView } from '../../../src/protocol/changesView.ts';

// Proposed changes, with the texts of the host.

function file(given: Pick<ChangedFileView, 'kind' | 'path' | 'added' | 'removed'> & Partial<ChangedFileView>) {
  const note = given.note ?? '';
  const label = [given.path, note, `added lines: ${given.added}`, `removed lines: ${given.removed}`];
  return {
    id: given.path,
    version: 3,
    state: 'proposed' as const,
    note,
    label: label.filter((text) => text !== '').join(', '),
    ...given,
  } satisfies ChangedFileView;
}

const files: readonly ChangedFileView[] = [
  file({ kind: 'create', path: 'src/util/delay.ts', added: 31, removed: 0, note: 'new' }),
  file({ kind: 'delete', path: 'src/legacy/sleep.ts', added: 0, removed: 1_204, note: 'deleted' }),
  file({
    ...{ kind: 'rename', path: 'src/billing/invoices/paymentProvider.ts', from: 'src/billing/pay.ts' },
    ...{ added: 0, removed: 0, note: 'renamed from src/billing/pay.ts' },
  }),
  file({ kind: 'edit', path: 'package.json', added: 2, removed: 1, note: 'can run in a build' }),
  file({ kind: 'edit', path: 'src/client/retry.ts', added: 7, removed: 2, state: 'stale', canCarryOver: true }),
];

const shown = { set: 'set', version: 7 };

export const changes: ChangesView = {
  shown,
  title: 'Files with proposed changes: 5 (+40 −1,207). Nothing has been written.',
  files,
  canDecide: true,
  hasOpen: true,
};

/** The managed policy requires that two diffs are opened first. */
export const changesToReview: ChangesView = {
  ...changes,
  files: files.map((each) =>
    each.path === 'package.json' || each.kind === 'rename' ? { ...each, mustReview: true } : each,
  ),
};

/** All are decided. */
export const writtenChanges: ChangesView = {
  shown,
  title: 'Written: 4 files. Rejected: 1.',
  files: files.map((each) => ({ ...each, state: each.state === 'stale' ? 'rejected' : 'accepted' })),
  canDecide: true,
  hasOpen: false,
  undo: 'Undo 4 files',
};

/** Those of an earlier window. */
export const goneChanges: ChangesView = {
  shown: { set: '', version: 0 },
  title: 'The proposed changes were in memory and are gone. What you had not accepted was not written.',
  files: [],
  canDecide: false,
  hasOpen: false,
};

/** More than are visible at the same time, with long names, and some that are written. */
export const manyChanges: ChangesView = {
  shown,
  title: 'Files with proposed changes: 28 (+1,555 −30). Written: 5.',
  files: [
    ...files.map((each) => ({ ...each, state: 'accepted' as const })),
    file({ kind: 'edit', path: `${'deep/'.repeat(12)}${'LongName'.repeat(14)}.ts`, added: 1_204, removed: 3 }),
    ...Array.from({ length: 27 }, (_, at) =>
      file({
        kind: 'edit',
        path: `src/generated/part${at}.ts`,
        added: at,
        removed: 1,
        note: at % 2 === 0 ? '' : 'new',
      }),
    ),
  ],
  canDecide: true,
  hasOpen: true,
  undo: 'Undo 5 files',
};
