// A complete VS Code from the npm registry: code-server contains its server, web workbench and Node extension host.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, makeOnce } from './folders.ts';

const run = promisify(execFile);

const quietNpm = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

export const newest = '1.139.1';
export const oldest = '1.110.0';

/** The TypeScript that this VS Code has by itself. The package code-server lacks it, and VS Code then shows an error. */
const typescriptVersion = '6.0.3';

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
    // Its install scripts compile native modules, which are not needed here. node@22 needs its own.
    const wanted = `code-server@4.${version.split('.').slice(1).join('.')}`;
    await run('npm', ['install', '--ignore-scripts', '--prefix', folder, ...quietNpm, wanted]);
    await run('npm', ['install', '--ignore-scripts', '--omit=dev', ...quietNpm], { cwd: vscode });
    if (ownNode.length > 0)
      await run('npm', ['install', '--prefix', folder, ...quietNpm, '--no-save', wanted, ...ownNode]);
  });
  const node22 = join(packages, 'node', 'bin', 'node');
  return {
    node: existsSync(node22) ? node22 : process.execPath,
    serverMain: join(vscode, 'out', 'server-main.js'),
    codeServer: join(root, 'out', 'node', 'entry.js'),
  };
}

/** Fetches TypeScript for VS Code's own language features if it is missing; returns the folder for the setting `js/ts.tsdk.path`. */
export async function ensureTypeScript(): Promise<string> {
  const folder = join(cacheFolder, `typescript-${typescriptVersion}`);
  await makeOnce(folder, async () => {
    console.log(`Fetching TypeScript ${typescriptVersion} from the npm registry…`);
    await run('npm', ['install', '--prefix', folder, ...quietNpm, `typescript@${typescriptVersion}`]);
  });
  return join(folder, 'node_modules', 'typescript', 'lib');
}
