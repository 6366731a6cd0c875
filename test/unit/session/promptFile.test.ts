import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PromptProblem, parsePromptFile } from '../../../src/session/prompts/promptFile.ts';

const parse = (source: string, stem = 'audit') => parsePromptFile(source, stem);
const fails = (source: string, line: number, fault: Partial<PromptProblem['fault']>, found?: RegExp): void => {
  const parsed = parse(source);
  assert.ok(!parsed.ok, source);
  assert.equal(parsed.problem.line, line);
  assert.partialDeepStrictEqual(parsed.problem.fault, fault);
  if (found !== undefined) assert.match(JSON.stringify(parsed.problem.fault), found);
};

describe('session: a prompt file', () => {
  it('has a name, a description, a model and a text', () => {
    const source =
      '---\nname: audit-log\ndescription: "Finds: what is not logged"\nmodel: svc/one\n---\n\nFind it.\n\nAll.\n';
    assert.deepEqual(parse(source), {
      ok: true,
      prompt: {
        name: 'audit-log',
        description: 'Finds: what is not logged',
        model: 'svc/one',
        text: 'Find it.\n\nAll.',
      },
    });
  });

  it('requires only the text: its name is then that of the file', () => {
    const prompt = { name: 'audit', description: '', text: 'Find it.\n---\nname: x' };
    assert.deepEqual(parse('\uFEFFFind it.\r\n---\r\nname: x\r\n'), { ok: true, prompt });
    assert.deepEqual(parse('---\r\n---\r\nFind it.'), { ok: true, prompt: { ...prompt, text: 'Find it.' } });
  });

  for (const [source, line, fault, found] of [
    ['---\nname: audit\nFind it.', 3, { kind: 'noEnd' }],
    ['---\nname: audit\n---\n \n', 5, { kind: 'noText' }],
    ['---\nname: audit\n\ntools: all\n---\nx', 4, { kind: 'unknownKey' }, /tools/],
    ['---\nname: audit\nname: other\n---\nx', 3, { kind: 'keyTwice', key: 'name' }],
    ['---\nname: Audit\n---\nx', 2, { kind: 'value', key: 'name' }, /Audit/],
    ['---\nname:\n---\nx', 2, { kind: 'value', key: 'name' }],
    ['---\nmodel: two words\n---\nx', 2, { kind: 'value', key: 'model' }, /two words/],
    [`---\ndescription: ${'d'.repeat(201)}\n---\nx`, 2, { kind: 'value', key: 'description' }, /ddd…/],
    ['---\nmodel: svc/one # the fast one\n---\nx', 2, { kind: 'value', key: 'model' }, /fast/],
    ['---\ndescription: |\n  folded\n---\nx', 2, { kind: 'value', key: 'description' }, /\|/],
    ['---\ndescription: [a, b]\n---\nx', 2, { kind: 'value', key: 'description' }, /\[a/],
    ['---\nmodel: *alias\n---\nx', 2, { kind: 'value', key: 'model' }, /alias/],
    ['---\nname : audit\n---\nx', 2, { kind: 'unknownKey' }, /name :/],
    ['---\n  name: audit\n---\nx', 2, { kind: 'unknownKey' }, /name/],
    ['---\nname: "audit\n---\nx', 2, { kind: 'value', key: 'name' }, /audit/],
  ] as const) {
    it(`names the line of ${JSON.stringify(source.slice(0, 40))}`, () => fails(source, line, fault, found));
  }

  it('reports that the name of the file is not usable as a name', () => {
    const parsed = parse('x', 'My Prompt');
    assert.deepEqual(parsed.ok, false);
    assert.equal(parse('---\nname: mine\n---\nx', 'My Prompt').ok, true);
  });

  it('is read or refused for any content, and never gives an invalid name or model', () => {
    const line = fc.oneof(fc.constantFrom('---', 'name: a', 'model: b', 'description: c', ''), fc.string());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const parsed = parse(lines.join('\n'));
        if (!parsed.ok)
          return (
            parsed.problem.line >= 1 && parsed.problem.line <= Math.max(1, lines.join('\n').split(/\r\n|\n|\r/).length)
          );
        const { name, model = 'm', text } = parsed.prompt;
        return /^[a-z][a-z0-9-]*$/.test(name) && /^\S+$/.test(model) && text !== '';
      }),
    );
  });
});
