import * as vscode from 'vscode';
import { asText } from '../../../../platform/messages/asText.ts';
import { proposalScheme } from '../../../../platform/sources/ownDocuments.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { type Hunk, hunkAt } from '../../common/hunks.ts';
import type { Proposal } from '../proposal.ts';

const t = vscode.l10n.t;

/** The number of first lines of a change beside which its hint may be, so that both are visible together. */
const hintLines = 10;
/** The maximum number of context files that are named. */
const maxNamed = 4;

/** The keys in package.json for the change at the cursor. */
const keys = { accept: 'Alt+Y', reject: 'Alt+N' } as const;

/**
 * Accept and Reject above each change of a proposal, as code lenses. package.json turns on `diffEditor.codeLens`,
 * without which VS Code shows no lens in a diff. If the user has turned it off, a hint beside each change names the
 * keys. A hover on each line offers the same actions. The commands of the title bar and the keys act on the change at
 * the cursor.
 */
export class HunkActions extends Disposable implements vscode.CodeLensProvider, vscode.HoverProvider {
  readonly #find: (uri: vscode.Uri) => Proposal | undefined;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #hint = this._register(
    vscode.window.createTextEditorDecorationType({
      after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
    }),
  );

  constructor(find: (uri: vscode.Uri) => Proposal | undefined) {
    super();
    this.#find = find;
    const selector = { scheme: proposalScheme };
    this._register(vscode.languages.registerCodeLensProvider(selector, this));
    this._register(vscode.languages.registerHoverProvider(selector, this));
    // An editor that becomes visible again has lost its decorations.
    this._register(vscode.window.onDidChangeVisibleTextEditors((editors) => this.#drawAll(editors)));
    this._register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('diffEditor.codeLens')) this.#drawAll(vscode.window.visibleTextEditors);
      }),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { uri } = document;
    const proposal = this.#find(uri);
    const hunks = proposal?.draft.hunks ?? [];
    const context = contextWords(proposal?.context ?? []);
    return hunks.flatMap((hunk, index) => {
      const line = lineOf(hunk, document);
      const range = new vscode.Range(line, 0, line, 0);
      const lens = (command: string, title: string, tooltip: string): vscode.CodeLens =>
        new vscode.CodeLens(range, { command, title, tooltip, arguments: [uri.toString(), line, hunk.id] });
      return [
        lens('svc.acceptHunk', `$(check) ${t('Accept')}`, t('Accept this change. Key at the cursor: {0}', keys.accept)),
        lens(
          'svc.rejectHunk',
          `$(discard) ${t('Reject')}`,
          t('Reject this change. Key at the cursor: {0}', keys.reject),
        ),
        // VS Code shows a lens without a command as text.
        new vscode.CodeLens(range, { command: '', title: counted(hunk, index, hunks.length) }),
        ...(index > 0 || context === '' ? [] : [new vscode.CodeLens(range, { command: '', title: asText(context) })]),
      ];
    });
  }

  provideHover({ uri }: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const proposal = this.#find(uri);
    const hunk = proposal && hunkAt(proposal.draft.hunks, line);
    if (hunk === undefined) return undefined;
    const args = encodeURIComponent(JSON.stringify([uri.toString(), line, hunk.id]));
    const link = (command: string, title: string): string => `[${title}](command:${command}?${args})`;
    const accept = link('svc.acceptHunk', t('Accept Change ({0})', keys.accept));
    const reject = link('svc.rejectHunk', t('Reject Change ({0})', keys.reject));
    const text = new vscode.MarkdownString(`$(check) ${accept} · $(discard) ${reject}`, true);
    text.isTrusted = { enabledCommands: ['svc.acceptHunk', 'svc.rejectHunk'] };
    const context = contextWords(proposal?.context ?? []);
    if (context !== '') text.appendMarkdown('\n\n').appendText(context);
    return new vscode.Hover(text);
  }

  /** Updates the actions after the hunks have changed, and moves the cursor to the next hunk. */
  redraw(proposal: Proposal): void {
    for (const editor of this.refresh(proposal)) {
      const next = nextHunk(proposal.draft.hunks, editor.selection.active.line);
      if (next === undefined) continue;
      const line = lineOf(next, editor.document);
      editor.selection = new vscode.Selection(line, 0, line, 0);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Updates the actions without moving the cursor. Returns the editors that show them. */
  refresh({ uri }: Proposal): readonly vscode.TextEditor[] {
    this.#changed.fire();
    const editors = vscode.window.visibleTextEditors.filter(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
    this.#drawAll(editors);
    return editors;
  }

  #drawAll(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      const { document } = editor;
      if (document.uri.scheme === proposalScheme) editor.setDecorations(this.#hint, this.#hintsIn(document));
    }
  }

  #hintsIn(document: vscode.TextDocument): vscode.DecorationOptions[] {
    if (vscode.workspace.getConfiguration('diffEditor', document).get('codeLens') === true) return [];
    const hunks = this.#find(document.uri)?.draft.hunks ?? [];
    return hunks.map((hunk, index) => {
      const { end } = shortestLine(hunk, document).range;
      const contentText = t('{0} of {1} · Accept {2} · Reject {3}', index + 1, hunks.length, keys.accept, keys.reject);
      return { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
    });
  }
}

/**
 * The line above which the actions of a hunk are shown. If lines at the end were removed, it is the last line before
 * them.
 */
function lineOf({ proposedStart }: Hunk, { lineCount }: vscode.TextDocument): number {
  return Math.min(proposedStart, lineCount - 1);
}

/** The shortest line of a hunk, because a hint after a long line is cut off at the border of the editor. */
function shortestLine(hunk: Hunk, document: vscode.TextDocument): vscode.TextLine {
  const first = lineOf(hunk, document);
  let found = document.lineAt(first);
  for (let line = first + 1; line < Math.min(hunk.proposedEnd, first + hintLines); line += 1) {
    const other = document.lineAt(line);
    if (other.range.end.character < found.range.end.character) found = other;
  }
  return found;
}

/** Names the other files that were sent with the request; empty if there are none. */
function contextWords(labels: readonly string[]): string {
  if (labels.length === 0) return '';
  const named = labels.slice(0, maxNamed).join(', ');
  return labels.length > maxNamed
    ? t('Sent as context: {0} and {1} more', named, labels.length - maxNamed)
    : t('Sent as context: {0}', named);
}

/**
 * The position of a change among all changes. Removed lines are not in the text below it, so their number is stated.
 */
function counted({ start, end, proposedStart, proposedEnd }: Hunk, index: number, count: number): string {
  return proposedStart === proposedEnd
    ? t('Change {0} of {1}, lines removed: {2}', index + 1, count, end - start)
    : t('Change {0} of {1}', index + 1, count);
}

/** The first hunk at or after the line, or else the last one. */
function nextHunk(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return (
    hunks.find(({ proposedStart, proposedEnd }) => line < Math.max(proposedEnd, proposedStart + 1)) ?? hunks.at(-1)
  );
}
