import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PendingEdit, PendingEdits } from '../../../src/store/provenance/pendingEdits.ts';

const uuidOf = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const edit = (number: number, time: number): PendingEdit => ({
  ...{ edit: uuidOf(number), request: uuidOf(1), model: 'm', time, log: 'svc-coder/x', session: uuidOf(2), seq: 3 },
  ...{ tags: 'AAAAAAAAAAA=', matches: 'AAAAAAAAAAA=' },
});

describe('store: edits that wait for a commit', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'svc-pending-')), 'provenance');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  it('are read back, the newest first, and only this user can read them', async () => {
    const pending = new PendingEdits(folder, () => 10);
    assert.deepEqual(await pending.all(), []);
    await pending.put(edit(1, 1));
    await pending.put(edit(2, 2));
    assert.deepEqual(await pending.all(), [edit(2, 2), edit(1, 1)]);
    assert.deepEqual(
      [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => statSync(path).mode & 0o077),
      [0, 0, 0],
    );
    await pending.remove([uuidOf(1)]);
    assert.deepEqual(await pending.all(), [edit(2, 2)]);
    await pending.clear();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('are removed after 30 days, and the oldest of more than 500', async () => {
    const day = 24 * 60 * 60 * 1000;
    const pending = new PendingEdits(folder, () => 40 * day);
    await pending.put(edit(1, 9 * day));
    await pending.put(edit(2, 11 * day));
    assert.deepEqual(await pending.all(), [edit(2, 11 * day)]);
    assert.equal(readdirSync(folder).length, 1);
    for (let number = 0; number < 502; number += 1) {
      writeFileSync(
        join(folder, `${uuidOf(number)}.json`),
        JSON.stringify({ v: 1, ...edit(number, 20 * day + number) }),
      );
    }
    const kept = await pending.all();
    assert.deepEqual([kept.length, kept.at(0)?.edit, kept.at(-1)?.edit], [500, uuidOf(501), uuidOf(2)]);
    assert.equal(readdirSync(folder).length, 500);
  });

  it('are none where a file is not one, or has the name of another', async () => {
    const pending = new PendingEdits(folder, () => 10);
    await pending.put(edit(1, 1));
    const good = JSON.stringify({ v: 1, ...edit(2, 2) });
    const wrong = [
      '',
      '{',
      '[]',
      good.replace('"v":1', '"v":2'),
      good.replace('AAAA', '!'),
      good.replace('"seq":3', '"seq":0'),
    ];
    for (const [index, text] of wrong.entries()) writeFileSync(join(folder, `${uuidOf(50 + index)}.json`), text);
    writeFileSync(join(folder, `${uuidOf(3)}.json`), good);
    assert.deepEqual(await pending.all(), [edit(1, 1)]);
  });
});
