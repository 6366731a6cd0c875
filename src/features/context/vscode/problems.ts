import * as vscode from 'vscode';
import { relativePath } from '../../../platform/files/relativePath.ts';
import { attachmentOf, withSecretsOf } from '../../../platform/sources/attach.ts';
import { type MakeOptions, makeContent } from '../../../platform/sources/maker.ts';
import { openText } from '../../../platform/sources/open.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

/** The maximum number of problems; more add no information. */
const maxProblems = 200;

/** The problems that VS Code shows for a file, the most severe first. */
export function problemsSource(uri: vscode.Uri, options: MakeOptions = { outside: 'ask' }): ContextSource {
  const path = relativePath(uri);
  const label = t('problems in {0}', path);
  return {
    key: `problems:${uri.toString()}`,
    label,
    icon: 'warning',
    async read() {
      const lines = problemLines(uri, path, maxProblems);
      if (lines.length === 0) throw nothingIn(label);
      const isTruncated = lines.length > maxProblems;
      const made = await makeContent([uri], () => lines.join('\n'), options);
      // A message may quote a value without its name.
      const text = made.ok ? (await openText(uri).catch(() => null))?.getText() : undefined;
      const attachment = attachmentOf(await withSecretsOf(made, text ?? ''), { label, uri, languageId: 'plaintext' });
      return { attachments: [attachment], ...(isTruncated ? { note: t('the first {0} problems', maxProblems) } : {}) };
    },
  };
}

/** The problems of a file, a line each, the most severe first, and a line for those that are left out. */
export function problemLines(uri: vscode.Uri, path: string, max: number): readonly string[] {
  const problems = vscode.languages.getDiagnostics(uri);
  const sorted = [...problems].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
  return [
    ...sorted.slice(0, max).map((problem) => lineFor(path, problem)),
    ...(sorted.length > max ? [`[cut: ${sorted.length - max} more problems]`] : []),
  ];
}

/** The files that have problems, those with the most problems first. */
export function filesWithProblems(): readonly { readonly uri: vscode.Uri; readonly count: number }[] {
  return vscode.languages
    .getDiagnostics()
    .map(([uri, problems]) => ({ uri, count: problems.length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** A line in the format of compiler output. */
function lineFor(path: string, { range, severity, message, source, code }: vscode.Diagnostic): string {
  const { line, character } = range.start;
  const id = typeof code === 'object' ? code.value : code;
  const from = [source, id].filter((part) => part !== undefined).join(' ');
  const where = `${path}:${line + 1}:${character + 1}`;
  return `${where} ${severities[severity]}: ${message}${from === '' ? '' : ` (${from})`}`;
}

const severities: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};
