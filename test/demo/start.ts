// What `npm start` does after packaging: a local service, a real VS Code with the packaged extension installed, and a
// sample workspace, in the browser. Ctrl+C ends it all.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { demoKey } from '../service/options.ts';
import { startService } from '../service/service.ts';
import { cacheFolder } from '../tools/folders.ts';
import { ensureVsCode } from '../tools/vscodeParts.ts';
import { installExtension, noGallery, quietSettings } from '../tools/vscodeServer.ts';

const folder = join(cacheFolder, 'demo');
const workspace = join(folder, 'workspace');
const extensions = join(folder, 'extensions');
const userData = join(folder, 'user-data');

// What a person changed in the sample stays between two runs.
if (!existsSync(workspace)) cpSync(resolve('test/demo/workspace'), workspace, { recursive: true });
mkdirSync(join(userData, 'User'), { recursive: true });

const service = await startService({ demo: true, port: await freePort(4010) });
const settings = { ...quietSettings, 'security.workspace.trust.enabled': false, 'svc.baseUrl': service.baseUrl };
writeFileSync(join(userData, 'User', 'settings.json'), JSON.stringify(settings, null, 2));

console.log('Installing the extension…');
await installExtension(resolve('svc-coder.vsix'), extensions, join(folder, 'install'));
const { node, codeServer } = await ensureVsCode();
const port = await freePort(8080);
const child = spawn(
  node,
  [
    ...[codeServer, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--user-data-dir', userData],
    ...['--extensions-dir', extensions, '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
    ...['--config', join(folder, 'code-server.yaml'), workspace],
  ],
  // The key is where a person is advised to keep it; the command Set API Key offers to take it from there.
  {
    env: { ...process.env, ...noGallery, SVC_API_KEY: demoKey },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  },
);
const end = async (): Promise<void> => {
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await service.close();
  process.exit();
};
process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());
child.once('exit', () => void end());

const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}`;
await answers(`http://127.0.0.1:${port}/healthz`);
console.log(`
  Open         ${address}
  Service      ${service.baseUrl}
  Key          ${demoKey}   (Svc: Set API Key… offers it from SVC_API_KEY)
  First steps  F1, Svc: Set API Key…, then Svc: Open Chat
  Stop         Ctrl+C
`);

/** The wanted port, or any other where that one is taken. */
async function freePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    const event = await Promise.race([
      once(server, 'listening').then(() => 'ok'),
      once(server, 'error').catch(() => 'taken'),
    ]);
    const address = server.address();
    server.close();
    if (event === 'ok' && typeof address === 'object' && address !== null) return address.port;
  }
  throw new Error('There is no free port on this machine.');
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    setTimeout(done, 250);
    await promise;
  }
  throw new Error(`VS Code did not answer at ${url}.`);
}
