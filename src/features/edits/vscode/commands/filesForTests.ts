import * as vscode from 'vscode';
import { isGone } from '../../../../platform/files/isGone.ts';
import { whyFilesExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import { endingsLike, partsOf } from '../placing/testConvention.ts';
import { manifests } from '../placing/testPath.ts';

/** The maximum number of files to look at, each in the package and in the workspace folder. */
const maxFiles = 5_000;

/** Folders with third-party code or build output: tests in them show nothing about the user's own tests. */
const foreignFolders = [
  ...[
    'node_modules',
    'bower_components',
    'vendor',
    'third_party',
    'Pods',
    'Carthage',
    'site-packages',
    'jspm_packages',
  ],
  ...['.git', '.venv', 'venv', '.tox', '.nox', '__pycache__', '.gradle', '.mvn', '.yarn', '.pnpm-store', '.cargo'],
  ...['dist', 'build', 'out', 'target', 'bin', 'obj', 'coverage', '.next', '.nuxt', '.output', '.turbo', '.cache'],
];

/**
 * The sources, tests and manifests that show how a file is tested, by their paths in the workspace folder; files of its
 * own package come first. Files that git ignores, excluded files and third-party files are left out.
 */
export async function filesForTests(folder: vscode.WorkspaceFolder, source: string): Promise<readonly string[]> {
  const names = [...endingsLike(partsOf(source).ending).map((ending) => `*.${ending}`), ...manifests, '*.csproj'];
  const sourceNames = source.split('/');
  // The file itself may be in a folder with one of these names.
  const excludedFolders = foreignFolders.filter((name) => !sourceNames.includes(name));
  const find = (base: vscode.Uri): Thenable<vscode.Uri[]> =>
    vscode.workspace.findFiles(
      new vscode.RelativePattern(base, `**/{${names.join(',')}}`),
      `**/{${excludedFolders.join(',')}}/**`,
      maxFiles,
    );
  const root = await packageRoot(folder.uri, partsOf(source).folder);
  const found = [...(await find(root)), ...(root.path === folder.uri.path ? [] : await find(folder.uri))];
  const uris = [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
  const reasons = await whyFilesExcluded(uris.map(String), new Map());
  return uris
    .filter((_, index) => reasons[index] === null)
    .map(({ path }) => path.slice(folder.uri.path.length + 1))
    .sort();
}

/** The nearest folder above a file that has a manifest, or the workspace folder if there is none. */
async function packageRoot(folder: vscode.Uri, below: string): Promise<vscode.Uri> {
  for (let path = below; path !== ''; path = partsOf(path).folder) {
    const at = vscode.Uri.joinPath(folder, path);
    const areMissing = await Promise.all(manifests.map((name) => isGone(vscode.Uri.joinPath(at, name))));
    if (areMissing.includes(false)) return at;
  }
  return folder;
}
