// A complete VS Code from the npm registry: code-server contains its server, web workbench and Node extension host.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, makeOnce } from './folders.ts';

const run = promisify(execFile);

export const newest = '1.139.1';
export const oldest = '1.110.0';

export interface VsCodeParts {
  /** The Node version that this version requires. */
  readonly node: string;
  /** VS Code's server: server-main.js. */
  readonly serverMain: string;
  /** The entry of code-server, for a user who opens VS Code in a browser. */
  readonly codeServer: string;
}

/** Fetches a VS Code (15 s, no compiler, no root) if it is missing. */
export async function ensureVsCode(version: string = newest): Promise<VsCodeParts> {
  const folder = join(cacheFolder, version);
  const packages = join(folder, 'node_modules');
  const root = join(packages, 'code-server');
  const vscode = join(root, 'lib', 'vscode');
  // Under Node 24 the extension host of 1.110 does not answer.
  const ownNode = version === oldest ? ['node@22'] : [];
  await makeOnce(folder, async () => {
    console.log(`Fetching VS Code ${version} from the npm registry…`);
    const npm = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    // Its install scripts compile native modules, which are not needed here. node@22 needs its own.
    const wanted = `code-server@4.${version.split('.').slice(1).join('.')}`;
    await run('npm', ['install', '--ignore-scripts', '--prefix', folder, ...npm, wanted]);
    await run('npm', ['install', '--ignore-scripts', '--omit=dev', ...npm], { cwd: vscode });
    if (ownNode.length > 0) await run('npm', ['install', '--prefix', folder, ...npm, '--no-save', wanted, ...ownNode]);
  });
  const node22 = join(packages, 'node', 'bin', 'node');
  return {
    node: existsSync(node22) ? node22 : process.execPath,
    serverMain: join(vscode, 'out', 'server-main.js'),
    codeServer: join(root, 'out', 'node', 'entry.js'),
  };
}
