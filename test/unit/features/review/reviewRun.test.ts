import assert from 'node:assert/strict';
import { askForRun } from '../../../../src/features/review/vscode/askForRun.ts';
import { startInFlight } from '../../../../src/features/review/vscode/lanes.ts';
import { estimate, outgoingFor, planReview, type ReviewTarget } from '../../../../src/features/review/vscode/plan.ts';
import type { FoundSoFar } from '../../../../src/features/review/vscode/results.ts';
import { runReview } from '../../../../src/features/review/vscode/run.ts';
import { madeContent } from '../../../../src/gate/content.ts';
import { settings } from '../../../../src/policy/settings.ts';
import type { ConfirmationChoice, ConfirmationRequest, ConfirmSend } from '../../../../src/send/confirmation.ts';
import type { Dispatch } from '../../../../src/send/dispatch.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../../src/send/withAuditOutcome.ts';
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

type Answer = string | Error;
type AnswerOf = (label: string, nth: number) => Answer | Promise<Answer>;

/** What a request asks about, by name. */
function labelsIn({ messages }: Outgoing): readonly string[] {
  const files = messages.at(-1)?.parts.filter((part) => typeof part !== 'string' && part.languageId !== 'diff') ?? [];
  return files.map((file) => (typeof file === 'string' ? '' : file.label));
}

/**
 * Answers each request with a text or an error, by the labels of its files, and counts requests in flight. The answers
 * about several files are joined as the request asks for; an answer that is no list of findings, or an error, is that of
 * the whole request.
 */
class Service {
  readonly sent: Outgoing[] = [];
  /** Called between an answer and its end. */
  beforeEnd: () => unknown = () => undefined;
  most = 0;
  #inFlight = 0;
  readonly #answer: AnswerOf;

  constructor(answer: AnswerOf) {
    this.#answer = answer;
  }

  get labels(): readonly (readonly string[])[] {
    return this.sent.map(labelsIn);
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
      return {
        model: 'svc/compliance-assistant',
        headers: [],
        isZeroRetention: false,
        secrets: 'mask',
        destination: '',
        origin: '',
        masked: 0,
        repeated: [],
        changesOnly: [],
        events: this.#events(labelsIn(outgoing), this.sent.length, signal),
      };
    },
  };

  async *#events(
    labels: readonly string[],
    nth: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly DispatchEvent[]> {
    try {
      await new Promise((resolve) => setImmediate(resolve));
      const answers = await Promise.all(labels.map((label) => this.#answer(label, nth)));
      if (signal.aborted) throw abortedError();
      const fault = answers.find((answer) => answer instanceof Error);
      if (fault !== undefined) throw fault;
      yield [{ type: 'text-delta', text: joined(labels, answers.map(String)) }];
      await this.beforeEnd();
      if (signal.aborted) throw abortedError();
      yield [{ type: 'finish', finishReason: 'stop' }];
    } finally {
      this.#inFlight -= 1;
    }
  }
}

function joined(labels: readonly string[], answers: readonly string[]): string {
  const other = answers.find((answer) => !answer.startsWith('{"findings":') || !answer.endsWith(']}'));
  if (labels.length === 1 || other !== undefined) return other ?? answers[0] ?? '';
  const files = answers.map((answer, index) => ({ file: labels[index], ...JSON.parse(answer) }));
  return JSON.stringify({ files });
}

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly parallel?: number;
  readonly room?: number;
  readonly onFound?: (found: FoundSoFar) => void;
}

function run(service: Service, targets: readonly ReviewTarget[], options: RunOptions = {}) {
  // Four at the same time, unless a test sets another number: so the number of files in a request is always the same.
  const plan = planReview(targets, [], { parallel: 4, room: options.room });
  const { signal } = new AbortController();
  return runReview(plan, {
    dispatch: service.dispatch,
    ask: sendMasked,
    frameworks: ['pci-dss'],
    signal,
    ...options,
  });
}

