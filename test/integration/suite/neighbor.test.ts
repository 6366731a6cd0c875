import assert from 'node:assert/strict';
import { openStage, storeKey } from './stage.ts';

/** Both slots that undici's index writes, and that Node's own fetch reads. */
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));

describe('a good neighbor', () => {
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

describe('an error that VS Code’s Git extension does not catch', () => {
  it('fails no test', async () => {
    const error = new Error('write EPIPE');
    error.stack = `${error}\n\tat node:net:1026:31\n\tat run (/code/extensions/git/dist/main.js:66:1561)`;
    const caught = new Promise((resolve) => process.once('uncaughtException', resolve));
    setImmediate(() => {
      throw error;
    });
    assert.equal(await caught, error);
  });
});
