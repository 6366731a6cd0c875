import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** File contents by path relative to a folder. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Replaces the content of a folder with these files. */
export function replaceFiles(folder: string, files: Files): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!Object.keys(files).some((kept) => kept === name || kept.startsWith(`${name}${sep}`))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  writeFiles(folder, files);
}
