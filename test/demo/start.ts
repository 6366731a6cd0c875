// npm start: a local service, a real VS Code with the packaged extension, and a sample workspace, for a browser. Ctrl+C ends
// everything. `npm start -- --fresh` removes what earlier starts left, the sample and VS Code's data, and starts again.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { demoKey } from '../service/options.ts';
import { startService } from '../service/service.ts';
import { freePort } from '../tools/freePort.ts';
import { ensureTypeScript, ensureVsCode } from '../tools/vscodeParts.ts';
import { installExtension, startForPerson, type VsCodeServer } from '../tools/vscodeServer.ts';
import { demoPlace, type Place } from './place.ts';
import { Progress } from './progress.ts';
import { makeSample } from './sample.ts';

const run = promisify(execFile);

process.once('uncaughtException', fail);
const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
// VS Code and the service end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0));

console.log(
  'Prints an address for your browser in about half a minute. The first start also fetches VS Code, which takes longer.',
);
const progress = new Progress(console.log);
const { folder, port } = await progress.step('Looks for the folder of the demo', () => thePlace(values.fresh));
const workspace = join(folder, 'payments');
const dataDir = join(folder, 'user-data');
const extensionsDir = join(folder, 'extensions');

const [tsdk] = await Promise.all([
  progress.step('Gets VS Code and TypeScript from the npm registry, unless they are here', getParts),
  progress.step('Packages the extension', () => run('npm', ['run', '--silent', 'package'])),
  progress.step('Makes the sample workspace, unless it is here', () => makeSample(workspace)),
]);
await progress.step('Installs the extension', install);
const service = await startService({ demo: true, port: await freePort(4010) });
const vscode = await progress.step('Starts VS Code', start);
const address = vscode.url(workspace);
await progress.step('Opens the address once', () => requirePage(address));
progress.end();

console.log(`
Open this address in a browser on this machine:

  ${address}

  Key       ${demoKey}   (Svc: Set API Key… offers it)
  Service   ${service.baseUrl}   (answers from rules, not from a model)
  Sample    ${workspace}   (a git repository; what you change in it stays)
  Anew      npm start -- --fresh
  Stop      Ctrl+C
`);

async function thePlace(isFresh: boolean): Promise<Place> {
  const place = demoPlace('.', false);
  if (!isFresh) return place;
  // The port is not free while another demo of this clone runs.
  if ((await freePort(place.port)) !== place.port) {
    throw new Error(`The demo of this clone is running at http://127.0.0.1:${place.port}. Stop it, then start anew.`);
  }
  return demoPlace('.', true);
}

async function getParts(): Promise<string> {
  const [typescript] = await Promise.all([ensureTypeScript(), ensureVsCode()]);
  return typescript;
}

async function install(): Promise<void> {
  // VS Code finds this one when it lists what is installed, which it does with the first installation.
  const opener = join(extensionsDir, 'svc-demo.demo-opener-1.0.0');
  if (!existsSync(extensionsDir))
    cpSync(fileURLToPath(new URL('opener', import.meta.url)), opener, { recursive: true });
  await installExtension(resolve('svc-coder.vsix'), extensionsDir, join(folder, 'install'));
}

async function start(): Promise<VsCodeServer> {
  const settings = {
    // VS Code's own chat would be in front of the panel.
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    // The Problems panel also lists the problem of a file that is not open.
    'js/ts.tsserver.experimental.enableProjectDiagnostics': true,
    ...userSettings(),
    'js/ts.tsdk.path': tsdk,
    'svc.baseUrl': service.baseUrl,
  };
  // The key is where users are advised to keep it. The command Set API Key offers to take it from there.
  return startForPerson({
    dataDir,
    extensionsDir,
    port: await freePort(port),
    settings,
    env: { SVC_API_KEY: demoKey },
  });
}

/** What an earlier start wrote, with the user's changes. */
function userSettings(): Readonly<Record<string, unknown>> {
  const file = join(dataDir, 'User', 'settings.json');
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) ?? {}) : {};
}

/** VS Code listens some moments before it has its page. */
async function requirePage(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} is answered with ${status}.`);
}

/** The words of the error, and what a failed program printed. */
function fail(error: Error & { readonly stdout?: string }): void {
  console.error(`\nThe demo could not start. ${error.message}\n${error.stdout ?? ''}`.trimEnd());
  process.exit(1);
}
