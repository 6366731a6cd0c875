import { foldCase } from '../../../util/foldCase.ts';
import { anyNamePattern } from '../../../util/namePattern.ts';

/** Files that build, installation or test commands commonly execute. The guarded files, which run by themselves, are others. */
const names = anyNamePattern([
  'package.json',
  'makefile',
  'gnumakefile',
  '*.mk',
  'dockerfile',
  'dockerfile.*',
  'docker-compose*.yml',
  'docker-compose*.yaml',
  'compose.yml',
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

/** Whether build, installation or test commands commonly execute this file. On Windows, a path may have backslashes. */
export function canRunInBuild(path: string): boolean {
  return names.test(foldCase(path).replaceAll('\\', '/'));
}
