import assert from 'node:assert/strict';
import { type Recall, recall } from '../../../src/webview/composer/promptHistory.ts';

const sent = ['first', 'second', 'second', 'third'];

/** Navigates like a user: each step starts with the text that the previous one shows. */
function walk(draft: string, steps: readonly ('older' | 'newer')[], messages = sent): readonly (string | undefined)[] {
  let now: Recall | undefined;
  let text = draft;
  return steps.map((step) => {
    const next = recall(messages, text, now, step);
    if (next !== undefined) [now, text] = [next, next.shown];
    return next?.shown;
  });
}

describe('webview: history of sent messages', () => {
  it('goes from the last to the first, with consecutive duplicates once', () => {
    assert.deepEqual(walk('', ['older', 'older', 'older', 'older']), ['third', 'second', 'first', undefined]);
  });

  it('ends with the draft on the way back', () => {
    const steps = ['older', 'older', 'newer', 'newer', 'newer'] as const;
    assert.deepEqual(walk('half a question', steps), ['third', 'second', 'third', 'half a question', undefined]);
  });

  it('is empty if nothing was sent, and nothing is newer than a draft', () => {
    assert.deepEqual(walk('', ['older', 'newer'], []), [undefined, undefined]);
    assert.deepEqual(walk('draft', ['newer']), [undefined]);
  });

  it('a changed message is a separate draft', () => {
    const shown = recall(sent, '', undefined, 'older');
    const changed = recall(sent, 'third, and more', shown, 'older');
    assert.deepEqual(changed, { back: 1, draft: 'third, and more', shown: 'third' });
    assert.equal(recall(sent, 'third', changed, 'newer')?.shown, 'third, and more');
    assert.equal(recall(sent, 'third, and more', shown, 'newer'), undefined);
  });

  it('navigation continues while new messages are sent', () => {
    const shown = recall(['a'], '', undefined, 'older');
    assert.equal(recall(['a', 'b'], 'a', shown, 'older')?.shown, 'a');
    assert.equal(recall(['a', 'b'], '', undefined, 'older')?.shown, 'b');
  });
});
