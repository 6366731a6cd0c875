import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Fingerprints } from '../../gate/fingerprints/fingerprints.ts';
import { licenses } from '../../gate/fingerprints/licenses.ts';
import { constants, isPublic } from '../../gate/fingerprints/publicTexts.ts';
import { inSlices, isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { whyFileExcluded } from '../sources/ignored/exclusions.ts';
import type { ExcludedFile } from './excludedFiles.ts';
import { readExcluded } from './readExcluded.ts';

/** Registers texts that are public, so that they are not recognized as content of an excluded file. */
export class PublicTexts {
  readonly #fingerprints: Fingerprints;
  readonly #folders = new Set<string>();
  #hasConstants = false;

  constructor(fingerprints: Fingerprints) {
    this.#fingerprints = fingerprints;
  }

  /** Adds constants, licenses, and the example files in the folders of excluded files, each of them once. */
  async add(files: Iterable<ExcludedFile>): Promise<void> {
    if (!this.#hasConstants)
      for (const text of [...constants, ...licenses]) await inSlices(this.#fingerprints.addPublic(text, 'constant'));
    this.#hasConstants = true;
    const folders = new Map<string, vscode.Uri>();
    let last = '';
    for (const { uri } of files) {
      if (isPauseDue()) await pause();
      const path = posix.dirname(uri.path);
      // The files of a folder follow each other.
      if (path === last) continue;
      last = path;
      const folder = uri.with({ path });
      folders.set(folder.toString(), folder);
    }
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) folders.set(uri.toString(), uri);
    for (const [key, folder] of folders) {
      if (this.#folders.has(key)) continue;
      this.#folders.add(key);
      await this.#addExamples(folder);
    }
  }

  async #addExamples(folder: vscode.Uri): Promise<void> {
    const entries = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
    for (const [name] of entries) {
      if (isPauseDue()) await pause();
      if (!isPublic(name)) continue;
      const uri = vscode.Uri.joinPath(folder, name);
      if ((await whyFileExcluded(uri.toString())) !== null) continue;
      const read = await readExcluded(uri);
      for (const text of typeof read === 'object' ? read.texts : []) {
        await inSlices(this.#fingerprints.addPublic(text));
      }
    }
  }
}
