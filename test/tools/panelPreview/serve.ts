// Shows the panel outside VS Code: `node test/tools/panelPreview/serve.ts` prints an address with every state in every
// theme; with `--shoot` it takes pictures of them instead and ends. Both write to .vscode-test/panel-preview alone.
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import { webviewBundle } from '../../../esbuild.mjs';
import { previewPage, themeCss } from './page.ts';
import { shoot } from './shoot.ts';
import { previewKept, previewStates } from './states.ts';
import { themes } from './themes.ts';

const root = join(import.meta.dirname, '../../..');
const output = join(root, '.vscode-test/panel-preview');
const codicons = join(root, 'node_modules/@vscode/codicons/dist');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
};

async function answer(path: string): Promise<{ readonly type: string; readonly body: string | Buffer }> {
  const [, folder = '', name = ''] = path.split('/');
  const file = basename(name === '' ? folder : name);
  const type = types[extname(file)] ?? 'text/html; charset=utf-8';
  const theme = themes[file.replace(/\.css$/, '')];
  const state = previewStates(Date.now())[folder];
  if (folder === 'theme' && theme !== undefined) return { type, body: themeCss(theme) };
  if (folder === 'panel.css' || folder === 'review.css' || folder === 'context.css')
    return { type, body: await readFile(join(root, 'media', folder)) };
  if (folder === 'webview') {
    return { type, body: await readFile(join(file.startsWith('codicon') ? codicons : join(output, 'webview'), file)) };
  }
  if (state !== undefined && theme !== undefined) return { type, body: previewPage(state, file, previewKept[folder]) };
  return { type, body: index() };
}

function index(): string {
  const rows = Object.keys(previewStates(0)).map(
    (state) =>
      `<p>${state}: ${Object.keys(themes)
        .map((theme) => `<a href="/${state}/${theme}">${theme}</a>`)
        .join(' ')}`,
  );
  return `<!DOCTYPE html><title>Panel</title>${rows.join('')}`;
}

await mkdir(output, { recursive: true });
await build({ ...webviewBundle, absWorkingDir: root, outdir: join(output, 'webview') });
const server = createServer(({ url = '/' }, response) => {
  answer(url.split('?')[0] ?? '/').then(
    ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
    () => response.writeHead(404).end(),
  );
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  if (!process.argv.includes('--shoot')) {
    console.log(address);
    return;
  }
  await shoot(
    address,
    output,
    process.argv.slice(2).filter((argument) => !argument.startsWith('--')),
  );
  server.close();
  server.closeAllConnections();
});
