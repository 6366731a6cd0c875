import * as vscode from 'vscode';
import { askWords } from '../../../platform/commands/askWords.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { showError } from '../../../platform/messages/show.ts';
import { attachRange } from '../../../platform/sources/attach.ts';
import { openText } from '../../../platform/sources/open.ts';
import { frameworkNames } from '../../../review/catalog.ts';
import { suppressionComment } from '../../../review/findings/suppress.ts';
import { visibleText } from '../../../review/findings/visible.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { whyReadOnly } from '../../edits/vscode/target.ts';
import type { FindingDiagnostics, Shown } from './findingDiagnostics.ts';
import type { ReviewParts } from './parts.ts';

const t = vscode.l10n.t;

/** Identifies a finding; without it, the finding at the cursor is used. */
export interface FindingRef {
  readonly uri: string;
  readonly id: string;
}

type Done = { readonly ok: boolean };

interface Found {
  readonly document: vscode.TextDocument;
  readonly shown: Shown;
}

/** The number of lines before and after a finding that are sent with a question about it. */
const linesAround = 60;

/** The user's actions on a finding, as quick fixes and as commands at the cursor. */
export class QuickFixes implements vscode.CodeActionProvider {
  readonly #diagnostics: FindingDiagnostics;
  readonly #parts: ReviewParts;

  constructor(diagnostics: FindingDiagnostics, parts: ReviewParts) {
    this.#diagnostics = diagnostics;
    this.#parts = parts;
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    return this.#diagnostics.at(document.uri, range).flatMap(({ finding, range: at }) => {
      const { id } = finding.rule;
      const actions = [
        action(t('Svc: Fix ({0})', id), 'svc.fixFinding', document, finding.fingerprint),
        action(t('Svc: Explain ({0})', id), 'svc.explainFinding', document, finding.fingerprint),
        action(t('Svc: Suppress with a Reason… ({0})', id), 'svc.suppressFinding', document, finding.fingerprint),
      ];
      // A finding about the whole file has no line to change, and no line to put a comment above.
      return finding.placed === 'file' || at.isEmpty ? actions.slice(1, 2) : actions;
    });
  }

  async fix(ref?: FindingRef): Promise<Done> {
    const found = await this.#find(ref);
    if (found === null || isAboutFile(found.shown)) return { ok: false };
    const { document, shown } = found;
    const { rule, message, fix } = shown.finding;
    const problem = { line: shown.range.start.line + 1, message };
    const how = [fix, `(${rule.reference}: ${rule.sentence})`].filter((part) => part !== '').join('\n');
    return { ok: (await this.#parts.propose(document, problem, how)).ok };
  }

  async explain(ref?: FindingRef): Promise<Done> {
    const found = await this.#find(ref);
    if (found === null) return { ok: false };
    const { rule, message, quote } = found.shown.finding;
    const prompt = [
      t('Explain this finding of a compliance review. What is the risk, and what does the rule require?'),
      `${frameworkNames[rule.framework]}, ${rule.reference}: ${rule.sentence}`,
      message,
      visibleText(quote),
    ].join('\n\n');
    await this.#parts.explain(prompt, await around(found.document, found.shown.range));
    return { ok: true };
  }

  /** Puts a comment with the reason for acceptance above the finding. The next review respects it. */
  async suppress(ref?: FindingRef & { readonly reason?: string | undefined }): Promise<Done> {
    const found = await this.#find(ref);
    if (found === null || isAboutFile(found.shown)) return { ok: false };
    const { rule } = found.shown.finding;
    // Checked before the user is asked for a reason that could not be written.
    if (suppressionComment(found.document.languageId, rule.id, 'reason') === null) {
      void showError(t('This language has no comments, so a finding cannot be suppressed in this file.'));
      return { ok: false };
    }
    const why = await whyReadOnly(found.document);
    if (why !== null) {
      void showError(t('This document cannot be changed: {0}.', why));
      return { ok: false };
    }
    return ref?.reason === undefined
      ? askWords(`suppress ${rule.id}`, reasonQuestion(rule.id), (reason) => this.#write(found, reason))
      : this.#write(found, ref.reason);
  }

  async #write({ document, shown }: Found, reason: string): Promise<Done> {
    const { rule, fingerprint } = shown.finding;
    const comment = reason.trim() === '' ? null : suppressionComment(document.languageId, rule.id, reason);
    if (comment === null) return { ok: false };
    const line = document.lineAt(shown.range.start.line);
    const indent = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
    const lineEnding = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, line.range.start, `${indent}${comment}${lineEnding}`);
    if (!(await vscode.workspace.applyEdit(edit))) {
      void showError(t('VS Code rejected the edit. The file may be read-only.'));
      return { ok: false };
    }
    this.#diagnostics.remove(document.uri, fingerprint);
    return { ok: true };
  }

  async #find(ref?: FindingRef): Promise<Found | null> {
    const editor = vscode.window.activeTextEditor;
    if (ref !== undefined) {
      const uri = vscode.Uri.parse(ref.uri, true);
      const shown = this.#diagnostics.at(uri).find(({ finding }) => finding.fingerprint === ref.id);
      if (shown !== undefined) return { document: await openText(uri), shown };
      showHint(t('This compliance finding is no longer listed.'));
      return null;
    }
    const shown = editor === undefined ? undefined : this.#diagnostics.at(editor.document.uri, editor.selection)[0];
    if (editor !== undefined && shown !== undefined) return { document: editor.document, shown };
    showHint(t('There is no compliance finding at the cursor.'));
    return null;
  }
}

function action(title: string, command: string, { uri }: vscode.TextDocument, id: string): vscode.CodeAction {
  const quickFix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const ref: FindingRef = { uri: uri.toString(), id };
  quickFix.command = { command, title, arguments: [ref] };
  return quickFix;
}

/** Whether a finding is about the whole file. Then the user is told that it has no line to change. */
function isAboutFile({ finding }: Shown): boolean {
  if (finding.placed !== 'file') return false;
  showHint(t('This finding is about the whole file, so it has no line to change.'));
  return true;
}

function reasonQuestion(rule: string): vscode.InputBoxOptions {
  return {
    title: t('Suppress {0}', rule),
    prompt: t('Why is this acceptable? The reason is written in a comment above the line and in the report.'),
    validateInput: (reason) => (reason.trim() === '' ? t('A reason is required.') : null),
  };
}

function around(document: vscode.TextDocument, { start, end }: vscode.Range): Promise<Attachment> {
  const last = Math.min(document.lineCount - 1, end.line + linesAround);
  return attachRange(
    document,
    new vscode.Range(Math.max(0, start.line - linesAround), 0, last, document.lineAt(last).text.length),
  );
}
