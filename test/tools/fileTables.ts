// Writes into docs/ which files never leave, and which are confirmed twice.

import { guardedFiles } from '../../src/features/edits/vscode/placing/guardedFiles.ts';
import { copyEndings, credentialFiles } from '../../src/gate/credentialFiles.ts';
import { builtFolders } from '../../src/platform/excludedContent/builtFolders.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';
import { guardedReasons } from './guardedReasons.ts';

export const credentialsPage = 'docs/privacy.md';
export const guardedPage = 'docs/editing.md';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export function withCredentialFiles(page: string): string {
  const rows = credentialFiles.map(({ names, except, hold }) => [
    code(names) + (except === undefined ? '' : `; not ${code(except)}`),
    hold,
  ]);
  const text = `${tableOf(['Names', 'What they hold'], rows)}\n\nEndings of copies: ${code(copyEndings)}.`;
  return withGeneratedPart(page, 'credential files', text);
}

export function withBuiltFolders(page: string): string {
  return withGeneratedPart(page, 'built folders', `${code(builtFolders)}.`);
}

export function withGuardedFiles(page: string): string {
  const rows = Object.entries(guardedFiles).map(([key, names]) => {
    // The page is shipped, and names no addresses: the sources are in guardedReasons.ts.
    const { kind, why } = guardedReasons[key as keyof typeof guardedFiles];
    return [kind, code(names), why];
  });
  return withGeneratedPart(page, 'guarded files', tableOf(['Kind', 'Names', 'What reads them'], rows));
}

if (import.meta.main) {
  updatePage(credentialsPage, withCredentialFiles);
  updatePage(credentialsPage, withBuiltFolders);
  updatePage(guardedPage, withGuardedFiles);
}
