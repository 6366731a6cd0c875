import {
  type IgnoredBy,
  type IgnoreFileKind,
  IgnoreFolder,
  type IgnoreRules,
} from '../../../src/gate/ignore/ignoreFolder.ts';
import { PatternList } from '../../../src/gate/ignore/patternList.ts';
import { type GitReading, readPatterns } from '../../../src/gate/ignore/patterns.ts';
import type { Asked, Rules } from './repositories.ts';

const known = new WeakMap<Rules, IgnoreFolder>();

/** Our result for a path of a repository. */
export function answerOf(rules: Rules, { path, isFolder }: Asked, looksBack: boolean): IgnoredBy | null {
  const reading = { ignoresCase: rules.ignoresCase, looksBack };
  const root = known.get(rules) ?? rootOf(rules, reading);
  known.set(rules, root);
  const names = path.split('/');
  const name = names.pop() ?? '';
  let folder = root;
  names.forEach((step, index) => {
    folder = folder.folder(step, rulesOf(rules, names.slice(0, index + 1).join('/'), reading));
  });
  return folder.ask(name, isFolder);
}

function rootOf(rules: Rules, reading: GitReading): IgnoreFolder {
  const exclude = compiled('info/exclude', 'info/exclude', rules.exclude, reading);
  const excludesFile = compiled('core.excludesFile', 'excludesFile', rules.excludesFile, reading);
  return IgnoreFolder.root([...rulesOf(rules, '', reading), exclude, excludesFile], reading);
}

function rulesOf({ ignoreFiles }: Rules, folder: string, reading: GitReading): readonly IgnoreRules[] {
  return ignoreFiles
    .filter((file) => file.folder === folder)
    .map(({ bytes }) => compiled('.gitignore', folder === '' ? '.gitignore' : `${folder}/.gitignore`, bytes, reading));
}

function compiled(by: IgnoreFileKind, source: string, bytes: Uint8Array, reading: GitReading): IgnoreRules {
  return { by, source, patterns: readPatterns(bytes, reading) ?? new PatternList([]) };
}
