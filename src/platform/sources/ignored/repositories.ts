import { posix } from 'node:path';
import * as vscode from 'vscode';
import { gitDirIn } from '../../../gate/ignore/gitConfig.ts';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import type { RootFacts, Surroundings, Top } from '../../../gate/ignore/ignoreTree.ts';
import type { Disk } from '../../files/disk.ts';
import { resolvedPath } from '../../files/links.ts';
import { type GitSettings, gitSettings } from './gitSettings.ts';
import { ignoresCase } from './letterCase.ts';

/** The git directories of a repository. */
interface GitDirs {
  /** The directory of this work tree. */
  readonly own: string;
  /** The directory that all work trees share. */
  readonly common: string;
}

/** The repositories of a disk. */
export class Repositories implements Surroundings {
  readonly disk: Disk;

  constructor(disk: Disk) {
    this.disk = disk;
  }

  isRoot(folder: string, lookups: Lookups): Promise<boolean> {
    return once(lookups, `is root ${folder}`, () => this.disk.exists(posix.join(folder, '.git'), lookups));
  }

  /** Returns the root of the repository that contains a folder (possibly the folder itself), or null if there is none. */
  rootAround(folder: string, lookups: Lookups): Promise<string | null> {
    return once(lookups, `root around ${folder}`, async () => {
      if ((await this.#gitDirs(folder, lookups)) !== null) return folder;
      return folder === '/' ? null : this.rootAround(posix.dirname(folder), lookups);
    });
  }

  facts(folder: string, lookups: Lookups): Promise<RootFacts> {
    return once(lookups, `facts ${folder}`, async () => {
      const [dirs, isFolded] = await Promise.all([this.#gitDirs(folder, lookups), ignoresCase(this.disk, folder)]);
      if (dirs === null) return { lists: [[]], readings: readingsOf(noSettings, isFolded) };
      const settings = await this.#settings(folder, dirs, lookups);
      const exclude = { by: 'info/exclude', path: `${dirs.common}/info/exclude` } as const;
      const further = settings.excludesFiles.map((path) => ({ by: 'core.excludesFile', path }) as const);
      const lists = further.length === 0 ? [[exclude]] : further.map((file) => [exclude, file]);
      return { lists, readings: readingsOf(settings, isFolded) };
    });
  }

  /**
   * Returns the work trees of the repositories from `top` down to a folder that contain or may contain the folder, without
   * work trees that are the repository's own folder. Git applies the rules of a repository in its work tree. Returns the
   * same array for most folders of a repository.
   */
  otherTops(top: string, folder: string, lookups: Lookups): Promise<readonly Top[]> {
    return once(lookups, `other tops ${top}\0${folder}`, async () => {
      const above =
        folder === top || folder === '/' ? noPaths : await this.otherTops(top, posix.dirname(folder), lookups);
      if (folder !== top && (await this.disk.certainlyLacks(folder, ['.git'], lookups))) return above;
      const trees = await this.#workTrees(folder, lookups);
      return trees.length === 0 ? above : [...above, ...trees.map((tree) => ({ folder: tree, governedBy: folder }))];
    });
  }

  #workTrees(folder: string, lookups: Lookups): Promise<readonly string[]> {
    return once(lookups, `work trees ${folder}`, async () => {
      const dirs = await this.#gitDirs(folder, lookups);
      if (dirs === null) return noPaths;
      const { workTrees } = await this.#settings(folder, dirs, lookups);
      const found = new Set<string>();
      for (const written of workTrees) {
        const named = resolved(dirs.own, written).replace(/(?<=.)\/$/, '');
        found.add(named);
        // Git follows links before `..`.
        const path = isAbsolute(written) ? written : `${vscode.Uri.file(dirs.own).fsPath}/${written}`;
        const real = await resolvedPath(path);
        if (real !== null) found.add(real.path);
      }
      found.delete(folder);
      return [...found];
    });
  }

  async #settings(folder: string, { common, own }: GitDirs, lookups: Lookups): Promise<GitSettings> {
    // Git's configuration on another machine cannot be read.
    if (this.disk.base.scheme !== 'file') return noSettings;
    return gitSettings(this.disk, folder, [...new Set([common, own])], lookups);
  }

  /** Returns null if there is no repository, or only the remains of one, which git does not recognize either. */
  #gitDirs(folder: string, lookups: Lookups): Promise<GitDirs | null> {
    return once(lookups, `git dirs ${folder}`, async () => {
      const path = posix.join(folder, '.git');
      // Folders above the workspace are not listed.
      const state = await this.disk.kind(path);
      if (state === null) return null;
      const text = state === 'folder' ? null : await this.disk.textIfThere(path);
      const named = text === null ? null : gitDirIn(text);
      if (text !== null && named === null) return null;
      const own = named === null ? path : resolved(folder, named);
      if (!(await this.disk.exists(`${own}/HEAD`, lookups))) return null;
      const common = (await this.disk.textIfThere(`${own}/commondir`, lookups))?.trim();
      return { own, common: common === undefined || common === '' ? own : resolved(own, common) };
    });
  }
}

const noPaths: readonly never[] = [];
const noSettings: GitSettings = { excludesFiles: [], ignoresCase: null, looksBack: null, workTrees: [] };

/** Returns all ways in which git may interpret the patterns. A file is ignored if any of them ignores it. */
function readingsOf(settings: GitSettings, isFolded: boolean | null): RootFacts['readings'] {
  const byDisk = isFolded === null ? [false, true] : [isFolded];
  const byGit = settings.ignoresCase === null ? [] : [settings.ignoresCase];
  // On a case-insensitive disk, a rule for one letter case applies to all.
  const cases = new Set(byGit.length === 0 || isFolded !== false ? [...byGit, ...byDisk] : byGit);
  const backs = settings.looksBack === null ? [false, true] : [settings.looksBack];
  return [...cases].flatMap((folds) => backs.map((looksBack) => ({ ignoresCase: folds, looksBack })));
}

function resolved(folder: string, path: string): string {
  return isAbsolute(path)
    ? posix.normalize(vscode.Uri.file(path).path)
    : posix.join(folder, path.replaceAll('\\', '/'));
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-zA-Z]:[\\/]/.test(path);
}
