import {
  type Ignored,
  type IgnoreFileKind,
  IgnoreFolder,
  type IgnoreRules,
} from '../../../src/gate/ignore/ignoreFolder.ts';
import { type GitReading, PatternList } from '../../../src/gate/ignore/patternList.ts';
import { readPatterns } from '../../../src/gate/ignore/patterns.ts';
import { finished } from '../../tools/processorTime.ts';
import type { Asked, Rules } from './repositories.ts';

const known = new WeakMap<Rules, IgnoreFolder>();

/** Our result for a path of a repository. */
export function answerOf(rules: Rules, { path, isFolder }: Asked, looksBack: boolean): Ignored | null {
  const reading = { ignoresCase: rules.ignoresCase, looksBack };
  const root = known.get(rules) ?? rootOf(rules, reading);
  known.set(rules, root);
  const names = path.split('/');
  const name = names.pop() ?? '';
  let folder = root;
  names.forEach((step, index) => {
    folder = folder.folder(step, rulesOf(rules, names.slice(0, index + 1).join('/')));
  });
  return folder.ask(name, isFolder);
}

function rootOf(rules: Rules, reading: GitReading): IgnoreFolder {
  const exclude = compiled('info/exclude', 'info/exclude', rules.exclude);
  const excludesFile = compiled('core.excludesFile', 'excludesFile', rules.excludesFile);
  return IgnoreFolder.root([...rulesOf(rules, ''), exclude, excludesFile], reading);
}

function rulesOf({ ignoreFiles }: Rules, folder: string): readonly IgnoreRules[] {
  return ignoreFiles
    .filter((file) => file.folder === folder)
    .map(({ bytes }) => compiled('.gitignore', folder === '' ? '.gitignore' : `${folder}/.gitignore`, bytes));
}

function compiled(by: IgnoreFileKind, source: string, bytes: Uint8Array): IgnoreRules {
  const { patterns } = finished(readPatterns(bytes));
  return { by, source, patterns: typeof patterns === 'string' ? new PatternList() : patterns };
}
