import assert from 'node:assert/strict';
import { languageName } from '../../../src/session/prompts/language.ts';
import {
  actionOf,
  participantParts,
  partsOf,
  slashIn,
  slashNames,
  slashText,
  withWords,
} from '../../../src/session/prompts/prompts.ts';
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
    assert.equal(new Set(slashNames.map((name) => slashText(name, '', null))).size, slashNames.length);
    assert.ok(slashText('fix', ' the rounding ', null).endsWith('.\n\nthe rounding'));
    assert.equal(withWords('Ask.', ' \n'), 'Ask.');
  });

  it('ask for the file at the code where the answer has some, and no others do', () => {
    const asks = slashNames.filter((name) => /say the file on the opening line/.test(slashText(name, 'a', 'German')));
    assert.deepEqual(asks, ['generate', 'fix', 'tests', 'docs']);
  });

  it('answer in the language of the words after the name; without words, in that of VS Code; code in neither', () => {
    const ofWords = "Answer in the language of the user's words below. Code and its comments keep their language.";
    const ofDisplay = 'Answer in German. Code and its comments keep their language.';
    const inSentences = ['explain', 'generate', 'fix', 'review'];
    for (const name of slashNames) {
      const isAsked = inSentences.includes(name);
      assert.equal(slashText(name, 'warum?', 'German').includes(ofWords), isAsked, name);
      assert.equal(slashText(name, '', 'German').includes(ofDisplay), isAsked, name);
      assert.doesNotMatch(slashText(name, 'warum?', 'German'), /Answer in German/, name);
      assert.doesNotMatch(slashText(name, '', null), /language of the user|Answer in [A-Z]\w+\. Code/, name);
    }
  });

  it('know the display languages of VS Code by their English names, and no others', () => {
    const tags = ['de', 'fr', 'ja', 'pt-br', 'en', 'en-GB', 'qps-ploc', 'zz', '', 'not a tag', '../de'];
    assert.deepEqual(tags.map(languageName), [
      ...['German', 'French', 'Japanese', 'Brazilian Portuguese'],
      ...[null, null, null, null, null, null, null],
    ]);
  });

  it('the slash commands of @svc send the same prompts', () => {
    const first = (words: string): string => String(participantParts('explain', words, [], 'German')[0]);
    assert.match(first(''), /Answer in German\./);
    assert.match(first('warum?'), /Answer in the language of the user's words below\./);
    assert.deepEqual(participantParts('chat', 'Warum?', [], 'German'), ['Warum?']);
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

  it('have the action of the editor command that does the same', () => {
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
