import assert from 'node:assert/strict';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import { folder, user, workspace } from './layers.ts';

describe('policy: model and body', () => {
  it('2.4 has the default models of the interface document', () => {
    const models = (['svc.model.chat', 'svc.model.code', 'svc.model.review'] as const).map((key) => {
      const resolved = resolveRequestOptions([], key);
      return resolved.ok && resolved.options.model;
    });
    assert.deepEqual(models, ['svc/auto', 'svc/enterprise-coder-v1', 'svc/compliance-assistant']);
  });

  it('uses the innermost layer that sets a value', () => {
    const layers = [
      user({ 'svc.model.chat': 'a', 'svc.request.maxTokens': 5 }),
      workspace({ 'svc.model.chat': 'b', 'svc.request.maxTokens': null }),
      folder('x', {}),
    ];
    const resolved = resolveRequestOptions(layers, 'svc.model.chat');
    assert.deepEqual(resolved.ok && resolved.options, {
      model: 'b',
      modelKey: 'svc.model.chat',
      stream: true,
      maxTokens: 5,
      temperature: null,
      limits: {
        connectMs: 10_000,
        firstTokenMs: 60_000,
        betweenBytesMs: 60_000,
        attemptsMs: 120_000,
        answerMs: 600_000,
      },
      context: { maxTokens: 100_000, windows: [], onLimit: 'ask' },
    });
  });

  it('has no limit for the tokens of a conversation, if a layer sets it to null', () => {
    const maxTokens = (value: unknown): unknown => {
      const layers = [user({ 'svc.context.maxTokens': 5000 }), workspace({ 'svc.context.maxTokens': value })];
      const resolved = resolveRequestOptions(layers, 'svc.model.chat');
      return resolved.ok ? resolved.options.context.maxTokens : 'refused';
    };
    assert.deepEqual([null, undefined, 4000, 3999, 'null'].map(maxTokens), [null, 5000, 4000, 'refused', 'refused']);
  });

  it('has time limits in seconds, from 1 to a day; all attempts together have at least the time of one', () => {
    const limitsOf = (values: Readonly<Record<string, unknown>>) =>
      resolveRequestOptions([user(values)], 'svc.model.chat');
    const resolved = limitsOf({ 'svc.request.timeout.firstToken': 300, 'svc.request.timeout.answer': 86_400 });
    assert.deepEqual(resolved.ok && resolved.options.limits, {
      connectMs: 10_000,
      firstTokenMs: 300_000,
      betweenBytesMs: 60_000,
      attemptsMs: 300_000,
      answerMs: 86_400_000,
    });
    for (const value of [0, -1, 1.5, 86_401, '60', null, Number.POSITIVE_INFINITY]) {
      const wrong = limitsOf({ 'svc.request.timeout.answer': value });
      const [problem] = wrong.ok ? [] : wrong.problems;
      assert.equal(problem?.key, 'svc.request.timeout.answer');
      assert.equal(problem?.reason, 'invalid');
      assert.deepEqual(problem?.allowed, { kind: 'number', isWhole: true, minimum: 1, maximum: 86_400 });
    }
  });

  it('uses the model of a prompt, and the settings for everything else', () => {
    const asked = { model: 'svc/one', prompt: 'audit' };
    const layers = [user({ 'svc.model.chat': 'a', 'svc.request.maxTokens': 5 })];
    const resolved = resolveRequestOptions(layers, 'svc.model.chat', asked);
    assert.deepEqual(resolved.ok && [resolved.options.model, resolved.options.maxTokens], ['svc/one', 5]);
    const blank = resolveRequestOptions(layers, 'svc.model.chat', { ...asked, model: ' ' });
    assert.deepEqual(!blank.ok && blank.problems.map(({ reason, prompt }) => [reason, prompt]), [['invalid', 'audit']]);
    const ofConversation = { model: '', isOfConversation: true } as const;
    const empty = resolveRequestOptions(layers, 'svc.model.chat', ofConversation);
    assert.deepEqual(!empty.ok && empty.problems.map((problem) => problem.isOfConversation), [true]);
    // A prompt does not override a setting that blocks.
    const broken = resolveRequestOptions([user({ 'svc.model.chat': 3 })], 'svc.model.chat', asked);
    assert.equal(broken.ok, false);
  });

  for (const [key, value] of [
    ['svc.model.chat', '  '],
    ['svc.model.chat', 3],
    ['svc.request.stream', 'yes'],
    ['svc.request.maxTokens', 0],
    ['svc.request.maxTokens', 1.5],
    ['svc.request.temperature', -1],
    ['svc.request.temperature', '0.2'],
  ] as const) {
    it(`blocks ${key} = ${JSON.stringify(value)}`, () => {
      const resolved = resolveRequestOptions([user({ [key]: value })], 'svc.model.chat');
      assert.ok(!resolved.ok && resolved.problems[0]?.key === key && resolved.problems[0].found[0]?.layer === 'user');
    });
  }
});
