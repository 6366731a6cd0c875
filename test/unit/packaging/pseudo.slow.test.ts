import assert from 'node:assert/strict';
import { chatRequest } from '../../../src/client/wireRequest.ts';
import { allowedIn } from '../../../src/policy/allowed.ts';
import { parseManagedPolicy } from '../../../src/policy/managed/parseManagedPolicy.ts';
import { settingKeys } from '../../../src/policy/settings.ts';
import type { Preview } from '../../../src/send/confirmation.ts';
import { formChanges } from '../../../src/send/form/form.ts';
import { errorKinds } from '../../../src/util/errorKinds.ts';
import {
  abortedError,
  type ErrorDetails,
  type FileFault,
  requestChanges,
  ServiceError,
  type ServiceErrorInit,
  type ServiceErrorKind,
} from '../../../src/util/errors.ts';
import { hostModule } from '../../tools/hostModule.ts';
import { unwrapped } from '../../tools/pseudo.ts';
import { turnOf, type ViewFields } from '../../tools/turns.ts';
import { about, preview as wire } from '../session/fakeDispatch.ts';

/** Strings with letters in a value of the host that were not translated. Enumerations are not shown to the user. */
function english(value: unknown, key = ''): readonly string[] {
  if (['id', 'severity', 'setting', 'verdict', 'actions'].includes(key) && typeof value === 'string') return [];
  if (typeof value === 'string') return unwrapped(value) === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => english(inner, name));
}

/** Names and values from outside are in brackets already, so that only our own texts remain. */
const data = (text: string): string => `⟦${text}⟧`;

const externalCodes = [
  ...[
    'SSL_ALERT',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ],
  ...['ENOSPC', data('ECONNREFUSED')],
];
const fileFaults: readonly FileFault[] = [
  ...(['ENOENT', 'EACCES', 'EISDIR', 'not-absolute', 'no-certificate', 'no-key', 'key-alone', 'encrypted'] as const),
  'malformed',
];

/** What an error of a kind can have beside its code. */
const detailsOf: { readonly [K in ServiceErrorKind]?: readonly ErrorDetails<K>[] } = {
  certificate: fileFaults.map((fileFault) => ({ fileFault })),
  proxy: ['Basic', 'Kerberos'].map((scheme) => ({ schemes: [data(scheme)] })),
  protocol: [{ cut: 'length' }, { cut: 'filter', blocks: 3 }],
  policy: [{ feature: data('feature') }],
  gate: [
    { size: { bytes: 2_000, limit: 1_000 }, tokens: 20, changes: requestChanges, isSetting: true },
    { git: { is: 'exit', code: 1 } },
    { git: { is: 'signal', name: data('SIGTERM') } },
    ...['ENOENT', data('EACCES')].map((code) => ({ git: { is: 'not-started', code } }) as const),
    ...(Object.keys(errorKinds) as ServiceErrorKind[]).map((kind) => ({
      failure: new ServiceError(kind, 'For the log.', {} as ServiceErrorInit),
    })),
  ],
};

