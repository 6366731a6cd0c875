import picomatch from 'picomatch';
import type { IgnoreFileKind } from './ignore/ignoreFolder.ts';

/** The rule that keeps a file from leaving. */
export type Exclusion =
  | { readonly by: 'built-in'; readonly pattern: string }
  | { readonly by: 'files.exclude'; readonly pattern: string }
  | {
      readonly by: IgnoreFileKind;
      /** The path of the ignore file. */
      readonly source: string;
      /** The deciding pattern and its line; null if the file is unreadable and may exclude anything. */
      readonly rule: { readonly line: number; readonly pattern: string } | null;
    };

/** Globs of VS Code's setting `files.exclude`. */
export interface Globs {
  /** Returns the glob that excludes a path (relative to the workspace folder, with `/`); null if none does. */
  check(path: string): string | null;
}

/** `setting` maps a glob to true, false, or a condition, which is assumed to hold. */
export function globsOf(setting: Readonly<Record<string, unknown>>, ignoresCase: boolean): Globs {
  const globs = Object.entries(setting)
    .filter(([, value]) => value !== false && value !== null && value !== undefined)
    .map(([pattern]) => ({ pattern, matches: picomatch(pattern, { dot: true, nocase: ignoresCase }) }));
  const answers = new Map<string, string | null>();
  const check = (path: string): string | null => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf('/');
    // An excluded folder excludes its content.
    const above = end === -1 ? null : check(path.slice(0, end));
    const answer = above ?? globs.find(({ matches }) => matches(path))?.pattern ?? null;
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(path, answer);
    return answer;
  };
  return { check };
}

/** The size of the cache, which lasts until the setting changes: a long listing is checked again with each request. */
const maxAnswers = 20_000;

/** Whether an absolute path has a name in it that leads elsewhere. */
export function leadsElsewhere(path: string): boolean {
  const names = path.split('/').slice(1);
  return names.some((name) => name === '' || name === '.' || name === '..');
}
