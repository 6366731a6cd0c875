import { posix } from 'node:path';
import { isPauseDue, pause } from '../secrets/pace.ts';
import { IdentityCache } from './identityCache.ts';
import { type IgnoreDisk, type Lookups, once } from './ignoreDisk.ts';
import { type Ignored, type IgnoreFileKind, workForName } from './ignoreFolder.ts';
import { type FoundFile, IgnoreLayer } from './ignoreLayer.ts';
import type { GitReading } from './patternList.ts';
import { RuleFiles } from './ruleFiles.ts';
import type { Work } from './wildmatch.ts';

/** The possible location of an ignore file. */
interface RuleFilePlace {
  readonly by: IgnoreFileKind;
  readonly path: string;
}

/** The facts in git's own files about the root of a repository, or about a folder without a repository. */
export interface RootFacts {
  /** The files for the whole repository, the strongest first: `info/exclude`, then `core.excludesFile`. */
  readonly lists: readonly (readonly RuleFilePlace[])[];
  /** The ways in which git may read patterns in the repository. */
  readonly readings: readonly GitReading[];
}

export interface Surroundings {
  readonly disk: IgnoreDisk;
  /** Whether a folder is the root of a repository, even of a broken one. */
  isRoot(folder: string, lookups: Lookups): Promise<boolean>;
  facts(folder: string, lookups: Lookups): Promise<RootFacts>;
}

/** The topmost folder whose ignore files count. */
export interface Top {
  readonly folder: string;
  /**
   * The folder whose `.git` has the rules for the whole tree: the same folder, except for a repository with another work tree.
   */
  readonly governedBy: string;
}

/** A folder that answers for its content. */
export interface AskedFolder {
  /** `work` is what remains for the name in all folders that answer for it. */
  ask(name: string, isFolder: boolean, work?: Work): Ignored | null;
}

interface Repository {
  readonly root: string;
  readonly git: IgnoreLayer;
  readonly svc: IgnoreLayer;
}

/** The ignore files of one folder. */
interface OwnFiles {
  readonly git: FoundFile | null;
  readonly svc: FoundFile | null;
}

const noFiles: OwnFiles = { git: null, svc: null };

/** The entries of a folder that make its rules differ from the rules of the folder above. */
export const ruleNames = ['.git', '.gitignore', '.svcignore'];

/**
 * The rules of all ignore files from a root down to a folder. A nested repository is evaluated separately: the outer
 * one does not know its files, but if the outer one ignores the folder, it stays ignored.
 */
export class IgnoreTree {
  readonly #around: Surroundings;
  readonly #files: RuleFiles;
  /** The layers of folders at their last evaluation: with the same rules they are reused, with their cached answers. */
  readonly #kept = new IdentityCache<IgnoreLayer>();
  readonly #known = new IdentityCache<readonly Repository[]>();
  readonly #asked = new IdentityCache<AskedFolder>();

  constructor(around: Surroundings) {
    this.#around = around;
    this.#files = new RuleFiles(around.disk);
  }

