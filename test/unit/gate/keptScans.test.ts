import assert from 'node:assert/strict';
import { KeptScans } from '../../../src/gate/secrets/keptScans.ts';

const spans = (count: number) => [...Array(count).keys()].map((start) => ({ rule: 'jwt', start, end: start + 1 }));

describe('gate: cached scans', () => {
  it('a text is scanned once, also for two concurrent requests', async () => {
    const kept = new KeptScans({ texts: 2, spans: 10 });
    let scans = 0;
    const scan = async () => {
      scans += 1;
      return spans(scans);
    };
    const [one, two] = await Promise.all([kept.get('a', scan), kept.get('a', scan)]);
    assert.deepEqual([one, two, await kept.get('a', scan), scans], [spans(1), spans(1), spans(1), 1]);
  });

  it('drops the least recently used beyond a number of texts and of spans', async () => {
    const kept = new KeptScans({ texts: 2, spans: 10 });
    const asked: string[] = [];
    const ask = (key: string, count = 1) =>
      kept.get(key, async () => {
        asked.push(key);
        return spans(count);
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key);
    assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
    await ask('many', 10);
    await ask('b');
    assert.deepEqual(asked, ['a', 'b', 'c', 'b', 'many', 'b']);
    await ask('too many', 11);
    await ask('too many', 11);
    assert.deepEqual(asked.slice(6), ['too many', 'too many']);
  });

  it('a failed scan is not kept', async () => {
    const kept = new KeptScans({ texts: 2, spans: 10 });
    await assert.rejects(kept.get('a', () => Promise.reject(new Error('no'))));
    assert.deepEqual(await kept.get('a', async () => spans(1)), spans(1));
  });
});
