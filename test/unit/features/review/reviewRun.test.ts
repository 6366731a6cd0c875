import assert from 'node:assert/strict';
import { estimate, outgoingFor, planReview, type ReviewTarget } from '../../../../src/features/review/vscode/plan.ts';
import { askForRun, maxInFlight, runReview } from '../../../../src/features/review/vscode/run.ts';
import { madeContent } from '../../../../src/gate/content.ts';
import type {
  ConfirmationChoice,
  ConfirmationRequest,
  ConfirmSend,
} from '../../../../src/session/dispatch/confirmation.ts';
import type { Dispatch } from '../../../../src/session/dispatch/dispatch.ts';
import type { Outgoing } from '../../../../src/session/dispatch/outgoing.ts';
import type { DispatchEvent } from '../../../../src/session/dispatch/withAuditOutcome.ts';
import { abortedError, ServiceError } from '../../../../src/util/errors.ts';
import { preview } from '../../session/fakeDispatch.ts';

const target = (name: string, text = 'eval(text);\n', more: Partial<ReviewTarget> = {}): ReviewTarget => ({
  name,
  uri: `file:///w/${name}`,
  languageId: 'typescript',
  content: madeContent(text, [], [{ uri: `file:///w/${name}`, folder: 'file:///w' }]),
  ...more,
});
const many = (count: number): readonly ReviewTarget[] =>
  Array.from({ length: count }, (_, index) => target(`f${String(index).padStart(3, '0')}.ts`));
const found = JSON.stringify({ findings: [{ rule: 'pci-injection', line: 1, quote: 'eval(text);', message: 'Bad.' }] });
const sendMasked: ConfirmSend = async () => 'send-masked';

/** Answers each request with a text or an error, by the label of its file, and counts requests in flight. */
class Service {
  readonly sent: Outgoing[] = [];
  most = 0;
  #inFlight = 0;
  readonly #answer: (label: string, nth: number) => string | Error | Promise<string>;

  constructor(answer: (label: string, nth: number) => string | Error | Promise<string>) {
    this.#answer = answer;
  }

  readonly dispatch: Dispatch = {
    preview: async () => preview,
    measure: () => assert.fail('measured'),
    check: () => assert.fail('checked'),
    send: async (outgoing, _review, signal) => {
      if (signal.aborted) throw abortedError();
      this.sent.push(outgoing);
      this.#inFlight += 1;
      this.most = Math.max(this.most, this.#inFlight);
      const file = outgoing.messages.at(-1)?.parts.at(-1);
      const label = typeof file === 'object' ? file.label : '';
      return {
        model: 'svc/compliance-assistant',
        headers: [],
        isZeroRetention: false,
        secrets: 'mask',
        destination: '',
        origin: '',
        masked: 0,
        repeated: [],
        events: this.#events(label, this.sent.length, signal),
      };
    },
  };

  async *#events(label: string, nth: number, signal: AbortSignal): AsyncGenerator<readonly DispatchEvent[]> {
    try {
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await this.#answer(label, nth);
      if (signal.aborted) throw abortedError();
      if (answer instanceof Error) throw answer;
      yield [{ type: 'text-delta', text: answer }];
      yield [{ type: 'finish', finishReason: 'stop' }];
    } finally {
      this.#inFlight -= 1;
    }
  }
}

function run(service: Service, targets: readonly ReviewTarget[], signal = new AbortController().signal) {
  const plan = planReview(targets);
  return runReview(plan, { dispatch: service.dispatch, ask: sendMasked, frameworks: ['pci-dss'], signal });
}

