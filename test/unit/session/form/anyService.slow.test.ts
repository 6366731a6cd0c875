import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mostRequests } from '../../../../src/send/form/requestLimit.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import { isServiceError } from '../../../../src/util/errors.ts';
import { asks, outgoing } from '../dispatchStage.ts';
import { bad, type Complaint, Strict } from './strict.ts';

const parameters = ['stream_options', 'max_tokens', 'max_completion_tokens', 'temperature', 'tool_choice'] as const;

/** A service that refuses some parameters and tools, in words or without. */
const service = fc.record({
  tools: fc.integer({ min: 0, max: 20 }),
  badTools: fc.uniqueArray(fc.nat(19), { maxLength: 3 }),
  badParameters: fc.subarray([...parameters]),
  hasWords: fc.boolean(),
  takesNoTools: fc.boolean(),
});

describe('dispatch and any service', () => {
  it('sends six requests at most, changes only what is optional, and ends with all that is taken', async () => {
    await fc.assert(
      fc.asyncProperty(service, async ({ tools, badTools, badParameters, hasWords, takesNoTools }) => {
        const names = Array.from({ length: tools }, (_, index) => `tool_${index}`);
        const refused = new Set(badTools.map((index) => `tool_${index}`).filter((name) => names.includes(name)));
        const say = (words: string, parameter?: string): Complaint => (hasWords ? bad(words, parameter) : bad(''));
        const stage = new Strict((body) => {
          const parameter = badParameters.find((name) => body[name] !== undefined);
          if (parameter !== undefined) return say(`Unsupported parameter: '${parameter}'.`, parameter);
          if (takesNoTools && body.tools !== undefined) return say('Tools are not supported.', 'tools');
          const tool = body.tools?.find(({ function: { name } }) => refused.has(name))?.function.name;
          return tool === undefined ? null : say(`Invalid schema for function '${tool}'.`);
        });
        stage.settings['svc.compliance.securityLevel'] = 'high';
        const plain: Outgoing = { ...outgoing(asks('Hello')), maxTokens: 64, temperature: 0 };
        const offer = { tools: names.map((name) => ({ name, description: 'Looks.' })), choice: 'auto' as const };
        const asked = tools === 0 ? plain : { ...plain, offer, withoutTools: () => plain };
        let last: readonly Record<string, unknown>[] = [];
        let hasAnswer = false;
        for (let times = 0; times < 30; times += 1) {
          hasAnswer = await stage.send(asked).then(
            () => true,
            (error: unknown) => {
              assert.ok(isServiceError(error) && error.kind === 'request');
              return false;
            },
          );
          for (const { request } of stage.sent) {
            assert.ok(request.headers.some(([name, value]) => name === 'Svc-Security-Level' && value === 'high'));
          }
          last = stage.bodies();
          assert.ok(last.length <= mostRequests, `${last.length} requests`);
          for (const { model, messages, stream } of last) {
            assert.deepEqual([model, messages, stream], ['svc/auto', [{ role: 'user', content: 'Hello' }], true]);
          }
        }
        // Without words, two simultaneous causes cannot be distinguished within the limit.
        if (!hasWords) return;
        assert.ok(hasAnswer);
        assert.equal(last.length, 1, 'all is known');
        const offered = (last[0] as { tools?: readonly { function: { name: string } }[] }).tools ?? [];
        const taken = takesNoTools ? [] : names.filter((name) => !refused.has(name));
        assert.deepEqual(
          offered.map(({ function: { name } }) => name),
          taken,
        );
        for (const name of ['temperature', 'stream_options'] as const) {
          assert.equal(last[0]?.[name] === undefined, badParameters.includes(name), name);
        }
      }),
      { numRuns: 100 },
    );
  });
});
