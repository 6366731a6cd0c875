import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Completion } from '../../../../src/session/inline/complete.ts';
import { Suggester, type Wanted } from '../../../../src/session/inline/suggester.ts';
import { abortedError, isServiceError, ServiceError } from '../../../../src/util/errors.ts';

/** A request whose answer a test steps through by hand. */
class Request {
  readonly at: string;
  readonly signal: AbortSignal;
  readonly said: (answer: string) => void;
  readonly #settled = Promise.withResolvers<Completion | null>();

  constructor(at: string, signal: AbortSignal, said: (answer: string) => void) {
    this.at = at;
    this.signal = signal;
    this.said = said;
    signal.addEventListener('abort', () => this.#settled.reject(abortedError()));
  }

  get ended(): Promise<Completion | null> {
    return this.#settled.promise;
  }

  answer(insertion: string | null): void {
    this.#settled.resolve(insertion === null ? null : { insertion });
  }

  fail(error: Error): void {
    this.#settled.reject(error);
  }
}

/** A keystroke as VS Code reports it: it cancels the one before. */
class Editor {
  readonly requests: Request[] = [];
  readonly changes: boolean[] = [];
  readonly suggester: Suggester;
  uri = 'file:///a.ts';
  after = '\n';
  clock = 0;
  #token = new AbortController();

  constructor() {
    this.suggester = new Suggester({
      onChange: () => void this.changes.push(this.suggester.isBusy),
      now: () => this.clock,
    });
  }

  /** What is shown in the end: the text, or the kind of the error. */
  at(before: string, isAutomatic = true): Promise<string> {
    this.cancel();
    const { signal } = this.#token;
    const wanted: Wanted = {
      uri: this.uri,
      languageId: 'typescript',
      isAutomatic,
      place: { before, after: this.after },
    };
    const known = this.suggester.known(wanted);
    if (known !== undefined) return Promise.resolve(known.insertion);
    const begin = (stop: AbortSignal, said: (answer: string) => void) => {
      const request = new Request(before, stop, said);
      this.requests.push(request);
      return request.ended;
    };
    return this.suggester.completion(wanted, begin, signal).then(
      ({ insertion }) => insertion,
      (error: unknown) => (isServiceError(error) ? error.kind : String(error)),
    );
  }

  cancel(): void {
    this.#token.abort();
    this.#token = new AbortController();
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10) {
      this.clock += 10;
      mock.timers.tick(10);
      await settled();
    }
  }

  get last(): Request {
    const request = this.requests.at(-1);
    assert.ok(request !== undefined);
    return request;
  }
}

