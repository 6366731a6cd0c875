import * as vscode from 'vscode';
import { ownSource, showsUserCode } from '../../../../platform/sources/ownDocuments.ts';

const t = vscode.l10n.t;

/**
 * The light bulb: a fix for problems at the cursor, and, for a selection or a request for refactorings, the other
 * actions. Offering them on every line would be noise. Each entry is a command, which passes the gate as usual.
 */
export class SvcCodeActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite],
  };

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
    { diagnostics, triggerKind }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!showsUserCode(uri)) return [];
    const action = (
      title: string,
      kind: vscode.CodeActionKind,
      command: string,
      ...args: unknown[]
    ): vscode.CodeAction => {
      const made = new vscode.CodeAction(title, kind);
      made.command = { command, title, arguments: args };
      return made;
    };
    const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
    // A finding of a review has its own fix, which knows more about it.
    const others = diagnostics.filter(({ source }) => source !== ownSource);
    const fixes = others.slice(0, 1).map((diagnostic) => {
      const lines = { uri: uri.toString(), start: diagnostic.range.start.line, end: diagnostic.range.end.line + 1 };
      const fix = action(t('Fix with Svc'), QuickFix, 'svc.fixProblems', lines);
      fix.diagnostics = others;
      return fix;
    });
    if (range.isEmpty && triggerKind !== vscode.CodeActionTriggerKind.Invoke) return fixes;
    return [
      ...fixes,
      action(t('Explain with Svc'), RefactorRewrite, 'svc.explainCode'),
      action(t('Refactor with Svc…'), RefactorRewrite, 'svc.editCode'),
      action(t('Document with Svc'), RefactorRewrite, 'svc.documentCode'),
      action(t('Generate Tests with Svc'), RefactorRewrite, 'svc.generateTests'),
    ];
  }
}
