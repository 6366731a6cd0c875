import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { asMade } from '../../../src/gate/content.ts';
import { ExcludedContent } from '../../../src/platform/excludedContent/excludedContent.ts';
import { withoutExcludedContent } from '../../../src/send/excludedContent.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const at = (name: string): string => join(folder.fsPath, 'recognized', name);

function put(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

const first = 'WHERE=the orders of the northern warehouse are kept in the cellar\n';
const second = 'WHERE=the returns of the southern warehouse are kept in the attic\n';
const third = 'WHERE=the invoices of the eastern warehouse are kept by the door\n';

/** Lines that no other file has. */
function source(name: string, count = 5): string {
  const wordsOf = (line: number): string =>
    createHash('sha256')
      .update(`${name} ${line}`)
      .digest('base64')
      .replaceAll(/[^a-z]+/gi, ' ')
      .trim()
      .toLowerCase();
  return Array.from({ length: count }, (_, line) => `${wordsOf(line)}\n`).join('');
}

const git = (...args: readonly string[]): unknown =>
  execFileSync('git', [...args], { cwd: folder.fsPath, stdio: 'pipe' });

/** The workspace folder is a repository meanwhile. */
async function inRepository(test: () => Promise<void>): Promise<void> {
  git('init', '--quiet');
  try {
    await test();
  } finally {
    rmSync(join(folder.fsPath, '.git'), { recursive: true, force: true });
  }
}

/** What is recognized now, as a request sees it. */
async function now(content: ExcludedContent) {
  const { state, find, nameOf } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
  const file = async (text: string): Promise<string | null> => {
    const [found] = await find(`1: ${text}`, undefined);
    return found === undefined ? null : nameOf(found.file);
  };
  return { state, file };
}

describe('the content of excluded files', () => {
  let content: ExcludedContent;
  beforeEach(() => {
    content = new ExcludedContent();
  });
  afterEach(() => {
    content.dispose();
    rmSync(at(''), { recursive: true, force: true });
  });

  async function staysRecognized(): Promise<void> {
    put('a/.env', first);
    put('a/plain.txt', second);
    let { state, file } = await now(content);
    assert.deepEqual([state.is, state.files, state.recognized], ['complete', 1, 1]);
    assert.equal(await file(first), 'recognized/a/.env');
    assert.equal(await file(second), null);
    // Changed: the old text and the new one.
    put('a/.env', third);
    ({ state, file } = await now(content));
    assert.deepEqual([await file(first), await file(third)], ['recognized/a/.env', 'recognized/a/.env']);
    // Renamed to a name that may leave.
    renameSync(at('a/.env'), at('a/notes.txt'));
    put('b/secrets.yml', second);
    // A new file is found immediately if a search is fast, otherwise when VS Code reports it.
    do ({ state, file } = await now(content));
    while ((await file(second)) === null);
    assert.deepEqual([await file(first), await file(third)], ['recognized/a/.env', 'recognized/a/.env']);
    assert.equal(await file(second), 'recognized/b/secrets.yml');
    assert.equal(state.files, 1);
    // Deleted.
    rmSync(at('b/secrets.yml'));
    do ({ state, file } = await now(content));
    while (state.files > 0);
    assert.equal(await file(second), 'recognized/b/secrets.yml');
    assert.deepEqual([state.is, state.files], ['complete', 0]);
  }

  it('stays recognized when a file is changed, renamed and deleted between two questions', () => staysRecognized());

  it('is also what an editor has and the disk does not', async () => {
    put('a/.env', first);
    const document = await vscode.workspace.openTextDocument(at('a/.env'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), second);
    await vscode.workspace.applyEdit(edit);
    try {
      assert.ok(document.isDirty);
      assert.equal(await (await now(content)).file(second), 'recognized/a/.env');
      const more = new vscode.WorkspaceEdit();
      more.insert(document.uri, new vscode.Position(0, 0), third);
      await vscode.workspace.applyEdit(more);
      assert.equal(await (await now(content)).file(third), 'recognized/a/.env');
    } finally {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    // What was once in it stays recognized.
    assert.equal(await (await now(content)).file(third), 'recognized/a/.env');
  });

  it('the content of very many files is known soon, and checking it does not delay later requests', async () => {
    await inRepository(async () => {
      put('many/.gitignore', '*.note\n');
      for (let index = 0; index < 20_000; index += 1) put(`many/${index}.note`, `a note with the number ${index}\n`);
      put('many/last.note', source('the last note'));
      const cpu = (): number => process.cpuUsage().user / 1_000;
      let from = cpu();
      const { state, file } = await now(content);
      const firstMs = cpu() - from;
      // The notes are too short to recognize.
      assert.deepEqual([state.is, state.files, state.others], ['complete', 1, 20_000]);
      assert.equal(await file(source('the last note')), 'recognized/many/last.note');
      from = cpu();
      await now(content);
      const laterMs = cpu() - from;
      // Files that were just written are read again, but not added again.
      assert.ok(firstMs < 12_000 && laterMs < 1_500, `${firstMs} ms, then ${laterMs} ms`);
    });
  }).timeout(60_000);

  it('is found with git in the same way, also in a folder that git ignores as a whole', async () => {
    await inRepository(async () => {
      await staysRecognized();
      put('.gitignore', '*.local\nprivate/\nnode_modules/\n');
      put('private/deep/.npmrc', first);
      put('.env.local', second);
      put('node_modules/a/.env', third);
      put('node_modules/a/index.js', source('installed'));
      const { state, file } = await now(new ExcludedContent());
      assert.deepEqual([state.is, state.files, state.others], ['complete', 3, 1]);
      assert.equal(await file(first), 'recognized/private/deep/.npmrc');
      assert.equal(await file(second), 'recognized/.env.local');
      assert.equal(await file(third), 'recognized/node_modules/a/.env');
      assert.equal(await file(source('installed')), null);
    });
  });

  it('is that of files that .svcignore lists and git ignores, until no rule excludes them', async () => {
    await inRepository(async () => {
      put('.gitignore', '*.local\nmade/\n');
      put('.svcignore', 'plans/\n');
      put('plans/next.md', source('plan'));
      git('add', '.');
      put('notes.local', source('note'));
      put('large.local', source('large').repeat(200));
      put('made/by.tool', source('tool'));
      let { state, file } = await now(content);
      assert.deepEqual([state.is, state.files], ['complete', 4]);
      assert.equal(await file(source('plan')), 'recognized/plans/next.md');
      assert.equal(await file(source('note')), 'recognized/notes.local');
      assert.equal(await file(source('large')), 'recognized/large.local');
      assert.equal(await file(source('tool')), 'recognized/made/by.tool');
      put('.svcignore', '');
      do ({ state, file } = await now(content));
      while (state.files > 3);
      assert.equal(await file(source('plan')), null);
      assert.equal(await file(source('note')), 'recognized/notes.local');
    });
  });

  it('the content may be sent if a committed file has the same lines, but not if the copy is not committed', async () => {
    await inRepository(async () => {
      put('.svcignore', 'plans/\n');
      put('plans/a.ts', source('shared'));
      put('plans/b.ts', source('own'));
      put('lib/a.ts', `// A part of it.\n${source('shared')}`);
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
      put('lib/b.ts', source('own'));
      git('add', '.');
      const { file } = await now(content);
      assert.equal(await file(source('shared')), null);
      assert.equal(await file(source('own')), 'recognized/plans/b.ts');
      // A part of two lines.
      assert.equal(await file(source('shared').slice(5, 75)), null);
    });
  });

  it('the content may be sent only if a committed file has all of its lines, however many there are', async () => {
    await inRepository(async () => {
      const forked = `${source('shared', 200)}${source('own', 50)}`;
      const changed = `${source('few', 4)}${source('added', 1)}`;
      put('.svcignore', 'plans/\n');
      put('plans/fork.ts', forked);
      put('plans/few.ts', changed);
      put('lib/fork.ts', source('shared', 200));
      put('lib/few.ts', source('few', 4));
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
      const { file } = await now(content);
      assert.equal(await file(source('shared', 200)), null);
      assert.equal(await file(forked), 'recognized/plans/fork.ts');
      assert.equal(await file(source('few', 4)), null);
      assert.equal(await file(changed), 'recognized/plans/few.ts');
    });
  });

  it('is that of all files of a folder that git ignores, of repositories in it, and of what .svcignore lists there', async () => {
    await inRepository(async () => {
      put('.gitignore', 'private/\nbuild/\n*.log\n');
      put('.svcignore', 'private/\nplans.txt\n');
      put('private/deep/notes.txt', source('private', 10));
      put('build/.env', first);
      put('build/plans.txt', source('plans'));
      put('build/main.js', source('built'));
      put('run.log', source('log', 900));
      for (const repository of ['inner', 'build/inner']) {
        put(`${repository}/.gitignore`, '*.tmp\n');
        put(`${repository}/.env`, repository === 'inner' ? second : third);
        put(`${repository}/plans.txt`, source(`${repository} plans`));
        put(`${repository}/a.tmp`, source(`${repository} ignored`));
        git('init', '--quiet', at(repository));
      }
      // Committed before the rule.
      put('old.log', source('committed'));
      git('add', '--force', at('old.log'));
      const { state, file } = await now(content);
      for (const [text, name] of [
        [source('private', 10), 'private/deep/notes.txt'],
        [first, 'build/.env'],
        [source('plans'), 'build/plans.txt'],
        [source('log', 900), 'run.log'],
        [second, 'inner/.env'],
        [source('inner plans'), 'inner/plans.txt'],
        [source('inner ignored'), 'inner/a.tmp'],
        [third, 'build/inner/.env'],
        [source('build/inner plans'), 'build/inner/plans.txt'],
        [source('committed'), 'old.log'],
      ] as const) {
        assert.equal(await file(text), `recognized/${name}`);
      }
      assert.equal(await file(source('built')), null);
      // main.js, and two files of the inner repository.
      assert.deepEqual([state.is, state.files, state.recognized, state.others], ['complete', 10, 10, 3]);
      assert.match(state.words, /; also ignored by git, and not read: 3 in folders of what was built or installed$/);
    });
  });

  it('is that of a repository in the workspace that is committed as such', async () => {
    await inRepository(async () => {
      put('inner/.env', second);
      put('inner/a.txt', 'A file.\n');
      git('init', '--quiet', at('inner'));
      git('-C', at('inner'), 'add', 'a.txt');
      git('-C', at('inner'), '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
      git('-c', 'advice.addEmbeddedRepo=false', 'add', at('inner'));
      const { state, file } = await now(content);
      assert.equal(await file(second), 'recognized/inner/.env');
      assert.equal(state.is, 'complete');
    });
  });

  it('is not complete where an ignored folder has more than is read, which is named', async () => {
    await inRepository(async () => {
      put('.gitignore', 'large/\nmany/\nimages/\n');
      for (let index = 0; index < 2_010; index += 1) put(`many/${index}.txt`, source(`note ${index}`));
      for (let index = 0; index < 2_010; index += 1) put(`images/${index}.png`, new Uint8Array(100));
      let { state } = await now(content);
      assert.deepEqual([state.is, state.files, state.recognized, state.others], ['partly', 2_010, 2_000, 2_010]);
      assert.match(
        state.words,
        /not recognized: 10 in folders of over 2,000 files or 8 MiB \(recognized\/many\); .*2,010 binary$/,
      );
      rmSync(at('many'), { recursive: true });
      for (let index = 0; index < 10; index += 1)
        put(`large/${index}.txt`, `${source(`${index}`, 5)}${' \n'.repeat(500_000)}`);
      do ({ state } = await now(content));
      while (state.files !== 10);
      assert.deepEqual([state.is, state.recognized], ['partly', 9]);
    });
  }).timeout(60_000);

  it('a file in another encoding is recognized, and a file in an unknown encoding is named', async () => {
    const words = 'пароль от склада хранится в подвале у северной стены рядом с лестницей';
    const table = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя';
    const cyrillic = Buffer.from(
      [...`${words}\n`].map((letter) => {
        const index = table.indexOf(letter);
        return index === -1 ? letter.charCodeAt(0) : 0xc0 + index;
      }),
    );
    const letters = [
      ['windows-1253', 0xe1, 24],
      ['windows-1255', 0xe0, 26],
      ['windows-1256', 0xc7, 14],
    ].map(([encoding, from, count]) => {
      const bytes = Array.from({ length: 90 }, (_, index) =>
        index % 7 === 6 ? 0x20 : Number(from) + ((index * index + 3 * index) % Number(count)),
      );
      return { name: encoding, bytes, text: new TextDecoder(String(encoding)).decode(Uint8Array.from(bytes)) };
    });
    put('.env.one', cyrillic);
    put('.env.two', Buffer.from('das Schlüsselwort für das Lager gehört in die äußerste Ecke des Kellers\n', 'latin1'));
    // Greek, Hebrew and Arabic, each in its Windows encoding.
    for (const { name, bytes } of letters) put(`.env.${name}`, Buffer.from(bytes));
    put('.env.three', Buffer.from(second, 'utf16le'));
    put('.env.four', Buffer.from(third, 'utf16le').swap16());
    put('.env.five', Buffer.from(`${source('nul', 20)}\0\n`));
    const { state, file } = await now(content);
    assert.equal(await file(words), 'recognized/.env.one');
    assert.equal(
      await file('das Schlüsselwort für das Lager gehört in die äußerste Ecke des Kellers'),
      'recognized/.env.two',
    );
    assert.equal(await file(second), 'recognized/.env.three');
    assert.equal(await file(third), 'recognized/.env.four');
    assert.equal(await file(source('nul', 20)), 'recognized/.env.five');
    assert.equal(state.is, 'complete');
    for (const { name, text } of letters) assert.equal(await file(text), `recognized/.env.${name}`);
    // EBCDIC: its blanks and line feeds are other bytes.
    put(
      '.env.six',
      Buffer.from(Array.from({ length: 400 }, (_, index) => (index % 8 === 7 ? 0x40 : 0x81 + (index % 9)))),
    );
    const other = new ExcludedContent();
    const { state: later } = await now(other);
    other.dispose();
    assert.equal(later.is, 'partly');
    assert.match(later.words, /; not recognized: 1 in an unknown encoding$/);
  });

  it('is left out of an attachment whose file was moved to an excluded place since, even if it was committed', async () => {
    await inRepository(async () => {
      put('.gitignore', 'private/\n');
      put('.svcignore', 'plans/\n');
      for (const place of ['private', 'plans']) {
        const text = source(`moved to ${place}`, 12);
        put('notes.txt', text);
        git('add', '.');
        git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
        const uri = vscode.Uri.file(at('notes.txt')).toString();
        const about = { label: 'notes.txt', uri, firstLine: 1, languageId: 'plaintext', folder: null };
        const attachment = { ...about, text: asMade(text), covers: [{ uri, folder: null }] };
        const sent = async (): Promise<string> => {
          const recognition = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
          const { outgoing } = await withoutExcludedContent(
            {
              action: 'chat',
              messages: [{ role: 'user', parts: ['What is it?', attachment], secrets: 'mask' }],
              modelKey: 'svc.model.chat',
              folders: [],
            },
            recognition,
            { excluded: new Set(), destination: 'https://svc.example.com' },
          );
          return outgoing.messages
            .flatMap(({ parts }) => parts.map((part) => (typeof part === 'string' ? part : part.text)))
            .join('\n');
        };
        // A copy may be anywhere: the file itself allows its text, also while it is edited.
        put(`${place}/copy.txt`, text);
        assert.ok((await sent()).includes(text));
        put('notes.txt', `${text}Another line of the notes.\n`);
        assert.ok((await sent()).includes(text));
        rmSync(at(`${place}/copy.txt`));
        put('notes.txt', text);
        renameSync(at('notes.txt'), at(`${place}/notes.txt`));
        let now = '';
        do now = await sent();
        while (now.includes(text));
        assert.match(
          now,
          /^What is it\?\n\[left out: 1[23] lines of recognized\/(private|plans)\/(copy|notes)\.txt\]$/,
        );
        // Another file with its name.
        put('notes.txt', 'The notes are elsewhere now.\n');
        assert.ok(!(await sent()).includes(text.slice(0, 100)));
      }
    });
  });

  it('files for which there is no memory are counted in the message', async () => {
    put('.env', first);
    put('.svcignore', 'plans/\n');
    for (let index = 0; index < 20; index += 1) put(`plans/${index}.ts`, source(`plan${index}`, 200));
    const small = new ExcludedContent({ mostSlots: 2 ** 10 });
    const { state, file } = await now(small);
    small.dispose();
    assert.equal(state.is, 'partly');
    assert.match(
      state.words,
      /^\d+ of 21 excluded files are recognized by their content; not recognized: \d+ for lack of memory$/,
    );
    assert.equal(await file(first), 'recognized/.env');
  });

  it('a binary file and a file that is too large are not recognized, and the message counts them', async () => {
    put('.env', first);
    put('a/store.p12', new Uint8Array(2_000));
    put('b/store.jks', new Uint8Array(2_000));
    put('.env.large', `A=${'x'.repeat(1024 * 1024)}`);
    const { state } = await now(content);
    assert.deepEqual([state.is, state.files, state.recognized], ['partly', 4, 1]);
    assert.equal(
      state.words,
      '1 of 4 excluded files are recognized by their content; not recognized: 2 binary, 1 over 1 MiB',
    );
  });

  it('a file in UTF-16 is recognized, except for text that its example file also has', async () => {
    put('.env', Buffer.from(`\ufeff${first}NAME=the shop around the corner of the street\n`, 'utf16le'));
    put('.env.example', 'NAME=the shop around the corner of the street\n');
    const { file } = await now(content);
    assert.equal(await file(first), 'recognized/.env');
    assert.equal(await file('the shop around the corner of the street'), null);
  });
});
