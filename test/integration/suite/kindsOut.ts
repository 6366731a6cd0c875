import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** A file that may not be sent, and what a refusal of it names. */
export interface Kind {
  readonly name: string;
  /** The URI that is requested. */
  readonly uri: vscode.Uri;
  /** Text that occurs only in this file. */
  readonly marker: string;
  readonly rule: RegExp;
}

const scheme = 'svc-matrix';

/**
 * Files that may not be sent, each for another reason, in a folder of the workspace that is part of a repository whose
 * root lies above the workspace. `allowed` may be sent: it shows that a way sends anything at all.
 */
export class KindsOut {
  kinds: readonly Kind[];
  readonly allowed: Kind;
  readonly folder: vscode.Uri;
  readonly #root: string;
  readonly #above: string;
  readonly #outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
  readonly #documents = new Map<string, string>();
  readonly #provider: vscode.Disposable;

  constructor(workspace: vscode.Uri) {
    this.#root = workspace.fsPath;
    this.#above = dirname(this.#root);
    this.folder = vscode.Uri.joinPath(workspace, 'matrix');
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ path }) => this.#documents.get(path) ?? '',
    });
    execFileSync('git', ['init', '--quiet', this.#above]);
    this.#put(join(this.#above, '.gitignore'), 'above.md\n');
    this.#put(join(this.#above, '.git', 'info', 'exclude'), 'info.md\n');
    this.#put(join(this.#root, '.svcignore'), '..data/\n');
    this.#put(this.#in('.svcignore'), 'geheim-üß.md\n\\[id\\].md\nprivate.ipynb\n');
    this.#put(this.#in('sub', '.svcignore'), 'private.md\n');
    this.#put(this.#in('inner', '.gitignore'), '*.md\n!kept.md\n');
    this.allowed = this.#file('allowed', this.#in('allowed.md'), /never/);
    const builtIn = this.#file('a built-in rule', this.#in('.env'), /built-in/);
    const inSub = this.#file('.svcignore in a subfolder', this.#in('sub', 'private.md'), /\.svcignore/);
    const foreign = this.#file(
      'outside the workspace',
      join(this.#outside, 'private.md'),
      /outside|not in the workspace/,
    );
    this.#link(builtIn.uri.fsPath, this.#in('innocent.md'));
    this.#link(this.#in('sub'), this.#in('shortcut'));
    this.#link(this.#outside, this.#in('linked'));
    const at = (...names: string[]): vscode.Uri => vscode.Uri.file(this.#in(...names));
    const versionOf = (uri: vscode.Uri, other: string): vscode.Uri =>
      uri.with({ scheme: other, query: JSON.stringify({ path: uri.fsPath, ref: 'HEAD' }) });
    this.kinds = [
      builtIn,
      inSub,
      foreign,
      this.#file('a built-in rule in another case', this.#in('.ENV.Local'), /built-in/),
      this.#file('.gitignore above the opened folder', this.#in('above.md'), /\.gitignore/),
      this.#file('info/exclude', this.#in('info.md'), /exclude/),
      this.#submodule(),
      this.#file('.gitignore that keeps one file', this.#in('inner', 'other.md'), /\.gitignore/),
      this.#file('a name that begins with two dots', join(this.#root, '..data', 'private.md'), /\.svcignore/),
      this.#file('a name that is not ASCII', this.#in('geheim-üß.md'), /\.svcignore/),
      this.#file('a name with the characters of a pattern', this.#in('[id].md'), /\.svcignore/),
      { ...builtIn, name: 'a link', uri: at('innocent.md') },
      { ...inSub, name: 'a linked folder', uri: at('shortcut', 'private.md') },
      { ...foreign, name: 'a linked folder outside', uri: at('linked', 'private.md') },
      { ...builtIn, name: '.. in a path', uri: builtIn.uri.with({ path: `${at('sub').path}/../.env` }) },
      // An older version, as on the left side of a diff; any extension may have its own scheme for it.
      this.#document('an older version', versionOf(inSub.uri, scheme), /\.svcignore/),
      this.#document(
        'a document without a file',
        vscode.Uri.from({ scheme, path: '/nowhere/private.md' }),
        /without a file|not in the workspace/,
      ),
    ];
  }

  /** A cell is a separate document in the file of its notebook. */
  async addNotebook(): Promise<void> {
    const name = 'a cell of a notebook';
    const marker = markerOf(name);
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: textWith(marker) };
    const path = this.#in('private.ipynb');
    this.#put(path, JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    const { uri } = notebook.cellAt(0).document;
    this.kinds = [...this.kinds, { name, uri, marker, rule: /\.svcignore/ }];
  }

  /**
   * Commits all files, then changes all of them: each diff contains its file's content, before and after. One file that
   * may not leave has moved to a name that may. Returns the repository's root.
   */
  changeAll(): vscode.Uri {
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: this.#above });
    };
    // The workspace may be a repository itself; then that one contains the files.
    git('add', '--force', '--', this.folder.fsPath, join(this.#root, '..data'));
    git('commit', '--quiet', '--message', 'all');
    for (const { uri, marker } of [this.allowed, ...this.kinds]) {
      // The moved file is unchanged, so that git detects the move.
      if (uri.scheme === 'file' && uri.fsPath !== this.#in('inner', 'other.md'))
        this.#put(uri.fsPath, textWith(`${marker}_changed`));
    }
    renameSync(this.#in('inner', 'other.md'), this.#in('moved.md'));
    git('add', '--force', '--all', '--', this.folder.fsPath);
    return vscode.Uri.file(this.#above);
  }

  /** Closes the documents it has opened and removes the files it has written. */
  async dispose(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    this.#provider.dispose();
    const written = [this.folder.fsPath, join(this.#root, '..data'), join(this.#root, '.svcignore'), this.#outside];
    for (const path of [...written, join(this.#above, '.git'), join(this.#above, '.gitignore')]) {
      rmSync(path, { recursive: true, force: true });
    }
  }

  #in(...names: readonly string[]): string {
    return join(this.folder.fsPath, ...names);
  }

  #put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  #link(target: string, path: string): void {
    symlinkSync(target, path);
  }

  /** The rule that excludes it is in git's own directory of the submodule. */
  #submodule(): Kind {
    const gitDir = join(this.#above, '.git', 'modules', 'module');
    const file = this.#file('a file of a submodule', this.#in('module', 'private.md'), /exclude/);
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: this.#in('module') });
    };
    mkdirSync(dirname(gitDir), { recursive: true });
    git('init', '--quiet', '--separate-git-dir', gitDir);
    this.#put(join(gitDir, 'info', 'exclude'), 'private.md\n');
    git('add', '--force', '--all');
    git('commit', '--quiet', '--message', 'module');
    return file;
  }

  #file(name: string, path: string, rule: RegExp): Kind {
    const marker = markerOf(name);
    this.#put(path, textWith(marker));
    return { name, uri: vscode.Uri.file(path), marker, rule };
  }

  #document(name: string, uri: vscode.Uri, rule: RegExp): Kind {
    const marker = markerOf(name);
    this.#documents.set(uri.path, textWith(marker));
    return { name, uri, marker, rule };
  }
}

function markerOf(name: string): string {
  return `marker_${name.replace(/\W+/g, '_')}`;
}

function textWith(marker: string): string {
  return `export function ${marker}() {\n  return '${marker}';\n}\n`;
}
