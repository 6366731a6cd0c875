import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readDiffs } from '../../../src/features/context/vscode/git/diffs.ts';
import { type FileDiff, fileDiff, type LeftOut } from '../../../src/features/context/vscode/git/fileDiff.ts';
import { diffSource } from '../../../src/features/context/vscode/gitDiff.ts';
import { generateCommitMessage } from '../../../src/features/edits/vscode/commands/commitMessage.ts';
import { maskText } from '../../../src/gate/secrets/scanner.ts';
import { listChanges } from '../../../src/platform/git/listChanges.ts';
import { VersionReader } from '../../../src/platform/git/versionText.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
const lines = (from: number, count = 20): string =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join('');
const body = Array.from(
  { length: 12 },
  (_, index) => `${index}MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${index}`,
);
const key = (middle: readonly string[]): string =>
  ['-----BEGIN PRIVATE KEY-----', ...middle, '-----END PRIVATE KEY-----', ''].join('\n');
/** Eight consecutive characters of any line of the key. */
const leaks = (text: string): readonly string[] =>
  body
    .flatMap((line) => Array.from({ length: line.length - 7 }, (_, at) => line.slice(at, at + 8)))
    .filter((part) => text.includes(part));

/** Each test has its own name: the git extension keeps watching a repository that it has opened. */
let last = 0;

