import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { hostBundle } from '../../esbuild.mjs';

type Outputs = Metafile['outputs'];

/** The files of the extension's bundle, as they go into dist/. */
export async function hostOutputs(): Promise<Outputs> {
  const absWorkingDir = fileURLToPath(new URL('../../', import.meta.url));
  const { metafile } = await build({ ...hostBundle, absWorkingDir, outdir: 'dist', write: false, metafile: true });
  return metafile.outputs;
}

/** The files that are loaded with a file: itself, and what it imports statically, in any depth. */
export function loadedWith(outputs: Outputs, file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const one of loaded) {
    for (const { path, kind } of outputs[one]?.imports ?? []) {
      if (kind === 'import-statement' && path in outputs) loaded.add(path);
    }
  }
  return loaded;
}

/** The size of files in bytes. */
export function bytesOf(outputs: Outputs, files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}
