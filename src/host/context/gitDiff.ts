import * as vscode from 'vscode';
import { joinOf } from '../../gate/content.ts';
import type { Attachment } from '../../session/conversation.ts';
import { ServiceError } from '../../util/errors.ts';
import type { ReadFiles } from '../exclusions.ts';
import { folderOf } from '../settingsReader.ts';
import { coveredBy, eachOf, nothingIn, type WhyExcluded } from './gather.ts';
import { type GitChange, type GitRepository, gitState } from './gitApi.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

/** `staged`: what the next commit would hold. `all`: all that differs from the last commit, in files git knows. */
export type DiffKind = 'staged' | 'all';

/** The diffs of more files than this are not read. */
const maxFiles = 300;
/** As many processes of git run at a time. */
const atATime = 6;

/** A git diff, file by file: what may not leave is left out, and is said to be. */
export function diffSource(kind: DiffKind, whyExcluded: WhyExcluded): ContextSource {
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
      const isOne = state.repositories.length === 1;
      const diffs = await Promise.all(
        state.repositories.map((repository) =>
          readDiff(repository, kind, isOne ? label : `${label}: ${nameOf(repository)}`, whyExcluded),
        ),
      );
      const leftOut = diffs.reduce((sum, diff) => sum + diff.leftOut, 0);
      const attachments = diffs.flatMap(({ attachment }) => attachment ?? []);
      if (attachments.length === 0 && leftOut === 0) throw nothingIn(label);
      const cut = diffs.some(({ isCut }) => isCut) ? t('the first {0} files', maxFiles) : undefined;
      const note = [leftOut === 0 ? undefined : t('{0} left out', leftOut), cut].filter((part) => part !== undefined);
      return { attachments, ...(note.length === 0 ? {} : { note: note.join(', ') }) };
    },
  };
}

interface Diff {
  /** null where nothing differs. */
  readonly attachment: Attachment | null;
  readonly leftOut: number;
  readonly isCut: boolean;
}

async function readDiff(
  repository: GitRepository,
  kind: DiffKind,
  label: string,
  whyExcluded: WhyExcluded,
): Promise<Diff> {
  // Not diffWithHEAD(): it lists what differs from the index.
  const changes = kind === 'staged' ? await repository.diffIndexWithHEAD() : await repository.diffWith('HEAD');
  const known: ReadFiles = new Map();
  const looked = await eachOf(changes.slice(0, maxFiles), atATime, async (change) => ({
    change,
    mayLeave: await mayLeave(change, whyExcluded, known),
  }));
  const kept = looked.flatMap(({ change, mayLeave: may }) => (may ? [change] : []));
  const texts = await eachOf(kept, atATime, ({ uri, renameUri }) => {
    const { fsPath } = renameUri ?? uri;
    return kind === 'staged' ? repository.diffIndexWithHEAD(fsPath) : repository.diffWith('HEAD', fsPath);
  });
  const leftOut = looked.length - kept.length;
  const isCut = changes.length > maxFiles;
  const lines = [
    ...texts.map((text) => text.trimEnd()),
    ...(leftOut === 0 ? [] : [`[left out: ${leftOut} files that may not leave]`]),
    ...(isCut ? [`[cut: ${changes.length - maxFiles} more files differ]`] : []),
  ];
  if (lines.length === 0) return { attachment: null, leftOut, isCut };
  const { rootUri } = repository;
  const attachment: Attachment = {
    label,
    uri: rootUri.toString(),
    firstLine: 1,
    languageId: 'diff',
    text: joinOf([lines.join('\n')]).text,
    folder: folderOf(rootUri),
    covers: kept.flatMap(filesOf).map(coveredBy),
  };
  return { attachment, leftOut, isCut };
}

/** What lies outside of all workspace folders has no rules that could be asked: it stays. */
async function mayLeave(change: GitChange, whyExcluded: WhyExcluded, known: ReadFiles): Promise<boolean> {
  for (const file of filesOf(change)) {
    if (folderOf(file) === null || (await whyExcluded(file.toString(), known)) !== null) return false;
  }
  return true;
}

/** A change may tell of a file under two names. */
function filesOf({ uri, originalUri, renameUri }: GitChange): readonly vscode.Uri[] {
  const all = [uri, originalUri, ...(renameUri === undefined ? [] : [renameUri])];
  return [...new Map(all.map((file) => [file.toString(), file])).values()];
}

function nameOf({ rootUri }: GitRepository): string {
  return rootUri.path.slice(rootUri.path.lastIndexOf('/') + 1);
}