describe('the run of a review', () => {
  it('reviews 200 files with at most four requests in flight', async () => {
    const service = new Service(() => found);
    const result = await run(service, many(200));
    assert.equal(service.sent.length, 200);
    assert.equal(service.most, maxInFlight);
    assert.deepEqual([result.requests, result.findings.length, result.notReviewed], [200, 200, []]);
    assert.ok(result.files.every(({ isComplete }) => isComplete));
    assert.equal(result.error, null);
  });

  it('asks about secrets if there is one request, and masks them if there are many', async () => {
    const secrets = async (count: number): Promise<readonly unknown[]> => {
      const service = new Service(() => found);
      await run(service, many(count));
      return service.sent.map(({ messages }) => messages.at(-1)?.secrets);
    };
    assert.deepEqual(await secrets(1), ['ask']);
    assert.deepEqual(await secrets(2), ['mask', 'mask']);
  });

  it('names the files that a fault skips, and continues with the others', async () => {
    const fault = new ServiceError('server', 'x', { status: 500 });
    const service = new Service((label) => (label === 'f002.ts' ? fault : found));
    const { notReviewed, findings, error } = await run(service, many(6));
    assert.deepEqual(notReviewed, [
      { file: 'f002.ts', reason: 'request-failed', kind: 'server', detail: '500', isPartial: false },
    ]);
    assert.equal(findings.length, 5);
    assert.equal(error, fault);
  });

  it('stops at a rate limit or a quota, and names each file that was skipped for it', async () => {
    for (const fault of [
      new ServiceError('rateLimit', 'x', { status: 429 }),
      new ServiceError('request', 'x', { status: 403, code: 'quota' }),
    ]) {
      const service = new Service((_, nth) => (nth === 5 ? fault : found));
      const { notReviewed, files } = await run(service, many(50));
      assert.ok(service.sent.length <= 5 + maxInFlight, String(service.sent.length));
      assert.equal(notReviewed.filter(({ reason }) => reason === 'request-failed').length, 1);
      assert.equal(notReviewed.length + files.filter(({ isComplete }) => isComplete).length, 50);
      assert.ok(notReviewed.every(({ reason }) => reason === 'request-failed' || reason === 'run-stopped'));
    }
  });

  it('stops after several faults in a row', async () => {
    const service = new Service(() => new ServiceError('network', 'x', { externalCode: 'ECONNREFUSED' }));
    const { notReviewed, requests } = await run(service, many(50));
    assert.ok(service.sent.length < 10);
    assert.deepEqual([notReviewed.length, requests], [50, 0]);
  });

  it('keeps the results when the user cancels, and names the rest', async () => {
    const controller = new AbortController();
    const service = new Service((_, nth) => {
      if (nth === 10) controller.abort();
      return found;
    });
    const { notReviewed, findings } = await run(service, many(50), controller.signal);
    assert.ok(findings.length > 0 && findings.length < 12);
    assert.equal(notReviewed.length, 50 - findings.length);
    assert.ok(notReviewed.every(({ reason }) => reason === 'cancelled'));
  });

  it('keeps partial findings and lists what is missing', async () => {
    const service = new Service(() => `${found.slice(0, -2)},{"rule":"pci-in`);
    const { notReviewed, findings, files } = await run(service, [target('a.ts')]);
    assert.equal(findings.length, 1);
    assert.deepEqual(notReviewed, [{ file: 'a.ts', reason: 'truncated', isPartial: true }]);
    assert.equal(files[0]?.isComplete, false);
  });

  it('maps the findings of the parts of a large file to their places', async () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `const x${index} = ${index};`);
    lines[3500] = 'eval(text);';
    const service = new Service((label) =>
      label.endsWith('-4000') ? found.replace('"line":1', '"line":3501') : '{"findings":[]}',
    );
    const { findings, notReviewed } = await run(service, [target('big.ts', lines.join('\n'))]);
    assert.ok(service.sent.length > 1);
    assert.deepEqual(notReviewed, []);
    assert.deepEqual(
      findings.map(({ firstLine }) => firstLine),
      [3501],
    );
    const failing = new Service((label) => (label.endsWith('-4000') ? 'I cannot.' : '{"findings":[]}'));
    const { notReviewed: gaps } = await run(failing, [target('big.ts', lines.join('\n'))]);
    assert.deepEqual([gaps.length, gaps[0]?.reason, gaps[0]?.lines?.[1]], [1, 'prose', 4000]);
  });
});

