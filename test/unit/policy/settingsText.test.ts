import assert from 'node:assert/strict';
import { readSettingsText } from '../../../src/policy/files/settingsText.ts';
import { settingKeys } from '../../../src/policy/settings.ts';
import { processorMs } from '../../tools/processorTime.ts';

/** Reason and line of the problem. */
const found = (text: string, kind: 'settings' | 'workspace' = 'settings'): readonly unknown[] | null => {
  const problem = readSettingsText(text, kind).problem;
  return problem === null ? null : [problem.reason, problem.line, ...(problem.key === undefined ? [] : [problem.key])];
};

describe('a settings file', () => {
  it('is accepted if it is JSON with comments, or empty', () => {
    for (const text of [
      '',
      ' \n\t\n',
      '// no settings yet\n',
      '{}',
      '\uFEFF{ "svc.compliance.audit": true }',
      '{\r\n  // why\r\n  "svc.compliance.audit": true, /* and */\r\n  "files.exclude": { "a": true, },\r\n}\r\n',
      '{ "svc.compliance": { "audit": true, "zeroRetention": true }, "svc.request.stream": false }',
      '{ "svc": { "compliance": { "audit": true } } }',
      '{ "[python]": { "svc.inlineCompletions.enabled": false, "editor.tabSize": 4 } }',
      '{ "editor.tabSize": 4, "editor.tabSize": 2, "[python]": {}, "[python]": { "editor.tabSize": 4 } }',
      '{ "svc.connections": [{ "name": "a", "baseUrl": "b" }, { "name": "c", "baseUrl": "d" }] }',
      '{ "svcOther.x": 1, "svcOther.x": 2 }',
    ]) {
      assert.equal(found(text), null, text);
    }
  });

  it('is rejected if a value, a comma, a quote or an end is missing', () => {
    assert.deepEqual(found('{\n  "svc.compliance.audit": \n}'), ['syntax', 3]);
    assert.deepEqual(found('{\n  "editor.tabSize": ,\n  "svc.compliance.audit": true\n}'), ['syntax', 2]);
    assert.deepEqual(found('{\n  "a": 1\n  "svc.compliance.audit": true\n}'), ['syntax', 3]);
    assert.deepEqual(found('{\r\n  "a": "1,\r\n}'), ['syntax', 2]);
    assert.deepEqual(found('{ "a": 1'), ['syntax', 1]);
    assert.deepEqual(found('{ "a": 1 } }'), ['syntax', 1]);
    assert.deepEqual(found('\u0000'), ['syntax', 1]);
  });

  it('is rejected if it contains a merge conflict', () => {
    const text = '{\n  "a": 1,\n<<<<<<< HEAD\n  "svc.compliance.audit": true\n=======\n  "b": 2\n>>>>>>> other\n}';
    assert.deepEqual(found(text), ['merge-conflict', 3]);
  });

  it('is rejected if it is not an object', () => {
    for (const text of ['[]', '[{ "svc.compliance.audit": true }]', 'null', '"svc.compliance.audit"', '1']) {
      assert.deepEqual(found(text), ['not-an-object', 1], text);
    }
    assert.deepEqual(found('{\n  "svc.compliance": [true]\n}'), ['not-an-object', 2, 'svc.compliance']);
    assert.deepEqual(found('{ "svc": null }'), ['not-an-object', 1, 'svc']);
  });

  it('is rejected if one of our settings occurs twice, in any spelling', () => {
    const audit = 'svc.compliance.audit';
    assert.deepEqual(found(`{\n  "${audit}": true,\n  "${audit}": false\n}`), ['duplicate', 3, audit]);
    assert.deepEqual(found(`{\n "${audit}": true,\n "svc.c\\u006fmpliance.audit": true }`), ['duplicate', 3, audit]);
    assert.deepEqual(found(`{ "${audit}": true, "svc.compliance": { "zeroRetention": true } }`), [
      'duplicate',
      1,
      'svc.compliance',
    ]);
    assert.deepEqual(found(`{ "svc": {}, "${audit}": true }`), ['duplicate', 1, audit]);
    assert.deepEqual(found('{ "svc.compliance": { "audit": true, "audit": false } }'), ['duplicate', 1, audit]);
    assert.deepEqual(found('{ "svc.connections": [{ "name": "a", "name": "b" }] }'), [
      'duplicate',
      1,
      'svc.connections',
    ]);
  });

  it('is rejected if an object contains a dotted name, which VS Code does not expand', () => {
    assert.deepEqual(found('{ "svc": { "compliance.audit": true } }'), ['dotted', 1, 'svc.compliance.audit']);
  });

  it('is rejected if a language has a setting that is not per language, or a duplicate', () => {
    const level = 'svc.compliance.securityLevel';
    assert.deepEqual(found(`{ "[python]": { "${level}": "high" } }`), ['per-language', 1, level]);
    const off = '"svc.inlineCompletions.enabled": false';
    assert.deepEqual(found(`{ "[go]": {\n${off},\n${off} } }`), ['duplicate', 3, 'svc.inlineCompletions.enabled']);
    assert.deepEqual(found(`{ "[go]": { ${off} },\n "[go]": {} }`), ['duplicate', 2, '[go]']);
  });

  it('a workspace file has its settings under "settings"', () => {
    const audit = '"svc.compliance.audit": true';
    assert.equal(found(`{ "folders": [{ "path": "a" }], "settings": { ${audit} } }`, 'workspace'), null);
    assert.equal(found('{ "folders": [] }', 'workspace'), null);
    assert.deepEqual(found(`{ "folders": [],\n ${audit} }`, 'workspace'), [
      'outside-settings',
      2,
      'svc.compliance.audit',
    ]);
    assert.deepEqual(found(`{ "settings": { ${audit} },\n "settings": {} }`, 'workspace'), [
      'duplicate',
      2,
      'settings',
    ]);
    assert.deepEqual(found(`{ "settings": [{ ${audit} }] }`, 'workspace'), ['not-an-object', 1]);
    assert.deepEqual(found(`{ "folders": [], "settings": {\n ${audit},\n ${audit} } }`, 'workspace'), [
      'duplicate',
      3,
      'svc.compliance.audit',
    ]);
  });

  it('lists the values to compare with those that VS Code has read', () => {
    const asked = (text: string, kind: 'settings' | 'workspace' = 'settings') =>
      readSettingsText(text, kind).asked.map(({ key, value, line }) => [key, value, line]);
    const audit = '"svc.compliance.audit": true';
    assert.deepEqual(asked(`{\n  "svc.model.chat": "x",\n  ${audit}\n}`), [['svc.compliance.audit', true, 3]]);
    assert.deepEqual(asked('{ "svc": { "compliance": { "frameworks": ["gdpr"] } } }'), [
      ['svc.compliance.frameworks', ['gdpr'], 1],
    ]);
    assert.deepEqual(asked(`{ "settings": { ${audit} } }`, 'workspace'), [['svc.compliance.audit', true, 1]]);
    assert.deepEqual(asked(`{ "other": { ${audit} } }`), []);
    assert.deepEqual(asked(''), []);
  });

  it('is read in little time, however many names it has, and however long they are', () => {
    const names = Array.from({ length: 32_000 }, (_, index) => `"svc.a${index}": 1`);
    const texts = [
      `{ ${names.join(', ')} }`,
      `{ "svc": {}, ${names.join(', ')} }`,
      `{ "svc${'.a'.repeat(400_000)}": 1, "svc${'.a'.repeat(50_000)}": 1 }`,
      `{${'\n'.repeat(900_000)}${settingKeys.map((key) => `"${key}": null`).join(', ')} }`,
      `{${' "a": {}, "[b]": { "c": {} },'.repeat(30_000)} }`,
    ];
    for (const text of texts) {
      const from = processorMs();
      const { problem } = readSettingsText(text, 'settings');
      const ms = processorMs() - from;
      assert.ok(ms < 1_500, `${ms} ms for ${text.slice(0, 40)}`);
      assert.equal(problem?.reason, text.includes('"svc": {}') || text.includes('.a.a') ? 'duplicate' : undefined);
    }
    const audit = '"svc.compliance.audit": true';
    assert.deepEqual(found(`{ ${names.join(', ')},\n\n ${audit}, ${audit} }`), [
      'duplicate',
      3,
      'svc.compliance.audit',
    ]);
  });

  it('blocks without an exception if it is too deep or too large', () => {
    assert.equal(readSettingsText('['.repeat(200_000), 'settings').problem?.reason, 'syntax');
    assert.equal(
      readSettingsText(`{ "svc": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)} }`, 'settings').problem?.reason,
      'syntax',
    );
    assert.equal(readSettingsText(' '.repeat(5_000_000), 'settings').problem?.reason, 'too-large');
  });
});
