// The figures about verify.mjs in README.md and docs/audit.md.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updatePage, withGeneratedPart } from './generatedPart.ts';
import { buildVerifyProgram } from './verifyProgram.ts';

/** The number of lines of the program, rounded to hundreds, so that a small change of it changes no page. */
export async function linesOfProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  try {
    const lines = readFileSync(await buildVerifyProgram(folder), 'utf8').split('\n').length - 1;
    return (Math.round(lines / 100) * 100).toLocaleString('en');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Pages = Readonly<Record<string, (page: string, lines: string) => string>>;

/** Each page with its expected sentence. */
export const verifyPages: Pages = {
  'README.md': (page, lines) =>
    withGeneratedPart(
      page,
      'verify-lines',
      `The program that does it, \`verify.mjs\`, is one file of about ${lines} lines that anyone can read.`,
    ),
  'docs/audit.md': (page, lines) =>
    withGeneratedPart(
      page,
      'verify-lines',
      `It has about ${lines} lines and is not minified, so that you can read it. To check that it was made from the sources, build it and
compare:`,
    ),
};

if (import.meta.main) {
  const lines = await linesOfProgram();
  for (const [path, update] of Object.entries(verifyPages)) updatePage(path, (page) => update(page, lines));
}
