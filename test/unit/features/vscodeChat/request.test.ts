import assert from 'node:assert/strict';
import { languageModelErrorCode } from '../../../../src/features/vscodeChat/vscode/errorCode.ts';
import { oneAtATime } from '../../../../src/features/vscodeChat/vscode/oneAtATime.ts';
import { bodyOptions, offerOf } from '../../../../src/features/vscodeChat/vscode/requestOptions.ts';
import { settingsBypassingSvc } from '../../../../src/features/vscodeChat/vscode/settingsBypassingSvc.ts';
import { estimateTokens } from '../../../../src/send/budget/tokens.ts';
import type { ConfirmationChoice, ConfirmationRequest } from '../../../../src/send/confirmation.ts';
import { ServiceError } from '../../../../src/util/errors.ts';

describe('options of a request', () => {
  it('are only the interface’s two numbers, if they are valid', () => {
    assert.deepEqual(bodyOptions({ max_tokens: 100, temperature: 0, top_p: 1, _capturingTokenCorrelationId: 'x' }), {
      maxTokens: 100,
      temperature: 0,
    });
    assert.deepEqual(bodyOptions({ max_tokens: 0, temperature: -1 }), {});
    assert.deepEqual(bodyOptions({ max_tokens: '100', temperature: Number.NaN, _debug: true }), {});
    assert.deepEqual(bodyOptions(), {});
  });

  it('contain the given tools, and whether a call is required', () => {
    const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' }, tags: ['x'] }];
    assert.deepEqual(offerOf(tools, 1), {
      offer: { tools: [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }], choice: 'auto' },
    });
    assert.equal(offerOf(tools, 2).offer?.choice, 'required');
    assert.deepEqual(offerOf([], 2), {});
    assert.deepEqual(offerOf(undefined, 1), {});
  });

  it('tokens are estimated from bytes', () => {
    assert.deepEqual(['', 'a', 'abc', 'abcd', '世界'].map(estimateTokens), [0, 1, 1, 2, 2]);
  });
});

describe('errors for VS Code', () => {
  it('have the matching kind of VS Code, if there is one', () => {
    const codes = (
      [
        ['auth', {}],
        ['permission', { status: 403 }],
        ['request', { status: 404 }],
        ['request', { status: 400 }],
        ['rateLimit', { status: 429 }],
        ['policy', { code: 'feature-disabled' }],
        ['gate', { code: 'untrusted' }],
        ['gate', { code: 'audit-unwritable' }],
        ['server', { status: 500 }],
        ['network', {}],
      ] as const
    ).map(([kind, init]) => languageModelErrorCode(new ServiceError(kind, '', init)));
    assert.deepEqual(codes, [
      'NoPermissions',
      'NoPermissions',
      'NotFound',
      null,
      'Blocked',
      'Blocked',
      'Blocked',
      null,
      null,
      null,
    ]);
  });
});

describe('settings that send requests to other models', () => {
  const settings = (values: Readonly<Record<string, unknown>>) => (key: string) => values[key];
  const named = (values: Readonly<Record<string, unknown>>) =>
    settingsBypassingSvc(settings(values)).map(({ setting }) => setting);

  it('are named if the setting exists and does not point to our models', () => {
    assert.deepEqual(named({}), []);
    const fresh = { 'chat.utilityModel': '', 'chat.utilitySmallModel': '', 'chat.byokUtilityModelDefault': 'copilot' };
    assert.deepEqual(named(fresh), Object.keys(fresh));
    assert.deepEqual(named({ ...fresh, 'chat.utilityModel': 'svc/svc/auto' }), Object.keys(fresh).slice(1));
    assert.deepEqual(named({ 'chat.utilityModel': 'svc/svc/auto', 'chat.utilitySmallModel': 'svc/svc/auto' }), []);
    assert.deepEqual(named({ 'inlineChat.defaultModel': 'Other (copilot)' }), ['inlineChat.defaultModel']);
  });

  it('the fallback applies only if one of the two settings uses it', () => {
    const ours = { 'chat.utilityModel': 'svc/svc/auto', 'chat.utilitySmallModel': 'svc/svc/auto' };
    assert.deepEqual(named({ ...ours, 'chat.byokUtilityModelDefault': 'copilot' }), []);
    for (const fallback of ['mainAgent', 'none']) {
      const empty = { 'chat.utilityModel': '', 'chat.utilitySmallModel': '', 'chat.byokUtilityModelDefault': fallback };
      assert.deepEqual(named(empty), [], fallback);
      assert.deepEqual(named({ ...empty, 'chat.utilityModel': 'other/model' }), ['chat.utilityModel'], fallback);
    }
    assert.deepEqual(named({ 'chat.utilityModel': '' }), ['chat.utilityModel']);
  });
});

describe('questions to the user', () => {
  const request = {} as ConfirmationRequest;

  it('are asked one at a time', async () => {
    const open: ((choice: ConfirmationChoice) => void)[] = [];
    const ask = oneAtATime(() => new Promise((resolve) => open.push(resolve)));
    const { signal } = new AbortController();
    const [first, second] = [ask(request, signal), ask(request, signal)];
    await Promise.resolve();
    assert.equal(open.length, 1);
    open[0]?.('send-masked');
    assert.equal(await first, 'send-masked');
    await new Promise(setImmediate);
    open[1]?.('cancel');
    assert.equal(await second, 'cancel');
  });

  it('a question that is cancelled while it waits is never asked', async () => {
    let asked = 0;
    const open: ((choice: ConfirmationChoice) => void)[] = [];
    const ask = oneAtATime(() => {
      asked += 1;
      return new Promise((resolve) => open.push(resolve));
    });
    const later = new AbortController();
    const first = ask(request, new AbortController().signal);
    const second = ask(request, later.signal);
    later.abort();
    assert.equal(await second, 'cancel');
    open[0]?.('send-masked');
    assert.equal(await first, 'send-masked');
    await new Promise(setImmediate);
    assert.equal(asked, 1);
  });
});
