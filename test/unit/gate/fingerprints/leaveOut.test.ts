import assert from 'node:assert/strict';
import { passagesIn, withPassagesLeftOut } from '../../../../src/gate/fingerprints/leaveOut.ts';
import type { FoundPassage } from '../../../../src/gate/fingerprints/passages.ts';
import { finished } from '../../../tools/processorTime.ts';

const name = (file: number): string => ['', 'config/.env', '.npmrc'][file] ?? '';

function without(text: string, found: readonly FoundPassage[]): string {
  return finished(withPassagesLeftOut(text, finished(passagesIn(text, found, name))));
}

function left(text: string, part: string, kind: 'lines' | 'value' | 'encoded' = 'lines', file = 1): string {
  const start = text.indexOf(part);
  return without(text, [{ start, end: start + part.length, file, kind }]);
}

describe('gate: what is left out of a text', () => {
  it('are whole lines, with two more on each side', () => {
    const text = 'a\nb\nc\nd\nEE E\nf\ng\nh\ni';
    assert.equal(left(text, 'EE'), 'a\nb\n[left out: 5 lines of config/.env]\nh\ni');
    assert.equal(left(text.replaceAll('\n', '\r\n'), 'EE'), 'a\r\nb\r\n[left out: 5 lines of config/.env]\r\nh\r\ni');
    assert.equal(left('EE', 'EE'), '[left out: 1 line of config/.env]');
    assert.equal(left('a\nEE', 'EE'), '[left out: 2 lines of config/.env]');
  });

  it('are lines of a text in JSON, too', () => {
    const text = JSON.stringify({ a: 'one\ntwo\nthree\nEE\nfour\nfive\nsix' });
    assert.deepEqual(JSON.parse(left(text, 'EE')), { a: 'one\n[left out: 5 lines of config/.env]\nsix' });
  });

  it('are a value alone, with the rest of its word', () => {
    assert.equal(left('x: "p@ss-w0rd!", y', 'ss-w0rd', 'value'), 'x: "[left out: a value of config/.env]", y');
    assert.equal(left('in aGVsbG8= too', 'aGVsbG8=', 'encoded'), 'in [left out: a value of config/.env] too');
  });

  it('are one passage where two touch, which names both files', () => {
    const text = `a\n\n\n${'B\n'.repeat(3)}C\n\n\nd`;
    const at = (part: string, file: number) =>
      ({ start: text.indexOf(part), end: text.indexOf(part) + 1, file, kind: 'lines' }) as const;
    assert.equal(without(text, [at('B', 1), at('C', 2)]), 'a\n[left out: 8 lines of config/.env, .npmrc]\nd');
  });
});
