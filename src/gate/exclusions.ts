import picomatch from 'picomatch';
import { foldBytes } from './ignore/bytes.ts';
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
  /** The same for a path in a folder that is not excluded. */
  checkEntry(path: string): string | null;
}

/** `setting` maps a glob to true, false, or a condition, which is assumed to hold. */
export function globsOf(setting: Readonly<Record<string, unknown>>, ignoresCase: boolean): Globs {
  const globs = Object.entries(setting)
    .filter(([, value]) => value !== false && value !== null && value !== undefined)
    .map(([pattern]) => ({ pattern, matches: globMatcher(pattern, ignoresCase) }));
  const fold = ignoresCase ? foldBytes : (text: string): string => text;
  const checkEntry = (path: string): string | null => {
    const name = fold(path.slice(path.lastIndexOf('/') + 1));
    for (const { pattern, matches } of globs) if (matches(path, name)) return pattern;
    return null;
  };
  const answers = new Map<string, string | null>();
  const check = (path: string): string | null => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf('/');
    // An excluded folder excludes its content.
    const above = end === -1 ? null : check(path.slice(0, end));
    const answer = above ?? checkEntry(path);
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(path, answer);
    return answer;
  };
  return { check, checkEntry };
}

/** `name` is the last one of the path, in lower case if case is ignored. */
type GlobMatcher = (path: string, name: string) => boolean;

/** Most globs are a name or an extension in any folder, and need no regular expression. */
function globMatcher(pattern: string, ignoresCase: boolean): GlobMatcher {
  const [, literal, extension] = /^\*\*\/(?:([\w.-]+)|\*(\.\w[\w.-]*))$/.exec(pattern) ?? [];
  const text = literal ?? extension ?? '';
  const wanted = ignoresCase ? foldBytes(text) : text;
  if (literal !== undefined) return (_, name) => name === wanted;
  if (extension !== undefined) return (_, name) => name.endsWith(wanted);
  const matches = picomatch(pattern, { dot: true, nocase: ignoresCase });
  return (path) => matches(path);
}

/** The size of the cache, which lasts until the setting changes: a long listing is checked again with each request. */
const maxAnswers = 20_000;

/** Whether an absolute path has a name in it that leads elsewhere. */
export function leadsElsewhere(path: string): boolean {
  const names = path.split('/').slice(1);
  return names.some((name) => name === '' || name === '.' || name === '..');
}
