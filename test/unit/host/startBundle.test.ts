import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { extensionBundle } from '../../../esbuild.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the bundle of the extension', () => {
  let metafile: Metafile;
  before(async () => {
    const options = { ...extensionBundle, absWorkingDir: root, outdir: 'dist', write: false, metafile: true } as const;
    ({ metafile } = await build(options));
  });

  it('loads little at the start: no wire, no scanner, no schemas, no history', () => {
    const loaded = loadedWith(metafile, 'dist/extension.js');
    const bytes = [...loaded].reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);
    assert.ok(bytes < 150_000, `${bytes} bytes`);
    const modules = [...loaded].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
    assert.ok(modules.includes('src/host/standing.ts'));
    assert.deepEqual(
      modules.filter((name) => name.startsWith('node_modules/') || /src\/(client|session|review|webview)\//.test(name)),
      [],
    );
  });

  it('loads the wire with the first request alone', () => {
    const [, client] =
      Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('serviceClient.ts')) ?? [];
    assert.ok(client !== undefined && client.bytes < 300_000);
    const importers = Object.values(metafile.outputs).filter(({ imports }) =>
      imports.some(({ path, kind }) => kind === 'import-statement' && path.includes('serviceClient')),
    );
    assert.deepEqual(importers, []);
  });
});

/** A file of the bundle and all that it imports before it runs. */
function loadedWith({ outputs }: Metafile, file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === 'import-statement' && outputs[path] !== undefined) loadedWith({ outputs } as Metafile, path, loaded);
  }
  return loaded;
}
