// Writes into docs/ which files never leave, and which are confirmed twice.
import { copyEndings, credentialFiles } from '../../src/gate/credentialFiles.ts';
import { guardedFiles } from '../../src/host/edits/placing/guardedFiles.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

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

export function withGuardedFiles(page: string): string {
  const rows = guardedFiles.flatMap(([kind, files]) =>
    files.map(({ names, why, source }) => [kind, code(names), `[${why}](${addressOf(source)})`]),
  );
  return withGeneratedPart(page, 'guarded files', tableOf(['Kind', 'Names', 'What reads them'], rows));
}

/** A page of our own, or of the makers of a tool. */
function addressOf(source: string): string {
  return /^\w+\.md#/.test(source) ? source : `https://${source}`;
}

if (import.meta.main) {
  updatePage(credentialsPage, withCredentialFiles);
  updatePage(guardedPage, withGuardedFiles);
}
