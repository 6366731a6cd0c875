import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { webviewBundle } from '../../../esbuild.mjs';
import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { hostModule } from '../../tools/hostModule.ts';
import { previewPage, themeCss } from '../../tools/panelPreview/page.ts';
import { themes } from '../../tools/panelPreview/themes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const output = join(root, 'test-results', 'bench', 'panel');
const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };

export interface Pages {
  readonly address: string;
  /** The esbuild metafile of the page's scripts, as shipped. */
  readonly metafile: Metafile;
  /** The script that must run in a page before its own. */
  readonly stage: string;
  close(): void;
}

/** The pages: `/panel`, with the shipped bundle and the policy it has in VS Code, and one for each peer. */
export async function servePages(state: ViewState, peers: readonly string[]): Promise<Pages> {
  mkdirSync(output, { recursive: true });
  const here = (name: string): string => join(root, 'test/bench/panel', name);
  const script = { bundle: true, minify: true, platform: 'browser', target: 'es2022', format: 'iife' } as const;
  const [{ metafile }] = await Promise.all([
    build({ ...webviewBundle, absWorkingDir: root, outdir: join(output, 'webview'), metafile: true }),
    build({
      ...script,
      absWorkingDir: root,
      define: { 'process.env.NODE_ENV': '"production"' },
      entryPoints: peers.map((name) => here(`contenders/${name}.ts`)),
      outdir: join(output, 'peers'),
      logLevel: 'error',
    }),
    build({ ...script, absWorkingDir: root, entryPoints: [here('stage.ts')], outdir: output }),
  ]);
  const { viewStrings } = await hostModule<{ viewStrings(): ViewStrings }>('src/features/chat/vscode/strings.ts', 'en');
  const theme = Object.keys(themes)[0] ?? '';
  const answer = async (path: string): Promise<{ readonly type: string; readonly body: string | Buffer }> => {
    const [, folder = '', name = ''] = path.split('/');
    const file = basename(name === '' ? folder : name);
    const type = types[extname(file)] ?? 'text/html; charset=utf-8';
    if (folder === 'panel') return { type, body: previewPage({ state, kept: null }, viewStrings(), theme, 'en') };
    if (folder === 'theme') return { type, body: themeCss(themes[theme] ?? {}) };
    if (folder === 'webview' && file.startsWith('codicon'))
      return { type, body: await readFile(join(root, 'node_modules/@vscode/codicons/dist', file)) };
    if (folder === 'webview' || folder === 'peers') return { type, body: await readFile(join(output, folder, file)) };
    if (extname(file) === '.css') return { type, body: await readFile(join(root, 'media', file)) };
    return { type, body: peerPage(file) };
  };
  const server = createServer(({ url = '/' }, response) => {
    answer(url).then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    metafile,
    stage: join(output, 'stage.js'),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A peer's page has the same styles, and no policy: most peers would not run under ours. */
function peerPage(name: string): string {
  return `<!DOCTYPE html>
<meta charset="utf-8">
<link rel="stylesheet" href="/theme/any.css">
<link rel="stylesheet" href="/panel.css">
<body class="answer"><script src="/peers/${name}.js"></script>`;
}
