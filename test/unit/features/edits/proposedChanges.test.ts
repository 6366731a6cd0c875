import assert from 'node:assert/strict';
import type { ProposedChanges } from '../../../../src/features/edits/vscode/changes/proposedChanges.ts';
import { maskText, scanText } from '../../../../src/gate/secrets/scanner.ts';
import type { ToolOutput } from '../../../../src/session/tools/toolStep.ts';
import { MemoryWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';

// Assembled here so that nothing in this file looks like a secret.
const value = ['q7Rt2mZx', '9LbV4kWp', '8NcY3hJd'].join('');
const body = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'];
const key = ['-----BEGIN', ' PRIVATE KEY-----\n', body.join('\n'), '\n-----END', ' PRIVATE KEY-----'].join('');
const text = `const password = '${value}';\nconst limit = 3;\nconst key = \`\n${key}\n\`;\n`;

interface Modules {
  propose(): ProposedChanges;
  run(name: string, input: object, proposed: ProposedChanges): Promise<ToolOutput>;
}

describe('a file with a proposed change', () => {
  let modules: Modules;
  let proposed: ProposedChanges;
  let marks: readonly string[];

  before(async () => {
    const workspace = new MemoryWorkspace();
    workspace.files.set('/one/a.ts', text);
    modules = await moduleIn<Modules>(workspace, 'test/unit/features/edits/proposingTools.ts');
    marks = (await maskText(text, await scanText(text))).match(/\[masked:[^\]]*\]/g) ?? [];
    assert.equal(marks.length, 2);
  });

  beforeEach(() => {
    proposed = modules.propose();
  });

  /** Returns what a model gets from a tool, after the examination of a request. */
  const sent = async (name: string, input: object): Promise<string> => {
    const { text: words, attachments } = await modules.run(name, input, proposed);
    const texts = attachments.map(async (one) =>
      maskText(one.text, await scanText(one.text, { known: one.marks ?? [] })),
    );
    return [words, ...(await Promise.all(texts))].join('\n');
  };
  const edit = (oldString: string, newString: string, replaceAll = false): Promise<string> =>
    sent('edit_file', { path: 'a.ts', oldString, newString, replaceAll });
  const read = (): Promise<string> => sent('read_file', { path: 'a.ts' });
  const isHidden = (result: string): void => {
    for (const one of [value, ...body]) assert.ok(!result.includes(one.slice(0, 12)), result);
  };

  for (const [how, old, now] of [
    ['has another name', "const password = '", "const limit2 = '"],
    ['is also in a comment', 'const limit = 3;', 'const limit = 3; // \u{f0000}'],
    ['has lost its first line', '\u{f0003}\n', ''],
  ] as const) {
    it(`keeps its secrets masked where one ${how}`, async () => {
      assert.match(await edit(old, now), /^Proposed/);
      const result = await read();
      isHidden(result);
      assert.match(result, /\[masked: /);
      // The lines that are most like the old text.
      isHidden(await edit('const limit = 4;\nconst key = `', ''));
    });
  }

  it('has secrets that no edit changes or guesses once one has another name', async () => {
    assert.match(await edit("const password = '", "const limit2 = '"), /^Proposed/);
    assert.match(await edit(`const limit2 = '${value.slice(0, 4)}`, 'x'), /^Refused/);
    assert.match(await edit('q7', 'q 7', true), /^Refused/);
    assert.match(await edit('Rt', 'R t', true), /^Refused/);
    isHidden(await read());
  });

  it('gets no edit that would cut a character in two', async () => {
    assert.match(await edit('const limit = 3;', 'const limit = "\u{1f600}";'), /^Proposed/);
    for (const [old, now] of [
      ['\ud83d', 'x'],
      ['\u{1f600}', '\ude00'],
      ['limit', 'li\0mit'],
    ] as const)
      assert.match(await edit(old, now, true), /a character that no text file has/);
    assert.match(await read(), /const limit = "\u{1f600}";/u);
  });

  it('is not found by a part of a secret', async () => {
    const search = async (query: string): Promise<readonly string[]> =>
      (await sent('search_text', { query })).split('\n').filter((line) => line.startsWith('a.ts:'));
    const line = `a.ts:1: const password = '${marks[0]}';`;
    assert.deepEqual(await search("const password = '"), [line]);
    assert.deepEqual(await search(`const password = '${value.slice(0, 4)}`), []);
    assert.deepEqual(await search(value.slice(0, 8)), []);
    assert.deepEqual(await search('const limit'), ['a.ts:2: const limit = 3;']);
    await edit("const password = '", "const limit2 = '");
    assert.deepEqual(await search("const limit2 = '"), ['a.ts: changed']);
    assert.deepEqual(await search(`const limit2 = '${value.slice(0, 4)}`), []);
  });
});
