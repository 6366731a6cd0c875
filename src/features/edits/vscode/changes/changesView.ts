import * as vscode from 'vscode';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import { foreignText } from '../../../../platform/messages/foreignText.ts';
import type { ChangedFileView, ChangesView } from '../../../../protocol/changesView.ts';
import { isBinary } from '../../common/binaryFile.ts';
import { canRunInBuild } from '../../common/canRunInBuild.ts';
import { changedLines, lineCount } from '../../common/changedLines.ts';
import { canCarryOver, type FileChange, isOpen, kindOf } from '../../common/changeSet.ts';
import { hunksOf } from '../../common/hunks.ts';
import type { ConversationChanges } from './conversationChanges.ts';
import type { UndoableAccept } from './undoStack.ts';

const t = vscode.l10n.t;

interface Shown {
  readonly requiresReview: boolean;
  /** The last accept that can be undone. */
  readonly last: UndoableAccept | undefined;
}

/** The changes of a conversation as the panel shows them; undefined if there are none. */
export function viewChanges(
  changes: ConversationChanges,
  { canDecide, requiresReview, last }: Pick<ChangesView, 'canDecide'> & Shown,
): ChangesView | undefined {
  const { set, open } = changes;
  if (set.changes.length === 0) return undefined;
  const files = set.changes.map((change) => viewFile(changes, change, requiresReview));
  return {
    shown: changes.shown,
    title: titleOf(
      files,
      set.changes.some((change) => changes.isWritten(change)),
    ),
    files,
    canDecide,
    hasOpen: open.length > 0,
    ...(last === undefined ? {} : { undo: t('Undo Accept (Files: {0})', last.changes.length) }),
  };
}

function titleOf(files: readonly ChangedFileView[], isWritten: boolean): string {
  const open = files.filter(({ state }) => state === 'proposed' || state === 'stale');
  const [added, removed] = (['added', 'removed'] as const).map((side) =>
    describeNumber(open.reduce((sum, file) => sum + file[side], 0)),
  );
  const parts = [
    open.length === 0
      ? ''
      : t('Files with proposed changes: {0} (+{1} −{2}).', open.length, added ?? '', removed ?? ''),
    ...(['accepted', 'rejected', 'undone'] as const).map((state) => {
      const count = files.filter((file) => file.state === state).length;
      return count === 0 ? '' : countWords(state, count);
    }),
    isWritten || files.some(({ state }) => state === 'undone') ? '' : t('Nothing has been written.'),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function countWords(state: 'accepted' | 'rejected' | 'undone', count: number): string {
  switch (state) {
    case 'accepted':
      return t('Written: {0}.', count);
    case 'rejected':
      return t('Rejected: {0}.', count);
    case 'undone':
      return t('Undone: {0}.', count);
  }
}

function viewFile(changes: ConversationChanges, change: FileChange, requiresReview: boolean): ChangedFileView {
  const { from, to } = change;
  const kind = kindOf(change);
  const path = shown(to ?? from ?? '');
  const { added, removed } = isOpen(change) ? changedLines({ change }) : decidedLines(change);
  return {
    id: changes.idOf(change),
    version: changes.versionOf(change),
    kind,
    path,
    ...(kind === 'rename' && from !== null ? { from: shown(from) } : {}),
    added,
    removed,
    state: changes.stateOf(change),
    ...(canCarryOver(change) ? { canCarryOver: true } : {}),
    ...(requiresReview && change.state === 'proposed' && !changes.isShown(change) ? { mustReview: true } : {}),
    note: [
      kindWords(change),
      isBinary(change.draft.original) ? t('binary file') : '',
      canRunInBuild(to ?? from ?? '') ? t('can run in a build') : '',
    ]
      .filter((one) => one !== '')
      .join(' · '),
    label: t('{0}, added lines: {1}, removed lines: {2}', path, added, removed),
  };
}

/** Counts the lines that were written. */
function decidedLines({ from, to, draft }: FileChange): { readonly added: number; readonly removed: number } {
  const hunks = from === null || to === null ? [] : hunksOf(draft.first, draft.original);
  return {
    added:
      from === null
        ? lineCount(draft.original)
        : hunks.reduce((sum, hunk) => sum + hunk.proposedEnd - hunk.proposedStart, 0),
    removed: to === null ? lineCount(draft.original) : hunks.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

function kindWords(change: FileChange): string {
  switch (kindOf(change)) {
    case 'edit':
      return '';
    case 'create':
      return t('new');
    case 'delete':
      return t('deleted');
    case 'rename':
      return t('renamed from {0}', shown(change.from ?? ''));
  }
}

/** A path that a model chose, for display. */
function shown(path: string): string {
  return foreignText(path, 400);
}
