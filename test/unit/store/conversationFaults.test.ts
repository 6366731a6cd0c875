import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ConversationFiles } from '../../../src/store/conversations/conversationFolder.ts';
import type { StoreNotice } from '../../../src/store/conversations/conversationReader.ts';
import type { ConversationStore } from '../../../src/store/conversations/conversations.ts';
import { writeAtomically } from '../../../src/store/files.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

describe('store: conversations and faults of the disk', () => {
  let workspace: Workspace;
  let store: ConversationStore;
  let notices: StoreNotice[];

  /** The list as a new window reads it. */
  function reopened(): ConversationStore {
    const next = workspace.open();
    notices = [];
    next.onDidNotice((notice) => notices.push(notice));
    return next;
  }

  beforeEach(async () => {
    workspace = new Workspace();
    store = workspace.open();
    await store.save(conversation('good', [turn('1')]));
    await store.save(conversation('other', [turn('2', { answer: 'canary-answer' })]));
  });
  afterEach(() => workspace.remove());

  const healthy = (): string => readFileSync(workspace.path('other.json'), 'utf8');
  const damages: readonly (readonly [string, () => string | Uint8Array])[] = [
    ['empty', () => ''],
    ['cut off', () => healthy().slice(0, -20)],
    ['no JSON', () => 'canary-answer'],
    ['another JSON', () => '[]'],
    ['null', () => 'null'],
    ['without a version', () => healthy().replace('"version":3,', '')],
    ['of version 0', () => healthy().replace('"version":3', '"version":0')],
    ['of an earlier version', () => healthy().replace('"version":3', '"version":2')],
    ['with a turn that has no answer', () => healthy().replace('"answer":', '"other":')],
    ['with turns that are none', () => healthy().replace(/"turns":.*/s, '"turns":{}}}')],
    ['with another conversation in it', () => healthy().replaceAll('"id":"other"', '"id":"good"')],
    ['zeros', () => new Uint8Array(4096)],
    ['nested too deep to read', () => `{"version":1,"conversation":${'['.repeat(100_000)}`],
  ];
  for (const [name, damage] of damages) {
    it(`move a file aside that is ${name}, and report it once`, async () => {
      const content = damage();
      writeFileSync(workspace.path('other.json'), content);
      const next = reopened();
      assert.deepEqual(
        (await next.list()).map(({ id }) => id),
        ['good'],
      );
      assert.equal(await next.load('other'), undefined);
      assert.equal(notices.length, 1);
      assert.equal(notices[0]?.reason, 'damaged');
      assert.match(notices[0]?.file ?? '', /other\.json\.damaged-\w+-\w+$/);
      assert.deepEqual(readFileSync(notices[0]?.file ?? ''), Buffer.from(content));
      assert.deepEqual((await next.search('canary')).length, 0);
    });
  }

  it('treat damaged optional fields as absent, and ignore unknown ones', async () => {
    const text = healthy()
      .replace('"status":"complete"', '"status":"levitating","usage":7,"finishReason":{},"color":"red"')
      .replace('"createdAt"', '"mood":"good","createdAt"');
    writeFileSync(workspace.path('other.json'), text);
    const loaded = (await reopened().load('other'))?.turns[0];
    assert.equal(loaded?.answer.text, 'canary-answer');
    assert.equal(loaded?.state.status, 'interrupted');
    assert.deepEqual([loaded?.answer.usage, loaded?.answer.finishReason], [undefined, undefined]);
    assert.equal(loaded !== undefined && 'color' in loaded, false);
    assert.deepEqual(notices, []);
  });

  it('are written again if the file was damaged in the meantime', async () => {
    const held = await store.load('other');
    assert.ok(held);
    writeFileSync(workspace.path('other.json'), '{"version":1,');
    assert.equal(await store.save({ ...held, turns: [...held.turns, turn('3')] }), true);
    assert.deepEqual(
      (await reopened().load('other'))?.turns.map(({ id }) => id),
      ['2', '3'],
    );
    assert.equal(workspace.names().filter((name) => name.includes('.damaged-')).length, 1);
  });

  it('are written again if another window moved the damaged file aside', async () => {
    const held = await store.load('other');
    assert.ok(held);
    writeFileSync(workspace.path('other.json'), '{"version":1,');
    await reopened().list();
    assert.equal(await store.save({ ...held, turns: [...held.turns, turn('3')] }), true);
    assert.deepEqual(
      (await reopened().load('other'))?.turns.map(({ id }) => id),
      ['2', '3'],
    );
  });

  it('leave a file of a newer version unchanged, and report it', async () => {
    const newer = '{"version":4,"stamp":"0011223344556677","conversation":{"id":"other"}}';
    const held = await store.load('other');
    assert.ok(held);
    writeFileSync(workspace.path('other.json'), newer);
    const next = reopened();
    assert.deepEqual(
      (await next.list()).map(({ id }) => id),
      ['good'],
    );
    assert.equal(await next.load('other'), undefined);
    await next.list();
    assert.deepEqual(notices, [{ reason: 'newer', file: workspace.path('other.json') }]);
    const refused = { kind: 'storage', code: 'newer-version' };
    await assert.rejects(store.save({ ...held, turns: [...held.turns, turn('3')] }), refused);
    await assert.rejects(next.rename('other', 'x'), refused);
    await assert.rejects(next.setPinned('other', true), refused);
    assert.equal(readFileSync(workspace.path('other.json'), 'utf8'), newer);
    // A purge removes this file too.
    assert.equal(await next.count(), 2);
    assert.equal(await next.purge(), 2);
    assert.deepEqual(workspace.names(), []);
  });

  for (const code of ['ENOSPC', 'EIO']) {
    it(`keep the last saved state if the disk reports ${code}, and save the next time`, async () => {
      let isBroken = true;
      const files: ConversationFiles = {
        async writeAtomically(path, text, options) {
          if (!isBroken) return writeAtomically(path, text, options);
          writeFileSync(`${path}.0.tmp`, text.slice(0, 20));
          throw Object.assign(new Error(`${code}: ${path}`), { code });
        },
      };
      const full = workspace.open({ files });
      const held = await full.load('other');
      assert.ok(held);
      const longer = { ...held, turns: [...held.turns, turn('3')] };
      const before = healthy();
      await assert.rejects(full.save(longer), (error: Error & { kind?: string; externalCode?: string }) => {
        assert.deepEqual([error.kind, error.externalCode], ['storage', code]);
        assert.equal(error.message.includes(workspace.folder), false);
        return true;
      });
      await assert.rejects(full.rename('other', 'x'), { kind: 'storage', externalCode: code });
      await assert.rejects(full.save(conversation('fresh', [turn('4')])), { kind: 'storage', externalCode: code });
      assert.equal(healthy(), before);
      assert.deepEqual((await full.list()).map(({ id }) => id).sort(), ['good', 'other']);
      isBroken = false;
      assert.equal(await full.save(longer), true);
      assert.equal(await full.save(conversation('fresh', [turn('4')])), true);
      assert.deepEqual(
        (await reopened().load('other'))?.turns.map(({ id }) => id),
        ['2', '3'],
      );
      assert.equal((await reopened().load('fresh'))?.turns.length, 1);
    });
  }
});
