import assert from 'node:assert/strict';
import { countFences, endsInFence } from '../../../src/webview/markdown/fence.ts';

describe('the end of an answer', () => {
  it('is inside a fence if the last one is unclosed', () => {
    const open = [
      '```ts\na',
      'text\n\n~~~\na\n```\n',
      '```\na\n```\n\n````\n```\n',
      '- a\n  ```\n  b\n',
      '```',
      '```md\n```sh\na',
    ];
    for (const text of open) assert.ok(endsInFence(text), JSON.stringify(text));
  });

  it('is not inside a fence if all are closed, or there is none', () => {
    const closed = ['', 'text', '```ts\na\n```', '```\na\n````\n', '- a\n  ```\n  b\n  ```\n', 'a ```` b', '``` a ` b'];
    for (const text of closed) assert.ok(!endsInFence(text), JSON.stringify(text));
    assert.equal(countFences('```\n```\n\n```\n'), 2);
    const nested = '```md\n# a\n```sh\nb\n```\n```\n';
    assert.ok(!endsInFence(nested));
    assert.equal(countFences(nested), 1);
    assert.ok(!endsInFence('```md\n```sh\na\n```\n'));
  });
});
