import * as vscode from 'vscode';
import { Disposable } from '../../../util/disposable.ts';
import { proposalScheme } from '../../sources/ownDocuments.ts';
import { type Hunk, hunkAt } from '../hunks.ts';
import type { Proposal } from '../proposal.ts';

const t = vscode.l10n.t;

/**
 * Accept and reject actions at each change of a proposal. VS Code shows code lenses in a diff only where
 * `diffEditor.codeLens` is on. Because it is off by default, a decoration at the end of the first line and a hover on
 * each line offer the same actions. The commands of the title bar and their keys act on the change at the cursor.
 */
export class HunkActions extends Disposable implements vscode.CodeLensProvider, vscode.HoverProvider {
  readonly #find: (uri: vscode.Uri) => Proposal | undefined;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #mark = this._register(
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
    this._register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.#draw(editor);
      }),
    );
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    const proposal = this.#find(uri);
    return (proposal?.draft.hunks ?? []).flatMap((hunk) => {
      const line = Math.min(hunk.proposedStart, lineCount - 1);
      const range = new vscode.Range(line, 0, line, 0);
      const lens = (command: string, title: string): vscode.CodeLens =>
        new vscode.CodeLens(range, { command, title, arguments: [uri.toString(), line, hunk.id] });
      return [
        lens('svc.acceptHunk', `$(check) ${t('Accept Change')}`),
        lens('svc.rejectHunk', `$(discard) ${t('Reject Change')}`),
      ];
    });
  }

  provideHover({ uri }: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const proposal = this.#find(uri);
    const hunk = proposal && hunkAt(proposal.draft.hunks, line);
    if (hunk === undefined) return undefined;
    const args = encodeURIComponent(JSON.stringify([uri.toString(), line, hunk.id]));
    const link = (command: string, title: string): string => `[${title}](command:${command}?${args})`;
    const text = new vscode.MarkdownString(
      `$(check) ${link('svc.acceptHunk', t('Accept Change'))} · $(discard) ${link('svc.rejectHunk', t('Reject Change'))}`,
      true,
    );
    text.isTrusted = { enabledCommands: ['svc.acceptHunk', 'svc.rejectHunk'] };
    return new vscode.Hover(text);
  }

  /** Updates the actions after the hunks have changed, and moves the cursor to the next hunk. */
  redraw({ uri, draft }: Proposal): void {
    this.#changed.fire();
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() !== uri.toString()) continue;
      this.#draw(editor);
      const next = nextHunk(draft.hunks, editor.selection.active.line);
      if (next === undefined) continue;
      const line = Math.min(next.proposedStart, editor.document.lineCount - 1);
      editor.selection = new vscode.Selection(line, 0, line, 0);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  #draw(editor: vscode.TextEditor): void {
    const { uri, lineCount } = editor.document;
    if (uri.scheme !== proposalScheme) return;
    const hunks = this.#find(uri)?.draft.hunks ?? [];
    const marks = hunks.map((hunk, index): vscode.DecorationOptions => {
      const line = Math.min(hunk.proposedStart, lineCount - 1);
      const { end } = editor.document.lineAt(line).range;
      const contentText = t('{0} of {1} · Accept {2} · Reject {3}', index + 1, hunks.length, 'Alt+Y', 'Alt+N');
      return { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
    });
    editor.setDecorations(this.#mark, marks);
  }
}

/** The first hunk at or after the line, else the last one. */
function nextHunk(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return (
    hunks.find(({ proposedStart, proposedEnd }) => line < Math.max(proposedEnd, proposedStart + 1)) ?? hunks.at(-1)
  );
}
