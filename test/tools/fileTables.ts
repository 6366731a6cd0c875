// Writes into docs/ which files never leave.
import { copyEndings, credentialFiles } from '../../src/gate/credentialFiles.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

export const credentialsPage = 'docs/privacy.md';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export function withCredentialFiles(page: string): string {
  const rows = credentialFiles.map(({ names, except, hold }) => [
    code(names) + (except === undefined ? '' : `; not ${code(except)}`),
    hold,
  ]);
  const text = `${tableOf(['Names', 'What they hold'], rows)}\n\nEndings of copies: ${code(copyEndings)}.`;
  return withGeneratedPart(page, 'credential files', text);
}

if (import.meta.main) updatePage(credentialsPage, withCredentialFiles);
