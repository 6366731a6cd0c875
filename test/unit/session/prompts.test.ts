import assert from 'node:assert/strict';
import { actionOf, partsOf, slashIn, slashNames, slashText, withWords } from '../../../src/session/prompts/prompts.ts';
import { attachment } from './attachment.ts';

describe('session: slash commands', () => {
  it('are a name at the very start, and the text after it', () => {
    assert.deepEqual(slashIn('/tests'), { name: 'tests', words: '' });
    assert.deepEqual(slashIn('/tests with mocha,\nplease\n'), { name: 'tests', words: 'with mocha,\nplease' });
    assert.deepEqual(slashIn('/tests\nwith mocha'), { name: 'tests', words: 'with mocha' });
    for (const text of ['tests', ' /tests', '/etc/passwd', '/', '// comment', '/Tests', '/1st']) {
      assert.equal(slashIn(text), null, text);
    }
  });

  it('each have their own prompt, followed by the text after the name', () => {
    assert.equal(new Set(slashNames.map((name) => slashText(name, ''))).size, 7);
    assert.ok(slashText('fix', ' the rounding ').endsWith('.\n\nthe rounding'));
    assert.equal(withWords('Ask.', ' \n'), 'Ask.');
  });

  it('replace the typed text with their prompt', () => {
    const attachments = [attachment()];
    const turn = { action: 'chat', prompt: '/fix', attachments } as const;
    assert.deepEqual(partsOf({ ...turn, command: { name: 'fix', text: 'Correct it.' } }), [
      'Correct it.',
      ...attachments,
    ]);
    assert.deepEqual(partsOf(turn), ['/fix', ...attachments]);
  });

  it('count as the editor command that does the same', () => {
    const of = (name: string, folder?: string): string =>
      actionOf({ action: 'chat', command: { name, text: 'x', ...(folder === undefined ? {} : { folder }) } });
    assert.deepEqual(
      slashNames.map((name) => `${name}: ${of(name)}`),
      [
        'explain: explain',
        'generate: generate',
        'fix: generate',
        'tests: generate',
        'docs: generate',
        'review: review',
        'commit: generate',
      ],
    );
    assert.equal(of('fix', 'file:///work'), 'chat', 'a prompt of the workspace');
    assert.equal(of('toString'), 'chat');
    assert.equal(actionOf({ action: 'explain' }), 'explain');
  });
});