describe('the run of a review', () => {
  it('reviews 200 files in 20 requests, and begins with four of them', async () => {
    let most = 0;
    const service = new Service((_, nth) => {
      // When the first is answered.
      if (nth === 1) most ||= service.sent.length;
      return found;
    });
    const result = await run(service, many(200));
    assert.deepEqual([service.sent.length, most], [20, startInFlight]);
    assert.deepEqual([result.requests, result.findings.length, result.notReviewed], [20, 200, []]);
    assert.ok(result.files.every(({ isComplete }) => isComplete));
    assert.ok(result.findings.every(({ file, uri }) => uri === `file:///w/${file}`));
    assert.equal(result.error, null);
  });

  it('sends one more simultaneous request for each that is accepted, up to the setting', async () => {
    const alone = (count: number) => many(count).map((each) => ({ ...each, content: { ...each.content, covers: [] } }));
    const service = new Service(() => found);
    await run(service, alone(60));
    assert.deepEqual([service.sent.length, service.most], [60, settings['svc.review.parallel'].default]);
    for (const parallel of [1, 2, 20]) {
      const limited = new Service(() => found);
      await run(limited, alone(60), { parallel });
      assert.equal(limited.most, parallel);
    }
  });

  it('asks about secrets if there is one file, and masks them if there are many', async () => {
    const secrets = async (count: number): Promise<readonly unknown[]> => {
      const service = new Service(() => found);
      await run(service, many(count));
      return service.sent.map(({ messages }) => messages.at(-1)?.secrets);
    };
    assert.deepEqual(await secrets(1), ['ask']);
    assert.deepEqual(await secrets(2), ['mask', 'mask']);
  });

  it('shows findings as each answer arrives, with the number of files and findings', async () => {
    const seen: FoundSoFar[] = [];
    const shownBefore: number[] = [];
    const service = new Service((_, nth) => {
      shownBefore[nth] = seen.length;
      return found;
    });
    await run(service, many(12), { parallel: 1, onFound: (some) => seen.push(some) });
    assert.deepEqual(service.labels[0], ['f000.ts', 'f001.ts', 'f002.ts']);
    // Before the next request was answered.
    assert.deepEqual(shownBefore.slice(1), [0, 1, 2, 3]);
    assert.deepEqual(
      seen.map(({ progress }) => [progress.files, progress.of, progress.findings]),
      [
        [3, 12, 3],
        [6, 12, 6],
        [9, 12, 9],
        [12, 12, 12],
      ],
    );
    assert.deepEqual(
      seen[1]?.findings.map(({ file }) => file),
      ['f003.ts', 'f004.ts', 'f005.ts'],
    );
    assert.ok(seen.every(({ files }) => files.every(({ isComplete }) => isComplete)));
  });

  it('names the file that a fault skips, and continues with the others of its request', async () => {
    const fault = new ServiceError('server', 'x', { status: 500 });
    const service = new Service((label) => (label === 'f002.ts' ? fault : found));
    const { notReviewed, findings, error } = await run(service, many(6));
    assert.deepEqual(notReviewed, [
      { file: 'f002.ts', reason: 'request-failed', kind: 'server', detail: '500', isPartial: false },
    ]);
    assert.equal(findings.length, 5);
    assert.equal(error, fault);
  });

  it('leaves out the files of a request that may not be sent, or are too large, and sends the others', async () => {
    for (const code of ['excluded', 'too-large'] as const) {
      const service = new Service((label) =>
        label === 'f011.ts' || label === 'f013.ts' ? new ServiceError('gate', 'x', { code, file: label }) : found,
      );
      const { notReviewed, findings } = await run(service, many(40));
      assert.deepEqual(
        notReviewed.map(({ file, reason }) => [file, reason]),
        ['f011.ts', 'f013.ts'].map((file) => [file, code === 'excluded' ? 'excluded' : 'request-failed']),
      );
      assert.equal(findings.length, 38);
      // Each is named once: no request carries it again.
      assert.equal(service.sent.length, 4 + 2);
    }
  });

  it('stops at a quota, a long wait, or if the service takes nothing, and names each file that was skipped', async () => {
    for (const fault of [
      new ServiceError('rateLimit', 'x', { status: 429, retryAfterMs: 90_000 }),
      new ServiceError('request', 'x', { status: 403, code: 'quota' }),
    ]) {
      const service = new Service((_, nth) => (nth === 5 ? fault : found));
      const { notReviewed, files } = await run(service, many(200), { parallel: 4 });
      assert.ok(service.sent.length <= 5 + startInFlight, String(service.sent.length));
      assert.equal(notReviewed.filter(({ reason }) => reason === 'request-failed').length, 10);
      assert.equal(notReviewed.length + files.filter(({ isComplete }) => isComplete).length, 200);
      assert.ok(notReviewed.every(({ reason }) => reason === 'request-failed' || reason === 'run-stopped'));
    }
    const limited = new Service(() => new ServiceError('rateLimit', 'x', { status: 429 }));
    const { notReviewed, requests } = await run(limited, many(200));
    assert.deepEqual([notReviewed.length, requests], [200, 0]);
    assert.ok(limited.sent.length < 20, String(limited.sent.length));
  });

  it('sends requests that the service refuses beside others again, with fewer simultaneous ones', async () => {
    let inFlight = 0;
    let most = 0;
    const service = new Service(async () => {
      if (inFlight >= 2) return new ServiceError('rateLimit', 'x', { status: 429 });
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return found;
    });
    const alone = many(30).map((each) => ({ ...each, content: { ...each.content, covers: [] } }));
    const { notReviewed, findings } = await run(service, alone);
    assert.deepEqual([notReviewed, findings.length, most], [[], 30, 2]);
    // Two at the start, then rarely one to see whether the service takes more.
    assert.ok(service.sent.length <= 30 + 5, String(service.sent.length));
  });

  it('stops after several faults in a row', async () => {
    const service = new Service(() => new ServiceError('network', 'x', { externalCode: 'ECONNREFUSED' }));
    const { notReviewed, requests } = await run(service, many(200));
    assert.ok(service.sent.length < 10);
    assert.deepEqual([notReviewed.length, requests], [200, 0]);
    const failing = new Service(() => new ServiceError('server', 'x', { status: 500 }));
    const stopped = await run(failing, many(200));
    assert.ok(failing.sent.length < 10);
    // What was sent is not said to be unsent.
    assert.equal(stopped.notReviewed.filter(({ reason }) => reason === 'request-failed').length, 40);
    assert.equal(stopped.notReviewed.length, 200);
  });

  it('keeps the results when the user stops it, and names the rest', async () => {
    const controller = new AbortController();
    const service = new Service((_, nth) => {
      if (nth === 6) controller.abort();
      return found;
    });
    const { notReviewed, findings, files } = await run(service, many(200), { signal: controller.signal });
    assert.ok(findings.length >= 20 && findings.length < 100, String(findings.length));
    assert.equal(notReviewed.length, 200 - findings.length);
    assert.ok(notReviewed.every(({ reason }) => reason === 'cancelled'));
    assert.equal(files.filter(({ isComplete }) => isComplete).length, findings.length);
  });

  it('keeps the lists that had arrived of an answer when the user stops it', async () => {
    const controller = new AbortController();
    const whole = { file: 'f000.ts', ...JSON.parse(found) };
    const cut = `{"files":[${JSON.stringify(whole)},{"file":"f001.ts","findings":[{"rule":"pci-in`;
    const service = new Service(() => cut);
    service.beforeEnd = () => controller.abort();
    const { notReviewed, findings, requests } = await run(service, many(8), { signal: controller.signal, parallel: 1 });
    assert.deepEqual([findings.map(({ file }) => file), requests], [['f000.ts'], 0]);
    assert.deepEqual(
      notReviewed.map(({ file, reason }) => [file, reason]),
      many(8)
        .slice(1)
        .map(({ name }) => [name, 'cancelled']),
    );
  });

  it('shows the lists of an answer while the rest of it arrives', async () => {
    const { promise: shown, resolve } = Promise.withResolvers<FoundSoFar>();
    const whole = { file: 'f000.ts', ...JSON.parse(found) };
    const service = new Service((_, nth) => (nth === 1 ? `{"files":[${JSON.stringify(whole)},{"file":"f0` : found));
    let isOver = false;
    service.beforeEnd = async () => {
      if (!isOver)
        assert.deepEqual((await shown).files, [{ name: 'f000.ts', uri: 'file:///w/f000.ts', isComplete: true }]);
      isOver = true;
    };
    const { findings, notReviewed } = await run(service, many(8), { parallel: 1, onFound: resolve });
    assert.deepEqual([findings.length, notReviewed], [8, []]);
    // The other file of the first request was asked about again.
    assert.deepEqual(service.labels.slice(0, 2), [['f000.ts', 'f001.ts'], ['f001.ts']]);
  });

  it('keeps partial findings and lists what is missing', async () => {
    const service = new Service(() => `${found.slice(0, -2)},{"rule":"pci-in`);
    const { notReviewed, findings, files } = await run(service, [target('a.ts')]);
    assert.equal(findings.length, 1);
    assert.deepEqual(notReviewed, [{ file: 'a.ts', reason: 'truncated', isPartial: true }]);
    assert.equal(files[0]?.isComplete, false);
  });

  it('asks again about the files that an answer does not answer, and never about the others', async () => {
    const answers: Readonly<Record<string, (labels: readonly string[]) => string>> = {
      prose: () => 'I have found nothing. Well done!',
      'one list for all': () => found,
      'an empty list for all': () => '{"findings":[]}',
      'a cut answer': (labels) =>
        `{"files":[{"file":${JSON.stringify(labels[0])},"findings":[]},{"file":${JSON.stringify(labels[1])},"find`,
      'other files': () => '{"files":[{"file":"/etc/passwd","findings":[]},{"file":"README.md","findings":[]}]}',
      nothing: () => '',
    };
    for (const [what, answer] of Object.entries(answers)) {
      const service = new Service(() => found);
      const { dispatch } = service;
      const seen = new Map<string, number>();
      const spoiling: Dispatch = {
        ...dispatch,
        send: async (...about) => {
          const sent = await dispatch.send(...about);
          const labels = labelsIn(about[0]);
          for (const label of labels) seen.set(label, (seen.get(label) ?? 0) + 1);
          if (labels.length === 1) return sent;
          await sent.events.return(undefined);
          const events = (async function* (): AsyncGenerator<readonly DispatchEvent[]> {
            yield [{ type: 'text-delta', text: answer(labels) }];
            yield [{ type: 'finish', finishReason: 'stop' }];
          })();
          return { ...sent, events };
        },
      };
      const result = await runReview(planReview(many(40), [], { parallel: 4 }), {
        dispatch: spoiling,
        ask: sendMasked,
        frameworks: ['pci-dss'],
        signal: new AbortController().signal,
      });
      assert.deepEqual([result.notReviewed, result.lost], [[], []], what);
      assert.ok(
        result.files.every(({ isComplete }) => isComplete),
        what,
      );
      const isCut = what === 'a cut answer';
      // The first file of each cut answer was answered in it, without findings.
      assert.equal(result.findings.length < 40, isCut, what);
      if (!isCut) assert.ok(service.sent.length <= 40 + 4 + 8, `${what}: ${service.sent.length}`);
      else assert.equal(seen.get('f000.ts'), 1);
    }
  });

  it('sends what is too long for the model in parts, and all that follows in smaller requests', async () => {
    const lines = Array.from({ length: 900 }, (_, index) => `const x${index} = ${index};`);
    lines[700] = 'eval(text);';
    const tooLong = new ServiceError('request', 'x', { status: 400, code: 'context-length', contextTokens: 4000 });
    const service = new Service((label) => (label.includes('701') ? found.replace('"line":1', '"line":701') : found));
    const { dispatch } = service;
    const sizes: number[] = [];
    const strict: Dispatch = {
      ...dispatch,
      send: async (...about) => {
        const sent = await dispatch.send(...about);
        const size = about[0].messages
          .flatMap(({ parts }) => parts.map((part) => (typeof part === 'string' ? part : part.text).length))
          .reduce((a, b) => a + b, 0);
        if (size <= 12_000) {
          sizes.push(size);
          return sent;
        }
        await sent.events.return(undefined);
        const events = (async function* (): AsyncGenerator<readonly DispatchEvent[]> {
          yield [];
          throw tooLong;
        })();
        return { ...sent, events };
      },
    };
    const targets = [target('big.ts', lines.join('\n')), ...many(30)];
    const result = await runReview(planReview(targets, [], { parallel: 4 }), {
      dispatch: strict,
      ask: sendMasked,
      frameworks: ['pci-dss'],
      signal: new AbortController().signal,
      roomIn: () => 8000,
    });
    assert.deepEqual([result.notReviewed, result.error], [[], null]);
    assert.equal(result.findings.filter(({ file }) => file === 'big.ts').length, 1);
    assert.equal(result.findings.length, 31);
    assert.ok(sizes.length < 15, String(sizes.length));
  });

  it('stops where the service calls every request too long', async () => {
    const tooLong = new ServiceError('request', 'x', { status: 400, code: 'context-length' });
    const service = new Service(() => tooLong);
    const targets = many(200).map((each) => target(each.name, 'const a = 1;\n'.repeat(200)));
    const { notReviewed, requests } = await run(service, targets);
    assert.deepEqual([notReviewed.length >= 200, requests], [true, 0]);
    assert.ok(service.sent.length < 40, String(service.sent.length));
  });

  it('rejects with what is not an error of a service', async () => {
    const service = new Service(() => new Error('a fault of ours'));
    await assert.rejects(run(service, many(40)), /a fault of ours/);
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
  it('a plan for changes sends the diff and the parts that contain changes', () => {
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

  const labelsOf = (targets: readonly ReviewTarget[], room?: number): readonly (readonly string[])[] =>
    planReview(targets, [], { room, parallel: 4 }).requests.map(({ parts }) => parts.map(({ label }) => label));

  it('puts small files of one folder together, in their order, and no more than ten', () => {
    assert.deepEqual(labelsOf(many(4)), [['f000.ts'], ['f001.ts'], ['f002.ts'], ['f003.ts']]);
    assert.deepEqual(
      labelsOf(many(40)).map(({ length }) => length),
      [10, 10, 10, 10],
    );
    assert.deepEqual(
      labelsOf(many(201)).map(({ length }) => length),
      [...Array(20).fill(10), 1],
    );
    assert.deepEqual(
      labelsOf(many(201)).flat(),
      many(201).map(({ name }) => name),
    );
    // One huge file among small ones has requests of its own.
    const huge = target('huge.ts', 'const a = 1;\n'.repeat(10_000));
    const mixed = labelsOf([...many(20), huge, ...many(40).slice(20)]);
    const ofHuge = mixed.filter((labels) => labels.some((label) => label.startsWith('huge.ts')));
    assert.ok(ofHuge.length > 3 && ofHuge.every(({ length }) => length === 1));
    assert.equal(mixed.length, ofHuge.length + 4);
  });

  it('groups no more files than the number of simultaneous requests requires', () => {
    const sizes = (files: number, parallel: number): readonly number[] =>
      planReview(many(files), [], { parallel }).requests.map(({ parts }) => parts.length);
    assert.deepEqual(sizes(12, 12), Array(12).fill(1));
    assert.deepEqual(sizes(40, 12), Array(10).fill(4));
    assert.deepEqual(sizes(40, 1), Array(4).fill(10));
    assert.deepEqual(sizes(3, 1), [3]);
  });

  it('puts no files of different folders, without a folder, or of one name together', () => {
    const inFolder = (name: string, folder: string | null): ReviewTarget => {
      const uri = `${folder ?? 'file:///else'}/${name}`;
      return target(name, 'eval(text);\n', { uri, content: madeContent('eval(text);\n', [], [{ uri, folder }]) });
    };
    const two = ['file:///a', 'file:///b'].flatMap((folder) =>
      Array.from({ length: 10 }, (_, index) => inFolder(`src/f${index}.ts`, folder)),
    );
    assert.deepEqual(
      planReview(two, [], { parallel: 4 }).requests.map(
        ({ parts }) => new Set(parts.map(({ target: { uri } }) => uri.slice(0, 9))).size,
      ),
      [1, 1, 1, 1],
    );
    const outside = Array.from({ length: 12 }, (_, index) => inFolder(`f${index}.ts`, null));
    assert.equal(planReview(outside).requests.length, 12);
    const same = [inFolder('b\u00fccher.ts', 'file:///a'), inFolder('bu\u0308cher.ts', 'file:///a')];
    const others = Array.from({ length: 6 }, (_, index) => inFolder(`g${index}.ts`, 'file:///a'));
    for (const labels of labelsOf([...same, ...others])) {
      assert.equal(new Set(labels.map((label) => label.normalize())).size, labels.length);
    }
  });

  it('fits the window that the settings declare', () => {
    const small = Array.from({ length: 40 }, (_, index) => target(`f${index}.ts`, 'const a = 1;\n'.repeat(50)));
    const large = target('large.ts', 'const a = 1;\n'.repeat(2000));
    const { requests, gaps } = planReview([...small, large], [], { room: 3000 });
    assert.deepEqual(gaps, []);
    for (const request of requests) {
      const parts = outgoingFor(request, ['gdpr'], 'mask').messages[1]?.parts.slice(1) ?? [];
      const size = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 0 : part.text.length), 0);
      assert.ok(size <= 3000, String(size));
    }
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
  const request: ConfirmationRequest = { preview, found: [], leftOutOfMessage: [] };
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
