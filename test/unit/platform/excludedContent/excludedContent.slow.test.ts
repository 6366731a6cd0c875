import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { asMade } from '../../../../src/gate/content.ts';
import type { ExcludedContent } from '../../../../src/platform/excludedContent/excludedContent.ts';
import { withoutExcludedContent } from '../../../../src/send/excludedContent.ts';
import { Dice } from '../../../tools/dice.ts';
import { processorMs } from '../../../tools/processorTime.ts';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, excludedContentIn, MemoryWorkspace } from './stage.ts';

const orders = 'WHERE=the ledgers of the western quarry are kept in the cellar\n';
const returns = 'WHERE=the lanterns of the eastern quarry are kept in the attic\n';

const license = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8');
const imports = `import assert from 'node:assert/strict';
import type { Attachment, OutgoingMessage } from '../../send/message/attachment.ts';
import {
  passagesIn,
  withPassagesLeftOut,
} from '../../gate/fingerprints/leaveOut.ts';
`;

/** Lines that no other file has. */
const notes = (seed: number, lines: number): string => {
  const dice = new Dice(seed + 1);
  return Array.from({ length: lines }, () => `${dice.text(50, 'bcdfghjklmnpqrstvwxz ')}\n`).join('');
};

const everything = { isCompleteRequired: true, isQuick: false, excluded: [] };
const known = async (content: ExcludedContent) => {
  const { is, files, recognized, words } = (await content.recognition(everything)).state;
  return { is, counts: [recognized, files], words };
};

