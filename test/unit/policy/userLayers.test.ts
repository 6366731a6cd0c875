import assert from 'node:assert/strict';
import { languageLayersOf, userLayersOf } from '../../../src/policy/files/userLayers.ts';

describe("the user's layers", () => {
  const found = (globalLocalValue: unknown, globalRemoteValue: unknown) => ({
    // As VS Code creates it.
    globalValue: globalRemoteValue ?? globalLocalValue,
    globalLocalValue,
    globalRemoteValue,
  });

  it('are two: a value of the remote machine does not hide that of the user', () => {
    assert.deepEqual(userLayersOf(found('maximum', 'standard'), true), { local: 'maximum', remote: 'standard' });
    assert.deepEqual(userLayersOf(found(undefined, true), true), { local: undefined, remote: true });
    assert.deepEqual(userLayersOf(found(true, undefined), true), { local: true, remote: undefined });
    assert.deepEqual(userLayersOf(found(null, 1), false), { local: null, remote: 1 });
  });

  it('include the user’s value for all profiles, which is only in globalValue', () => {
    const all = { ...found(undefined, undefined), globalValue: 'https://svc.example/api/v1' };
    assert.deepEqual(userLayersOf(all, false), { local: 'https://svc.example/api/v1', remote: undefined });
  });

  it('have no local user value in a remote window, where VS Code does not distinguish the two', () => {
    assert.deepEqual(userLayersOf({ globalValue: true }, true), { local: undefined, remote: true });
    assert.deepEqual(userLayersOf({ globalValue: true }, false), { local: true, remote: undefined });
    assert.deepEqual(languageLayersOf({ globalLanguageValue: true }, true), { local: undefined, remote: true });
  });

  it('are also distinguished for a language', () => {
    const language = { globalLanguageValue: true, globalLocalLanguageValue: false, globalRemoteLanguageValue: true };
    assert.deepEqual(languageLayersOf(language, true), { local: false, remote: true });
  });
});
