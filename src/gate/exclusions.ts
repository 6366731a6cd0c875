import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { builtInDenial } from './denials.ts';

/** Which rule keeps a file from leaving. */
export interface Exclusion {
  readonly by: 'built-in' | '.gitignore' | '.svcignore' | 'files.exclude';
  /** The rule as it is written; for an ignore file, the folder it stands in. */
  readonly pattern: string;
}

export interface IgnoreFile {
  readonly name: '.gitignore' | '.svcignore';
  /** Where it stands, below the workspace folder: '' or 'a/b'. */
  readonly folder: string;
  readonly text: string;
}

export interface ExclusionRules {
  readonly ignoreFiles: readonly IgnoreFile[];
  /** VS Code's setting: a glob to true, false, or a condition, which is taken to hold. */
  readonly filesExclude: Readonly<Record<string, unknown>>;
  /** The file system does not tell `A` from `a`. */
  readonly isCaseInsensitive: boolean;
}

export interface Exclusions {
  /** `path` is real (links resolved), below the workspace folder, and has `/` between its names. */
  check(path: string): Exclusion | null;
}

const fileNames = ['.gitignore', '.svcignore'] as const;

export function createExclusions({ ignoreFiles, filesExclude, isCaseInsensitive }: ExclusionRules): Exclusions {
  const read = ignoreFiles.map(({ name, folder, text }) => ({
    name,
    folder,
    rules: ignore({ ignorecase: isCaseInsensitive }).add(text),
  }));
  const globs = Object.entries(filesExclude)
    .filter(([, value]) => value !== false && value !== null && value !== undefined)
    .map(([pattern]) => ({ pattern, matches: picomatch(pattern, { dot: true, nocase: isCaseInsensitive }) }));

  return {
    check(path) {
      const names = path.split(/[\\/]/);
      if (/^[A-Za-z]:$/.test(names[0] ?? '') || names.some((name) => name === '' || name === '.' || name === '..')) {
        return { by: 'built-in', pattern: 'outside' };
      }
      const denied = builtInDenial(names.join('/'));
      if (denied !== null) return { by: 'built-in', pattern: denied };
      for (const name of fileNames) {
        const folder = ignoredIn(
          read.filter((file) => file.name === name),
          names,
          isCaseInsensitive,
        );
        if (folder !== null) return { by: name, pattern: folder === '' ? name : `${folder}/${name}` };
      }
      // A folder that is excluded takes what is in it along.
      const prefixes = names.map((_, index) => names.slice(0, index + 1).join('/'));
      const glob = globs.find(({ matches }) => prefixes.some((prefix) => matches(prefix)));
      return glob === undefined ? null : { by: 'files.exclude', pattern: glob.pattern };
    },
  };
}

/**
 * As git does: the innermost file that says anything decides, and nothing below an ignored folder is ever included
 * again. Returns the folder of the file that decided.
 */
function ignoredIn(
  files: readonly { readonly folder: string; readonly rules: Ignore }[],
  names: readonly string[],
  isCaseInsensitive: boolean,
): string | null {
  const fold = (text: string): string => (isCaseInsensitive ? text.toLowerCase() : text);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const path = names.slice(0, depth).join('/') + (depth < names.length ? '/' : '');
    for (const { folder, rules } of [...files].sort((a, b) => b.folder.length - a.folder.length)) {
      const prefix = folder === '' ? '' : `${folder}/`;
      if (!fold(path).startsWith(fold(prefix)) || path.length === prefix.length) continue;
      const { ignored, unignored } = rules.test(path.slice(prefix.length));
      if (ignored) return folder;
      if (unignored) break;
    }
  }
  return null;
}