describe('what is known of the excluded files', () => {
  it('is not complete where a folder cannot be read', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    workspace.files.set('/one/private/.env', returns);
    const content = await excludedContentIn(workspace);
    assert.deepEqual(await known(content), {
      ...{ is: 'complete', counts: [2, 2] },
      words: '2 of 2 excluded files are recognized by their content',
    });
    workspace.unreadable.add('/one/private');
    const other = await excludedContentIn(workspace);
    assert.deepEqual(await known(other), {
      ...{ is: 'partly', counts: [1, 1] },
      words: '1 of 1 excluded files are recognized by their content; only partly searched: private (cannot be read)',
    });
  });

  it('names the files and folders to move out of the workspace, at most five', async () => {
    const workspace = new MemoryWorkspace();
    const toMove = async () => (await (await excludedContentIn(workspace)).recognition(everything)).state.toMove;
    workspace.files.set('/one/.env', orders);
    assert.equal(await toMove(), '');
    for (let count = 1; count <= 6; count += 1) workspace.files.set(`/one/${count}/password.txt`, 'hunter22\n');
    workspace.files.set('/one/private/.env', returns);
    workspace.unreadable.add('/one/private');
    const files = [1, 2, 3, 4].map((count) => `${count}/password.txt`);
    assert.equal(await toMove(), `private, ${files.join(', ')}, …`);
  });

  it('licenses and imports, which many files have, may be sent, with and without a commit', async () => {
    for (const isCommitted of [true, false]) {
      using repository = new Repository();
      repository.put('.svcignore', 'plans/\n');
      const code = orders.repeat(3);
      repository.put('plans/a.ts', `${license}\n${imports}\n${code}`);
      if (isCommitted) repository.commit();
      const content = await excludedContentIn(new DiskWorkspace(repository.folder));
      const { state, find } = await content.recognition(everything);
      assert.equal(state.is, 'complete');
      for (const text of [license, imports, `${license}\n${imports}`]) {
        assert.deepEqual(await find(text, undefined), [], `${isCommitted} ${text}`);
        assert.deepEqual(await find(text.replaceAll(/^/gm, '12: '), undefined), [], `${isCommitted} ${text}`);
      }
      assert.ok((await find(`${imports}\n${code}`, undefined)).length > 0);
    }
  });

  it('names what is not recognized in base64, and is complete', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    workspace.files.set('/one/.env.local', `${'пароль от склада хранится в подвале у северной стены\n'.repeat(3)}`);
    assert.deepEqual(await known(await excludedContentIn(workspace)), {
      ...{ is: 'complete', counts: [2, 2] },
      words: '2 of 2 excluded files are recognized by their content, 1 of them not in base64',
    });
  });

  it('is complete where files have too little text to recognize, but not where it may be a secret', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    workspace.files.set('/one/.env.local', 'PORT=3000\n');
    assert.deepEqual(await known(await excludedContentIn(workspace)), {
      ...{ is: 'complete', counts: [1, 1] },
      words: '1 of 1 excluded files are recognized by their content; not counted: 1 with too little text and no secret',
    });
    workspace.files.set('/one/password.txt', 'hunter22\n');
    assert.deepEqual(await known(await excludedContentIn(workspace)), {
      ...{ is: 'partly', counts: [1, 2] },
      words:
        '1 of 2 excluded files are recognized by their content; not recognized: 1 with too little text; not counted: 1 with too little text and no secret',
    });
    workspace.files.clear();
    workspace.files.set('/one/.env', 'PORT=3000\n');
    assert.deepEqual(await known(await excludedContentIn(workspace)), {
      ...{ is: 'complete', counts: [0, 0] },
      words: '0 of 0 excluded files are recognized by their content; not counted: 1 with too little text and no secret',
    });
  });

  it('text may be sent only if one committed file has all of its lines, also the short ones, as whole lines', async () => {
    const dice = new Dice(1);
    const codes = Array.from({ length: 60 }, () => `${10_000 + dice.below(90_000)}`);
    const values = `{\n  "values": [\n${codes.map((code) => `    ${code}`).join(',\n')}\n  ]\n}\n`;
    const code = `${imports}\n/** Of the quarry. */\nexport const lanterns = {\n  a: 1,\n  b: [2, 3],\n};\n${notes(4, 9)}`;
    const numbered = (text: string) => text.replace(/^(?=.)/gm, () => '12| ');
    const others: readonly [
      name: string,
      text: string,
      committed: Readonly<Record<string, string>>,
      isSent: boolean,
    ][] = [
      ['the same', values, { 'a.json': values }, true],
      ['the same, and more', code, { 'a.ts': `${notes(5, 3)}${code}${notes(6, 3)}` }, true],
      ['one line', values, { 'a.json': '{\n  "values": [\n    1\n  ]\n}\n' }, false],
      ['parts of lines', values, { 'a.json': `{\n  "values": [\n    ${codes.join(' 1,\n    2')},\n  ]\n}\n` }, false],
      ['two files', values, { 'a.json': values.slice(0, 300), 'b.json': `  "values": [\n${values.slice(300)}` }, false],
      ['without a short line', code, { 'a.ts': code.replace('  a: 1,\n', '') }, false],
      ['only long lines', code, { 'a.ts': code.replace(/^.{1,9}\n/gm, '') }, false],
    ];
    for (const [name, text, committed, isSent] of others) {
      using repository = new Repository();
      repository.put('.gitignore', 'private/\n');
      for (const [file, its] of Object.entries(committed)) repository.put(file, its);
      repository.commit();
      repository.put('private/file', text);
      const content = await excludedContentIn(new DiskWorkspace(repository.folder));
      const { find } = await content.recognition(everything);
      for (const sent of [text, `It has:\n${text}\nNo more.`, numbered(text)])
        assert.equal((await find(sent, undefined)).length === 0, isSent, `${name}: ${sent}`);
      // The file has it in the commit, but no longer in its place.
      for (const file of Object.keys(committed)) repository.put(file, notes(7, 20));
      const later = await content.recognition(everything);
      assert.ok((await later.find(text, undefined)).length > 0, name);
    }
  });

  it('the text of an attachment is recognized after its file was moved to a folder of built files, where other files are only counted', async () => {
    using repository = new Repository();
    repository.put('.gitignore', 'dist/\n');
    repository.put('dist/main.js', notes(2, 20));
    repository.put('notes.txt', notes(1, 20));
    const content = await excludedContentIn(new DiskWorkspace(repository.folder));
    const uri = `file://${repository.at('notes.txt')}`;
    const attachment = { label: 'notes.txt', uri, text: asMade(notes(1, 20)), firstLine: 1, languageId: 'plaintext' };
    const parts = ['What is it?', { ...attachment, folder: null, covers: [{ uri, folder: null }] }];
    const sent = async (): Promise<string> => {
      const { outgoing } = await withoutExcludedContent(
        {
          ...{ action: 'chat', modelKey: 'svc.model.chat', folders: [] },
          messages: [{ role: 'user', parts, secrets: 'mask' }],
        },
        await content.recognition(everything),
        { excluded: new Set(), destination: 'https://svc.example.com' },
      );
      return JSON.stringify(outgoing.messages.map(({ parts }) => parts));
    };
    assert.ok((await sent()).includes(notes(1, 20).slice(0, 40)));
    repository.git('check-ignore', 'dist/main.js');
    mkdirSync(repository.at('dist/deep'), { recursive: true });
    renameSync(repository.at('notes.txt'), repository.at('dist/deep/notes.txt'));
    // Immediately, and in each later request.
    for (let request = 0; request < 3; request += 1) {
      const text = await sent();
      assert.ok(!text.includes(notes(1, 20).slice(0, 40)), text);
      assert.match(text, /\[left out: \d+ lines of (?:[^\]]*\/)?dist\/deep\/notes\.txt\]/);
    }
    const { state } = await content.recognition(everything);
    assert.deepEqual([state.is, state.files, state.others], ['complete', 1, 1]);
  });

  it('the text of an attachment is recognized after its file was moved, whatever has its name now', async () => {
    const replacements: Readonly<Record<string, (repository: Repository) => void>> = {
      'a folder': (repository) => mkdirSync(repository.at('notes')),
      'no text': (repository) => repository.put('notes', '\0\u0001\u0002\0\u0003'.repeat(50)),
      'another text': (repository) => repository.put('notes', notes(3, 20)),
    };
    for (const place of ['plans', 'dist']) {
      for (const [name, replace] of Object.entries(replacements)) {
        using repository = new Repository();
        repository.put('.gitignore', 'dist/\n');
        repository.put('.svcignore', 'plans/\n');
        repository.put(`${place}/other`, notes(2, 20));
        repository.put('notes', notes(1, 20));
        const content = await excludedContentIn(new DiskWorkspace(repository.folder));
        const uri = `file://${repository.at('notes')}`;
        const about = { label: 'notes', uri, firstLine: 1, languageId: 'plaintext', folder: null };
        const parts = [{ ...about, text: asMade(notes(1, 20)), covers: [{ uri, folder: null }] }];
        renameSync(repository.at('notes'), repository.at(`${place}/notes`));
        replace(repository);
        const { outgoing } = await withoutExcludedContent(
          {
            ...{ action: 'chat', modelKey: 'svc.model.chat', folders: [] },
            messages: [{ role: 'user', parts, secrets: 'mask' }],
          },
          await content.recognition(everything),
          { excluded: new Set(), destination: 'https://svc.example.com' },
        );
        const sent = JSON.stringify(outgoing.messages.map((one) => one.parts));
        assert.ok(!sent.includes(notes(1, 20).slice(0, 40)), `${name} instead of a file that is in ${place}`);
      }
    }
  });

  it('the text of an attachment with short lines, or of a diff, is recognized after its file was moved', async () => {
    const dice = new Dice(2);
    const codes = Array.from({ length: 60 }, () => `${10_000 + dice.below(90_000)}\n`).join('');
    const diffOf = (name: string, text: string): string =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,20 @@\n-before\n${text.replace(/^(?=.)/gm, '+')}`;
    const other = `diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n${diffOf('other', notes(2, 40))}`;
    for (const text of [codes, `The codes of the doors\n${codes}`, notes(1, 20)]) {
      for (const [kind, sent] of Object.entries({
        'a file': text,
        'a diff': diffOf('file', text),
        'the last of a diff': `${other}${diffOf('file', text)}`,
        'the first of a diff': `${diffOf('file', text)}${other}[left out: 1 links]`,
      })) {
        using repository = new Repository();
        repository.put('.svcignore', 'plans/\n');
        repository.put('file', text);
        repository.put('other', notes(2, 40));
        repository.put('plans/other', 'of the plans\n');
        repository.put('plans/copy', text);
        const content = await excludedContentIn(new DiskWorkspace(repository.folder));
        const [root, uri] = [`file://${repository.folder}`, `file://${repository.at('file')}`];
        const covers = [uri, `file://${repository.at('other')}`].map((one) => ({ uri: one, folder: null }));
        const about = kind === 'a file' ? { uri, languageId: 'plaintext' } : { uri: root, languageId: 'diff', covers };
        const attachment = { ...about, label: 'all', firstLine: 1, folder: null, text: asMade(sent) };
        const recognition = await content.recognition(everything);
        const isCurrent = () => recognition.isCurrent(attachment);
        assert.ok(await isCurrent(), kind);
        // An edit.
        repository.put('file', `${text.slice(0, text.length * 0.7)}\n${notes(8, 3)}`);
        assert.ok(await isCurrent(), kind);
        for (const now of [
          'see the wiki\n',
          '1\n2\n3\n',
          `The codes of the doors\n${notes(3, 20)}`,
          notes(2, 40),
          '',
        ]) {
          repository.put('file', now);
          assert.equal(await isCurrent(), false, `${kind}: ${now}`);
        }
      }
    }
  });

  it('reading files again that were just written with the same text costs little', async () => {
    using repository = new Repository();
    repository.put('.svcignore', 'plans/\n');
    for (let index = 0; index < 4; index += 1) repository.put(`plans/${index}.txt`, notes(index, 1_500));
    const content = await excludedContentIn(new DiskWorkspace(repository.folder));
    const cost = async (): Promise<number> => {
      const from = processorMs();
      assert.equal((await known(content)).is, 'complete');
      return processorMs() - from;
    };
    const first = await cost();
    // The shortest of several: only the first time costs more, for a file as for the machine.
    const later = Math.min(await cost(), await cost(), await cost());
    assert.ok(later < first / 3, `${first} ms, then ${later} ms`);
    // A text of the same size, immediately afterwards.
    const { find } = await content.recognition(everything);
    repository.put('plans/0.txt', notes(9, 1_500));
    assert.deepEqual(await find(notes(9, 10), undefined), []);
    assert.equal((await (await content.recognition(everything)).find(notes(9, 10), undefined)).length > 0, true);
  }).timeout(60_000);

  it('a request waits a limited time for recognition, unless complete recognition is required', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    const { promise, resolve } = Promise.withResolvers<void>();
    workspace.gate = promise;
    const content = await excludedContentIn(workspace);
    let isRead = false;
    const all = content.recognition(everything).finally(() => {
      isRead = true;
    });
    const first = await content.recognition({ isCompleteRequired: false, isQuick: false, excluded: [] });
    assert.deepEqual([first.state.is, first.state.words.endsWith('not all folders were searched')], ['none', true]);
    assert.deepEqual(await first.find(orders, undefined), []);
    const aborted = content.recognition(everything, AbortSignal.abort());
    await assert.rejects(aborted, { kind: 'aborted' });
    assert.equal(isRead, false);
    resolve();
    const { state, find } = await all;
    assert.equal(state.is, 'complete');
    assert.equal((await find(orders, undefined)).length, 1);
  });

  it('a request that is made while the user types does not examine the files again immediately', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    const content = await excludedContentIn(workspace);
    const quick = { isCompleteRequired: false, isQuick: true, excluded: [] };
    const { now } = performance;
    let time = now.call(performance);
    performance.now = () => time;
    try {
      await content.recognition(everything);
      const { reads } = workspace;
      time += 4_000;
      assert.equal((await content.recognition(quick)).state.is, 'complete');
      assert.equal(workspace.reads, reads);
      await content.recognition({ ...quick, isQuick: false });
      assert.ok(workspace.reads > reads);
      const later = workspace.reads;
      time += 6_000;
      await content.recognition(quick);
      assert.ok(workspace.reads > later);
    } finally {
      performance.now = now;
    }
  });

  it('a request that is made while the user types examines the files if complete recognition is required', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    const content = await excludedContentIn(workspace);
    await content.recognition(everything);
    workspace.files.set('/one/new/.env', returns);
    const { state, find } = await content.recognition({ ...everything, isQuick: true });
    assert.equal(state.words, '2 of 2 excluded files are recognized by their content');
    assert.equal((await find(returns, undefined)).length, 1);
  });

  it('an ignored binary file over 1 MiB is only counted, also if it is behind a link or not on a local disk', async () => {
    for (const isText of [false, true]) {
      using repository = new Repository();
      repository.put('.gitignore', '*.bin\n');
      writeFileSync(
        repository.at('.git/large'),
        isText ? notes(9, 30_000) : Buffer.alloc(2 * 1024 * 1024, '\0\x01\xff'),
      );
      symlinkSync(repository.at('.git/large'), repository.at('big.bin'));
      const content = await excludedContentIn(new DiskWorkspace(repository.folder));
      const { is, files, words } = (await content.recognition(everything)).state;
      assert.deepEqual([is, files], isText ? ['none', 1] : ['complete', 0], words);
    }
  });

  it('is not complete where a search fails after one that did not', async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/.env', orders);
    const content = await excludedContentIn(workspace);
    assert.equal((await known(content)).is, 'complete');
    workspace.files.set('/one/plain.txt', returns);
    workspace.setting = () => {
      throw new Error('no settings');
    };
    assert.deepEqual((await known(content)).is, 'partly');
    workspace.setting = () => undefined;
    assert.equal((await known(content)).is, 'complete');
  });
});
