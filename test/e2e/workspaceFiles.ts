import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Texts of files by their paths in a folder. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Whether a folder has these files, as they were written, and no others. */
export function hasExactly(folder: string, files: Files): boolean {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return (
    names.length === Object.keys(files).length &&
    names.every((name) => files[name] === readFileSync(join(folder, name), 'utf8'))
  );
}
