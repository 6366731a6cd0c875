import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { shownLanguage } from '../../../../src/features/edits/vscode/shown/shownLanguage.ts';

const shown = (languageId: string): string => shownLanguage(languageId, new Set(['other-json-like']));

describe('the language in which a proposal is shown', () => {
  it('is one without validation, where VS Code or an extension would fetch a schema', () => {
    for (const id of ['json', 'jsonc', 'jsonl', 'snippets', 'other-json-like']) assert.equal(shown(id), 'svc-json', id);
    for (const id of ['yaml', 'dockercompose', 'github-actions-workflow', 'azure-pipelines', 'helm']) {
      assert.equal(shown(id), 'svc-yaml', id);
    }
    for (const id of ['xml', 'xsl', 'svg', 'xsd']) assert.equal(shown(id), 'svc-xml', id);
    assert.equal(shown('toml'), 'plaintext');
  });

  it('is otherwise that of the code', () => {
    for (const id of ['typescript', 'python', 'markdown', 'plaintext', 'html', 'dockerfile', 'csharp', 'makefile']) {
      assert.equal(shown(id), id);
    }
  });

  it('is one that package.json contributes, with a grammar of VS Code', () => {
    const { languages, grammars } = JSON.parse(readFileSync('package.json', 'utf8')).contributes;
    const ids = languages.map(({ id }: { id: string }) => id);
    const shownIn = grammars.map(({ language }: { language: string }) => language);
    assert.deepEqual(shownIn, ['svc-json', 'svc-yaml', 'svc-xml']);
    // The other one is that of read-only texts such as the request preview, which have no grammar.
    assert.deepEqual(ids, ['svc-text', ...shownIn]);
    for (const { language, path, scopeName } of grammars) {
      assert.ok(ids.includes(language));
      const grammar = JSON.parse(readFileSync(path, 'utf8'));
      assert.equal(grammar.scopeName, scopeName);
      assert.match(grammar.patterns[0].include, /^(source|text)\./);
    }
    // It is associated with no file.
    assert.ok(languages.every((one: object) => !('extensions' in one) && !('filenames' in one)));
  });
});
