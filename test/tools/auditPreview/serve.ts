// Shows the page of the audit log outside VS Code: `node test/tools/auditPreview/serve.ts` prints an address with every
// state in every theme; with `--shoot [folder] [state...]` it takes pictures instead and ends. What it builds, and the
// pictures unless a folder is named, are in .vscode-test/audit-preview.
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import { webviewBundle } from '../../../esbuild.mjs';
import { previewPage } from './page.ts';
import { shoot } from './shoot.ts';
import { previewStates } from './states.ts';
import { hostStrings } from './strings.ts';
import { auditThemes, themeCss } from './themes.ts';

const root = join(import.meta.dirname, '../../..');
const output = join(root, '.vscode-test/audit-preview');
const codicons = join(root, 'node_modules/@vscode/codicons/dist');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
};

await mkdir(output, { recursive: true });
await build({ ...webviewBundle, absWorkingDir: root, outdir: join(output, 'webview') });
const strings = await hostStrings(root);

async function answer(path: string): Promise<{ readonly type: string; readonly body: string | Buffer }> {
  const [, folder = '', name = ''] = path.split('/');
  const file = basename(name);
  const type = types[extname(file)] ?? 'text/html; charset=utf-8';
  const theme = auditThemes[file.replace(/\.css$/, '')];
  const state = previewStates[folder];
  if (folder === 'theme' && theme !== undefined) return { type, body: themeCss(theme.theme) };
  if (folder === 'media') return { type, body: await readFile(join(root, 'media', file)) };
  if (folder === 'webview') {
    return { type, body: await readFile(join(file.startsWith('codicon') ? codicons : join(output, 'webview'), file)) };
  }
  if (state === undefined || theme === undefined) return { type, body: index() };
  return { type, body: previewPage(state(Date.now()), strings, file, theme.kind) };
}

function index(): string {
  const rows = Object.keys(previewStates).map(
    (state) =>
      `<p>${state}: ${Object.keys(auditThemes)
        .map((theme) => `<a href="/${state}/${theme}">${theme}</a>`)
        .join(' ')}`,
  );
  return `<!DOCTYPE html><title>Audit log</title>${rows.join('')}`;
}

const server = createServer(({ url = '/' }, response) => {
  answer(url.split('?')[0] ?? '/').then(
    ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
    () => response.writeHead(404).end(),
  );
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const at = process.argv.indexOf('--shoot');
  if (at < 0) {
    console.log(address);
    return;
  }
  const rest = process.argv.slice(at + 1);
  const folder = rest.find((word) => !(word in previewStates)) ?? output;
  await mkdir(folder, { recursive: true });
  await shoot(
    address,
    folder,
    rest.filter((word) => word in previewStates),
  );
  server.close();
  server.closeAllConnections();
});