describe('in a pseudo language, the host shows no English', () => {
  it('cards show no English for any error', async () => {
    const { describeError } = await hostModule<typeof import('../../../src/platform/messages/errors/describeError.ts')>(
      'src/platform/messages/errors/describeError.ts',
      'pseudo',
    );
    for (const kind of Object.keys(errorKinds) as ServiceErrorKind[]) {
      const codes = [
        ...errorKinds[kind].codes.map((code) => ({ code })),
        ...externalCodes.map((externalCode) => ({ externalCode })),
        {},
      ];
      for (const code of codes) {
        const facts = [{}, { reason: data('reason'), host: data('host'), retryAfterMs: 900, contextTokens: 9 }];
        const details = (detailsOf[kind] ?? []).map((one) => ({ ...facts[1], details: one }));
        for (const known of [...facts, ...details]) {
          for (const status of [undefined, 404, 413, 500]) {
            const error = new ServiceError(kind, 'For the log.', {
              ...code,
              ...known,
              status,
              file: data('file'),
              requestId: data('id'),
            } as ServiceErrorInit);
            const card = describeError(error, { canRetry: true, canContinue: true });
            assert.deepEqual(english(card), [], `${kind} ${JSON.stringify(code)}`);
            assert.equal(card === null, kind === 'aborted');
          }
        }
      }
    }
  });

  it('the reply to a failed call of the panel has no English, whatever was thrown', async () => {
    const { replyWords, Refusal } = await hostModule<typeof import('../../../src/platform/pages/callError.ts')>(
      'src/platform/pages/callError.ts',
      'pseudo',
    );
    const thrown = [new TypeError('Cannot read properties'), 'a string', undefined, { message: 'an object' }];
    for (const one of [
      ...thrown,
      new ServiceError('gate', 'For the log.', { code: 'nothing-there', file: data('a') }),
    ]) {
      assert.notEqual(replyWords(one), '');
      assert.deepEqual(english(replyWords(one)), []);
    }
    assert.equal(replyWords(new Refusal('already in words')), 'already in words');
    // The user cancelled: there is nothing to show.
    assert.equal(replyWords(abortedError()), '');
  });

  it('VS Code’s chat and a review show no English for any error', async () => {
    const { toLanguageModelError } = await hostModule<
      typeof import('../../../src/features/vscodeChat/vscode/languageModelError.ts')
    >('src/features/vscodeChat/vscode/languageModelError.ts', 'pseudo');
    for (const thrown of [new TypeError('Cannot read the secret'), 'a secret', undefined]) {
      const { message } = toLanguageModelError(thrown, data('model'));
      assert.match(message, /^⟦/);
      assert.doesNotMatch(message, /secret|Cannot/);
    }
    const { errorWords } = await hostModule<typeof import('../../../src/platform/messages/errorName.ts')>(
      'src/platform/messages/errorName.ts',
      'pseudo',
    );
    const { auditStrings } = await hostModule<typeof import('../../../src/features/audit/vscode/strings.ts')>(
      'src/features/audit/vscode/strings.ts',
      'pseudo',
    );
    const { errors } = auditStrings();
    for (const kind of Object.keys(errorKinds) as ServiceErrorKind[]) {
      for (const detail of ['', '429']) assert.deepEqual(english(errorWords(kind, detail)), [], kind);
      assert.notEqual(errors[kind], undefined);
      assert.deepEqual(english(errors[kind]), []);
    }
  });

  it('previews and scan results have no English', async () => {
    const { describeConfirmation } = await hostModule<
      typeof import('../../../src/platform/confirm/describeConfirmation.ts')
    >('src/platform/confirm/describeConfirmation.ts', 'pseudo');
    const secret = { rule: data('rule'), where: null, line: 3 };
    const preview: Preview = {
      request: wire.request,
      model: data('model'),
      headers: [{ name: data('name'), value: data('value'), setBy: [{ layer: 'folder', name: 'a' }] }],
      files: [{ label: data('file'), bytes: 12 }],
      masked: [secret],
      unmasked: [{ ...secret, where: data('file') }],
      parts: [],
      excluded: [data('file')],
      leftOut: [
        { files: [data('file')], lines: 3, where: data('tool') },
        { files: [data('file')], lines: null, where: null },
      ],
      recognition: { is: 'partly', files: 2, recognized: 1, others: 0, words: data('words') },
    };
    const shown = describeConfirmation({ preview, found: [secret], leftOutOfMessage: [], asIs: preview });
    assert.deepEqual(english({ ...shown, facts: shown.facts.slice(1) }), []);
    assert.deepEqual(english(describeConfirmation({ preview, found: [], leftOutOfMessage: [] }).title), []);
    const typed = describeConfirmation({ preview, found: [], leftOutOfMessage: preview.leftOut });
    assert.deepEqual(english([typed.title, ...typed.found, typed.sendLabel]), []);
    const called = describeConfirmation({
      preview,
      found: [],
      leftOutOfMessage: [],
      leftOutOfCalls: preview.leftOut,
    });
    assert.deepEqual(english([called.title, ...called.found, called.sendLabel]), []);
    assert.notEqual(called.title, typed.title);
    const moved = describeConfirmation({ preview, found: [], leftOutOfMessage: [], previousOrigin: data('origin') });
    assert.deepEqual(english([moved.title, moved.facts[0]]), []);
    const forms = [
      ...formChanges.map((change) => ({ changes: new Set([change]), withoutTools: new Set<string>() })),
      { changes: new Set<never>(), withoutTools: 'all' as const },
      { changes: new Set<never>(), withoutTools: new Set([data('look')]) },
    ];
    for (const because of ['too-long', ...forms] as const) {
      const again = describeConfirmation({ preview, found: [], leftOutOfMessage: [], resentBecause: because });
      assert.deepEqual(english([again.title, ...(because === 'too-long' ? [] : [again.facts[0]])]), []);
    }
    const parts = [{ turn: 't', question: data('text'), kind: 'turn', label: '', bytes: 9 }] as const;
    const shortened = { parts, counts: { turn: 1, attachment: 0, result: 0 }, tokens: 3 };
    const shorter = describeConfirmation({
      preview: { ...preview, shortened },
      found: [],
      leftOutOfMessage: [],
      resentBecause: 'too-long',
    });
    assert.deepEqual(english(shorter.facts[0]), []);
    assert.equal(shorter.facts.filter(({ name }) => name === shorter.facts[0]?.name).length, 1);
    const { previewPage } = await hostModule<typeof import('../../../src/platform/confirm/previewPage.ts')>(
      'src/platform/confirm/previewPage.ts',
      'pseudo',
    );
    const tools = [{ name: data('tool'), description: data('text') }];
    const call = { id: data('call'), name: data('tool'), input: {} };
    const messages = (['system', 'user', 'assistant', 'tool'] as const).map((role) => ({
      role,
      content: data('text'),
    }));
    const request = chatRequest(about, {
      ...{ model: data('model'), maxTokens: 1, temperature: 1, stream: true },
      ...{ messages: [...messages, { role: 'assistant', content: '', toolCalls: [call] }] },
      offer: { tools, choice: 'auto' },
    });
    const ours = previewPage({ ...preview, request })
      .text.split('\n')
      .filter((line) => !/^POST |^ {2}[\w-]+: |^\{|│ {3}"(?:type|properties)": /.test(line));
    assert.deepEqual(english(ours), []);
  });

  it('the log and recordings have no English', async () => {
    const { describeBreaks, describeProof, describeVerdict } = await hostModule<
      typeof import('../../../src/platform/messages/describeVerdict.ts')
    >('src/platform/messages/describeVerdict.ts', 'pseudo');
    const { breakReasons } = await import('../../../src/evidence/verify/findings.ts');
    const breaks = breakReasons.map((reason, index) => ({
      file: data('file'),
      line: index % 2,
      reason,
      of: data('of'),
    }));
    const ledger = {
      ...{ origin: data('origin'), vkey: null, follows: null, lines: 1, size: 1, root: null, cosigned: null },
      ...{ lastTime: null, isVouchedFor: true },
    };
    const more = {
      ...{ foreignLedgers: [data('origin')], unsigned: [{ file: data('file'), line: 1, count: 2 }] },
      ...{ halfLines: [data('file')], skipped: [data('file')] },
      unvouched: [{ file: data('file'), line: 4, count: 2 }],
    };
    for (const verdict of ['intact', 'broken'] as const) {
      const found = { verdict, files: 1, records: 1234, breaks, ...more };
      assert.deepEqual(english([describeVerdict({ ...found, ledger }), ...describeBreaks({ ...found, ledger })]), []);
      assert.deepEqual(
        english([...describeProof({ ...found, ledger }), ...describeProof({ ...found, ledger: null })]),
        [],
      );
      assert.deepEqual(english(describeProof({ ...found, ledger, foreignLedgers: [] })), []);
    }
    const { eventRows } = await hostModule<typeof import('../../../src/features/audit/vscode/eventWords.ts')>(
      'src/features/audit/vscode/eventWords.ts',
      'pseudo',
    );
    const stamp = { seq: 1, time: '2026-11-21T10:00:00.000Z', session: 's' };
    const lines = { added: 1, removed: 1 };
    const rows = eventRows([
      { ...stamp, kind: 'session-started', versions: { [data('a')]: data('1') }, pid: 1 },
      { ...stamp, kind: 'tool-call', tool: data('tool'), decision: 'once', outcome: 'failed', bytes: 1 },
      { ...stamp, kind: 'key-set', origin: data('origin') },
      { ...stamp, kind: 'key-removed', origin: data('origin') },
      ...['none', 'in-force', 'broken'].map((state) => ({ ...stamp, kind: 'policy-changed' as const, state })),
      { ...stamp, kind: 'log-exported', format: 'csv', records: 1 },
      { ...stamp, kind: 'log-verified', verdict: 'broken', files: 1, records: 1 },
      { ...stamp, kind: 'data-purged', conversations: 1, keys: 1 },
      { ...stamp, kind: 'changes-accept', set: 's', files: 4, shown: 2, created: 1, deleted: 1, renamed: 1, ...lines },
      ...(['complete', 'partly', 'failed'] as const).map(
        (outcome) => ({ ...stamp, kind: 'changes-written', set: 's', files: 1, outcome }) as const,
      ),
      { ...stamp, kind: 'changes-rejected', set: 's', files: 1 },
      { ...stamp, kind: 'changes-undone', set: 's', files: 1, leftAlone: 1 },
    ]);
    assert.equal(rows.length, 16);
    assert.deepEqual(english(rows), []);
  });

  it('turns, receipts and causes have no English', async () => {
    const { viewTurn } = await hostModule<typeof import('../../../src/features/chat/vscode/turn/viewTurn.ts')>(
      'src/features/chat/vscode/turn/viewTurn.ts',
      'pseudo',
    );
    for (const finishReason of ['stop', 'length', 'content_filter', data('other')]) {
      const receipt = {
        verdict: 'contradicted' as const,
        headers: [{ name: data('a'), requested: data('b'), said: null, verdict: 'contradicted' as const }],
        text: '',
      };
      const usage = { totalTokens: 1234 };
      const view: ViewFields = viewTurn(turnOf({ model: data('model'), finishReason, usage, masked: 2, receipt }));
      assert.deepEqual(english({ footer: view.footer, receipt: view.receipt }), []);
    }
    const { causeWords } = await hostModule<
      typeof import('../../../src/features/connection/vscode/describeDiagnosis.ts')
    >('src/features/connection/vscode/describeDiagnosis.ts', 'pseudo');
    assert.deepEqual(english([causeWords('certificate-authority', 'a'), causeWords('unknown', 'a')]), []);
  });
});

describe('allowed values in a pseudo language', () => {
  it('are a translated phrase, or values, for every setting and every fault of a managed policy', async () => {
    const { describeAllowed } = await hostModule<typeof import('../../../src/platform/messages/describeAllowed.ts')>(
      'src/platform/messages/describeAllowed.ts',
      'pseudo',
    );
    const { describeManagedProblem } = await hostModule<
      typeof import('../../../src/platform/messages/describeManaged.ts')
    >('src/platform/messages/describeManaged.ts', 'pseudo');
    for (const key of settingKeys) {
      const allowed = allowedIn(key);
      if (allowed.kind !== 'oneOf') assert.deepEqual(english(describeAllowed({ ...allowed, orNull: false })), [], key);
    }
    const faults = [
      ...['[]', '{', '{"version":1,"version":1}', '{"version":1,"requirePreview":1}', '{"version":1,"limits":[]}'],
      ...[
        '{"version":1,"limits":{"fileBytes":-1}}',
        '{"version":1,"allowedModels":[]}',
        '{"version":1,"allowedModels":1}',
      ],
      ...['{"version":1,"minVersion":"1"}', '{"version":1,"updateUrl":"x"}'],
      ...['{"version":1,"allowedModels":["* *"]}', '{"version":1,"allowedOrigins":["x"]}'],
      ...['{"version":1,"evidence":{"required":true}}', '{"version":1,"evidence":{"otlp":{"url":"x"}}}'],
      ...[{ 'a b': '' }, { a: '' }].map((headers) =>
        JSON.stringify({ version: 1, evidence: { otlp: { url: 'https://svc.example.com/v1/logs', headers } } }),
      ),
      ...['{"version":1,"instructions":""}', '{"version":1,"instructionsFile":"x"}'],
      '{"version":1,"instructions":"x","instructionsFile":"x.md"}',
      ...['{"version":1,"compliance":{"audit":1}}', '{"version":1,"disabledFeatures":1}'],
    ];
    for (const fault of faults) {
      const parsed = parseManagedPolicy(fault, '1.0.0');
      assert.ok(!parsed.ok && parsed.problem.reason === 'malformed', fault);
      const { where, found, allowed } = parsed.problem;
      const problem = {
        ...parsed.problem,
        ...(where.kind === 'key' ? { where: { ...where, path: data(where.path) } } : {}),
        ...(found.kind === 'value' ? { found: { ...found, json: data(found.json) } } : {}),
        ...(allowed.kind === 'oneOf' ? { allowed: { ...allowed, values: allowed.values.map(data) } } : {}),
      };
      assert.deepEqual(english(describeManagedProblem(problem)), [], fault);
    }
    assert.deepEqual(english(describeAllowed({ kind: 'baseUrl' })), []);
    assert.equal(
      describeAllowed({ kind: 'oneOf', values: ['standard', 'high'], orNull: true }),
      'standard, high, null',
    );
  });
});

describe('in German', () => {
  it('numbers, sizes and times use the German format', async () => {
    const { describeBytes, describeNumber } = await hostModule<
      typeof import('../../../src/platform/messages/describeNumber.ts')
    >('src/platform/messages/describeNumber.ts', 'de');
    assert.deepEqual([12, 1_536, 3_355_443].map(describeBytes), ['12 Bytes', '1,5 kB', '3,2 MB']);
    assert.equal(describeNumber(1_204), '1.204');
  });
});
