import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ensureVsCode } from './vscodeParts.ts';

const run = promisify(execFile);

/** User settings for a quiet VS Code in tests: no welcome page, no tips, no network access. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
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
  'workbench.colorTheme': 'Dark Modern',
};

/**
 * User settings that hide parts that no test checks. A fresh window draws them nevertheless: the built-in chat and the
 * parts of the title take a quarter of the processor's time.
 */
export const sparseSettings: Readonly<Record<string, unknown>> = {
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  // In a browser VS Code saves automatically after a second, so a slow machine would find files saved that a test left
  // unsaved.
  'files.autoSave': 'off',
  // There they do not cover the panel's buttons. VS Code before 1.139 has them on the right.
  'workbench.notifications.position': 'bottom-left',
};

const quietEnv = {
  // Without it the server contacts its extension gallery, which no test needs and this machine may not reach.
  EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  // With it the server uses the given environment and does not ask the user's login shell.
  VSCODE_CLI: '1',
};

export interface ServerOptions {
  readonly version?: string;
  /** The only folder for user data and settings. */
  readonly dataDir: string;
  readonly extensionsDir: string;
  /** User settings in addition to the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly workspaceTrust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Default 0: any free one. */
  readonly port?: number;
}

export interface VsCodeServer {
  readonly port: number;
  /** The URL of the workbench with a folder or a .code-workspace file open, or with nothing. */
  url(target: string | null, payload?: readonly (readonly [string, string])[]): string;
  /** Its output so far, for error reports. */
  readonly output: readonly string[];
  close(): Promise<void>;
}

export function userSettingsText(settings: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...quietSettings, ...settings }, null, 2);
}

/** For the next window. An open one may not notice the change. */
export function writeUserSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(dataDir, 'User'), { recursive: true });
  writeFileSync(userSettingsFile(dataDir), userSettingsText(settings));
}

export function readUserSettings(dataDir: string): string {
  return readFileSync(userSettingsFile(dataDir), 'utf8');
}

function userSettingsFile(dataDir: string): string {
  return join(dataDir, 'User', 'settings.json');
}

/** Installs a VSIX like a user. */
export async function installExtension(
  vsix: string,
  extensionsDir: string,
  dataDir: string,
  version?: string,
): Promise<void> {
  const { node, codeServer } = await ensureVsCode(version);
  const args = [
    '--extensions-dir',
    extensionsDir,
    '--user-data-dir',
    dataDir,
    '--config',
    join(dataDir, 'config.yaml'),
  ];
  await run(node, [codeServer, ...args, '--install-extension', vsix, '--force'], { env: cleanEnv({}) });
}

/** VS Code as a user has it in the browser, with a secret storage that survives a reload. */
export async function startForPerson(options: ServerOptions): Promise<VsCodeServer> {
  const { node, codeServer } = await ensureVsCode(options.version);
  const { dataDir, port = 0 } = options;
  return start(node, options, [
    ...[codeServer, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--config', join(dataDir, 'config.yaml')],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
  ]);
}

/** VS Code for a test suite: its page accepts a payload that names one, and it shows no notifications. */
export async function startForSuite(options: ServerOptions): Promise<VsCodeServer> {
  const { node, serverMain } = await ensureVsCode(options.version);
  const { dataDir, port = 0 } = options;
  return start(node, options, [
    ...[serverMain, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    ...['--accept-server-license-terms', '--enable-smoke-test-driver', '--telemetry-level', 'off'],
    ...['--server-data-dir', dataDir],
  ]);
}

async function start(node: string, options: ServerOptions, program: readonly string[]): Promise<VsCodeServer> {
  const { dataDir, extensionsDir, settings = {}, workspaceTrust = false, env = {} } = options;
  writeUserSettings(dataDir, settings);
  const args = [...program, '--user-data-dir', dataDir, '--extensions-dir', extensionsDir];
  if (!workspaceTrust) args.push('--disable-workspace-trust');
  // A separate process group, so that the extension hosts end with it.
  const child = spawn(node, args, { env: cleanEnv(env), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL');
  };
  // It must not outlive the process that started it, even if that ends while VS Code is starting.
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const output: string[] = [];
  const port = await listening(child, output);
  return {
    port,
    output,
    url(target, payload) {
      const query = new URLSearchParams(
        target === null ? { ew: 'true' } : { [target.endsWith('.code-workspace') ? 'workspace' : 'folder']: target },
      );
      if (payload !== undefined) query.set('payload', JSON.stringify(payload));
      return `http://127.0.0.1:${port}/?${query}`;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      kill();
      await gone;
    },
  };
}

/** A test must not use the key, the proxy or the VS Code of the user who runs it. */
function cleanEnv(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const foreign = /^(https?_proxy|all_proxy|no_proxy|node_options|node_extra_ca_certs|vscode_.*|svc_api_key)$/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), ...quietEnv, ...own };
}

async function listening(child: ChildProcess, output: string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      const port = /(?:host agent listening on |HTTP server listening on http:\/\/127\.0\.0\.1:)(\d+)/.exec(line);
      if (port !== null) resolve(Number(port[1]));
    });
  }
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`VS Code ended (${code}) before it listened:\n${output.join('\n')}`)));
  return promise;
}
