import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePromptFile } from '../../../src/session/promptFile.ts';

const parse = (source: string, stem = 'audit') => parsePromptFile(source, stem);
const fails = (source: string, line: number, found: RegExp, allowed: RegExp): void => {
  const parsed = parse(source);
  assert.ok(!parsed.ok, source);
  assert.equal(parsed.line, line);
  assert.match(parsed.found, found);
  assert.match(parsed.allowed, allowed);
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

  it('needs the text alone: its name is then that of the file', () => {
    const prompt = { name: 'audit', description: '', text: 'Find it.\n---\nname: x' };
    assert.deepEqual(parse('\uFEFFFind it.\r\n---\r\nname: x\r\n'), { ok: true, prompt });
    assert.deepEqual(parse('---\r\n---\r\nFind it.'), { ok: true, prompt: { ...prompt, text: 'Find it.' } });
  });

  for (const [source, line, found, allowed] of [
    ['---\nname: audit\nFind it.', 3, /no end/, /---/],
    ['---\nname: audit\n---\n \n', 5, /no text/, /text/],
    ['---\nname: audit\n\ntools: all\n---\nx', 4, /tools/, /name, description, model/],
    ['---\nname: audit\nname: other\n---\nx', 3, /name twice/, /once/],
    ['---\nname: Audit\n---\nx', 2, /Audit/, /small letters/],
    ['---\nname:\n---\nx', 2, /name/, /small letters/],
    ['---\nmodel: two words\n---\nx', 2, /two words/, /model identifier/],
    [`---\ndescription: ${'d'.repeat(201)}\n---\nx`, 2, /ddd…/, /200/],
    ['---\nmodel: svc/one # the fast one\n---\nx', 2, /fast/, /model identifier/],
    ['---\ndescription: |\n  folded\n---\nx', 2, /\|/, /plain text/],
    ['---\ndescription: [a, b]\n---\nx', 2, /\[a/, /plain text/],
    ['---\nmodel: *alias\n---\nx', 2, /alias/, /model identifier/],
    ['---\nname : audit\n---\nx', 2, /name :/, /key: value/],
    ['---\n  name: audit\n---\nx', 2, /name/, /key: value/],
    ['---\nname: "audit\n---\nx', 2, /audit/, /small letters/],
  ] as const) {
    it(`names the line of ${JSON.stringify(source.slice(0, 40))}`, () => fails(source, line, found, allowed));
  }

  it('of which the file’s own name will not do as a name says so', () => {
    const parsed = parse('x', 'My Prompt');
    assert.deepEqual(parsed.ok, false);
    assert.equal(parse('---\nname: mine\n---\nx', 'My Prompt').ok, true);
  });

  it('is read or refused, whatever stands in it, and never gives a name or model of another shape', () => {
    const line = fc.oneof(fc.constantFrom('---', 'name: a', 'model: b', 'description: c', ''), fc.string());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const parsed = parse(lines.join('\n'));
        if (!parsed.ok)
          return parsed.line >= 1 && parsed.line <= Math.max(1, lines.join('\n').split(/\r\n|\n|\r/).length);
        const { name, model = 'm', text } = parsed.prompt;
        return /^[a-z][a-z0-9-]*$/.test(name) && /^\S+$/.test(model) && text !== '';
      }),
    );
  });
});
