// The part of `npm start` after packaging: a local service, a real VS Code with the packaged extension installed, and a
// sample workspace, in the browser. Ctrl+C ends everything.
import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { demoKey } from '../service/options.ts';
import { startService } from '../service/service.ts';
import { cacheFolder } from '../tools/folders.ts';
import { freePort } from '../tools/freePort.ts';
import { installExtension, startForPerson } from '../tools/vscodeServer.ts';

const folder = join(cacheFolder, 'demo');
const workspace = join(folder, 'workspace');
const extensionsDir = join(folder, 'extensions');

// The user's changes to the sample are kept between two runs.
if (!existsSync(workspace)) cpSync(resolve('test/demo/workspace'), workspace, { recursive: true });

const service = await startService({ demo: true, port: await freePort(4010) });
console.log('Installing the extension…');
await installExtension(resolve('svc-coder.vsix'), extensionsDir, join(folder, 'install'));
const vscode = await startForPerson({
  dataDir: join(folder, 'user-data'),
  extensionsDir,
  port: await freePort(8080),
  settings: { 'svc.baseUrl': service.baseUrl },
  // The key is where users are advised to keep it. The command Set API Key offers to take it from there.
  env: { SVC_API_KEY: demoKey },
});

const end = async (): Promise<void> => {
  await vscode.close();
  await service.close();
  process.exit();
};
process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());

console.log(`
  Open         ${vscode.url(workspace)}
  Service      ${service.baseUrl}
  Key          ${demoKey}   (Svc: Set API Key (Token)… offers it from SVC_API_KEY)
  First steps  F1, Svc: Set API Key (Token)…, then Svc: Open Chat; or Svc: Show First Steps
  Stop         Ctrl+C
`);
