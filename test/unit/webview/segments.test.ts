import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolStepView } from '../../../src/protocol/turnView.ts';
import { segmentsOf } from '../../../src/webview/view/turn/segments.ts';

const step = (at: number, id = `${at}`, state: ToolStepView['state'] = 'done'): ToolStepView => ({
  ...{ id, at, state, title: 'Read a.ts', note: '', input: '{}' },
});
const shown = (steps: readonly ToolStepView[], answer: string) =>
  segmentsOf(steps, answer).map(({ from, to, steps: called }) => [
    answer.slice(from, to),
    ...called.map(({ id }) => id),
  ]);

describe('an answer with tool calls', () => {
  it('has its text before the calls that it led to', () => {
    assert.deepEqual(shown([], 'All.'), [['All.']]);
    assert.deepEqual(shown([step(9)], 'I look.\n\nIt is so.'), [['I look.\n\n', '9'], ['It is so.']]);
    assert.deepEqual(shown([step(2), step(2, 'b'), step(4)], 'A B C'), [['A ', '2', 'b'], ['B ', '4'], ['C']]);
  });

  it('has calls first that nothing was said before, and those of one place together', () => {
    assert.deepEqual(shown([step(0)], 'After.'), [['', '0'], ['After.']]);
    assert.deepEqual(shown([step(1), step(3)], 'A\n\nB'), [['A', '1', '3'], ['B']]);
  });

  it('leaves out calls that have not ended', () => {
    assert.deepEqual(shown([step(1, 'a', 'running'), step(1, 'b', 'asking')], 'A'), [['A']]);
  });

  it('has each part of its text once, and each call, whatever the offsets are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 30 })), fc.string({ maxLength: 20 }), (offsets, answer) => {
        const segments = segmentsOf(
          offsets.map((at, index) => step(at, `${index}`)),
          answer,
        );
        const text = segments.map(({ from, to }) => answer.slice(from, to)).join('');
        assert.equal(text.replace(/\s/g, ''), answer.replace(/\s/g, ''));
        assert.deepEqual(
          segments.flatMap(({ steps }) => steps.map(({ id }) => Number(id))),
          offsets.map((_, index) => index),
        );
        // The page keeps what is drawn by where it begins.
        const drawn = segments.filter(({ from, to }) => to === undefined || answer.slice(from, to).trim() !== '');
        assert.equal(new Set(drawn.map(({ from }) => from)).size, drawn.length);
      }),
    );
  });
});
