import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ensureVsCode } from './vscodeParts.ts';

const run = promisify(execFile);

/** User settings that keep a test's VS Code quiet: no welcome, no tips, no network of its own. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'json.schemaDownload.enable': false,
  'files.simpleDialog.enable': true,
  'remote.autoForwardPorts': false,
  'window.menuBarVisibility': 'classic',
  'workbench.colorTheme': 'Default Dark Modern',
};

/** Without it the server asks its extension gallery, which no test needs and this machine may not reach. */
export const noGallery = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };

export interface ServerOptions {
  readonly version?: string;
  /** User data, and nothing else, goes here. */
  readonly dataDir: string;
  readonly extensionsDir: string;
  /** User settings, beside the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly workspaceTrust?: boolean;
  /** The page then takes a payload (a suite to run), and shows no notification. */
  readonly smokeTestDriver?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface VsCodeServer {
  readonly port: number;
  /** The page of the workbench with a folder or a .code-workspace file open. */
  url(target: string, payload?: readonly (readonly [string, string])[]): string;
  /** What it printed so far, for when something goes wrong. */
  readonly output: readonly string[];
  close(): Promise<void>;
}

/** Where this kind of server keeps the User settings of the web workbench. */
export function userSettingsPath(dataDir: string): string {
  return join(dataDir, 'data', 'User', 'settings.json');
}

export function writeUserSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(dataDir, 'data', 'User'), { recursive: true });
  writeFileSync(userSettingsPath(dataDir), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** Installs a VSIX as a person does. */
export async function installExtension(
  vsix: string,
  extensionsDir: string,
  dataDir: string,
  version?: string,
): Promise<void> {
  const { node, serverMain } = await ensureVsCode(version);
  await run(node, [
    serverMain,
    '--accept-server-license-terms',
    '--server-data-dir',
    dataDir,
    '--extensions-dir',
    extensionsDir,
    '--install-extension',
    vsix,
  ]);
}

/** Starts a VS Code on a free port of this machine and waits until it listens. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  const { node, serverMain } = await ensureVsCode(options.version);
  writeUserSettings(options.dataDir, options.settings ?? {});
  const args = [
    ...[
      serverMain,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--without-connection-token',
      '--accept-server-license-terms',
    ],
    ...['--telemetry-level', 'off', ...(options.smokeTestDriver === true ? ['--enable-smoke-test-driver'] : [])],
    ...['--server-data-dir', options.dataDir, '--extensions-dir', options.extensionsDir],
    ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
  ];
  const env: NodeJS.ProcessEnv = { ...process.env, ...noGallery, ...options.env };
  // A test must not meet the key or the proxy of the person who runs it.
  const foreign = Object.keys(env).filter((name) =>
    /^(https?_proxy|all_proxy|no_proxy|node_options|vscode_.*)$/i.test(name),
  );
  for (const name of foreign) {
    if (options.env?.[name] === undefined) delete env[name];
  }
  if (options.env?.SVC_API_KEY === undefined) delete env.SVC_API_KEY;
  // A group of its own, so that the extension hosts end with it.
  const child = spawn(node, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  const port = await listening(child, output);
  return {
    port,
    output,
    url(target, payload) {
      const query = new URLSearchParams({ [target.endsWith('.code-workspace') ? 'workspace' : 'folder']: target });
      if (payload !== undefined) query.set('payload', JSON.stringify(payload));
      return `http://127.0.0.1:${port}/?${query}`;
    },
    async close() {
      if (child.exitCode !== null || child.pid === undefined) return;
      const gone = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await gone;
    },
  };
}

async function listening(child: ChildProcess, output: string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      const port = /Extension host agent listening on (\d+)|Web UI available at http:\/\/[^:]+:(\d+)/.exec(line);
      if (port !== null) resolve(Number(port[1] ?? port[2]));
    });
  }
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`VS Code ended (${code}) before it listened:\n${output.join('\n')}`)));
  return promise;
}
