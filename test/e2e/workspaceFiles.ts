import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Texts of files by their paths in a folder. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Has a folder hold these files, and no others. */
export function replaceFiles(folder: string, files: Files): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!Object.keys(files).some((kept) => kept === name || kept.startsWith(`${name}${sep}`))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  writeFiles(folder, files);
}
