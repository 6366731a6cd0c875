import assert from 'node:assert/strict';
import type { NamedText, Starters } from '../../../../src/protocol/starter.ts';
import { hostModule } from '../../../tools/hostModule.ts';

type Module = typeof import('../../../../src/features/chat/vscode/question/describeStarters.ts');
type Subject = Parameters<Module['describeStarters']>[0];

const shown = ({ text, names }: NamedText): string => text.replace(/\{(\d)\}/g, (_, index) => `<${names[index]}>`);
const lines = ({ items, hint }: Starters): readonly string[] => [
  ...items.map(({ label }) => shown(label)),
  shown(hint),
];

describe('the questions that an empty panel offers', () => {
  let describeStarters: Module['describeStarters'];
  let all: Module['starterNames'];
  before(async () => {
    ({ describeStarters, starterNames: all } = await hostModule<Module>(
      'src/features/chat/vscode/question/describeStarters.ts',
      'en',
    ));
  });
  const offer = (subject: Subject, names: Parameters<Module['describeStarters']>[1] = all) =>
    describeStarters(subject, names, (name) => `1.${name}`);

  it('are about the file, or about the selection in it, and tell what is sent', () => {
    assert.deepEqual(lines(offer({ is: 'file', name: 'pay.ts', path: 'src/pay.ts' })), [
      'Explain <pay.ts>',
      'Write tests for <pay.ts>',
      'Review <pay.ts>',
      'A suggestion sends <src/pay.ts>. Type @ to add other context.',
    ]);
    assert.deepEqual(lines(offer({ is: 'selection', name: 'pay.ts', path: 'src/pay.ts:3-12' })), [
      'Explain the selection in <pay.ts>',
      'Write tests for the selection in <pay.ts>',
      'Review the selection in <pay.ts>',
      'A suggestion sends <src/pay.ts:3-12>. Type @ to add other context.',
    ]);
  });

  it('are none where nothing can be sent; one sentence tells what to open', () => {
    const subjects = [
      { is: 'none' },
      { is: 'excluded', path: '.env', rule: 'the built-in rule .env' },
      { is: 'too-large', path: 'dump.sql' },
    ] as const satisfies readonly Subject[];
    assert.deepEqual(
      subjects.map((subject) => lines(offer(subject))),
      [
        ['Open a file with code to get suggestions, or type @ to add context.'],
        ['<.env> is not sent: it is excluded by <the built-in rule .env>. Open another file to get suggestions.'],
        ['<dump.sql> is too large to send. Select a part of it to get suggestions.'],
      ],
    );
  });

  it('leave out what an administrator has disabled', () => {
    const file = { is: 'file', name: 'a.ts', path: 'a.ts' } as const;
    assert.deepEqual(
      offer(file, ['review']).items.map(({ id }) => id),
      ['1.review'],
    );
    assert.deepEqual(lines(offer(file, [])), ['Type @ to add context.']);
  });

  it('keep the name of a file out of their text, whatever it contains', () => {
    const name = '\u202e{1}{0}.ts';
    for (const { label } of offer({ is: 'file', name, path: name }).items) {
      assert.doesNotMatch(label.text, /\u202e|\.ts/);
      assert.deepEqual(label.names, [name]);
    }
  });
});
