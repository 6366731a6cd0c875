import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs the packages of a test folder, unless its lock file shows that they are installed already. npm chooses by
 * the version of Node it runs under, so this Node comes first in PATH.
 */
export function installOnce(folderUrl: URL): void {
  const folder = fileURLToPath(folderUrl);
  const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const marker = join(folder, 'node_modules', '.installed-lock.json');
  if (readOrNothing(marker) === wanted) return;
  console.log(`Fetching the packages of ${folderUrl.pathname.split('/').slice(-3).join('/')} from the npm registry…`);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` },
  });
  writeFileSync(marker, wanted);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
