import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { laterBundle } from '../../../esbuild.mjs';

/**
 * The packaged extension with one bundle instead of two: what activation loads is an ES module, too, and shares its
 * chunks with the rest. Returns its folder.
 */
export async function buildOneBundle(): Promise<string> {
  const folder = 'test-results/bench/oneBundle';
  rmSync(folder, { recursive: true, force: true });
  cpSync('dist/vsix', folder, { recursive: true });
  for (const old of globSync(join(folder, 'dist/{extension.cjs,host/*}'))) rmSync(old);
  await build({
    ...laterBundle,
    entryPoints: ['src/extension.ts'],
    entryNames: '[name]',
    outdir: join(folder, 'dist'),
  });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, main: './dist/extension.js' }));
  return folder;
}
