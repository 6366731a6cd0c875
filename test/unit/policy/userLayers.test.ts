import assert from 'node:assert/strict';
import { languageLayersOf, userLayersOf } from '../../../src/policy/files/userLayers.ts';

describe("the user's layers", () => {
  const found = (globalLocalValue: unknown, globalRemoteValue: unknown) => ({
    // As VS Code makes it.
    globalValue: globalRemoteValue ?? globalLocalValue,
    globalLocalValue,
    globalRemoteValue,
  });

  it('are two: what the remote machine says does not hide what the user says', () => {
    assert.deepEqual(userLayersOf(found('maximum', 'standard'), true), { local: 'maximum', remote: 'standard' });
    assert.deepEqual(userLayersOf(found(undefined, true), true), { local: undefined, remote: true });
    assert.deepEqual(userLayersOf(found(true, undefined), true), { local: true, remote: undefined });
    assert.deepEqual(userLayersOf(found(null, 1), false), { local: null, remote: 1 });
  });

  it('have what the user keeps for all profiles, which is in globalValue alone', () => {
    const all = { ...found(undefined, undefined), globalValue: 'https://svc.example/api/v1' };
    assert.deepEqual(userLayersOf(all, false), { local: 'https://svc.example/api/v1', remote: undefined });
  });

  it('have no value of the local user in a remote window, where VS Code does not tell the two apart', () => {
    assert.deepEqual(userLayersOf({ globalValue: true }, true), { local: undefined, remote: true });
    assert.deepEqual(userLayersOf({ globalValue: true }, false), { local: true, remote: undefined });
    assert.deepEqual(languageLayersOf({ globalLanguageValue: true }, true), { local: undefined, remote: true });
  });

  it('are told apart for a language as well', () => {
    const language = { globalLanguageValue: true, globalLocalLanguageValue: false, globalRemoteLanguageValue: true };
    assert.deepEqual(languageLayersOf(language, true), { local: false, remote: true });
  });
});