describe('the plan of a review', () => {
  it('for changes sends the diff and the parts that contain changes', () => {
    const text = Array.from({ length: 4000 }, (_, index) => `const x${index} = ${index};\n`).join('');
    const hunk = '@@ -3900 +3900 @@\n-a\n+b\n';
    const diff = madeContent(hunk.repeat(1_000), [{ rule: 'token', start: 20, end: 21 }], []);
    const changes = { diff, lines: [{ first: 3900, last: 3900 }] };
    const { requests } = planReview([target('big.ts', text, { changes })]);
    assert.equal(requests.length, 1);
    const [request] = requests;
    assert.ok(request !== undefined);
    const parts = outgoingFor(request, ['gdpr'], 'mask').messages[1]?.parts ?? [];
    assert.deepEqual(
      parts.map((part) => (typeof part === 'string' ? 'words' : part.languageId)),
      ['words', 'diff', 'typescript'],
    );
    // Its beginning, with the secrets in it.
    const sent = parts.find((part) => typeof part !== 'string' && part.languageId === 'diff');
    assert.ok(typeof sent === 'object' && sent.text.length < 16_000 && sent.text.endsWith('+b\n'));
    assert.deepEqual(sent.marks, diff.marks);
  });

  it('contains the cost', () => {
    const plan = planReview([target('a.ts', 'é'.repeat(400)), target('b.ts')]);
    const { files, bytes, requests, tokens } = estimate(plan, ['sox']);
    assert.deepEqual([files, bytes, requests], [2, 812, 2]);
    assert.ok(tokens > 2 * 100);
  });

  it('names a line that is too long to be sent whole', () => {
    const { gaps } = planReview([target('min.js', `a\n${'x'.repeat(40_000)}\nb\n`)]);
    assert.deepEqual(gaps, [{ file: 'min.js', reason: 'line-cut', lines: [2, 2], isPartial: true }]);
  });
});

describe('the question to the user about a run', () => {
  const request: ConfirmationRequest = { preview, found: [], typed: [] };
  const { signal } = new AbortController();
  const counting = (choice: ConfirmationChoice) => {
    const asked: ConfirmationRequest[] = [];
    let open = 0;
    const ask: ConfirmSend = async (each) => {
      open += 1;
      assert.equal(open, 1, 'two questions at once');
      asked.push(each);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return choice;
    };
    return { asked, ask };
  };

  it('shows the first request, and no other with the same destination', async () => {
    const { asked, ask } = counting('send-masked');
    const review = askForRun(ask, false);
    const choices = await Promise.all([1, 2, 3].map(() => review(request, signal)));
    assert.deepEqual([choices, asked.length], [['send-masked', 'send-as-agreed', 'send-as-agreed'], 1]);
    const elsewhere = {
      ...request,
      preview: { ...preview, request: { ...preview.request, url: 'http://127.0.0.1:2/x' } },
    };
    assert.equal(await review(elsewhere, signal), 'send-masked');
    assert.equal(asked.length, 2);
  });

  it('sends nothing more after the first is refused', async () => {
    const { asked, ask } = counting('cancel');
    const review = askForRun(ask, false);
    assert.deepEqual(await Promise.all([1, 2].map(() => review(request, signal))), ['cancel', 'cancel']);
    assert.equal(asked.length, 1);
  });

  it('shows each request in turn if the administrator requires it', async () => {
    const { asked, ask } = counting('send-masked');
    const review = askForRun(ask, true);
    const choices = await Promise.all([1, 2, 3].map(() => review(request, signal)));
    assert.deepEqual([choices, asked.length], [['send-masked', 'send-masked', 'send-masked'], 3]);
  });
});
