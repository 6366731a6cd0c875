import { foldCase } from '../../../util/foldCase.ts';
import { anyNamePattern } from '../../../util/namePattern.ts';

/** Files that a build, an installation or the user's next command runs. The guarded files, which run by themselves, are others. */
const names = anyNamePattern([
  'package.json',
  'makefile',
  'gnumakefile',
  '*.mk',
  'dockerfile',
  'dockerfile.*',
  'docker-compose*.yml',
  'compose.yaml',
  '*.sh',
  '*.bash',
  '*.zsh',
  '*.ps1',
  '*.bat',
  '*.cmd',
  '*.gradle',
  '*.gradle.kts',
  'pom.xml',
  'pyproject.toml',
  'setup.py',
  'conftest.py',
  'cargo.toml',
  'build.rs',
  'cmakelists.txt',
  'rakefile',
  'gemfile',
]);

/** Whether commands that developers run often run code of this file. */
export function runsCode(path: string): boolean {
  return names.test(foldCase(path));
}