describe('git diffs', () => {
  let name: string;
  let folder: string;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'core.autocrlf=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const put = (file: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const commit = (): void => {
    git('add', '--all', '--force');
    git('commit', '--quiet', '--message', 'one');
  };
  const root = (): { readonly rootUri: vscode.Uri } => ({ rootUri: vscode.Uri.file(folder) });
  const read = (kind: 'staged' | 'all' = 'all') => readDiffs('git', root(), kind);
  const textOf = ({ files }: { readonly files: readonly FileDiff[] }): string =>
    files.map(({ diff }) => diff.text).join('');
  const reasons = (leftOut: readonly LeftOut[]): readonly string[] =>
    leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort();

  beforeEach(() => {
    last += 1;
    name = `git-diffs-${last}`;
    folder = join(workspace, name);
    mkdirSync(folder);
    git('init', '--quiet', '--initial-branch=main');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('contain new, changed, deleted, moved and executable files, as they are on the disk', async () => {
    for (const [index, file] of ['changed', 'deleted', 'moved', 'mode', 'both'].entries())
      put(file, lines(index * 100));
    commit();
    put('changed', lines(0).replace('line 3\n', 'LINE 3\n'));
    rmSync(join(folder, 'deleted'));
    git('mv', 'moved', 'to');
    chmodSync(join(folder, 'mode'), 0o755);
    put('both', `${lines(400)}staged\n`);
    put('new', 'new\n');
    put('empty', '');
    git('add', 'both', 'new', 'empty');
    put('both', `${lines(400)}staged\nnot staged\n`);
    put('unknown', 'unknown\n');
    // Unsaved changes are not included, as in git.
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, 'changed')));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'unsaved\n');
    await vscode.workspace.applyEdit(edit);
    try {
      const staged = textOf(await read('staged'));
      assert.match(
        staged,
        /^diff --git a\/new b\/new\nnew file mode 100644\n--- \/dev\/null\n\+\+\+ b\/new\n@@ -0,0 \+1 @@\n\+new\n/m,
      );
      assert.match(staged, /^diff --git a\/empty b\/empty\nnew file mode 100644\n(diff|$)/m);
      assert.match(staged, /^diff --git a\/moved b\/to\nrename from moved\nrename to to\n(diff|$)/m);
      assert.match(staged, /^\+staged$/m);
      assert.doesNotMatch(staged, /not staged|LINE|deleted|mode 100755|unknown/);
      const all = textOf(await read());
      assert.match(
        all,
        /^--- a\/changed\n\+\+\+ b\/changed\n@@ -1,7 \+1,7 @@\n line 0\n line 1\n line 2\n-line 3\n\+LINE 3\n line 4/m,
      );
      assert.match(
        all,
        /^deleted file mode 100644\n--- a\/deleted\n\+\+\+ \/dev\/null\n@@ -1,20 \+0,0 @@\n-line 100\n/m,
      );
      assert.match(all, /^diff --git a\/mode b\/mode\nold mode 100644\nnew mode 100755\n(diff|$)/m);
      assert.match(all, /^\+staged\n\+not staged$/m);
      assert.doesNotMatch(all, /unknown|unsaved/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await show(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('can be applied by git, regardless of the file names', async () => {
    const names = [
      '[id].tsx',
      '*.yml',
      ':(top)x',
      '-x',
      'ümlaut ß.ts',
      'a b.txt',
      'quo"te',
      'back\\slash',
      'new\nline',
      '😀.md',
      '..data',
      'x?y#z%20.ts',
      'glob/[a]/*.ts',
    ];
    for (const file of names) put(file, `${JSON.stringify(file)}\n${lines(1)}`);
    commit();
    for (const file of names) put(file, `${JSON.stringify(file)}\n${lines(1).replace('line 9\n', 'LINE 9\r\n\u00e9')}`);
    const { files, leftOut } = await read();
    assert.deepEqual(leftOut, []);
    assert.deepEqual(files.map(({ path }) => path).sort(), [...names].sort());
    for (const { diff, changed, uri } of files) {
      assert.deepEqual(changed, [{ first: 10, last: 11 }]);
      assert.deepEqual(
        diff.covers.map((one) => one.uri),
        [uri.toString()],
      );
      assert.equal(diff.text.match(/LINE 9/g)?.length, 1);
    }
    const wanted = git('stash', 'create').trim();
    git('checkout', '--quiet', '--', '.');
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: textOf({ files }) });
    assert.equal(git('diff', wanted), '');
  });

  it('mask a value in both versions if only one of them has its name, staged or not', async () => {
    const [secret, other] = ['hG7kd9Xq2LmZ4w8P', 'nV3tb6Yc9RsJ5e1K'];
    put('a.ts', `const password = "${secret}";\nconst q = "${other}";\n`);
    commit();
    put('a.ts', `const p = "${secret}";\nconst password = "${other}";\n`);
    for (const kind of ['all', 'staged'] as const) {
      const [file] = (await read(kind)).files;
      assert.ok(file !== undefined);
      const text = await maskText(file.diff.text, file.diff.marks);
      assert.ok(!text.includes(secret) && !text.includes(other), text);
      assert.match(text, /^-const password = "\[masked: .*\n-const q = "\[masked: /m);
      assert.match(text, /^\+const p = "\[masked: .*\n\+const password = "\[masked: /m);
      git('add', '--all');
    }
  });

  it('contain no part of a private key whose middle line changes, staged or not', async () => {
    put('key.txt', `before\n${key(body)}after\n`);
    commit();
    put('key.txt', `before\n${key(body.with(6, 'x'.repeat(52)))}after\n`);
    for (const kind of ['all', 'staged'] as const) {
      const { files } = await read(kind);
      const [file] = files;
      assert.ok(file !== undefined);
      const text = await maskText(file.diff.text, file.diff.marks);
      assert.deepEqual(leaks(text), []);
      assert.ok(!text.includes('xxxxxxxx'));
      assert.match(text, /^@@ -6,7 \+6,7 @@\n \[masked: /m);
      git('add', '--all');
    }
    // Without its first line, a scan does not recognize the key.
    put('key.txt', body.join('\n'));
    const [file] = (await read()).files;
    assert.ok(file !== undefined);
    assert.deepEqual(leaks(await maskText(file.diff.text, file.diff.marks)), []);
  });

  it('exclude a file that was moved from or to a name that may not be sent', async () => {
    put('.svcignore', '*.secret\n');
    put('out.secret', `secret one\n${lines(1)}`);
    put('in.txt', `public\n${lines(100)}`);
    put('.env', `TOKEN=two\n${lines(200)}`);
    commit();
    git('mv', 'out.secret', 'out.txt');
    git('mv', 'in.txt', 'in.secret');
    git('mv', '.env', 'env.txt');
    put('out.txt', `secret three\n${lines(1)}`);
    for (const kind of ['staged', 'all'] as const) {
      const diffs = await read(kind);
      assert.equal(textOf(diffs), '');
      assert.deepEqual(reasons(diffs.leftOut), ['env.txt: excluded', 'in.secret: excluded', 'out.txt: excluded']);
      assert.ok(diffs.leftOut.every((one) => one.name === null));
    }
  });

  it('omit submodules, links, and binary or too large files', async () => {
    put('type', 'text\n');
    put('picture', new Uint8Array([1, 0, 2]));
    put('large.txt', 'small\n');
    put('long.txt', 'short\n');
    commit();
    git('init', '--quiet', 'sub');
    git('-C', 'sub', 'commit', '--quiet', '--allow-empty', '--message', 'inner');
    git('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub');
    git('commit', '--quiet', '--message', 'two');
    git('-C', 'sub', 'commit', '--quiet', '--allow-empty', '--message', 'again');
    rmSync(join(folder, 'type'));
    symlinkSync('/etc/hostname', join(folder, 'type'));
    symlinkSync('large.txt', join(folder, 'link'));
    put('picture', new Uint8Array([1, 0, 3]));
    put('large.txt', 'x'.repeat(1024 * 1024 + 1));
    put('long.txt', '\n'.repeat(100_001));
    put('utf16.txt', Buffer.from('\ufeffutf-16', 'utf16le'));
    git('add', 'link', 'utf16.txt');
    const diffs = await read();
    assert.equal(textOf(diffs), '');
    assert.deepEqual(reasons(diffs.leftOut), [
      'large.txt: too-large',
      'link: link',
      'long.txt: too-large',
      'picture: binary',
      'sub: submodule',
      'type: link',
      'utf16.txt: binary',
    ]);
  });

  it('are the same regardless of the user’s git settings', async () => {
    put('ümlaut.txt', lines(1));
    put('moved.txt', lines(100));
    put('.gitattributes', '*.txt diff=opened\n');
    commit();
    put('ümlaut.txt', lines(2));
    git('mv', 'moved.txt', 'to.txt');
    const expected = textOf(await read());
    assert.match(expected, /\+line 21\n/);
    const settings: readonly (readonly [string, string])[] = [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.external', 'touch ran'],
      ['diff.opened.textconv', 'touch ran; cat'],
      ['diff.opened.command', 'touch ran'],
      ['diff.renames', 'false'],
      ['status.renames', 'copies'],
      ['diff.context', '0'],
      ['diff.interHunkContext', '9'],
      ['diff.relative', 'true'],
      ['core.quotePath', 'true'],
      ['color.ui', 'always'],
      ['status.showUntrackedFiles', 'no'],
      ['core.pager', 'touch ran'],
    ];
    for (const [setting, value] of settings) {
      git('config', setting, value);
      assert.equal(textOf(await read()), expected, setting);
    }
    await assert.rejects(async () => vscode.workspace.fs.stat(vscode.Uri.file(join(folder, 'ran'))));
  });

  it('ignore line endings that git converts for Windows, unless nothing else differs', async () => {
    put('a.txt', lines(1));
    commit();
    git('config', 'core.autocrlf', 'true');
    put('a.txt', lines(1).replace('line 5\n', 'LINE 5\n').replaceAll('\n', '\r\n'));
    const changed = textOf(await read());
    assert.deepEqual(changed.match(/^[-+]\w.*$/gm), ['-line 5', '+LINE 5']);
    git('config', 'core.autocrlf', 'false');
    put('a.txt', lines(1).replaceAll('\n', '\r\n'));
    assert.match(textOf(await read()), /^diff --git a\/a\.txt b\/a\.txt\n\[only the line endings differ\]\n$/);
  });

  it('compare a conflict with our side, and omit it from the staged diff', async () => {
    put('a.txt', 'base\n');
    commit();
    git('switch', '--quiet', '--create', 'other');
    put('a.txt', 'theirs\n');
    commit();
    git('switch', '--quiet', 'main');
    put('a.txt', 'ours\n');
    commit();
    assert.throws(() => git('merge', '--quiet', 'other'));
    assert.match(textOf(await read()), /\n@@ -1 \+1,5 @@\n\+<<<<<<< HEAD\n ours\n/);
    const staged = await read('staged');
    assert.deepEqual([textOf(staged), reasons(staged.leftOut)], ['', ['a.txt: conflict']]);
  });

  it('contain no other file if a file changes between the listing and the read', async () => {
    for (const file of ['link.txt', 'gone.txt', 'ruled.txt']) put(file, lines(1));
    commit();
    for (const file of ['link.txt', 'gone.txt', 'ruled.txt']) put(file, lines(2));
    const place = { program: 'git', folder };
    const changes = await listChanges(place, 'all');
    const reader = await VersionReader.of(place, changes);
    const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    try {
      writeFileSync(join(outside, 'a.txt'), 'of another file\n');
      rmSync(join(folder, 'link.txt'));
      symlinkSync(join(outside, 'a.txt'), join(folder, 'link.txt'));
      renameSync(join(folder, 'gone.txt'), join(folder, 'else.txt'));
      put('.svcignore', 'ruled.txt\n');
      const parts = { root: root().rootUri, reader, known: new Map(), isStaged: false };
      const made = await Promise.all(changes.map((change) => fileDiff(change, parts)));
      assert.deepEqual(
        made.map((one) => (one !== null && 'reason' in one ? one.reason : one)),
        ['unreadable', 'excluded', 'excluded'],
      );
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('contain no part of a repository outside of every workspace folder', async () => {
    const inside = folder;
    folder = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    try {
      git('init', '--quiet', '--initial-branch=main');
      put('a.txt', 'one\n');
      // Its name is in the workspace.
      symlinkSync(folder, join(inside, 'linked'));
      git('add', '--all');
      for (const rootUri of [vscode.Uri.file(folder), vscode.Uri.file(join(inside, 'linked'))]) {
        const diffs = await readDiffs('git', { rootUri }, 'staged');
        assert.deepEqual([textOf(diffs), reasons(diffs.leftOut)], ['', ['a.txt: excluded']]);
      }
    } finally {
      rmSync(folder, { recursive: true });
      folder = inside;
    }
  });

  it('contain at most 300 files, and count the other files that differ', async () => {
    for (let index = 0; index < 310; index += 1) put(`many/${index}.txt`, 'new\n');
    git('add', '--all');
    const { files, beyond } = await read('staged');
    assert.deepEqual([files.length, beyond], [300, 10]);
  });

  describe('keep excluded content out of', () => {
    let stage: Stage;
    beforeEach(async () => {
      stage = await openStageWithKey();
      put('.svcignore', '*.secret\n');
      put('[id] ü.tsx', lines(1));
      put('out.secret', `moved secret\n${lines(500)}`);
      put('key.txt', key(body));
      put('picture', new Uint8Array([1, 0, 2]));
      commit();
      put('[id] ü.tsx', lines(1).replace('line 9\n', 'const changedLine = 9;\n'));
      git('mv', 'out.secret', 'out.txt');
      put('key.txt', key(body.with(6, 'x'.repeat(52))));
      put('picture', new Uint8Array([1, 0, 3]));
      git('add', '--all');
      const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no git extension');
      const api = (await extension.activate()).getAPI(1);
      if (api.state !== 'initialized') await until(api.onDidChangeState, () => api.state === 'initialized');
      await api.openRepository(root().rootUri);
    });
    afterEach(() => stage.close());

    const isRight = (text: string): void => {
      assert.match(text, /const changedLine = 9;/);
      assert.match(text, /\[id\] ü\.tsx/);
      assert.doesNotMatch(text, /moved secret|out\.secret/);
    };
    /** Checks everything that was sent. */
    const isSent = (): void => {
      const sent = stage.service.chats.map(({ json }) => JSON.stringify(json)).join('\n');
      isRight(sent);
      assert.deepEqual(leaks(sent), []);
      assert.match(sent, /\[masked: private-key [a-z2-7]{5}\]/);
    };
    const masked = ({ text, marks = [] }: Attachment): Promise<string> => maskText(text, marks);

    it('an attachment of a question, and the tool git_diff', async () => {
      for (const kind of ['staged', 'all'] as const) {
        const { attachments, note } = await diffSource(kind).read();
        const own = attachments.find(({ uri }) => uri === root().rootUri.toString()) ?? assert.fail('not attached');
        isRight(own.text);
        assert.deepEqual(leaks(await masked(own)), []);
        assert.match(own.text, /\[left out, binary: picture\]\n\[left out: 1 files that may not be sent\]$/);
        assert.match(note ?? '', /left out/);
      }
    });

    it('a commit message', async () => {
      const { dispatch, contextReader } = new OwnParts();
      const result = await generateCommitMessage(
        { dispatch, refusals: { watch: (_, work) => work() }, confirmSend: async () => 'send-masked', contextReader },
        root(),
      );
      assert.equal(result.ok, true);
      isSent();
    });

    it('a review of changes, which has the changed lines', async () => {
      const result = await vscode.commands.executeCommand<{ ok: boolean }>('svc.reviewChanges', {
        frameworks: ['gdpr'],
        confirmed: true,
      });
      assert.equal(result.ok, true, JSON.stringify(result));
      isSent();
      const own = stage.service.chats.find(({ body }) => body.includes('changedLine'))?.body ?? '';
      assert.match(own, /@@ -6,7 \+6,7 @@/);
    });
  });
});
