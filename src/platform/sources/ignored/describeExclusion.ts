import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { FoundGlob } from '../../../gate/globs/globs.ts';
import type { FoundRule } from './ignoreRules.ts';

/**
 * Names the rule, its file and its line. Paths above the workspace folder are left out, because a model may receive the
 * text.
 */
export function describeExclusion(found: FoundRule, asked: vscode.Uri): string {
  if (found.by === 'built-in') return vscode.l10n.t('a built-in rule ({0})', found.pattern);
  if (found.by === 'files.exclude') return describeGlob(found.glob);
  const { by, source, rule } = found;
  const isOwn = by === '.gitignore' || by === '.svcignore';
  const file = isOwn ? fileBeside(source, asked) : by;
  if (rule === null && found.why === 'tooManyRules') {
    return vscode.l10n.t('{0}, which cannot be read: too many rules', file);
  }
  return rule === null
    ? vscode.l10n.t('{0}, which cannot be read', file)
    : vscode.l10n.t('{0}, line {1}: {2}', file, rule.line, rule.pattern);
}

/** The maximum length of a glob in a text, because a glob may be as long as a settings file. */
const maxGlob = 200;

function describeGlob({ pattern, is }: FoundGlob): string {
  const glob = pattern.length > maxGlob ? `${pattern.slice(0, maxGlob)}…` : pattern;
  switch (is) {
    case 'read':
      return `files.exclude (${glob})`;
    case 'unreadable':
      return vscode.l10n.t('files.exclude, whose pattern {0} cannot be read', glob);
    case 'too-long':
      return vscode.l10n.t('files.exclude, whose pattern {0} is too long', glob);
    case 'too-many':
      return vscode.l10n.t('files.exclude, whose patterns are too many to be read (from {0} on)', glob);
  }
}

/** Returns the path of the ignore file relative to the workspace folder. */
function fileBeside(source: string, asked: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(asked);
  return posix.relative(folder?.uri.path ?? posix.dirname(asked.path), source);
}

/** Describes the rule for a file whose other name (hard link) is excluded. */
export function linkedRule(name: vscode.Uri, rule: string): string {
  return vscode.l10n.t('the rule for its other name {0}: {1}', vscode.workspace.asRelativePath(name), rule);
}

/** Describes the rule for a file that also has a name outside the workspace, which cannot be checked. */
export function farNameRule(path: string): string {
  return vscode.l10n.t('the rule for files that also have a name outside the workspace ({0})', path);
}

export function outsideRule(path: string): string {
  return vscode.l10n.t('the rule for files outside the workspace ({0})', path);
}
