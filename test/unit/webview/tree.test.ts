import assert from 'node:assert/strict';
import { parse } from '../../../src/webview/markdown/parser.ts';
import { toTree } from '../../../src/webview/markdown/tree.ts';

const tree = (markdown: string): unknown => toTree(parse(markdown).tokens);

describe('webview/markdown/tree', () => {
  it('keeps HTML as text', () => {
    assert.deepEqual(tree('<img src=x onerror=alert(1)>'), [{ tag: 'p', children: ['<img src=x onerror=alert(1)>'] }]);
  });

  it('links http, https and mailto, by their actual address', () => {
    assert.deepEqual(tree('[bank](https://evil.example/x)'), [
      { tag: 'p', children: [{ tag: 'a', href: 'https://evil.example/x', children: ['bank'] }] },
    ]);
    assert.deepEqual(tree('[us](mailto:a@b.example)'), [
      { tag: 'p', children: [{ tag: 'a', href: 'mailto:a@b.example', children: ['us'] }] },
    ]);
  });

  for (const href of [
    'command:workbench.action.quit',
    'vscode://x/y',
    'file:///etc/passwd',
    '/relative',
    '#here',
    'data:image/png;base64,AA==',
    'https://evil%2F@good.example/',
    '//good.example/',
  ])
    it(`turns a link to ${href} into plain text`, () => {
      assert.equal(JSON.stringify(tree(`a [go](${href}) b`)).includes('"a"'), false);
    });

  it('turns an image into a link, which is never fetched', () => {
    assert.deepEqual(tree('![a *cat*](https://x.example/c.png)'), [
      { tag: 'p', children: [{ tag: 'a', href: 'https://x.example/c.png', children: ['[image: a cat]'] }] },
    ]);
    assert.deepEqual(tree('![cat](data:image/png;base64,AA==)'), [{ tag: 'p', children: ['[image: cat]'] }]);
  });

  it('draws the boxes of a task list, and of nothing else', () => {
    const box = (isDone: boolean) => ({ tag: 'task-box', isDone });
    const item = (isDone: boolean, text: string) => ({ tag: 'li', children: [box(isDone), text], isTask: true });
    assert.deepEqual(tree('- [x] one\n- [ ] two\n- three'), [
      { tag: 'ul', children: [item(true, ' one'), item(false, ' two'), { tag: 'li', children: ['three'] }] },
    ]);
    assert.deepEqual(tree('[x] no list'), [{ tag: 'p', children: ['[x] no list'] }]);
    assert.deepEqual(tree('- [x] one\n\n- two'), [
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: [{ tag: 'p', children: [box(true), ' one'] }], isTask: true },
          { tag: 'li', children: [{ tag: 'p', children: ['two'] }] },
        ],
      },
    ]);
  });

  it('keeps the start of a list and the alignment of a column', () => {
    assert.deepEqual(tree('3. c'), [{ tag: 'ol', start: 3, children: [{ tag: 'li', children: ['c'] }] }]);
    assert.ok(JSON.stringify(tree('|a|\n|-:|\n|1|')).includes('"align":"right"'));
  });

  it('finds code at any depth', () => {
    assert.deepEqual(tree('- a\n  ```ts\n  let b;\n  ```'), [
      { tag: 'ul', children: [{ tag: 'li', children: ['a', { tag: 'code-block', info: 'ts', code: 'let b;\n' }] }] },
    ]);
  });

  it('puts the headings of an answer below those of the page', () => {
    assert.deepEqual(tree('# Title'), [{ tag: 'h3', children: ['Title'] }]);
  });
});
