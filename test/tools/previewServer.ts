import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import { webviewBundle } from '../../esbuild.mjs';
import type { Language } from './hostModule.ts';

/** A page of the extension outside VS Code, in many states. */
export interface Preview {
  /** Its name. The bundle goes to a folder with this name in .vscode-test. */
  readonly name: string;
  readonly states: readonly string[];
  readonly themes: readonly string[];
  /** The page in one of the states. `now` is epoch, ms. */
  page(state: string, theme: string, language: Language, now: number): Promise<string>;
  css(theme: string): string;
}

export interface PreviewServer {
  /** Serves pages at `/<state>/<theme>`, with optional `?language=de` or `?language=pseudo`. */
  readonly address: string;
  /** The folder for the bundle and for pictures. */
  readonly folder: string;
  close(): void;
}

const root = join(import.meta.dirname, '../..');
const codicons = join(root, 'node_modules/@vscode/codicons/dist');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
};

export async function startPreview(preview: Preview): Promise<PreviewServer> {
  const output = join(root, '.vscode-test', preview.name);
  await mkdir(output, { recursive: true });
  await build({ ...webviewBundle, absWorkingDir: root, outdir: join(output, 'webview') });

  const answer = async (url: URL): Promise<{ readonly type: string; readonly body: string | Buffer }> => {
    const [, folder = '', name = ''] = url.pathname.split('/');
    const file = basename(name);
    const type = types[extname(file)] ?? 'text/html; charset=utf-8';
    const theme = file.replace(/\.css$/, '');
    if (folder === 'theme' && preview.themes.includes(theme)) return { type, body: preview.css(theme) };
    if (folder === 'media') return { type, body: await readFile(join(root, 'media', file)) };
    if (folder === 'webview') {
      const from = file.startsWith('codicon') ? codicons : join(output, 'webview');
      return { type, body: await readFile(join(from, file)) };
    }
    if (!preview.states.includes(folder) || !preview.themes.includes(theme)) return { type, body: index(preview) };
    return { type, body: await preview.page(folder, theme, languageOf(url), Date.now()) };
  };

  const server = createServer(({ url = '/' }, response) => {
    answer(new URL(url, 'http://127.0.0.1')).then(
      ({ type, body }) => {
        // The browser keeps the parts of a page, and the compiled form of its scripts: they do not change while this runs.
        const kept = type.startsWith('text/html') ? 'no-store' : 'max-age=3600, immutable';
        response.writeHead(200, { 'content-type': type, 'cache-control': kept }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    folder: output,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function languageOf(url: URL): Language {
  const asked = url.searchParams.get('language');
  return asked === 'de' || asked === 'pseudo' ? asked : 'en';
}

function index({ name, states, themes }: Preview): string {
  const rows = states.map(
    (state) => `<p>${state}: ${themes.map((theme) => `<a href="/${state}/${theme}">${theme}</a>`).join(' ')}`,
  );
  return `<!DOCTYPE html><title>${name}</title>${rows.join('')}`;
}
