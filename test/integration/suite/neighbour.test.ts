import assert from 'node:assert/strict';
import { openStage, storeKey } from './stage.ts';

/** Both slots that undici's index writes, and that Node's own fetch reads. */
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));

describe('a good neighbour', () => {
  it('leaves the globals of the extension host unchanged by requests', async () => {
    const look = (): unknown[] => [globalThis.fetch, ...slots.map((slot) => Reflect.get(globalThis, slot))];
    const before = look();
    const names = Object.getOwnPropertyNames(globalThis);
    const stage = await openStage();
    await storeKey();
    await stage.close();
    assert.deepEqual(
      look().map((value, index) => value === before[index]),
      [true, true, true],
    );
    assert.deepEqual(
      Object.getOwnPropertyNames(globalThis).filter((name) => !names.includes(name)),
      [],
    );
  });
});
