import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asMade, madeContent } from '../../../src/gate/content.ts';
import { unifiedDiff } from '../../../src/gate/unifiedDiff.ts';

const root = join(import.meta.dirname, '../../..');

/** Characters of each kind of text. */
const length = 60_000;

/** Texts of this repository, by kind. `lock`: of a lock file, which has far fewer bytes per token than all others. */
export function texts(): ReadonlyMap<string, string> {
  const code = filesOf('src/{gate,session,host}/**/*.ts');
  return new Map([
    ['TypeScript', code],
    ['TSX', filesOf('src/webview/**/*.tsx')],
    ['CSS', filesOf('media/*.css')],
    ['JSON', filesOf('package.json')],
    ['English', filesOf('docs/*.md')],
    ['German', german()],
    ['diff', diffOf(code)],
    ['lock', filesOf('package-lock.json')],
  ]);
}

function filesOf(pattern: string): string {
  const files = globSync(pattern, { cwd: root }).sort();
  return files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .slice(0, length);
}

function german(): string {
  const words: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'l10n/bundle.l10n.de.json'), 'utf8'),
  );
  return Object.values(words).join('\n').slice(0, length);
}

/** What a change of every ninth line looks like. */
function diffOf(code: string): string {
  const lines = code.split('\n');
  const changed = lines.map((line, index) => (index % 9 === 0 ? `${line} // ${lines[index + 1] ?? ''}` : line));
  const content = (text: string) => madeContent(asMade(text), [], []);
  return unifiedDiff(content(code), content(changed.join('\n')), { lineEnds: 'exact' }).hunks.text.slice(0, length);
}
