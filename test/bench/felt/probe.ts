import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { scannerBundle } from '../../../esbuild.mjs';

/** Makes an extension under development in a folder, whose test run is the source file `entry`. */
export async function writeProbe(folder: string, entry: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await build({ ...scannerBundle, entryPoints: [entry], outfile: `${folder}/probe.cjs` });
  const facts = { name: 'probe', publisher: 'bench', version: '0.0.1', type: 'commonjs' };
  writeFileSync(`${folder}/package.json`, JSON.stringify({ ...facts, engines: { vscode: '^1.110.0' } }));
}
