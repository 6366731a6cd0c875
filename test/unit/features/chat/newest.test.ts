import assert from 'node:assert/strict';
import { Newest } from '../../../../src/features/chat/vscode/history/newest.ts';

/** Each run waits until a test releases it. */
function start(restMs = 0) {
  const runs: { readonly asked: string; readonly signal: AbortSignal; readonly end: (error?: Error) => void }[] = [];
  const answers: string[] = [];
  const failures: unknown[] = [];
  let heard = Promise.withResolvers<void>();
  const newest = new Newest<string, string>({
    run: (asked, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      runs.push({ asked, signal, end: (error) => (error === undefined ? resolve(`of ${asked}`) : reject(error)) });
      heard.resolve();
      heard = Promise.withResolvers();
      return promise;
    },
    done: (answer) => answers.push(answer),
    failed: (error) => failures.push(error),
    restMs,
  });
  const nextRun = (): Promise<void> => heard.promise;
  return { newest, runs, answers, failures, nextRun };
}

describe('features/chat/vscode/history: newest', () => {
  it('runs the last of several quick requests once, after a pause', async () => {
    const { newest, runs, nextRun } = start();
    const ran = nextRun();
    for (const asked of ['a', 'ab', 'abc']) newest.ask(asked);
    assert.equal(runs.length, 0);
    await ran;
    assert.deepEqual(
      runs.map(({ asked }) => asked),
      ['abc'],
    );
  });

  it('aborts the older run when a newer starts, and returns only the newer, in any order of completion', async () => {
    const { newest, runs, answers, failures } = start();
    const first = newest.askNow('a');
    const second = newest.askNow('ab');
    assert.deepEqual(
      runs.map(({ signal }) => signal.aborted),
      [true, false],
    );
    runs[1]?.end();
    await second;
    runs[0]?.end();
    await first;
    assert.deepEqual(answers, ['of ab']);
    const third = newest.askNow('abc');
    newest.cancel();
    runs[2]?.end(new Error('ended'));
    await third;
    assert.deepEqual([answers, failures], [['of ab'], []]);
  });

  it('aborts the running request as soon as there is more input', () => {
    const { newest, runs } = start(60_000);
    void newest.askNow('a');
    newest.ask('ab');
    assert.equal(runs[0]?.signal.aborted, true);
    assert.equal(runs.length, 1);
    newest.cancel();
  });

  it('reports a failure', async () => {
    const { newest, runs, failures } = start();
    const asked = newest.askNow('a');
    const error = new Error('no disk');
    runs[0]?.end(error);
    await asked;
    assert.deepEqual(failures, [error]);
  });
});