  /**
   * Returns the same object as long as its rules are the same. Ignore files count from `top` on: `folder`, or a folder
   * above it, spelled the same.
   */
  async folder(top: Top, folder: string, lookups: Lookups): Promise<AskedFolder> {
    const repositories = await this.#repositories(top, folder, lookups);
    return this.#asked.get(`${keyOf(top)}\0${folder}`, [repositories], () => {
      const layers = layersOf(repositories);
      return {
        ask(name, isFolder, work = workForName()) {
          return firstOf(layers, (layer) => layer.ask(name, isFolder, work));
        },
      };
    });
  }

  #repositories(from: Top, folder: string, lookups: Lookups): Promise<readonly Repository[]> {
    const top = keyOf(from);
    return once(lookups, `repositories ${top}\0${folder}`, async () => {
      if (folder === from.folder || folder === '/') {
        return this.#same(top, folder, [await this.#root(top, folder, from.governedBy, lookups)]);
      }
      const [above, hasNothing] = await Promise.all([
        this.#repositories(from, posix.dirname(folder), lookups),
        this.#around.disk.certainlyLacks(folder, ruleNames, lookups),
      ]);
      const [isRoot, ownFiles] = hasNothing
        ? [false, noFiles]
        : await Promise.all([this.#around.isRoot(folder, lookups), this.#ownFiles(folder, lookups)]);
      // The rules above are applied to the folder itself.
      if (isPauseDue()) await pause();
      // Most folders have no rules, so they stay the same as long as the folder above does.
      if (hasNothing) {
        return this.#known.get(`${top}\0plain\0${folder}`, [above], () => this.#below(top, folder, above, noFiles));
      }
      const outer = this.#below(top, folder, above, isRoot ? noFiles : ownFiles);
      return this.#same(top, folder, isRoot ? [...outer, await this.#root(top, folder, folder, lookups)] : outer);
    });
  }

  /** The repositories of the folder above, as a folder in it sees them. */
  #below(top: string, folder: string, above: readonly Repository[], ownFiles: OwnFiles): readonly Repository[] {
    const name = posix.basename(folder);
    const inner = above.at(-1)?.root;
    const layer = (key: string, outer: IgnoreLayer, file: FoundFile | null): IgnoreLayer =>
      this.#kept.get(key, [outer, file?.file], () => outer.folder(name, file));
    const repositories = above.map(({ root, git, svc }) => {
      const files = root === inner ? ownFiles : noFiles;
      return {
        root,
        git: layer(`${top}\0${root}\0git\0${folder}`, git, files.git),
        svc: layer(`${top}\0${root}\0svc\0${folder}`, svc, files.svc),
      };
    });
    const layers = layersOf(repositories);
    const work = workForName();
    const itself = firstOf(layers, (one) => one.askItself(work));
    if (itself === null || work.left >= 0) return repositories;
    // The rules take too long for the folder itself, so nothing in it is known.
    const unknown = this.#kept.get(`${top}\0too many\0${folder}`, layers, () => new IgnoreLayer([], itself));
    return repositories.map(({ root }) => ({ root, git: unknown, svc: unknown }));
  }

  /** Returns the same array as before if its repositories are the same. */
  #same(top: string, folder: string, repositories: readonly Repository[]): readonly Repository[] {
    const parts = repositories.flatMap(({ root, git, svc }) => [root, git, svc]);
    return this.#known.get(`${top}\0${folder}`, parts, () => repositories);
  }

  async #root(top: string, folder: string, governedBy: string, lookups: Lookups): Promise<Repository> {
    const [{ lists, readings }, ownFiles] = await Promise.all([
      this.#around.facts(governedBy, lookups),
      this.#ownFiles(folder, lookups),
    ]);
    const further = await Promise.all(lists.map((list) => this.#all(list, lookups)));
    const gitLists = further.map((files) => [...(ownFiles.git === null ? [] : [ownFiles.git]), ...files]);
    const svcFiles = ownFiles.svc === null ? [] : [ownFiles.svc];
    const how = JSON.stringify(readings);
    const partsOf = (files: readonly FoundFile[]): readonly unknown[] => files.map(({ file }) => file);
    return {
      root: folder,
      git: this.#kept.get(
        `${top}\0root git\0${folder}`,
        [how, ...gitLists.flatMap((list) => [null, ...partsOf(list)])],
        () => IgnoreLayer.root(readings, gitLists),
      ),
      svc: this.#kept.get(`${top}\0root svc\0${folder}`, [how, ...partsOf(svcFiles)], () =>
        IgnoreLayer.root(readings, [svcFiles]),
      ),
    };
  }

  async #ownFiles(folder: string, lookups: Lookups): Promise<OwnFiles> {
    const [[git], [svc]] = await Promise.all([
      this.#all([{ by: '.gitignore', path: posix.join(folder, '.gitignore') }], lookups),
      this.#all([{ by: '.svcignore', path: posix.join(folder, '.svcignore') }], lookups),
    ]);
    return { git: git ?? null, svc: svc ?? null };
  }

  async #all(places: readonly RuleFilePlace[], lookups: Lookups): Promise<readonly FoundFile[]> {
    const files = await Promise.all(
      places.map(async ({ by, path }) => {
        const file = await this.#files.get(path, lookups);
        return file === null ? [] : [{ by, path, file }];
      }),
    );
    return files.flat();
  }
}

/** Files that `.svcignore` lists are recognized by their content in more places than files that git ignores. */
function layersOf(repositories: readonly Repository[]): readonly IgnoreLayer[] {
  return [...repositories.map(({ svc }) => svc), ...repositories.map(({ git }) => git)];
}

function firstOf(layers: readonly IgnoreLayer[], ask: (layer: IgnoreLayer) => Ignored | null): Ignored | null {
  for (const layer of layers) {
    const found = ask(layer);
    if (found !== null) return found;
  }
  return null;
}

function keyOf({ folder, governedBy }: Top): string {
  return folder === governedBy ? folder : `${folder}\0of ${governedBy}`;
}
