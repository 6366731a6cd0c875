import assert from 'node:assert/strict';
import { KeptText } from '../../../../src/features/chat/vscode/question/unsentText.ts';
import { messageOf } from '../../../../src/webview/composer/pasted.ts';

const editing = { turnId: 'a', text: 'Why not?', attachments: [] };
const summary = { turnId: 'b', text: 'The port is 9000.' };

describe('host: unsent text', () => {
  it('is the newest that a page has told, until it is empty', () => {
    const kept = new KeptText();
    assert.deepEqual(kept.events, []);
    kept.keep({ draft: 'a' });
    kept.keep({ draft: 'ab', editing });
    assert.deepEqual(kept.events, [{ type: 'text-restored', text: { draft: 'ab', editing } }]);
    kept.keep({});
    assert.deepEqual(kept.events, []);
  });

  it('does not come back after it was sent, even if the page ends before it says so', () => {
    for (const [draft, pasted] of [
      ['Why?', []],
      ['Why?', ['long', 'longer']],
      [' ', ['long']],
      ['', ['long']],
    ] as const) {
      const kept = new KeptText();
      kept.keep({ draft, pasted, editing, summary });
      kept.sent({ text: messageOf(draft, pasted) });
      assert.deepEqual(kept.events, [{ type: 'text-restored', text: { editing, summary } }]);
    }
    const kept = new KeptText();
    kept.keep({ editing, summary });
    kept.edited({ ...editing, attachments: [0] });
    assert.deepEqual(kept.events, [{ type: 'text-restored', text: { summary } }]);
    kept.summarized(summary);
    assert.deepEqual(kept.events, []);
  });

  it('stays if it was typed while the message before it was being sent', () => {
    const kept = new KeptText();
    const text = { draft: 'Why? And', editing, summary };
    kept.keep(text);
    kept.sent({ text: 'Why?' });
    kept.edited({ ...editing, text: 'Why' });
    kept.edited({ ...editing, turnId: 'other' });
    kept.summarized({ ...summary, text: 'The' });
    assert.deepEqual(kept.events, [{ type: 'text-restored', text }]);
    kept.forget();
    assert.deepEqual(kept.events, []);
  });
});