/** Everything that needs no time has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('inline completions: requests that are kept', () => {
  let editor: Editor;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    editor = new Editor();
  });
  afterEach(() => mock.timers.reset());

  /** The first request, at this text. */
  async function asked(before: string): Promise<{ shown: Promise<string>; request: Request }> {
    const shown = editor.at(before);
    await editor.pass(50);
    assert.equal(editor.requests.length, 1);
    return { shown, request: editor.last };
  }

  it('one continues while the user types what it may answer, and its answer is shown without that', async () => {
    const { shown, request } = await asked('const a');
    const next = editor.at('const a =');
    assert.equal(await shown, 'aborted');
    request.said(' = 1');
    await editor.pass(100);
    const last = editor.at('const a = ');
    await editor.pass(300);
    assert.equal(request.signal.aborted, false);
    request.said(' = 12;');
    request.answer(' = 12;');
    assert.equal(await last, '12;');
    assert.equal(await next, 'aborted');
    assert.equal(await editor.at('const a = 1'), '2;');
    assert.equal(editor.requests.length, 1);
    assert.deepEqual(editor.changes, [true, false]);
  });

  it('one ends at the keystroke that contradicts what has arrived, and another follows', async () => {
    const { request } = await asked('const a');
    request.said(' = 1');
    const shown = editor.at('const a:');
    await settled();
    assert.equal(request.signal.aborted, true);
    await editor.pass(400);
    assert.equal(editor.requests.length, 2);
    editor.last.answer(' number;');
    assert.equal(await shown, ' number;');
  });

  it('one ends when what arrives contradicts what was typed', async () => {
    const { request } = await asked('const a');
    const shown = editor.at('const a:');
    await editor.pass(400);
    assert.equal(editor.requests.length, 1);
    request.said(' = 1');
    await settled();
    assert.equal(request.signal.aborted, true);
    // The wait is over already.
    await editor.pass(10);
    assert.equal(editor.last.at, 'const a:');
    editor.last.answer(' number;');
    assert.equal(await shown, ' number;');
  });

  it('one that repeats the line continues until it has come to what follows', async () => {
    const { request } = await asked('const a');
    const shown = editor.at('const a =');
    for (const answer of ['c', 'const', 'const a', 'const a =', 'const a = 1;']) request.said(answer);
    request.answer(' = 1;');
    assert.equal(await shown, ' 1;');
    assert.equal(editor.requests.length, 1);
  });

  it('one with an answer that does not fit in the end is followed by another', async () => {
    const { request } = await asked('const a');
    const shown = editor.at('const a:');
    request.answer('');
    await editor.pass(400);
    editor.last.answer(' number;');
    assert.equal(await shown, ' number;');
    assert.equal(editor.requests.length, 2);
  });

  it('one that nobody waits for ends after a moment', async () => {
    const { shown, request } = await asked('const a');
    editor.cancel();
    assert.equal(await shown, 'aborted');
    await editor.pass(390);
    assert.equal(request.signal.aborted, false);
    await editor.pass(20);
    assert.equal(request.signal.aborted, true);
    assert.equal(editor.suggester.isBusy, false);
  });

  it('one that was answered when nobody waited is shown to who returns', async () => {
    const { request } = await asked('const a');
    editor.cancel();
    request.answer(' = 1;');
    await settled();
    assert.equal(await editor.at('const a'), ' = 1;');
    assert.equal(editor.requests.length, 1);
  });

  for (const [what, change] of [
    ['another document', () => (editor.uri = 'file:///b.ts')],
    ['other text after the cursor, as with several cursors', () => (editor.after = ' + 2\n')],
  ] as const) {
    it(`one ends with a keystroke in ${what}`, async () => {
      const { request } = await asked('const a');
      change();
      void editor.at('const a =');
      await settled();
      assert.equal(request.signal.aborted, true);
    });
  }

  it('one ends with an undo, a selection that is replaced, and a cursor elsewhere', async () => {
    for (const before of ['const ', 'let a =', 'const a\nconst b']) {
      editor = new Editor();
      const { request } = await asked('const a');
      void editor.at(before === 'const a\nconst b' ? 'const b' : before);
      await settled();
      assert.equal(request.signal.aborted, true, before);
    }
  });

  it('there is at most one', async () => {
    const { request } = await asked('const a');
    request.said('!');
    void editor.at('const a:');
    const shown = editor.at('const a:x', false);
    await settled();
    assert.deepEqual(
      editor.requests.map(({ at, signal }) => [at, signal.aborted]),
      [
        ['const a', true],
        ['const a:x', false],
      ],
    );
    editor.last.answer('y');
    assert.equal(await shown, 'y');
  });

  it('its error is that of everyone who waits for it', async () => {
    const { request } = await asked('const a');
    const shown = editor.at('const a =');
    request.fail(new ServiceError('rateLimit', 'Too many.', {}));
    assert.equal(await shown, 'rateLimit');
    await editor.pass(2_000);
    assert.equal(editor.requests.length, 1);
    assert.equal(editor.suggester.isBusy, false);
  });

  it('nothing is shown of what was asked or answered before a change of the policy', async () => {
    const { request } = await asked('const a');
    const shown = editor.at('const a =');
    editor.suggester.forget();
    request.answer(' = 1;');
    assert.equal(await shown, 'aborted');
    void editor.at('const a');
    await editor.pass(400);
    assert.equal(editor.requests.length, 2);
    editor.last.answer(' = 2;');
    await settled();
    editor.suggester.forget();
    void editor.at('const a');
    await editor.pass(1_000);
    assert.equal(editor.requests.length, 3);
  });

  it('one that was not sent, because the text changed, is not taken for an answer', async () => {
    const { shown, request } = await asked('const a');
    request.answer(null);
    assert.equal(await shown, '');
    void editor.at('const a');
    await editor.pass(1_000);
    assert.equal(editor.requests.length, 2);
  });

  it('a request that the user asks for does not wait', async () => {
    void editor.at('const a');
    const shown = editor.at('const a', false);
    await settled();
    assert.equal(editor.requests.length, 1);
    editor.last.answer(' = 1;');
    assert.equal(await shown, ' = 1;');
  });
});

/** A line is typed, and each answer takes 150 ms. Returns the requests. */
async function typed(line: string, pauses: (index: number) => number, answer: (before: string) => string) {
  const editor = new Editor();
  for (let index = 1; index <= line.length; index += 1) {
    void editor.at(line.slice(0, index));
    for (let left = pauses(index); left > 0; left -= 10) {
      await editor.pass(10);
      for (const request of editor.requests) {
        const begun = begunAt.get(request) ?? editor.clock;
        begunAt.set(request, begun);
        if (editor.clock - begun >= 150) request.answer(answer(request.at));
      }
    }
  }
  await editor.pass(1_000);
  return { count: editor.requests.length, cut: editor.requests.filter(({ signal }) => signal.aborted).length };
}

const begunAt = new WeakMap<Request, number>();

describe('inline completions: requests while a line of 40 characters is typed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const line = 'const wholeTotal = prices.reduce(addAll);';
  const slow = () => 330;
  const withPauses = (index: number) => (index % 10 === 0 ? 500 : 170);
  const knowing = (before: string) => line.slice(before.length);
  const never = () => '¤';
  const fromTen = (before: string) => (before.length < 10 ? '¤' : line.slice(before.length));
  for (const [name, pauses, answer, most] of [
    ['3 keys a second, and each answer is right, with one for the next line', slow, knowing, 2],
    ['3 keys a second, and answers are right from the tenth character on', slow, fromTen, 3],
    ['3 keys a second, and no answer is right', slow, never, 5],
    ['6 keys a second with pauses, and each answer is right, with one for the next line', withPauses, knowing, 2],
    ['6 keys a second with pauses, and answers are right from the tenth character on', withPauses, fromTen, 3],
    ['6 keys a second with pauses, and no answer is right', withPauses, never, 3],
  ] as const) {
    it(`are at most ${most} at ${name}`, async () => {
      const { count, cut } = await typed(line, pauses, answer);
      assert.ok(count >= 1 && count <= most, String(count));
      assert.equal(cut, 0);
    });
  }
});
