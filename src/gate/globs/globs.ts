import { foldCase } from '../../util/foldCase.ts';
import type { Work } from '../ignore/wildmatch.ts';
import { compileGlob, type GlobPath, type GlobProgram, globPath, matchesGlob } from './matchGlob.ts';
import { parseGlob, UnreadableGlob } from './parseGlob.ts';

/** The glob that excludes a path. A glob that is not `read` excludes every path. */
export interface FoundGlob {
  readonly pattern: string;
  readonly is: 'read' | 'unreadable' | 'too-long' | 'too-many';
}

/** Globs of VS Code's setting `files.exclude`. */
export interface Globs {
  /**
   * Returns the glob that excludes a path (relative to the workspace folder, with `/`) whose folders are not excluded, or null.
   */
  checkEntry(path: string): FoundGlob | null;
  /**
   * Returns what excludes the entries of a folder (empty, or with a slash at its end), by their names. A folder that is excluded
   * excludes its contents. Yields null where it may pause.
   */
  checkIn(folder: string): Generator<null, CheckName>;
}

/** Returns the glob that excludes an entry of a folder, or null. `work` is what remains for the name in all workspace folders. */
export type CheckName = (name: string, work?: Work) => FoundGlob | null;

/** The maximum length of a glob in UTF-16 units, far above any that is written by hand. */
const maxLength = 4_000;
/**
 * The maximum work of all globs that are not simple names: for one character of a path; `maxWork` is for a whole path in
 * all workspace folders, and `maxWorkAbove` for a path and all folders above it in one of them.
 */
const maxCost = 4_000;
const maxWork = 1_000_000;
const maxWorkAbove = 8_000_000;

/** The size of the cache, which lasts until the setting changes: a long listing is checked again with each request. */
const maxAnswers = 20_000;

/** Returns what a name may cost in the globs of all workspace folders around it, which takes about 20 ms. */
export function globWorkForName(): Work {
  return { left: maxWork };
}

/**
 * `setting` maps a glob to false, or to true, or to a condition about other files, which is assumed to hold. VS Code treats
 * every value but false as true.
 */
export function globsOf(setting: Readonly<Record<string, unknown>>, ignoresCase: boolean): Globs {
  const globs = new Compiled(ignoresCase);
  for (const [pattern, value] of Object.entries(setting)) if (value !== false) globs.add(pattern);
  const answers = new Map<string, FoundGlob | null>();
  const checkEntry = (path: string): FoundGlob | null => globs.find(path);
  /** `work` includes that of the path, so that the answer does not depend on what was asked before. */
  const answerFor = (path: string, work: number): FoundGlob | null => {
    if (work > maxWorkAbove) return globs.tooMany;
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = checkEntry(path);
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(path, answer);
    return answer;
  };
  function* checkIn(folder: string): ReturnType<Globs['checkIn']> {
    let work = 0;
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1)) {
      yield null;
      const above = folder.slice(0, end);
      work += globs.workFor(above);
      const answer = answerFor(above, work);
      if (answer !== null) return () => answer;
    }
    return (name, remaining = globWorkForName()) => {
      if (!globs.needPaths) return globs.findName(name);
      const path = folder + name;
      const own = globs.workFor(path);
      remaining.left -= own;
      if (remaining.left < 0) return globs.findName(name) ?? globs.tooMany;
      return answerFor(path, work + own);
    };
  }
  return { checkEntry, checkIn };
}

/** Compiled settings by key, each valid while the setting is unchanged. */
export class KeptGlobs {
  readonly #kept = new Map<string, { readonly written: string; readonly globs: Globs }>();

  get(key: string, setting: Readonly<Record<string, unknown>>, ignoresCase: boolean): Globs {
    const written = JSON.stringify(setting);
    const before = this.#kept.get(key);
    if (before?.written === written) return before.globs;
    const globs = globsOf(setting, ignoresCase);
    this.#kept.set(key, { written, globs });
    return globs;
  }
}

/** Most globs are a name or an extension in any folder, which are looked up. */
class Compiled {
  readonly #ignoresCase: boolean;
  /** Globs that match every path. */
  readonly #always: FoundGlob[] = [];
  readonly #names = new Map<string, FoundGlob>();
  /** The globs for extensions, which begin with a dot. */
  readonly #extensions = new Map<string, FoundGlob>();
  readonly #others: { readonly found: FoundGlob; readonly program: GlobProgram }[] = [];
  #cost = 0;

  constructor(ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
  }

  add(pattern: string): void {
    // One glob already excludes every path, so the others do not matter.
    if (this.#always.length > 0) return;
    if (pattern.length > maxLength) {
      this.#always.push({ pattern, is: 'too-long' });
      return;
    }
    const glob = pattern.trim();
    const found = { pattern, is: 'read' } as const;
    const [, name, extension] = /^\*\*\/(?:([\w.-]+)\/?|\*(\.[\w.-]+))$/.exec(glob) ?? [];
    if (name !== undefined) setFirst(this.#names, this.#fold(name), found);
    else if (extension !== undefined) setFirst(this.#extensions, this.#fold(extension), found);
    else if (glob !== '') this.#addOther(found, glob);
  }

  #addOther(found: FoundGlob, glob: string): void {
    try {
      const readings = [compileGlob(parseGlob(glob, false))];
      if (/\{[^}]*\{/.test(glob)) readings.push(compileGlob(parseGlob(glob, true)));
      for (const program of readings) this.#cost += program.cost;
      if (this.#cost > maxCost) this.#always.push({ ...found, is: 'too-many' });
      else for (const program of readings) this.#others.push({ found, program });
    } catch (error) {
      if (!(error instanceof UnreadableGlob)) throw error;
      this.#always.push({ ...found, is: 'unreadable' });
    }
  }

  /** The work of all globs that are not simple names for a path. */
  workFor(path: string): number {
    return this.needPaths ? path.length * this.#cost : 0;
  }

  /** The answer for a path with too much work. */
  get tooMany(): FoundGlob {
    return { pattern: this.#others[0]?.found.pattern ?? '', is: 'too-many' };
  }

  /** Whether the name of a file does not suffice. */
  get needPaths(): boolean {
    return this.#others.length > 0;
  }

  findName(name: string): FoundGlob | null {
    const [always] = this.#always;
    if (always !== undefined) return always;
    const slash = name.lastIndexOf('\\') + 1;
    return this.#simple(name) ?? (slash === 0 ? null : this.#simple(name.slice(slash)));
  }

  find(path: string): FoundGlob | null {
    const simple = this.findName(path.slice(path.lastIndexOf('/') + 1));
    if (simple !== null) return simple;
    if (!this.needPaths) return null;
    // Such a path is longer than any path of an operating system, unless there are very many globs.
    if (this.workFor(path) > maxWork) return this.tooMany;
    const asked: GlobPath = globPath(path, this.#ignoresCase);
    for (const { found, program } of this.#others) if (matchesGlob(program, asked, this.#ignoresCase)) return found;
    return null;
  }

  #simple(written: string): FoundGlob | null {
    if (this.#names.size === 0 && this.#extensions.size === 0) return null;
    const name = this.#fold(written);
    const found = this.#names.get(name);
    if (found !== undefined || this.#extensions.size === 0) return found ?? null;
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const extension = this.#extensions.get(name.slice(dot));
      if (extension !== undefined) return extension;
    }
    return null;
  }

  #fold(text: string): string {
    return this.#ignoresCase ? foldCase(text) : text;
  }
}

function setFirst(map: Map<string, FoundGlob>, key: string, found: FoundGlob): void {
  if (!map.has(key)) map.set(key, found);
}
