import * as vscode from 'vscode';
import { type Content, joinOf } from '../../../../gate/content.ts';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import { attachmentOf, withSecretsOf } from '../../../../platform/sources/attach.ts';
import { makeContent } from '../../../../platform/sources/maker.ts';
import { nothingIn } from '../../../context/vscode/gather.ts';
import { problemLines } from '../../../context/vscode/problems.ts';
import type { ContextSource } from '../../../context/vscode/source.ts';
import { type FileChange, kindOf } from '../../common/changeSet.ts';
import { decidedLines } from '../../common/decidedLines.ts';
import type { ConversationChanges } from './conversationChanges.ts';
import { fileOfChange } from './fileToChange.ts';
import { decisionsPrefix } from './panelChanges.ts';

const t = vscode.l10n.t;

/** The maximum number of problems of a file. */
const maxProblems = 20;

const intro =
  'What the user has decided about the changes that you proposed, and the problems that VS Code reports now:';

/**
 * The decisions of the user since the model was told last, with the problems of the files. A file that may not be sent now is
 * left out, and so is its name.
 */
export function decisionsSource(changes: ConversationChanges): ContextSource {
  const label = t('decisions on changes');
  return {
    key: `${decisionsPrefix}${changes.id}`,
    label,
    icon: 'diff-multiple',
    isDecisions: true,
    async read() {
      const read = await Promise.all(changes.untold.map((change) => contentOf(changes, change)));
      const files = read.filter((content) => content !== null);
      const leftOut = read.length - files.length;
      const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
      if (uri === undefined || read.length === 0) throw nothingIn(label);
      const lines = [intro, ...files, ...(leftOut === 0 ? [] : [`[left out: ${leftOut} files that may not be sent]`])];
      const content = joinOf(lines.flatMap((line, index) => (index === 0 ? [line] : ['\n', line])));
      const attachment = attachmentOf({ ok: true, content }, { label, uri, languageId: 'plaintext' });
      return { attachments: [attachment], ...(leftOut === 0 ? {} : { note: t('{0} left out', leftOut) }) };
    },
  };
}

/** Describes a change. Returns null if one of its files may not be sent, or no longer be changed. */
async function contentOf(changes: ConversationChanges, change: FileChange): Promise<Content | null> {
  const paths = [change.from, change.to].filter((path) => path !== null);
  try {
    const uris = await Promise.all([...new Set(paths)].map(fileOfChange));
    const now = await linesNow(changes, change);
    const text = (): string => textOf(changes, change, { uris, now });
    const made = await withSecretsOf(await makeContent(uris, text, { outside: 'refuse' }), now?.join('\n') ?? '');
    return made.ok ? made.content : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The lines that the file of a change has now. */
async function linesNow(changes: ConversationChanges, change: FileChange): Promise<readonly string[] | null> {
  const { from, to } = change;
  const isAtNewName = changes.stateOf(change) === 'accepted';
  const path = (isAtNewName ? to : from) ?? to ?? from ?? '';
  return changes.files.lines(path).catch(() => null);
}

interface Now {
  readonly uris: readonly vscode.Uri[];
  readonly now: readonly string[] | null;
}

function textOf(changes: ConversationChanges, change: FileChange, { uris, now }: Now): string {
  const problems = uris.flatMap((uri) => problemLines(uri, relativePath(uri), maxProblems));
  // A message of several lines must not look like a decision.
  const indented = problems.map((line) => `  ${line.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ')}`);
  return [`${nameOf(change)}: ${wordsOf(changes, change, now)}`, ...indented].join('\n');
}

function nameOf(change: FileChange): string {
  const { from, to } = change;
  switch (kindOf(change)) {
    case 'edit':
      return from ?? '';
    case 'create':
      return `${to} (new file)`;
    case 'delete':
      return `${from} (deletion)`;
    case 'rename':
      return `${from} (new name ${to})`;
  }
}

function wordsOf(changes: ConversationChanges, change: FileChange, now: readonly string[] | null): string {
  const state = changes.stateOf(change);
  const kind = kindOf(change);
  if (state === 'undone') return 'accepted, then undone';
  if (kind === 'create' || kind === 'delete' || now === null) return stateWords[state];
  const { accepted, rejected, open } = decidedLines(change, now);
  const parts = [
    ...(kind === 'rename' ? [stateWords[state]] : []),
    ...(accepted === '' ? [] : [`accepted ${accepted}`]),
    ...(rejected === '' ? [] : [`rejected the change of ${rejected}`]),
    ...(open === '' ? [] : [`not decided about the change of ${open}`]),
  ];
  return parts.length === 0 ? stateWords[state] : parts.join('; ');
}

const stateWords = {
  accepted: 'accepted',
  rejected: 'rejected',
  proposed: 'not decided',
  stale: 'not decided, and the file has changed since',
} as const;
