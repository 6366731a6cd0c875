import * as vscode from 'vscode';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { gitStateNow } from '../../../../platform/git/api.ts';
import { linesOf } from '../../../../platform/sources/attach.ts';
import { fileSource } from '../fileSource.ts';
import { openFiles } from '../files.ts';
import { type DiffKind, diffSource } from '../gitDiff.ts';
import { openEditorsSource } from '../openEditors.ts';
import { problemsSource } from '../problems.ts';
import type { Offer } from '../source.ts';
import { terminalSource } from '../terminal.ts';

const t = vscode.l10n.t;

/** An offer and the search words that match it, in addition to its label. */
interface Kind {
  readonly words: string;
  readonly offer: Offer;
}

/** The kinds of context currently available, besides files and folders by name. */
export async function offerKinds(query: string): Promise<readonly Offer[]> {
  const kinds = [...ofEditor(), ...(await ofGit()), ...ofTerminal(), ...ofWindow(), ...narrower()];
  // Words match only at their beginning, and the kinds keep their order: they precede the files, which match more
  // loosely.
  const fits = ({ words, offer }: Kind): boolean =>
    `${words} ${offer.label}`
      .toLowerCase()
      .split(/[\s(]+/)
      .some((word) => word.startsWith(query.toLowerCase()));
  return kinds.filter(fits).map(({ offer }) => offer);
}

function ofEditor(): readonly Kind[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return [];
  const { document, selection } = editor;
  const path = relativePath(document.uri);
  const kinds: Kind[] = [];
  if (!selection.isEmpty) {
    const detail = `${path}:${linesOf(selection)}`;
    const source = () => fileSource(document.uri, selection);
    kinds.push({ words: 'selection', offer: { label: t('Selection'), detail, icon: 'selection', source } });
  }
  const count = vscode.languages.getDiagnostics(document.uri).length;
  if (count > 0) {
    const detail = `${path} · ${count}`;
    const source = () => problemsSource(document.uri);
    kinds.push({ words: 'problems', offer: { label: t('Problems of the File'), detail, icon: 'warning', source } });
  }
  return kinds;
}

async function ofGit(): Promise<readonly Kind[]> {
  const { is } = await gitStateNow();
  const kind = (diff: DiffKind, label: string, detail: string): Kind => ({
    words: `diff ${diff} git`,
    offer: { label, icon: 'diff', ...orWhyNot(is, detail), source: () => diffSource(diff) },
  });
  return [
    kind('staged', t('Git Diff (Staged)'), t('the staged changes')),
    kind('all', t('Git Diff (All)'), t('all changes since the last commit')),
  ];
}

function orWhyNot(
  is: Awaited<ReturnType<typeof gitStateNow>>['is'],
  detail: string,
): Pick<Offer, 'detail' | 'isBlocked'> {
  switch (is) {
    case 'ready':
    // The repository is read later, after git has started.
    case 'starting':
      return { detail };
    case 'no-repository':
      return { detail: t('no Git repository'), isBlocked: true };
    case 'off':
      return { detail: t('Git is turned off'), isBlocked: true };
  }
}

function ofTerminal(): readonly Kind[] {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return [];
  const offer = { label: t('Terminal Selection'), detail: terminal.name, icon: 'terminal', source: terminalSource };
  return [{ words: 'terminal', offer }];
}

function ofWindow(): readonly Kind[] {
  const { length } = openFiles();
  if (length === 0) return [];
  const offer = {
    label: t('Open Editors'),
    detail: t('files: {0}', length),
    icon: 'files',
    source: () => openEditorsSource(),
  };
  return [{ words: 'open editors', offer }];
}

/** Kinds that need a name: choosing one inserts a prefix, and the popup continues with the text after the colon. */
function narrower(): readonly Kind[] {
  return [
    { words: 'folder', offer: { label: t('Folder…'), detail: '@folder:', icon: 'folder', insert: '@folder:' } },
    { words: 'symbol', offer: { label: t('Symbol…'), detail: '@symbol:', icon: 'symbol-method', insert: '@symbol:' } },
    {
      words: 'problems',
      offer: { label: t('Problems in…'), detail: '@problems:', icon: 'warning', insert: '@problems:' },
    },
  ];
}
