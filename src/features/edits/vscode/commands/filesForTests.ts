import * as vscode from 'vscode';
import { isGone } from '../../../../platform/files/isGone.ts';
import { whyFilesExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import { endingsLike, partsOf } from '../placing/testConvention.ts';
import { manifests } from '../placing/testPath.ts';

/** The maximum number of files that are looked at, of a package and of the workspace folder. */
const maxFiles = 5_000;

/** Folders with files of others, and with files that are built: their tests say nothing about those of the user. */
const othersFolders = [
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
 * The sources, tests and manifests of packages that say how a file is tested, by their paths in the workspace folder:
 * those of its own package first. Files that git ignores, that are excluded, or that are not the user's say nothing.
 */
export async function filesForTests(folder: vscode.WorkspaceFolder, source: string): Promise<readonly string[]> {
  const names = [...endingsLike(partsOf(source).ending).map((ending) => `*.${ending}`), ...manifests, '*.csproj'];
  const own = source.split('/');
  // The file may be in a folder of such a name itself.
  const left = othersFolders.filter((name) => !own.includes(name));
  const find = (base: vscode.Uri): Thenable<vscode.Uri[]> =>
    vscode.workspace.findFiles(
      new vscode.RelativePattern(base, `**/{${names.join(',')}}`),
      `**/{${left.join(',')}}/**`,
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

/** The nearest folder above a file that has a manifest; the workspace folder if none has. */
async function packageRoot(folder: vscode.Uri, below: string): Promise<vscode.Uri> {
  for (let path = below; path !== ''; path = partsOf(path).folder) {
    const at = vscode.Uri.joinPath(folder, path);
    const gone = await Promise.all(manifests.map((name) => isGone(vscode.Uri.joinPath(at, name))));
    if (gone.includes(false)) return at;
  }
  return folder;
}
