import assert from 'node:assert/strict';
import { Drawing } from '../../../../src/features/edits/vscode/shown/drawing.ts';

/** Completes each draw only when a test calls take(). */
class Canvas {
  readonly shown: string[] = [];
  text = '';
  readonly #taking: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly show = (): Promise<void> => {
    this.shown.push(this.text);
    for (const wake of this.#waiting.splice(0)) wake();
    return new Promise((resolve) => this.#taking.push(resolve));
  };

  /** Completes the pending draws. */
  take(): void {
    for (const taken of this.#taking.splice(0)) taken();
  }

  async drawn(count: number): Promise<void> {
    while (this.shown.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly growTo = (text: string) => (): boolean => {
    const isMore = text !== this.text;
    this.text = text;
    return isMore;
  };
}

describe('the drawing of a proposal', () => {
  it('draws the first piece immediately, and the latest text after each completed draw', async () => {
    const canvas = new Canvas();
    const drawing = new Drawing(canvas.show, 0);
    drawing.soon(canvas.growTo('a'));
    drawing.soon(canvas.growTo('ab'));
    drawing.soon(canvas.growTo('abc'));
    assert.deepEqual(canvas.shown, ['a']);
    canvas.take();
    await canvas.drawn(2);
    assert.deepEqual(canvas.shown, ['a', 'abc']);
  });

  it('draws the final text without a delay, and nothing after it', async () => {
    const canvas = new Canvas();
    const drawing = new Drawing(canvas.show, 0);
    drawing.soon(canvas.growTo('a'));
    drawing.soon(canvas.growTo('ab'));
    canvas.text = 'the end';
    const ended = drawing.now();
    assert.deepEqual(canvas.shown, ['a', 'the end']);
    canvas.take();
    await ended;
    drawing.soon(canvas.growTo('more'));
    assert.deepEqual(canvas.shown, ['a', 'the end']);
  });

  it('draws nothing before there is text', async () => {
    const canvas = new Canvas();
    const drawing = new Drawing(canvas.show, 0);
    drawing.soon(canvas.growTo(''));
    await new Promise(setImmediate);
    drawing.soon(canvas.growTo('a'));
    await canvas.drawn(1);
    assert.deepEqual(canvas.shown, ['a']);
    drawing.stop();
  });
});
