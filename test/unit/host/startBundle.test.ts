import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { laterBundle, startBundle } from '../../../esbuild.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The contents of a bundle. */
async function made(bundle: BuildOptions): Promise<Metafile> {
  const options = { ...bundle, absWorkingDir: root, outdir: 'dist', write: false, metafile: true } as const;
  return (await build(options)).metafile;
}

describe('the bundles of the extension', () => {
  it('load little on activation, in one file: no client, no scanner, no schemas, no history', async () => {
    const { outputs } = await made(startBundle);
    const [[name, file] = []] = Object.entries(outputs);
    assert.deepEqual([Object.keys(outputs).length, name], [1, 'dist/extension.cjs']);
    assert.ok(file !== undefined && file.bytes < 150_000);
    assert.deepEqual(
      file.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
      ['./host/settingsText.js', './host/createServices.js', './host/commands.js'],
    );
    const modules = Object.keys(file.inputs);
    assert.ok(modules.includes('src/host/config/requestContextReader.ts'));
    assert.deepEqual(
      modules.filter(
        (module) => module.startsWith('node_modules/') || /src\/(client|session|review|webview)\//.test(module),
      ),
      [],
    );
  });

  it('load the client only with the first request', async () => {
    const { outputs } = await made(laterBundle);
    assert.ok(outputs['dist/host/createServices.js'] !== undefined && outputs['dist/host/commands.js'] !== undefined);
    const [, client] =
      Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('serviceClient.ts')) ?? [];
    assert.ok(client !== undefined && client.bytes < 300_000);
    const importers = Object.values(outputs).filter(({ imports }) =>
      imports.some(({ path, kind }) => kind === 'import-statement' && path.includes('serviceClient')),
    );
    assert.deepEqual(importers, []);
  });

  it('use no instanceof on own classes, because each bundle has its own copy', () => {
    const asked = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
      /instanceof (ServiceError|PolicyError)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(asked, []);
  });
});
