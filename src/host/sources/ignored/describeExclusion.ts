import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Exclusion } from '../../../gate/exclusions.ts';

/**
 * Names the rule, its file and its line. Paths above the workspace folder are left out, because a model may receive the
 * text.
 */
export function describeExclusion(found: Exclusion, asked: vscode.Uri): string {
  if (found.by === 'built-in') return vscode.l10n.t('a built-in rule ({0})', found.pattern);
  if (found.by === 'files.exclude') return `files.exclude (${found.pattern})`;
  const { by, source, rule } = found;
  const isOwn = by === '.gitignore' || by === '.svcignore';
  const file = isOwn ? fileBeside(source, asked) : by;
  return rule === null
    ? vscode.l10n.t('{0}, which cannot be read', file)
    : vscode.l10n.t('{0}, line {1}: {2}', file, rule.line, rule.pattern);
}

/** The ignore file's path relative to the workspace folder. */
function fileBeside(source: string, asked: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(asked);
  return posix.relative(folder?.uri.path ?? posix.dirname(asked.path), source);
}

export function outsideRule(path: string): string {
  return vscode.l10n.t('the rule for files outside the workspace ({0})', path);
}
