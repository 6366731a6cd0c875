import * as vscode from 'vscode';
import { type Content, joinOf } from '../../../gate/content.ts';
import { type GitRepository, gitState, repositoryName } from '../../../platform/git/api.ts';
import { folderOf } from '../../../platform/settings/settingsReader.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { ServiceError } from '../../../util/errors.ts';
import { nothingIn } from './gather.ts';
import { type Diffs, readDiffs } from './git/diffs.ts';
import type { LeftOut, LeftOutReason } from './git/fileDiff.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

export type DiffKind = 'staged' | 'all';

/** A git diff, file by file. Excluded files are left out, and the attachment states this. */
export function diffSource(kind: DiffKind): ContextSource {
  const label = kind === 'staged' ? t('git diff (staged)') : t('git diff (all)');
  return {
    key: `diff:${kind}`,
    label,
    icon: 'diff',
    async read() {
      const state = await gitState();
      if (state.is === 'off') throw new ServiceError('gate', 'Git cannot be used.', { code: 'git-off' });
      if (state.is === 'no-repository') {
        throw new ServiceError('gate', 'There is no repository.', { code: 'no-repository' });
      }
      const { program, repositories } = state;
      const isSingle = repositories.length === 1;
      const read = await Promise.all(
        repositories.map(async (repository) => ({
          repository,
          diffs: await readDiffs(program, repository, kind),
        })),
      );
      const attachments = read.flatMap(({ repository, diffs }) => {
        const name = isSingle ? label : `${label}: ${repositoryName(repository)}`;
        return attachmentOf(diffs, name, repository) ?? [];
      });
      if (attachments.length === 0) throw nothingIn(label);
      const note = noteOf(read.map(({ diffs }) => diffs));
      return { attachments, ...(note === '' ? {} : { note }) };
    },
  };
}

/** Returns the diff of a repository as an attachment, or null if nothing differs. */
function attachmentOf({ files, leftOut, beyond }: Diffs, label: string, { rootUri }: GitRepository): Attachment | null {
  const notes = [...leftOutNotes(leftOut), ...(beyond === 0 ? [] : [[`[cut: ${beyond} more files differ]`]])];
  if (files.length + notes.length === 0) return null;
  const lines = notes.flatMap((note, index) => (index === 0 ? note : ['\n', ...note]));
  const { text, marks, covers } = joinOf([...files.map(({ diff }) => diff), ...lines]);
  const uri = rootUri.toString();
  return { label, uri, firstLine: 1, languageId: 'diff', text, marks, covers, folder: folderOf(rootUri) };
}

/**
 * Notes for the model, one line each: names where allowed, counts of excluded files and of entries that are not files.
 */
function leftOutNotes(leftOut: readonly LeftOut[]): readonly (readonly (string | Content)[])[] {
  const named = leftOut.flatMap(({ reason, name }) =>
    name === null ? [] : [[`[left out, ${reasonNames[reason]}: `, name, ']']],
  );
  const counted = countedReasons.flatMap(([reason, what]) => {
    const count = leftOut.filter((one) => one.reason === reason && one.name === null).length;
    return count === 0 ? [] : [[`[left out: ${count} ${what}]`]];
  });
  return [...named, ...counted];
}

const reasonNames: Readonly<Record<LeftOutReason, string>> = {
  binary: 'binary',
  'too-large': 'larger than 1 MiB or 100,000 lines',
  unreadable: 'it cannot be read',
  conflict: 'a conflict that is not resolved',
  link: 'a link',
  submodule: 'a submodule',
  excluded: 'it may not be sent',
};

const countedReasons: readonly (readonly [LeftOutReason, string])[] = [
  ['submodule', 'submodules'],
  ['link', 'links'],
  ['unreadable', 'files whose names cannot be read'],
  ['excluded', 'files that may not be sent'],
];

/** A short note for the user. */
function noteOf(diffs: readonly Diffs[]): string {
  const sum = (count: (one: Diffs) => number): number => diffs.reduce((all, one) => all + count(one), 0);
  const leftOut = sum((one) => one.leftOut.length);
  const beyond = sum((one) => one.beyond);
  const parts = [
    ...(leftOut === 0 ? [] : [t('{0} left out', leftOut)]),
    ...(beyond === 0 ? [] : [t('{0} more files left out', beyond)]),
  ];
  return parts.join(', ');
}
