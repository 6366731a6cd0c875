import type { FoundGlob } from './globs/globs.ts';
import type { IgnoreFileKind } from './ignore/ignoreFolder.ts';

/** The rule that keeps a file from being sent. */
export type Exclusion =
  | { readonly by: 'built-in'; readonly pattern: string }
  | { readonly by: 'files.exclude'; readonly glob: FoundGlob }
  | {
      readonly by: IgnoreFileKind;
      /** The path of the ignore file. */
      readonly source: string;
      /** The deciding pattern and its line; null if the file is unreadable and may exclude anything. */
      readonly rule: { readonly line: number; readonly pattern: string } | null;
    };

/** Whether an absolute path contains an empty name, `.` or `..`, so that it denotes another path. */
export function leadsElsewhere(path: string): boolean {
  const names = path.split('/').slice(1);
  return names.some((name) => name === '' || name === '.' || name === '..');
}
